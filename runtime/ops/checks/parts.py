"""What checks have in common: names in messages, and what is left to do."""

from __future__ import annotations

from runtime.core.operation import Operation
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.ops.effects.grouping import no_op


def nothing_left() -> Operation | None:
    """What a check that holds already leaves to do in a graph built by hand: nothing."""
    graph = STATE.graph
    return None if graph is None or graph.building_function else no_op()


def name_of(tensor: Tensor) -> str:
    """What a message calls a tensor: its name in a graph, else shape and dtype."""
    if isinstance(tensor, EagerTensor):
        return f"shape={tensor.shape} dtype={tensor.dtype.name}"
    return str(tensor.name)  # type: ignore[attr-defined]


def prefix(message: str | None) -> str:
    """What stands before the rest of a message: the user's own."""
    return f"{message}.  " if message else ""


def name_in_graph(tensor: Tensor) -> str:
    """The name in a graph; of a tensor with a value an empty string."""
    return "" if isinstance(tensor, EagerTensor) else name_of(tensor)
