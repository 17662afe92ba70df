"""Rules of the lowering: items, slices and shapes of arrays."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.structural import CONST
from runtime.engines.native.arrays import Dim, Vector, View, constant, is_equal, known_count
from runtime.engines.native.lowering import Deferred, Lowering, Rule, Value, is_array
from runtime.engines.native.types import INT64, memory_type, number
from runtime.passes.safety import fits

_LONGEST_STEP = 1 << 62
"""Largest step to which a length may be added in 64 bits."""


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
        return self._view.part(self._dims, self._strides, self._offset)

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
        index = constant(self._lowering.wide(entry))
        negative = build.icmp_signed("<", index, INT64(0))
        index = numbers.rarely(negative, build.add(index, constant(length)), index)
        numbers.fail_if(build.icmp_unsigned(">=", index, constant(length)))
        return index

    def _slice(self, i: int, axis: int) -> bool:
        steps = self._lowering.index(self._op.inputs[3])
        if steps is None or steps[i] == 0:
            return False
        step = self._step(steps[i])
        start: Any = None if self._has("begin", i) else self._begin[i]
        stop: Any = None
        if not self._has("end", i):
            ends = self._lowering.index(self._op.inputs[2])
            if ends is None:
                return False
            stop = ends[i]
        length = self._view.dims[axis]
        if all(type(each) is int or each is None for each in (length, start, stop, step)):
            found = range(*slice(start, stop, step).indices(length))
            self._append(found.start if found else 0, len(found), step, axis)
            return True
        if type(step) is int and step < 0:
            return self._reversed(start, stop, step, axis)
        first = self._clamped(start, 0, length)
        last = self._clamped(stop, length, length)
        self._append(first, self._count(first, last, step), step, axis)
        return True

    def _step(self, entry: Any) -> Dim:
        """Return a step; code fails where a computed one is not from 1 to `_LONGEST_STEP`."""
        step = self._lowering.wide(entry)
        if type(step) is not int:
            build = self._lowering.build
            past = build.sub(step, INT64(1))  # one below 1 is the largest without a sign
            self._lowering.numbers.fail_if(build.icmp_unsigned(">=", past, INT64(_LONGEST_STEP)))
        return step

    def _reversed(self, start: Any, stop: Any, step: int, axis: int) -> bool:
        """Slice a whole axis of unknown length from its end."""
        if start is not None or stop is not None:
            return False
        length = self._view.dims[axis]
        first = self._lowering.elements.plus(length, -1)
        self._append(first, self._count(0, length, -step), step, axis)
        return True

    def _append(self, first: Dim, count: Dim, step: Dim, axis: int) -> None:
        self._shift(first, axis)
        self._dims.append(count)
        self._strides.append(self._lowering.elements.times(self._view.strides[axis], step))

    def _clamped(self, entry: Any, default: Dim, length: Dim) -> Dim:
        """Return the end of a slice, inside the axis."""
        if entry is None:
            return default
        build, whole = self._lowering.build, constant(length)
        index = constant(self._lowering.wide(entry))
        below = build.icmp_signed("<", index, INT64(0))
        index = build.select(below, build.add(index, whole), index)
        index = build.select(build.icmp_signed("<", index, INT64(0)), INT64(0), index)
        return build.select(build.icmp_signed(">", index, whole), whole, index)

    def _count(self, first: Dim, last: Dim, step: Dim) -> Dim:
        build = self._lowering.build
        distance = build.sub(constant(last), constant(first))
        if not is_equal(step, 1):
            up = self._lowering.elements.plus(step, -1)
            distance = build.sdiv(build.add(distance, constant(up)), constant(step))
        none = build.icmp_signed("<", distance, INT64(0))
        return build.select(none, INT64(0), distance)


def _slice(lowering: Lowering, op: Operation) -> Value | None:
    found = window(lowering, op, lowering.array(op.inputs[0]))
    return None if found is None else lowering.elements.finished(found)


def _update(lowering: Lowering, op: Operation) -> Value | None:
    """Change a slice; the new elements are computed before the first one changes."""
    value = lowering.operand(op.inputs[4])
    view = lowering.writable(op.inputs[0])
    found = window(lowering, op, view)
    if found is None:
        return None
    elements, dtype = lowering.elements, view.dtype
    adds = op.definition.emit is Emit.ADD
    if not found.dims:
        address, number = elements.base(found), lowering.scalar(op.inputs[4])
        if adds:
            number = lowering.numbers.sum(dtype, elements.load(dtype, address), number)
        elements.put(dtype, number, address)
        return lowering.written(view)
    if adds:
        add = functools.partial(lowering.numbers.sum, dtype)
        value = elements.elementwise(lambda pair: add(*pair), [found, value], dtype)
    elements.assign(found, value)
    return lowering.written(view)


def _rows(lowering: Lowering, op: Operation) -> Value | None:
    """Return the row of an index, or copies of the rows of many."""
    params, position_ = op.inputs[:2]
    if op.attrs.get("axis", 0) != 0 or not is_array(params):
        return None
    elements, view = lowering.elements, lowering.array(params)
    dtype = position_.spec.dtype

    def row(index: ir.Value) -> View:
        wide = lowering.numbers.converted(index, dtype, dtypes.int64)
        outside = lowering.build.icmp_unsigned(">=", wide, constant(view.dims[0]))
        lowering.numbers.fail_if(outside)
        offset = elements.plus(view.offset, elements.times(wide, view.strides[0]))
        return view.part(view.dims[1:], view.strides[1:], offset)

    if not is_array(position_):
        return lowering.elements.finished(row(lowering.scalar(position_)))
    indices = lowering.array(position_)
    dims = (*indices.dims, *view.dims[1:])
    result = elements.whole(elements.memory.new(dims, view.dtype))
    base, goal, first = (elements.base(each) for each in (indices, result, view))
    with elements.nest(indices.dims) as place:
        found = row(elements.load(dtype, elements.at(indices, base, place)))
        flat = found.part(found.dims, found.strides, 0)
        kind = memory_type(view.dtype)
        shift = elements.plus(found.offset, elements.times(-1, view.offset))
        start = lowering.build.gep(first, [constant(shift)], source_etype=kind)
        with elements.nest(found.dims) as rest:
            value = elements.load(view.dtype, elements.at(flat, start, rest))
            elements.put(view.dtype, value, elements.at(result, goal, [*place, *rest]))
    return result


def _position(lowering: Lowering, op: Operation) -> Value:
    """Normalize an index of a Python sequence."""
    build, target = lowering.build, op.outputs[0].spec.dtype
    index, length = (
        lowering.numbers.converted(lowering.scalar(tensor), tensor.spec.dtype, target)
        for tensor in op.inputs
    )
    negative = build.icmp_signed("<", index, index.type(0))
    found = lowering.numbers.rarely(negative, build.add(index, length), index)
    lowering.numbers.fail_if(build.icmp_unsigned(">=", found, length))
    return found


def _parts(lowering: Lowering, op: Operation) -> Value | None:
    """Return equal parts of an axis."""
    view, parts, axis = lowering.array(op.inputs[0]), op.attrs.get("parts"), op.attrs.get("axis")
    if type(parts) is not int or type(axis) is not int:
        return None
    length = view.dims[axis]
    if type(length) is not int or length % parts:
        return None
    axis, size = axis % len(view.dims), length // parts
    return [_part(lowering, view, axis, i * size, size) for i in range(parts)]


def _unstacked(lowering: Lowering, op: Operation) -> Value | None:
    view, axis = lowering.array(op.inputs[0]), op.attrs["axis"]
    axis %= len(view.dims)
    if view.dims[axis] != op.attrs["num"]:
        return None
    others = [i for i in range(len(view.dims)) if i != axis]
    parts = (_part(lowering, view, axis, i, 1) for i in range(op.attrs["num"]))
    return [lowering.elements.finished(part.along(others)) for part in parts]


def _reshaped(lowering: Lowering, op: Operation) -> Value | None:
    known, source = _static_dims(op), op.inputs[0]
    if source.spec.dims is None:
        return None
    if not is_array(source):
        value, dtype = lowering.scalar(source), source.spec.dtype
        return None if known is None else lowering.elements.splat(value, known, dtype)
    view = lowering.array(source)
    dims = _dims_with_rest(lowering, op, view) if known is None else known
    if dims is None or (known is not None and known_count(view.dims) != known_count(known)):
        return None
    if not view.is_contiguous:
        view = lowering.elements.copied(view)
    return lowering.elements.finished(lowering.elements.reshaped(view, dims))


def _dims_with_rest(lowering: Lowering, op: Operation, view: View) -> Sequence[Dim] | None:
    """Return a shape of which one length is -1, that of all elements in the others."""
    wanted = op.inputs[1].op
    shape = wanted.attrs["value"].tolist() if wanted.definition is CONST else ()
    step = math.prod(length for length in shape if length != -1)
    if shape.count(-1) != 1 or step <= 0:
        return None
    build, total = lowering.build, constant(lowering.elements.product(view.dims))
    rest = build.udiv(total, INT64(step))
    fits = build.icmp_signed("==", build.mul(rest, INT64(step)), total)
    lowering.numbers.fail_if(build.not_(fits))
    return [rest if length == -1 else length for length in shape]


def _transposed(lowering: Lowering, op: Operation) -> Value:
    view = lowering.array(op.inputs[0])
    rank = len(view.dims)
    order = op.attrs["perm"] if op.attrs["perm"] is not None else tuple(reversed(range(rank)))
    return view.along([axis % rank for axis in order])


def _with_axis(lowering: Lowering, op: Operation) -> Value | None:
    if not is_array(op.inputs[0]):
        return _reshaped(lowering, op)
    view = lowering.array(op.inputs[0])
    at = op.attrs["axis"] % (len(view.dims) + 1)
    dims = (*view.dims[:at], 1, *view.dims[at:])
    strides = (*view.strides[:at], 0, *view.strides[at:])
    return view.part(dims, strides)


def _squeezed(lowering: Lowering, op: Operation) -> Value | None:
    view, axes = lowering.array(op.inputs[0]), op.attrs["axis"]
    rank = len(view.dims)
    gone = (
        {axis for axis, dim in enumerate(view.dims) if is_equal(dim, 1)}
        if axes is None
        else {axis % rank for axis in axes}
    )
    if any(not is_equal(view.dims[axis], 1) for axis in gone):
        return None
    left = [axis for axis in range(rank) if axis not in gone]
    return lowering.elements.finished(view.along(left))


def _static_dims(op: Operation) -> tuple[int, ...] | None:
    dims = op.outputs[0].spec.dims
    return None if dims is None or None in dims else tuple(dim for dim in dims if dim is not None)


def _broadcast(lowering: Lowering, op: Operation) -> Value | None:
    dims = _static_dims(op)
    if not dims or not fits(op):
        return None
    value = lowering.operand(op.inputs[0])
    return _filled(lowering, dims, value, op.outputs[0].spec.dtype)


def _filled(lowering: Lowering, dims: Sequence[Dim], value: Value, dtype: DType) -> Value:
    """Return an array of a shape to which a number or array broadcasts."""
    if isinstance(value, ir.Value):
        return lowering.elements.splat(value, dims, dtype)
    return lowering.elements.broadcast(lowering.elements.forced(value), tuple(dims))


def _full(lowering: Lowering, op: Operation) -> Value | None:
    dims: Sequence[Dim] | None = _static_dims(op)
    if dims is None:
        found = lowering.index(op.inputs[0])
        dims = None if found is None else [_length(lowering, each) for each in found]
    if not dims:
        return None
    return _filled(lowering, dims, lowering.scalar(op.inputs[1]), op.outputs[0].spec.dtype)


def _length(lowering: Lowering, entry: Any) -> Dim:
    """Return a length; fail if it is negative."""
    wide = lowering.wide(entry)
    if type(wide) is not int:
        lowering.numbers.fail_if(lowering.build.icmp_signed("<", wide, INT64(0)))
    return wide


def _like(content: int) -> Rule:
    def rule(lowering: Lowering, op: Operation) -> Value:
        dtype = op.outputs[0].spec.dtype
        value = number(dtype, content)
        if not is_array(op.inputs[0]):
            return value
        dims = lowering.checked(op.inputs[0]).dims
        return _filled(lowering, dims, value, dtype)

    return rule


def _shape(lowering: Lowering, op: Operation) -> Value | None:
    value = lowering.held(op.inputs[0])
    if isinstance(value, (ir.Value, Deferred)) or not value.dims:
        return None
    dtype = op.outputs[0].spec.dtype
    return Vector(tuple(_entry(lowering, dim, dtype) for dim in value.dims), dtype)


def _entry(lowering: Lowering, dim: Dim, dtype: DType) -> Any:
    if type(dim) is int:
        return dim
    return dtype, lowering.numbers.converted(dim, dtypes.int64, dtype)


def _size(lowering: Lowering, op: Operation) -> Value | None:
    value = lowering.held(op.inputs[0])
    if isinstance(value, (ir.Value, Deferred)):
        return None
    count = constant(lowering.elements.product(value.dims))
    return lowering.numbers.converted(count, dtypes.int64, op.outputs[0].spec.dtype)


def _stacked(lowering: Lowering, op: Operation) -> Value | None:
    if not is_array(op.inputs[0]):
        return None
    elements = lowering.elements
    parts = [lowering.operand(tensor) for tensor in op.inputs]
    at = op.attrs["axis"] % (len(parts[0].dims) + 1)
    dims = elements.joint_dims([part.dims for part in parts])
    whole = (*dims[:at], len(parts), *dims[at:])
    result = elements.whole(elements.memory.new(whole, op.outputs[0].spec.dtype))
    strides = result.strides[:at] + result.strides[at + 1 :]
    for i, part in enumerate(parts):
        offset = elements.times(i, result.strides[at])
        elements.assign(result.part(dims, strides, offset), part)
    return result


def _joined(lowering: Lowering, op: Operation) -> Value | None:
    elements = lowering.elements
    parts = [lowering.operand(tensor) for tensor in op.inputs]
    if any(isinstance(part, ir.Value) for part in parts):
        return None
    at = op.attrs["axis"] % len(parts[0].dims)
    others = elements.joint_dims([(*p.dims[:at], *p.dims[at + 1 :]) for p in parts])
    total: Dim = 0
    for part in parts:
        total = elements.plus(total, part.dims[at])
    whole = (*others[:at], total, *others[at:])
    result = elements.whole(elements.memory.new(whole, op.outputs[0].spec.dtype))
    offset: Dim = 0
    for part in parts:
        dims = (*others[:at], part.dims[at], *others[at:])
        goal = result.part(dims, result.strides, offset)
        elements.assign(goal, part)
        offset = elements.plus(offset, elements.times(part.dims[at], result.strides[at]))
    return result


def _rolled(lowering: Lowering, op: Operation) -> Value | None:
    """Copy two parts of an axis to each other's end."""
    shifts, axes = (tensor.op.attrs.get("value") for tensor in op.inputs[1:])
    if shifts is None or axes is None or shifts.size != 1 or axes.size != 1:
        return None
    elements, view = lowering.elements, lowering.array(op.inputs[0])
    axis = int(axes.reshape(())) % len(view.dims)
    length = view.dims[axis]
    if type(length) is not int or not length:
        return None
    shift = int(shifts.reshape(())) % length
    result = elements.whole(elements.memory.new(view.dims, view.dtype))
    for start, goal, count in ((0, shift, length - shift), (length - shift, 0, shift)):
        if count:
            source = _part(lowering, view, axis, start, count)
            elements.copy(source, _part(lowering, result, axis, goal, count))
    return result


