"""Parts of messages that checks share."""

from __future__ import annotations

from runtime.core.operation import Operation
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.ops.effects.grouping import no_op


def nothing_left() -> Operation | None:
    """Return what a check that is known to hold returns: an operation in a graph built by hand."""
    graph = STATE.graph
    return None if graph is None or graph.building_function else no_op()


def name_of(tensor: Tensor) -> str:
    """Return the name of a tensor in a graph, or shape and dtype of an eager one."""
    if isinstance(tensor, EagerTensor):
        return f"shape={tensor.shape} dtype={tensor.dtype.name}"
    return str(tensor.name)  # type: ignore[attr-defined]


def prefix(message: str | None) -> str:
    """Return the user's message as the first words of another."""
    return f"{message}.  " if message else ""


def name_in_graph(tensor: Tensor) -> str:
    """Return the name of a tensor in a graph, or an empty string for an eager one."""
    return "" if isinstance(tensor, EagerTensor) else name_of(tensor)
