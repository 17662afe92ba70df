"""Liveness of arrays, and reuse of dead ones.

An array can be overwritten if the plan created it, if only kernels that do not retain their inputs
read it, and if this is its last use. So results, values of variables and lists, and views are never
overwritten. The array belongs to one call, so concurrent runs of the same plan do not see it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from types import EllipsisType

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.opdef import Control, Effect, Emit, Storage, Ufunc
from runtime.core.operation import Operation
from runtime.core.shapes import element_count, numpy_index
from runtime.core.static import vector_entries
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.groups import group_dims
from runtime.passes.safety import cannot_fail

LARGE = 1 << 12
"""Minimum number of elements for reuse: NumPy caches the memory of smaller arrays."""

_SLICES = (Emit.SLICE, Emit.ASSIGN, Emit.ADD)
Entry = int | SymbolicTensor | slice | EllipsisType | None
"""An entry of an index; bounds of slices are ints, scalar tensors, or None."""

_ALIASES = (Emit.ALIAS, Emit.CONVERSION, Emit.STACK)
"""Computations whose output may share the name of their input in a plan."""


def makes_new(op: Operation) -> bool:
    """Return whether an operation returns new arrays and does not retain its inputs."""
    storage = op.definition.storage
    if op.definition.control is Control.CALL:
        return _is_group(op.attrs["f"])
    if storage is Storage.REDUCED:
        before, after = (element_count(t.spec.dims) for t in (op.inputs[0], op.outputs[0]))
        return before is not None and before != after
    return storage is Storage.NEW


def _is_group(graph: Graph) -> bool:
    """Return whether a graph is a group of `runtime.passes.fuse` with new arrays as outputs."""
    steps = {id(op) for op in graph.operations if op.definition.storage is Storage.NEW}
    return bool(group_dims(graph.operations)) and all(
        id(tensor.op) in steps for tensor in graph.outputs
    )


class Liveness:
    """Last uses of the tensors of one graph."""

    def __init__(self, graph: Graph) -> None:
        """Analyze a graph; its subgraphs count as readers of their captures."""
        self._last: dict[int, Operation] = {}
        self._readers: dict[int, list[Operation]] = {}
        self._kept = set(map(id, graph.outputs))
        self._own: dict[int, SymbolicTensor] = {}
        for op in graph.operations:
            for tensor in op.inputs:
                self._last[id(tensor)] = op
                self._readers.setdefault(id(tensor), []).append(op)
            self._own.update((id(tensor), tensor) for tensor in op.outputs)
        self._changing = {
            id(op.inputs[0]) for op in graph.operations if op.definition.storage is Storage.IN_PLACE
        }
        self._used: set[int] = set()
        self._idle = self._find_idle(graph)

    def is_read(self, tensor: SymbolicTensor) -> bool:
        """Return whether a tensor of the graph has a reader."""
        return id(tensor) in self._last or id(tensor) in self._kept

    def all_readers(self, tensor: SymbolicTensor) -> Sequence[Operation]:
        """Return the operations that read a tensor of the graph; none if the graph returns it."""
        return () if id(tensor) in self._kept else self._readers.get(id(tensor), ())

    def is_used(self, tensor: SymbolicTensor) -> bool:
        """Return whether an operation reads a tensor that the plan computes."""
        return id(tensor) in self._used

    def is_idle(self, op: Operation) -> bool:
        """Return whether the plan does not need the result of the operation."""
        return id(op) in self._idle

    def _find_idle(self, graph: Graph) -> set[int]:
        """Return operations whose results no line reads: vectors of bounds, as the line of a slice
        has the bounds themselves, and arithmetic only for the end of a position.
        """
        idle = set()
        for op in reversed(graph.operations):
            wanted = op.effect is not Effect.NONE or any(
                id(t) in self._kept or id(t) in self._used for t in op.outputs
            )
            if not wanted and op.outputs and cannot_fail(op):
                idle.add(id(op))
                continue
            index = index_of(op)
            if index is None:
                reads = op.inputs
            else:
                bounds = (each for each in bounds_in(index) if not isinstance(each, int))
                reads = (op.inputs[0], *bounds, *op.inputs[4:])
            self._used.update(map(id, reads))
        return idle

    def dying(self, op: Operation) -> list[SymbolicTensor]:
        """Return large arrays whose last use is here and that no view keeps alive."""
        found = Counter(map(id, op.inputs))
        return [
            tensor
            for key in found
            if self._last[key] is op
            for tensor in [self._own.get(key)]
            if tensor is not None
            and (self._is_snapshot(tensor) or self._is_free(tensor))
            and self.reusable(op) is not tensor
        ]

    def _is_snapshot(self, tensor: SymbolicTensor) -> bool:
        """Return whether a tensor is the value of a variable whose rows change in place."""
        op = tensor.op
        if op.effect is not Effect.READ or not self._changing.intersection(map(id, op.inputs[:1])):
            return False
        readers = self._readers[id(tensor)]
        named = any(reader.definition.emit in _ALIASES or reader.subgraphs() for reader in readers)
        return id(tensor) not in self._kept and is_large(tensor) and not named

    def _is_free(self, tensor: SymbolicTensor) -> bool:
        readers = self._readers[id(tensor)]
        if id(tensor) in self._kept or not is_large(tensor) or not makes_new(tensor.op):
            return False
        return all(map(makes_new, readers))

    def reusable(self, op: Operation) -> SymbolicTensor | None:
        """Return an input that the only output may overwrite, or None."""
        if not isinstance(op.definition.kernel, Ufunc) or len(op.outputs) != 1:
            return None
        output = op.outputs[0]
        for tensor in op.inputs:
            if (
                self._last[id(tensor)] is op
                and tensor.spec == output.spec
                and element_count(tensor.spec.dims) is not None
                and id(tensor) in self._own
                and self._is_free(tensor)
            ):
                return tensor
        return None


def is_large(tensor: SymbolicTensor) -> bool:
    """Return whether reusing the memory of a tensor pays."""
    return tensor.spec.dtype.kind != "O" and (element_count(tensor.spec.dims) or 0) >= LARGE


def index_of(op: Operation) -> tuple[Entry, ...] | None:
    """Return the index of a slice or of its update, with a scalar tensor where Python has an int.

    None: it is another operation, or the number of entries is unknown. Strings use the kernel,
    because an element of a string array is not an array.
    """
    if op.definition.emit not in _SLICES or op.outputs[0].spec.dtype is dtypes.string:
        return None
    begin, end, strides = map(vector_entries, op.inputs[1:4])
    if begin is not None and _are_items(op, len(begin)):
        end = begin  # an item has no end
    if begin is None or end is None or strides is None:
        return None
    return numpy_index(begin, end, strides, op.attrs)


def _are_items(op: Operation, count: int) -> bool:
    """Return whether no entry of an index is a slice."""
    masks = (op.attrs.get(f"{name}_mask", 0) for name in ("ellipsis", "new_axis"))
    return not any(masks) and op.attrs.get("shrink_axis_mask") == (1 << count) - 1


def bounds_in(index: Iterable[Entry]) -> Iterator[int | SymbolicTensor]:
    """Yield the numbers of an index.

    >>> list(bounds_in([3, None, slice(None, 5, 2)]))
    [3, 5, 2]
    """
    for entry in index:
        parts = (entry.start, entry.stop, entry.step) if isinstance(entry, slice) else (entry,)
        yield from (part for part in parts if part is not None and part is not Ellipsis)
