"""Slices of arrays as views: `x[i, a:b, ..., None, ::step]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.operation import Operation
from runtime.engines.native.arrays import Dim, View, constant
from runtime.engines.native.lowering import Lowering
from runtime.engines.native.numbers import INT64

Bound = int | ir.Value | None
"""An end of a slice; None: that of the axis."""


def window(lowering: Lowering, op: Operation, view: View) -> View | None:
    """Return the elements of an array that a slice or its update concerns.

    Code fails where an index is out of range. None: the slice has no machine code.
    """
    begin = lowering.index(op.inputs[1])
    if begin is None:
        return None
    return _Window(lowering, op, view, begin).view()


class _Window:
    def __init__(self, lowering: Lowering, op: Operation, view: View, begin: Sequence[Any]) -> None:
        self._lowering = lowering
        self._op = op
        self._view = view
        self._begin = begin
        self._offset: Dim = view.offset
        self._dims: list[Dim] = []
        self._strides: list[Dim] = []

    def _has(self, mask: str, entry: int) -> bool:
        return bool(self._op.attrs[f"{mask}_mask"] >> entry & 1)

    def view(self) -> View | None:
        """Process the entries of the index, and then the axes that it leaves."""
        count = len(self._begin)
        others = (self._has("ellipsis", i) or self._has("new_axis", i) for i in range(count))
        taken = count - sum(others)
        axis, rank = 0, len(self._view.dims)
        if taken > rank:
            return None
        for i in range(count):
            if self._has("ellipsis", i):
                self._keep(axis, axis + rank - taken)
                axis += rank - taken
                taken = rank
            elif self._has("new_axis", i):
                self._dims.append(1)
                self._strides.append(0)
            elif self._has("shrink_axis", i):
                self._shift(self._position(self._begin[i], self._view.dims[axis]), axis)
                axis += 1
            else:
                if not self._slice(i, axis):
                    return None
                axis += 1
        self._keep(axis, rank)
        view = self._view
        return View(view.buffer, view.number, self._offset, tuple(self._dims), tuple(self._strides))

    def _keep(self, first: int, stop: int) -> None:
        self._dims += self._view.dims[first:stop]
        self._strides += self._view.strides[first:stop]

    def _shift(self, index: Dim, axis: int) -> None:
        elements = self._lowering.elements
        step = elements.times(index, self._view.strides[axis])
        self._offset = elements.plus(self._offset, step)

    def _position(self, entry: Any, length: Dim) -> Dim:
        """Return a nonnegative index; fail if it is out of range."""
        build, numbers = self._lowering.build, self._lowering.numbers
        if isinstance(entry, int) and type(length) is int and -length <= entry < length:
            return entry % length
        index = self._wide(entry)
        negative = build.icmp_signed("<", index, INT64(0))
        index = build.select(negative, build.add(index, constant(length)), index)
        numbers.fail_if(build.icmp_unsigned(">=", index, constant(length)))
        return index

    def _wide(self, entry: Any) -> ir.Value:
        if isinstance(entry, int):
            return INT64(entry)
        dtype, value = entry
        return self._lowering.numbers.converted(value, dtype, dtypes.int64)

    def _slice(self, i: int, axis: int) -> bool:
        steps = self._lowering.index(self._op.inputs[3])
        step = None if steps is None else steps[i]
        if not isinstance(step, int) or step == 0:
            return False
        start: Any = None if self._has("begin", i) else self._begin[i]
        stop: Any = None
        if not self._has("end", i):
            ends = self._lowering.index(self._op.inputs[2])
            if ends is None:
                return False
            stop = ends[i]
        length = self._view.dims[axis]
        if type(length) is int and not isinstance(start, tuple) and not isinstance(stop, tuple):
            found = range(*slice(start, stop, step).indices(length))
            self._append(found.start if found else 0, len(found), step, axis)
            return True
        if step < 0:
            return self._reversed(start, stop, step, axis)
        first = self._clamped(start, 0, length)
        last = self._clamped(stop, length, length)
        self._append(first, self._count(first, last, step), step, axis)
        return True

    def _reversed(self, start: Any, stop: Any, step: int, axis: int) -> bool:
        """Slice a whole axis of unknown length from its end."""
        if start is not None or stop is not None:
            return False
        length = self._view.dims[axis]
        first = self._lowering.elements.plus(length, -1)
        self._append(first, self._count(0, length, -step), step, axis)
        return True

    def _append(self, first: Dim, count: Dim, step: int, axis: int) -> None:
        self._shift(first, axis)
        self._dims.append(count)
        self._strides.append(self._lowering.elements.times(self._view.strides[axis], step))

    def _clamped(self, entry: Any, default: Dim, length: Dim) -> Dim:
        """Return the end of a slice, inside the axis."""
        if entry is None:
            return default
        build, whole = self._lowering.build, constant(length)
        index = self._wide(entry)
        below = build.icmp_signed("<", index, INT64(0))
        index = build.select(below, build.add(index, whole), index)
        index = build.select(build.icmp_signed("<", index, INT64(0)), INT64(0), index)
        return build.select(build.icmp_signed(">", index, whole), whole, index)

    def _count(self, first: Dim, last: Dim, step: int) -> Dim:
        build = self._lowering.build
        distance = build.sub(constant(last), constant(first))
        if step > 1:
            distance = build.sdiv(build.add(distance, INT64(step - 1)), INT64(step))
        none = build.icmp_signed("<", distance, INT64(0))
        return build.select(none, INT64(0), distance)
