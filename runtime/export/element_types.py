"""Element types of tensor lists, which TensorFlow's graphs state and the runtime's do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.opdef import Control
from runtime.core.operation import Operation
from runtime.core.shapes import Dims, generalize
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor


class Elements:
    """Aliases of lists, with the specs of their elements.

    A list that a loop carries is one list: before the loop, in its body and after it.
    """

    def __init__(self, graph: Graph) -> None:
        """Analyze a graph and the graphs that it carries."""
        self._parent: dict[int, int] = {}
        self._specs: dict[int, TensorSpec] = {}
        found = list(_graphs(graph))
        for each in found:
            for op in each.operations:
                for one, other in _joined(op):
                    self._parent[self._root(id(one))] = self._root(id(other))
        for each in found:
            for op in each.operations:
                for tensor, spec in _told(op):
                    self._tell(self._root(id(tensor)), spec)

    def _root(self, key: int) -> int:
        while key in self._parent and self._parent[key] != key:
            key = self._parent[key]
        return key

    def _tell(self, root: int, spec: TensorSpec) -> None:
        known = self._specs.get(root)
        dims: Dims = spec.dims if known is None else generalize(known.dims, spec.dims)
        self._specs[root] = spec_of(spec.dtype, dims)

    def of(self, tensor: SymbolicTensor) -> TensorSpec | None:
        """Return dtype and shape of the elements of a list; None if unknown."""
        return self._specs.get(self._root(id(tensor)))


def _graphs(graph: Graph) -> Iterator[Graph]:
    yield graph
    for op in graph.operations:
        for inner in op.subgraphs():
            yield from _graphs(inner)


def _lists(tensors: Iterable[SymbolicTensor]) -> list[tuple[int, SymbolicTensor]]:
    return [
        (place, tensor) for place, tensor in enumerate(tensors) if tensor.dtype is dtypes.variant
    ]


def _pairs(
    some: Sequence[SymbolicTensor], others: Sequence[SymbolicTensor]
) -> Iterator[tuple[SymbolicTensor, SymbolicTensor]]:
    for place, tensor in _lists(some):
        if place < len(others):
            yield tensor, others[place]


def _joined(op: Operation) -> Iterator[tuple[SymbolicTensor, SymbolicTensor]]:
    if op.definition.control is None and "element" not in op.attrs:
        yield from _pairs(op.outputs[:1], op.inputs[:1])
    elif op.definition.control in (Control.IF, Control.CASE):
        for branch in op.subgraphs():
            yield from _pairs(branch.inputs, op.inputs[1:])
            yield from _pairs(branch.outputs, op.outputs)
    elif op.definition.control is Control.WHILE:
        for part in op.subgraphs():
            yield from _pairs(part.inputs, op.inputs)
        yield from _pairs(op.attrs["body"].outputs, op.outputs)
        yield from _pairs(op.inputs, op.outputs)
    elif op.definition.control is Control.CALL:
        for function in op.subgraphs():
            yield from _pairs(function.inputs, op.inputs)
            yield from _pairs(function.outputs, op.outputs)


def _told(op: Operation) -> Iterable[tuple[SymbolicTensor, TensorSpec]]:
    elements = op.definition.node.elements
    return () if elements is None else elements(op)
