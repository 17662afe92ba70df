"""Machine code for plans that turn out to run long, compiled while they run on.

The plan of a graph with a loop, or with elementwise operations on large arrays or many of them, is
timed. Once its runs took `THRESHOLD` seconds, a thread compiles the loops, the elementwise
operations and pooling, and later runs use the machine code. Its results are those of the plan, bit
for bit: what machine code may round differently stays Python. So it does not matter when a run
changes over. A graph that cannot be compiled keeps its plan.

The graph of a function with `jit_compile="auto"` is compiled as a whole at the end of run number
`FEW`. Its results may change in the last bits there, so what counts is a number of runs, which is
the same each time the program runs.

One graph is compiled at a time. A fork waits for the end of it, so that the child does not inherit
half a compilation, and so does the end of the program.
"""

from __future__ import annotations

import functools
import importlib.util
import itertools
import math
import os
import time
from collections.abc import Callable
from threading import Lock, Thread
from typing import Any

from autograph import verbosity
from runtime.core.graph import Graph
from runtime.core.opdef import Control
from runtime.core.operation import Operation
from runtime.engines import native
from runtime.passes.groups import group_dims
from runtime.passes.rewriting import holds

Executable = Callable[..., tuple[Any, ...]]

THRESHOLD = 0.5
"""Seconds in the plan before a graph is compiled; those in `fixtures` take 0.02 to 2 s."""

MANY = 32
"""Elementwise operations of a graph that take Python 20 us, of which machine code saves most and
the clock costs 0.3 us a run (measured)."""

FEW = 100
"""Runs that the plan takes with `jit_compile="auto"`: LLVM takes as long as some thousand of them,
and a program that runs a step a hundred times tends to run it a thousand times."""

clock = time.perf_counter

_ALONE = Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_ALONE.acquire, after_in_parent=_ALONE.release, after_in_child=_ALONE.release
    )


@functools.cache
def is_installed() -> bool:
    """Return whether the native engine can run here."""
    return importlib.util.find_spec("llvmlite") is not None


def may_run_long(graph: Graph) -> bool:
    """Return whether a graph, or one inside it, has a loop or a group of `runtime.passes.fuse`, or
    the graph has many elementwise operations on arrays.
    """
    on_arrays = sum(
        op.definition.fusable and bool(op.outputs[0].spec.dims) for op in graph.operations
    )
    return on_arrays >= MANY or holds(graph, _may_run_long)


def _may_run_long(op: Operation) -> bool:
    if op.definition.control is Control.CALL:
        return bool(group_dims(op.attrs["f"].operations))
    return op.definition.control is Control.WHILE


def timed(graph: Graph, plan: Executable, replace: Callable[[Executable], None]) -> Executable:
    """Return a plan that is timed until `replace` takes machine code for its graph, on a thread."""
    left = THRESHOLD

    def run(*arrays: object) -> tuple[Any, ...]:
        nonlocal left
        begin = clock()
        try:
            return plan(*arrays)
        finally:
            left -= clock() - begin
            if left <= 0:
                left = math.inf
                _start(graph, replace)

    return run


def counted(graph: Graph, plan: Executable, replace: Callable[[Executable], None]) -> Executable:
    """Return a plan that hands over to the native engine after its first `FEW` runs."""
    runs = itertools.count(1)

    def run(*arrays: object) -> tuple[Any, ...]:
        results = plan(*arrays)
        if next(runs) == FEW:
            _compile(graph, replace, native.executable)
        return results

    return run


def _start(graph: Graph, replace: Callable[[Executable], None]) -> None:
    arguments = (graph, replace, native.with_exact_parts)
    thread = Thread(target=_compile, args=arguments, name=f"compile {graph.name}")
    try:
        thread.start()
    except RuntimeError as error:  # the program ends, or has no room for a thread
        verbosity.log(1, f"{graph.name} stays Python: {error}")


def _compile(
    graph: Graph,
    replace: Callable[[Executable], None],
    compiler: Callable[[Graph], Executable],
) -> None:
    begin = clock()
    try:
        with _ALONE:
            code = compiler(graph)
    except Exception as error:  # the plan is right anyway
        verbosity.log(1, f"{graph.name} stays Python: {type(error).__name__}: {error}")
        return
    replace(code)
    verbosity.log(1, f"{graph.name} runs as machine code, compiled in {clock() - begin:.2f} s")
