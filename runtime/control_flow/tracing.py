"""Tracing of the graphs that branches and loops carry."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from autograph.boundary import public_error
from autograph.errors import Unwinding, signals
from runtime.control_flow.values.carried import Carried, restored
from runtime.core.context import recording
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.opdef import Backward, Control, DTypes, Effect, OpDef, register
from runtime.core.operation import Operation
from runtime.core.structural import IDENTITY
from runtime.core.structure import map_structure
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE

P = ParamSpec("P")
R = TypeVar("R")


class Unsettled(Unwinding):
    """A function calls itself while its result type is unknown.

    The other branches determine its type: a branch that raises this is skipped for the moment.
    """


def control_op(
    name: str,
    inputs: Mapping[str, DTypes],
    infer: Callable[..., Any],
    kernel: Callable[..., Any],
    backward: Backward,
    control: Control,
    effect: Effect = Effect.NONE,
) -> OpDef:
    """Register an op type that runs the graphs among its attributes; see `OpDef`."""
    return register(
        OpDef(
            name,
            inputs,
            infer,
            kernel,
            outputs=None,
            effect=effect,
            backward=backward,
            control=control,
        )
    )


@contextmanager
def inner_graph(name: str) -> Iterator[Graph]:
    """Record the code inside in a new graph nested in the current one.

    Changes that the code makes to growing lists and dicts are undone, because it is only traced.
    """
    outer = STATE.graph
    label = name if outer is None else f"{outer.name}_{name}"
    graph = Graph(label, outer)
    with restored(), recording(graph):
        yield graph


@contextmanager
def trial_graph(name: str) -> Iterator[Graph]:
    """Record the code inside in a graph that is thrown away: a refusal in it counts only there."""
    mark = signals.mark()
    try:
        with inner_graph(name) as graph:
            graph.is_trial = True
            yield graph
    finally:
        signals.forget(mark)


class Surfacing:
    """Convert staging errors to public ones if a graph is built by hand.

    Otherwise the end of the trace does this.
    """

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        by_hand = STATE.graph is not None and not STATE.graph.building_function
        if by_hand and isinstance(error, StagingError):
            raise public_error(error) from None


def surfacing(function: Callable[P, R]) -> Callable[P, R]:
    """Wrap a function in `Surfacing`."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        with Surfacing():
            return function(*args, **kwargs)

    return called


def identities(graph: Graph, tensors: Iterable[SymbolicTensor]) -> list[SymbolicTensor]:
    """Return an Identity of each tensor of a graph: results have their own names."""
    return [
        graph.add(IDENTITY, (tensor,), {}, (tensor.spec,), weak=tensor.weak).outputs[0]
        for tensor in tensors
    ]


def is_seen(op: Operation) -> bool:
    """Return whether the run of an operation is observable; a random number is not, outside the
    graph.
    """
    if op.definition.effect is not Effect.NONE:
        return "seed" not in op.attrs
    graphs = (graph for graph in op.subgraphs() if graph.effect is not Effect.NONE)
    return any(is_seen(inner) for graph in graphs for inner in graph.operations)


def may_raise(op: Operation) -> bool:
    """Return whether it is a staged `raise` or `assert`, or contains one."""
    inner = (each for graph in op.subgraphs() for each in graph.operations)
    return op.definition.staged_raise or any(map(may_raise, inner))


def after_checks(graph: Graph, before: int, value: object) -> Any:
    """Return a structure whose tensors wait for the checks since operation number `before`.

    In a graph built by hand, only the dependencies of a result run.
    """
    checks = list(filter(may_raise, graph.operations[before:]))
    if not checks:
        return value

    def waiting(leaf: Any) -> Any:
        own = isinstance(leaf, SymbolicTensor) and leaf.graph is graph
        return identities(graph, [leaf])[0] if own else leaf

    with graph.control_dependencies(checks):
        return map_structure(waiting, value)


def as_now(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return outputs of a function, with copies of mutable stand-ins."""
    return tuple(v.contents() if issubclass(type(v), Carried) else v for v in values)


def share_captures(graphs: Sequence[Graph]) -> list[Tensor]:
    """Make all graphs capture the same inputs, in one order.

    Returns: The captured tensors.
    """
    captured: dict[int, Tensor] = {}
    for graph in graphs:
        captured.update((id(tensor), tensor) for tensor in graph.captures)
    for graph in graphs:
        arguments = graph.arguments
        with recording(graph):
            own = [_captured_input(graph, tensor) for tensor in captured.values()]
        graph.inputs = [*arguments, *own]
        graph.captures = list(captured.values())
    return list(captured.values())


def _captured_input(graph: Graph, tensor: Tensor) -> Any:
    for known, own in zip(graph.captures, graph.inputs[len(graph.arguments) :], strict=True):
        if known is tensor:
            return own
    return graph.add_capture(tensor)
