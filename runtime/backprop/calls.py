"""Calls of graphs: the op types, and their gradients, which are calls of graphs too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.forks import Lock
from runtime.backprop.graphs import Derivative, derivative, flags_of, floating
from runtime.backprop.walk import Gradient, Step, or_zeros
from runtime.core import dtypes
from runtime.core.dispatch import Ran, record
from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.opdef import MIXED, Effect, OpDef, register
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.engines.engine import executable, optimized

BOXED = (dtypes.resource, dtypes.variant)
"""The dtypes of tensors whose value is an object that says nothing of its dtype and shape."""


class _Compiled:
    """A graph that runs at once, compiled when it first does."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._executable: Callable[..., tuple[Any, ...]] | None = None
        self._compiling = Lock()

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        return (self._executable or self._compiled())(*arrays)

    def _compiled(self) -> Callable[..., tuple[Any, ...]]:
        with self._compiling:
            if self._executable is None:
                self._executable = executable(optimized(self.graph), self)
            return self._executable

    def forget_executable(self) -> None:
        self._executable = None


def compiled(graph: Graph) -> Callable[..., tuple[Any, ...]]:
    """A graph as a function on arrays; compiled once, when it is called first."""
    found = graph.derivatives.get("compiled")
    if found is None:
        found = graph.derivatives.setdefault("compiled", _Compiled(graph))
    return found  # type: ignore[no-any-return]


def _ran(graph: Graph, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The outputs of a graph for tensors that have values."""
    results = compiled(graph)(*(tensor._a for tensor in inputs))  # type: ignore[attr-defined]
    return tuple(
        EagerTensor(value, tensor.spec if tensor.dtype in BOXED else None)
        for value, tensor in zip(results, graph.outputs, strict=True)
    )


def call_graph(graph: Graph, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Runs a graph, or records a call of it.

    Args:
      graph: the graph, which uses nothing but its inputs.
      inputs: a tensor for each input.
    """
    if STATE.graph is not None:
        return record(STATE.graph, call_type(graph), inputs, {"f": graph})
    tapes = [tape for tape in STATE.tapes if any(tape.follows(inputs))]
    if not tapes:
        return _ran(graph, inputs)
    return call_on_tapes(graph, inputs, tapes)


def call_on_tapes(
    graph: Graph, inputs: Sequence[Tensor], tapes: Sequence[Any]
) -> tuple[Tensor, ...]:
    """Runs a graph for tapes that follow some of its inputs.

    What its gradients read is an output of the graph that runs, so they find it without running
    the graph again. Where several tapes may take gradients of gradients, so is what those read.
    """
    followed = [any(flags) for flags in zip(*(tape.follows(inputs) for tape in tapes), strict=True)]
    orders: list[Derivative] = []
    runs = graph
    for _ in range(sum(tape.orders for tape in tapes)):
        orders.append(derivative(runs, floating(runs.outputs), followed, True))
        if len(orders[-1].forward.outputs) == len(runs.outputs):
            break
        runs = orders[-1].forward
    outputs = _ran(runs, inputs)
    step = Ran(call_type(graph), tuple(inputs), {"f": graph, "orders": orders}, outputs)
    for tape in tapes:
        tape.note(None, step)
    return outputs[: len(graph.outputs)]


def call_type(graph: Graph) -> OpDef:
    """The op type of calls of a graph."""
    return CALL if graph.effect is Effect.NONE else STATEFUL_CALL


def _backward(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> list[Gradient | None]:
    """The gradients of a call: a call of the graph of gradients."""
    if isinstance(step, Operation):
        found = derivative(step.attrs["f"], flags_of(gradients), wanted, True)
        _have_forward_called(step, found)
    else:
        found, gradients = _order(step, gradients)
    given = [gradient for gradient in gradients if gradient is not None]
    reads = saved(found, step.inputs, step.outputs[: len(found.forward.outputs)])
    return found.of_inputs(call_graph(found.backward, (*given, *reads)))


def _order(
    step: Step, gradients: Sequence[Tensor | None]
) -> tuple[Derivative, list[Tensor | None]]:
    """How to find the gradients of a call that ran, and those of all results that count for it.

    Gradients of what only gradients read are received where these are differentiated again.
    """
    known = len(step.attrs["f"].outputs)
    last = max(place for place, gradient in enumerate(gradients) if gradient is not None)
    for found in step.attrs["orders"]:
        if last < known:
            return found, list(map(or_zeros, gradients[:known], step.outputs[:known]))
        known = len(found.forward.outputs)
    raise UnimplementedError(
        None,
        None,
        f"the gradient of a gradient of `{step.attrs['f'].name}` is asked for more often than "
        "there are tapes that watched its call. Enter a tape for each order, one inside the other.",
    )


def _have_forward_called(op: Operation, found: Derivative) -> None:
    """Has an operation of a graph that is being recorded call the graph that gives more."""
    known = len(op.outputs)
    op.attrs["f"] = found.forward
    op.outputs = (
        *op.outputs,
        *(
            SymbolicTensor(op, index, tensor.spec, False)
            for index, tensor in enumerate(found.forward.outputs[known:], known)
        ),
    )


def saved(found: Derivative, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> list[Tensor]:
    """What a graph of gradients reads, given the inputs and outputs of the forward graph."""
    pairs = zip((*found.forward.inputs, *found.forward.outputs), (*inputs, *outputs), strict=True)
    known = {id(inner): outer for inner, outer in pairs}
    return [known.get(id(read), read) for read in found.reads]


def _define(name: str) -> OpDef:
    return register(
        OpDef(
            name,
            {"*args": MIXED},
            lambda *args, f: tuple(tensor.spec for tensor in f.outputs),
            lambda xp, *args, f: f(*args),
            outputs=None,
            backward=_backward,
        )
    )


CALL = _define("PartitionedCall")
STATEFUL_CALL = _define("StatefulPartitionedCall")
