"""Dependencies among tensors, on every path through staged statements.

In Python a tape has no part in a branch that does not run: a tensor that depends on a watched one
in one of two branches may have no connection to it. In a graph the result of a branch op depends on
all that its branches use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runtime.backprop.walk import carries_gradient
from runtime.core.graph import Graph
from runtime.core.opdef import Control
from runtime.core.operation import Operation
from runtime.core.tensor import Tensor

Known = set[int]
"""The ids of tensors that depend on a watched one at each run."""


def _spread(operations: Iterable[Operation], known: Known) -> None:
    """Add the outputs of operations that depend on known tensors to `known`, however they run."""
    for op in operations:
        flags = _flags(op, known)
        known.update(
            id(tensor)
            for tensor, flag in zip(op.outputs, flags, strict=True)
            if flag and carries_gradient(tensor)
        )


def _flags(op: Operation, known: Known) -> Sequence[bool]:
    """Return, for each output, whether it depends on a known tensor however the operation runs."""
    given = [id(tensor) in known for tensor in op.inputs]
    control = op.definition.control
    if control in (Control.IF, Control.CASE):
        ways = [_through(graph, given[1:]) for graph in op.subgraphs()]
        return [all(flags) for flags in zip(*ways, strict=True)]
    if control is Control.WHILE:
        return _through_loop(op.attrs["body"], given)[: len(op.outputs)]
    if control is Control.CALL:
        return _through(op.attrs["f"], given)
    return [any(given)] * len(op.outputs)


def _through(graph: Graph, given: Sequence[bool]) -> list[bool]:
    inputs = zip(graph.inputs, given, strict=True)
    known = {id(tensor) for tensor, flag in inputs if flag}
    _spread(graph.operations, known)
    return [id(tensor) in known for tensor in graph.outputs]


def _through_loop(body: Graph, given: Sequence[bool]) -> list[bool]:
    """Return the flags after any number of turns: what one turn loses, a run may lose."""
    flags = list(given)
    while True:
        after = _through(body, flags)
        left = [flag and own for flag, own in zip(flags, after, strict=False)]
        left += flags[len(left) :]
        if left == flags:
            return flags
        flags = left


def depends_at_each_run(
    operations: Iterable[Operation], watched: Iterable[Tensor], tensor: Tensor
) -> bool:
    """Return whether a tensor depends on a watched one, whichever way staged statements go."""
    known = set(map(id, watched))
    _spread(operations, known)
    return id(tensor) in known
