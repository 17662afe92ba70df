"""Graphs that a program runs, and profiles of it, for TensorBoard."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.core.graph import Graph
from runtime.core.tensor import Tensor, TensorLike
from runtime.engines.engine import watch_graphs
from runtime.export.messages import GraphDef, Message
from runtime.ops.base.convert import convert_to_tensor
from runtime.profiler.recording import begin, end
from runtime.summary.context import DEFAULTS, as_step, holds, refuse_in_graph, step_number
from runtime.summary.graphs import drawing
from runtime.summary.values import NO_STEP, Summary
from runtime.summary.writer import SummaryWriter, proto

Directory = str | os.PathLike[str]

_PLUGIN = "graph_run_metadata_graph"


class _Trace:
    """The record of `trace_on`: the graphs that run, before and after the passes."""

    def __init__(self, graph: bool, profiled: bool) -> None:
        self.graph, self.profiled = graph, profiled
        self.found: list[tuple[Graph, Graph]] = []

    def add(self, recorded: Graph, optimized: Graph) -> None:
        self.found.append((recorded, optimized))


_RUNNING: list[_Trace] = []
"""The trace that is on; empty without one."""


def graph(graph_data: Graph | Message) -> Tensor:
    """Write a graph, which TensorBoard draws.

    Args:
      graph_data: a `Graph` or a `GraphDef`.

    Returns: Whether it was written, a bool scalar: False without a default writer, and where
      `record_if` does not hold.

    Raises:
      TypeError: for anything else.
      StagingError: while a graph is recorded.

    >>> print(graph(Graph()))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    refuse_in_graph("tf.summary.graph", "Call it outside of the function.")
    if not isinstance(graph_data, (Graph, GraphDef)):
        raise TypeError(
            "'graph_data' is a tf.Graph or GraphDef, not "
            f"{type(graph_data).__name__}: of a function use `get_concrete_function().graph`."
        )
    writer = _recording_writer()
    if writer is not None:
        message = drawing(graph_data) if isinstance(graph_data, Graph) else graph_data
        writer.add_event(graph_def=message.SerializeToString())
    return convert_to_tensor(writer is not None)


def _recording_writer() -> SummaryWriter | None:
    writer = DEFAULTS.writer
    return writer if isinstance(writer, SummaryWriter) and holds() else None


def trace_on(graph: bool = True, profiler: bool = False) -> None:
    """Collect the graphs that run from now on, for `trace_export`.

    Args:
      graph: whether graphs are collected.
      profiler: whether a profile is made, as by `profiler.experimental.start`.

    Raises: StagingError while a graph is recorded.

    >>> trace_on()
    >>> trace_off()
    """
    refuse_in_graph("trace_on", "Call it outside of the function.")
    trace_off()
    if profiler:
        begin()
    _RUNNING.append(_Trace(graph, profiler))
    if graph:
        watch_graphs(_RUNNING[-1].add)


def trace_off() -> None:
    """Stop what `trace_on` began, without a result.

    >>> trace_off()
    """
    while _RUNNING:
        if _RUNNING.pop().profiled:
            end(None)
    watch_graphs(None)


def trace_export(
    name: str,
    step: TensorLike | None = None,
    profiler_outdir: Directory | None = None,
) -> None:
    """Stop what `trace_on` began and write the graphs that ran.

    Args:
      name: name of the summary.
      step: the step, an integer; None is the default step.
      profiler_outdir: directory of the profile, if there is one.

    Raises:
      ValueError: if no trace is on, or there is no step, or no directory for the profile.
      StagingError: while a graph is recorded.

    >>> trace_export("graphs", step=0)
    Traceback (most recent call last):
    ...
    ValueError: Must enable trace before export through tf.summary.trace_on.
    """
    refuse_in_graph("trace_export", "Call it outside of the function.")
    if not _RUNNING:
        raise ValueError("Must enable trace before export through tf.summary.trace_on.")
    trace = _RUNNING.pop()
    watch_graphs(None)
    if trace.profiled:
        end(profiler_outdir)
        if profiler_outdir is None:
            raise ValueError(
                "A profile was made, but there is no `profiler_outdir` to write it to."
            )
    writer = _recording_writer()
    if not trace.graph or writer is None:
        return
    number = step_number() if step is None else int(np.asarray(as_step(step)))
    if number is None:
        raise ValueError(NO_STEP.format(name))
    summary = Summary(name, _PLUGIN, np.asarray, b"1")
    data = np.array(_metadata(trace).SerializeToString(), object)
    writer.add_value(name, number, data, summary.metadata())


def _metadata(trace: _Trace) -> Any:
    """Return the graphs as TensorBoard's `RunMetadata`."""
    message = proto("config").RunMetadata()
    for recorded, optimized in trace.found:
        graphs = message.function_graphs.add()
        before, after = drawing(recorded), drawing(optimized)
        graphs.pre_optimization_graph.ParseFromString(before.SerializeToString())
        graphs.post_optimization_graph.ParseFromString(after.SerializeToString())
        graphs.partition_graphs.add().ParseFromString(after.SerializeToString())
    return message
