"""Which arrays nothing reads any more, and which of them may be written over.

An array may be written over where the printed code itself made it, where nothing but kernels that
keep no hold of their inputs read it, and where this is the last that reads it. So neither a
result, nor what a variable or a list holds, nor a view of it is ever touched, and as the array
belongs to this one call, other threads that run the same plan do not see it.
"""

from __future__ import annotations

from collections import Counter

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, Ufunc
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.safety import cannot_fail

LARGE = 1 << 12
"""Writing over arrays of fewer elements saves nothing: NumPy keeps small ones at hand."""

_PRODUCTS = {"MatMul", "BatchMatMulV2"}
UPDATES = {"StridedSliceAdd": "+=", "TensorStridedSliceUpdate": "="}
"""Op types that change a slice of their first input, with the statement that does it in place."""

_SLICES = {"StridedSlice", *UPDATES}
_REDUCTIONS = {"Sum", "Mean", "Max", "Min", "Prod", "Any", "All"}


def makes_new(op: Operation) -> bool:
    """Whether its outputs are new arrays and it keeps no hold of its inputs."""
    if op.type in _REDUCTIONS:
        before, after = (element_count(t.spec.dims) for t in (op.inputs[0], op.outputs[0]))
        return before is not None and before != after
    return isinstance(op.definition.kernel, Ufunc) or op.type in _PRODUCTS


class Liveness:
    """When the tensors of one graph are read for the last time."""

    def __init__(self, graph: Graph) -> None:
        """Reads the graph; those that it carries count as readers of what they capture."""
        self._last: dict[int, Operation] = {}
        self._readers: dict[int, list[Operation]] = {}
        self._kept = set(map(id, graph.outputs))
        self._own: dict[int, SymbolicTensor] = {}
        for op in graph.operations:
            for tensor in op.inputs:
                self._last[id(tensor)] = op
                self._readers.setdefault(id(tensor), []).append(op)
            self._own.update((id(tensor), tensor) for tensor in op.outputs)
        self._used: set[int] = set()
        self._idle = self._find_idle(graph)

    def is_read(self, tensor: SymbolicTensor) -> bool:
        """Whether anything reads a tensor of the graph."""
        return id(tensor) in self._last or id(tensor) in self._kept

    def is_used(self, tensor: SymbolicTensor) -> bool:
        """Whether an operation reads a tensor that the printed code computes."""
        return id(tensor) in self._used

    def is_idle(self, op: Operation) -> bool:
        """Whether the printed code does without what the operation computes."""
        return id(op) in self._idle

    def _find_idle(self, graph: Graph) -> set[int]:
        """The ends of slices that are one row, and what only they need."""
        idle = set()
        for op in reversed(graph.operations):
            wanted = op.effect is not Effect.NONE or any(
                id(t) in self._kept or id(t) in self._used for t in op.outputs
            )
            if not wanted and op.outputs and cannot_fail(op):
                idle.add(id(op))
                continue
            positions = row_positions(op)
            reads = op.inputs if positions is None else (op.inputs[0], *positions, *op.inputs[4:])
            self._used.update(map(id, reads))
        return idle

    def dying(self, op: Operation) -> list[SymbolicTensor]:
        """Large arrays that are read here for the last time and that no view keeps alive."""
        found = Counter(map(id, op.inputs))
        return [
            tensor
            for key in found
            if self._last[key] is op
            for tensor in [self._own.get(key)]
            if tensor is not None
            and self._is_free(tensor)
            and not self._is_written_over(op, tensor)
        ]

    def _is_free(self, tensor: SymbolicTensor) -> bool:
        readers = self._readers[id(tensor)]
        if id(tensor) in self._kept or not is_large(tensor) or not makes_new(tensor.op):
            return False
        return all(map(makes_new, readers))

    def _is_written_over(self, op: Operation, tensor: SymbolicTensor) -> bool:
        return self.reusable(op) is tensor

    def reusable(self, op: Operation) -> SymbolicTensor | None:
        """An input that the only output may be written over, or None."""
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
    """Whether it pays to reuse the memory of a tensor."""
    return tensor.spec.dtype.kind != "O" and (element_count(tensor.spec.dims) or 0) >= LARGE


def row_positions(op: Operation) -> tuple[SymbolicTensor, ...] | None:
    """The positions of a slice, or of its update, with one of each dimension it names, else None.

    Its begin is a vector that is packed of the positions; its end says nothing then. A string is
    no array of its own, so it is taken in the way of the kernel.
    """
    if op.type not in _SLICES or op.inputs[1].op.type != "Pack":
        return None
    if op.outputs[0].spec.dtype is dtypes.string:
        return None
    positions = op.inputs[1].op.inputs
    others = op.attrs["ellipsis_mask"] | op.attrs["new_axis_mask"]
    every = (1 << len(positions)) - 1
    if others or op.attrs["shrink_axis_mask"] != every:
        return None
    return positions if all(position.spec.dims == () for position in positions) else None
