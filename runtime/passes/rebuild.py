"""Copies a graph, with some operations left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from runtime.core.graph import Graph, Operation, SymbolicTensor


def rebuild(
    graph: Graph,
    keep: Callable[[Operation], bool],
    carried: Callable[[Graph], Graph] = lambda graph: graph,
) -> Graph:
    """A copy of a graph.

    Args:
      graph: the graph; it stays as it is.
      keep: whether an operation is in the copy; arguments always are. What an operation waited for
        that is not in the copy gives way to what that waited for.
      carried: applied to each graph that an operation carries.
    """
    copy = Graph(graph.name, graph.outer)
    tensors: dict[int, SymbolicTensor] = {}
    operations: dict[int, Operation] = {}
    for op in graph.operations:
        if op.type == "Placeholder" or keep(op):
            operations[id(op)] = _copy_operation(copy, op, tensors, operations, carried)
    copy.inputs = [tensors[id(tensor)] for tensor in graph.inputs]
    copy.outputs = [tensors[id(tensor)] for tensor in graph.outputs]
    copy.captures = list(graph.captures)
    return copy


def _copy_operation(
    copy: Graph,
    op: Operation,
    tensors: dict[int, SymbolicTensor],
    operations: Mapping[int, Operation],
    carried: Callable[[Graph], Graph],
) -> Operation:
    inputs = tuple(tensors[id(tensor)] for tensor in op.inputs)
    attrs: dict[str, Any] = {
        name: carried(value) if isinstance(value, Graph) else value
        for name, value in op.attrs.items()
    }
    new = Operation(copy, copy.unique_name(op.name), op.definition, inputs, attrs, op.place)
    new.outputs = tuple(
        SymbolicTensor(new, old.value_index, old.spec, old.weak) for old in op.outputs
    )
    new.control_inputs = tuple(dict.fromkeys(_kept_waits(op, operations)))
    tensors.update(zip(map(id, op.outputs), new.outputs, strict=True))
    copy.operations.append(new)
    return new


def _kept_waits(op: Operation, operations: Mapping[int, Operation]) -> Iterator[Operation]:
    for other in op.control_inputs:
        if id(other) in operations:
            yield operations[id(other)]
        else:
            yield from _kept_waits(other, operations)