def _diagonal(lowering: Lowering, op: Operation) -> Value | None:
    """Return a view of a diagonal of matrices of known sizes."""
    view, k = lowering.array(op.inputs[0]), op.attrs["k"]
    count = (op.outputs[0].spec.dims or (None,))[-1]
    if type(count) is not int:
        return None
    *others, down, right = view.strides
    elements = lowering.elements
    first = elements.times(max(k, -k), right if k > 0 else down)
    dims, strides = (*view.dims[:-2], count), (*others, elements.plus(down, right))
    return view.part(dims, strides, elements.plus(view.offset, first))


def _part(lowering: Lowering, view: View, axis: int, start: int, count: int) -> View:
    elements = lowering.elements
    dims = (*view.dims[:axis], count, *view.dims[axis + 1 :])
    offset = elements.plus(view.offset, elements.times(start, view.strides[axis]))
    return view.part(dims, view.strides, offset)


ITEM_RULES: dict[Emit, Rule] = {
    Emit.SLICE: _slice,
    Emit.ASSIGN: _update,
    Emit.ADD: _update,
    Emit.ROW: _rows,
    Emit.POSITION: _position,
    Emit.PARTS: _parts,
    Emit.ROWS: _unstacked,
    Emit.RESHAPE: _reshaped,
    Emit.TRANSPOSE: _transposed,
    Emit.NEW_AXIS: _with_axis,
    Emit.SQUEEZE: _squeezed,
    Emit.BROADCAST: _broadcast,
    Emit.FILL: _full,
    Emit.ZEROS: _like(0),
    Emit.ONES: _like(1),
    Emit.SHAPE: _shape,
    Emit.SIZE: _size,
    Emit.ROWS_OF: _stacked,
    Emit.JOINED: _joined,
    Emit.ROLLED: _rolled,
    Emit.DIAGONAL: _diagonal,
}
"""The rule of each computation that reads, writes or arranges items."""
