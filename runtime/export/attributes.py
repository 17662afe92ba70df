"""Conversion of attributes to AttrValue messages, and the element types of tensor lists.

TensorFlow's graphs state the element types of lists; the runtime's do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.graph import Graph
from runtime.core.opdef import Control
from runtime.core.operation import Operation
from runtime.core.shapes import Dims, as_dims, generalize
from runtime.core.spec import TensorSpec, spec_of, spec_of_array
from runtime.core.symbolic import SymbolicTensor
from runtime.export.messages import AttrValue, Message, NameAttrList
from runtime.export.tensors import shape_message, tensor_message

_SLOTS = {"int": "i", "float": "f", "bool": "b", "string": "s", "type": "type", "func": "func"}
_SLOTS |= {"shape": "shape", "tensor": "tensor"}


def attr_message(kind: str, value: Any) -> Message:
    """Convert an attribute to a message.

    Args:
      kind: `int`, `float`, `bool`, `string`, `type`, `shape`, `tensor`, `func` (by name), or
        `list(...)` of one of them.
      value: a Python value, a dtype, dimensions, an array.

    >>> print(attr_message("list(int)", (1, 2)))
    list {
      i: 1
      i: 2
    }
    <BLANKLINE>
    """
    message = AttrValue()
    if kind.startswith("list("):
        message.list.SetInParent()
        slot = _SLOTS[kind[5:-1]]
        for item in value:
            getattr(message.list, slot).append(_stored(slot, item))
        return message
    slot = _SLOTS[kind]
    stored = _stored(slot, value)
    if slot in ("shape", "tensor", "func"):
        getattr(message, slot).CopyFrom(stored)
    else:
        setattr(message, slot, stored)
    return message


def _stored(slot: str, value: Any) -> Any:
    if slot == "shape":
        return shape_message(as_dims(value))
    if slot == "tensor":
        return tensor_message(value, spec_of_array(value).dtype)
    if slot == "func":
        return NameAttrList(name=value)
    if slot == "type":
        return value.enum if isinstance(value, DType) else int(value)
    if slot == "s":
        return value.encode() if isinstance(value, str) else bytes(value)
    return {"i": int, "f": float, "b": bool}[slot](value)


class Elements:
    """Aliases of lists, with the specs of their elements.

    A list that a loop carries is one list: before the loop, in its body and after it.
    """

    def __init__(self, graph: Graph) -> None:
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
