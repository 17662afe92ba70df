"""Rules of the lowering: operations whose operands are arrays or indices."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.counting import filled_by
from runtime.engines.native.arrays import Dim, Vector, View, constant, is_equal, known_count
from runtime.engines.native.lowering import Deferred, Lowering, Rule, Value
from runtime.engines.native.memory import memory_type
from runtime.engines.native.numbers import INT64, has_type, number, type_of
from runtime.engines.native.products import product, transposed
from runtime.engines.native.reductions import Reduction, pairwise, position
from runtime.engines.native.sorting import ordered
from runtime.engines.native.windows import window
from runtime.engines.parts import Unsupported


def rule_for(op: Operation) -> Rule | None:
    """Return the rule of an operation; None: it is a computation on numbers."""
    return None if op.definition.emit is None else RULES.get(op.definition.emit)


def _constant(lowering: Lowering, op: Operation) -> Value:
    value, dtype = op.attrs["value"], op.outputs[0].spec.dtype
    return Deferred(op) if value.ndim or not has_type(dtype) else number(dtype, value.item())


def _same(lowering: Lowering, op: Operation) -> Value:
    return lowering.held(op.inputs[0])


def _finished(lowering: Lowering, view: View) -> Value:
    """Return an array; one without axes as a number."""
    if view.dims:
        return view
    return lowering.elements.load(view.dtype, lowering.elements.base(view))


def _is_array(tensor: SymbolicTensor) -> bool:
    return tensor.spec.dims != () and tensor.spec.dims is not None


# ---- slices ----


def _slice(lowering: Lowering, op: Operation) -> Value | None:
    found = window(lowering, op, lowering.array(op.inputs[0]))
    return None if found is None else _finished(lowering, found)


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
    simple = len(op.inputs) == 2 or op.attrs.get("axis") == 0
    if not simple or not _is_array(params):
        return None
    elements, view = lowering.elements, lowering.array(params)
    dtype = position_.spec.dtype

    def row(index: ir.Value) -> View:
        wide = lowering.numbers.converted(index, dtype, dtypes.int64)
        outside = lowering.build.icmp_unsigned(">=", wide, constant(view.dims[0]))
        lowering.numbers.fail_if(outside)
        offset = elements.plus(view.offset, elements.times(wide, view.strides[0]))
        return View(view.buffer, view.number, offset, view.dims[1:], view.strides[1:])

    if not _is_array(position_):
        return _finished(lowering, row(lowering.scalar(position_)))
    indices = lowering.array(position_)
    dims = (*indices.dims, *view.dims[1:])
    result = elements.whole(elements.memory.new(dims, view.dtype))
    base, goal, first = (elements.base(each) for each in (indices, result, view))
    with elements.nest(indices.dims) as place:
        found = row(elements.load(dtype, elements.at(indices, base, place)))
        flat = View(view.buffer, view.number, 0, found.dims, found.strides)
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
    found = build.select(negative, build.add(index, length), index)
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
    dims, strides = (each[:axis] + each[axis + 1 :] for each in (view.dims, view.strides))
    parts = (_part(lowering, view, axis, i, 1) for i in range(op.attrs["num"]))
    return [
        _finished(lowering, View(part.buffer, part.number, part.offset, dims, strides))
        for part in parts
    ]


# ---- shapes ----


def _reshaped(lowering: Lowering, op: Operation) -> Value | None:
    known, source = _static_dims(op), op.inputs[0]
    if known is None or source.spec.dims is None:
        return None
    if not _is_array(source):
        return lowering.elements.splat(lowering.scalar(source), known, source.spec.dtype)
    view = lowering.array(source)
    if known_count(view.dims) != known_count(known):
        return None
    if not view.is_contiguous:
        view = lowering.elements.copied(view)
    strides = lowering.elements.packed(known)
    return _finished(lowering, View(view.buffer, view.number, view.offset, known, strides))


def _transposed(lowering: Lowering, op: Operation) -> Value:
    view = lowering.array(op.inputs[0])
    rank = len(view.dims)
    order = op.attrs["perm"] if op.attrs["perm"] is not None else tuple(reversed(range(rank)))
    axes = [axis % rank for axis in order]
    dims, strides = (tuple(each[axis] for axis in axes) for each in (view.dims, view.strides))
    return View(view.buffer, view.number, view.offset, dims, strides)


def _with_axis(lowering: Lowering, op: Operation) -> Value | None:
    if not _is_array(op.inputs[0]):
        return _reshaped(lowering, op)
    view = lowering.array(op.inputs[0])
    at = op.attrs["axis"] % (len(view.dims) + 1)
    dims = (*view.dims[:at], 1, *view.dims[at:])
    strides = (*view.strides[:at], 0, *view.strides[at:])
    return View(view.buffer, view.number, view.offset, dims, strides)


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
    dims, strides = (tuple(each[axis] for axis in left) for each in (view.dims, view.strides))
    return _finished(lowering, View(view.buffer, view.number, view.offset, dims, strides))


def _static_dims(op: Operation) -> tuple[int, ...] | None:
    dims = op.outputs[0].spec.dims
    return None if dims is None or None in dims else tuple(dim for dim in dims if dim is not None)


def _broadcast(lowering: Lowering, op: Operation) -> Value | None:
    dims = _static_dims(op)
    if not dims:
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
    if isinstance(entry, int):
        return entry
    dtype, value = entry
    wide = lowering.numbers.converted(value, dtype, dtypes.int64)
    lowering.numbers.fail_if(lowering.build.icmp_signed("<", wide, INT64(0)))
    return wide


def _like(content: int) -> Rule:
    def rule(lowering: Lowering, op: Operation) -> Value:
        dtype = op.outputs[0].spec.dtype
        value = number(dtype, content)
        if not _is_array(op.inputs[0]):
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


# ---- arrays from arrays ----


def _stacked(lowering: Lowering, op: Operation) -> Value | None:
    if not _is_array(op.inputs[0]):
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
        elements.assign(View(result.buffer, result.number, offset, dims, strides), part)
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
        goal = View(result.buffer, result.number, offset, dims, result.strides)
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


def _part(lowering: Lowering, view: View, axis: int, start: int, count: int) -> View:
    elements = lowering.elements
    dims = (*view.dims[:axis], count, *view.dims[axis + 1 :])
    offset = elements.plus(view.offset, elements.times(start, view.strides[axis]))
    return View(view.buffer, view.number, offset, dims, view.strides)


# ---- reductions ----


def _axes(op: Operation, rank: int) -> list[int]:
    axis = op.attrs["axis"]
    return list(range(rank)) if axis is None else [entry % rank for entry in axis]


def _with_kept_axes(lowering: Lowering, op: Operation, value: Value, view: View) -> Value:
    """Give a result the shape of the operation: with axes of length 1, if they are kept."""
    axes = _axes(op, len(view.dims))
    keeps = op.attrs["keepdims"]
    dims = tuple(
        1 if axis in axes else dim
        for axis, dim in enumerate(view.dims)
        if keeps or axis not in axes
    )
    if not dims:
        return value
    elements = lowering.elements
    if isinstance(value, ir.Value):
        return elements.splat(value, dims, op.outputs[0].spec.dtype)
    return View(value.buffer, value.number, value.offset, dims, elements.packed(dims))


def _refuse_complex(op: Operation) -> None:
    dtype = op.inputs[0].spec.dtype
    if dtype.is_complex:
        raise Unsupported(f"the operation {op.type} of {dtype.name}")


def _reduction(lowering: Lowering, op: Operation) -> Value | None:
    (tensor,) = op.inputs
    if not _is_array(tensor) or not has_type(tensor.spec.dtype):
        return None
    _refuse_complex(op)
    view, dtype = lowering.array(tensor), tensor.spec.dtype
    numbers = lowering.numbers
    inner = None
    start: ir.Value | None = None
    combine: Callable[[ir.Value, ir.Value], ir.Value]
    match op.definition.emit:
        case Emit.TOTAL | Emit.MEAN:
            start = type_of(dtype)(0)
            combine = lambda x, y: numbers.sum(dtype, x, y)  # noqa: E731
            inner = pairwise if dtype.is_floating else None
        case Emit.PROD:
            start = type_of(dtype)(1)
            combine = lambda x, y: numbers.product(dtype, x, y)  # noqa: E731
        case Emit.MAX | Emit.MIN:
            sign = ">" if op.definition.emit is Emit.MAX else "<"
            combine = lambda x, y: numbers.extreme(sign, dtype, x, y)  # noqa: E731
        case _:
            is_any = op.definition.emit is Emit.ANY
            start = type_of(dtype)(not is_any)
            combine = lowering.build.or_ if is_any else lowering.build.and_
    axes = _axes(op, len(view.dims))
    value = Reduction(lowering.elements, view, axes, dtype, start, combine, inner).run()
    if op.definition.emit is Emit.MEAN:
        value = _mean(lowering, value, view, axes)
    return _with_kept_axes(lowering, op, value, view)


def _mean(lowering: Lowering, total: Value, view: View, axes: Sequence[int]) -> Value:
    """Divide sums by the number of elements."""
    dtype = view.dtype
    count = known_count([view.dims[axis] for axis in axes])
    if not dtype.is_floating or not count or count >= 1 << 24:
        raise Unsupported(f"a mean of {dtype.name}")
    build, divisor = lowering.build, number(dtype, float(count))
    if isinstance(total, ir.Value):
        return build.fdiv(total, divisor)
    quotient = lowering.elements.elementwise(lambda x: build.fdiv(x[0], divisor), [total], dtype)
    return lowering.elements.forced(quotient)


def _extreme_position(lowering: Lowering, op: Operation) -> Value | None:
    if not _is_array(op.inputs[0]):
        return None
    _refuse_complex(op)
    view = lowering.array(op.inputs[0])
    sign = ">" if op.definition.emit is Emit.ARGMAX else "<"
    axis = op.attrs["axis"] % len(view.dims)
    return position(lowering.elements, view, axis, op.attrs["output_type"], sign)


def _sorted(lowering: Lowering, op: Operation) -> Value:
    view = lowering.array(op.inputs[0])
    return ordered(
        lowering.elements, view, op.attrs["axis"] % len(view.dims), op.attrs["descending"]
    )


def _product(lowering: Lowering, op: Operation) -> Value | None:
    _refuse_complex(op)
    a, b = map(lowering.array, op.inputs)
    if len(a.dims) != 2 or len(b.dims) != 2:
        return None
    if op.attrs["transpose_a"]:
        a = transposed(a)
    if op.attrs["transpose_b"]:
        b = transposed(b)
    return product(lowering.elements, a, b)


# ---- lists and ranges ----


def _new_list(lowering: Lowering, op: Operation) -> Value:
    """Return an array for a list that a loop fills and that is only stacked."""
    row = filled_by(op)
    if row is None or not has_type(row.spec.dtype):
        raise Unsupported("a list that is not filled in order")
    dims = (int(op.inputs[0].op.attrs["value"]), *(row.spec.dims or ()))
    return lowering.elements.whole(lowering.elements.memory.new(dims, row.spec.dtype))


def _set_entry(lowering: Lowering, op: Operation) -> Value:
    held, index, item = op.inputs
    elements, value = lowering.elements, lowering.operand(item)
    view = lowering.writable(held)
    wide = lowering.numbers.converted(lowering.scalar(index), index.spec.dtype, dtypes.int64)
    offset = elements.times(wide, view.strides[0])
    elements.assign(View(view.buffer, view.number, offset, view.dims[1:], view.strides[1:]), value)
    return lowering.written(view)


def _count(lowering: Lowering, op: Operation) -> Value | None:
    """Return the length of a range."""
    if not all(tensor.spec.dtype.is_integer for tensor in op.inputs):
        return None
    numbers, build = lowering.numbers, lowering.build
    start, limit, step = (
        numbers.converted(lowering.scalar(tensor), tensor.spec.dtype, dtypes.int64)
        for tensor in op.inputs
    )
    numbers.fail_if(build.icmp_signed("==", step, INT64(0)))
    down = build.icmp_signed("<", step, INT64(0))
    first, last = build.select(down, limit, start), build.select(down, start, limit)
    distance = numbers.exact_difference(dtypes.int64, last, first)
    if not op.attrs["python"]:
        numbers.fail_if(build.icmp_signed("<", distance, INT64(0)))
    size = build.select(down, build.neg(step), step)
    rounds = build.add(build.udiv(build.sub(distance, INT64(1)), size), INT64(1))
    empty = build.icmp_signed("<=", distance, INT64(0))
    count = build.select(empty, INT64(0), rounds)
    if op.attrs["dtype"] is not dtypes.int64:
        numbers.fail_if(build.icmp_signed(">", count, INT64(2**31 - 1)))
    return numbers.converted(count, dtypes.int64, op.attrs["dtype"])


def _raised(lowering: Lowering, op: Operation) -> list[Value]:
    test = lowering.scalar(op.inputs[0])
    holds = op.definition.emit is Emit.ASSERT
    lowering.numbers.fail_if(lowering.build.not_(test) if holds else test)
    return []


# ---- functions of Python ----


def _function(lowering: Lowering, op: Operation) -> Value:
    """Return the number that a function of Python returns; fail where it may raise."""
    name, dtype = op.attrs["function"], op.attrs["dtype"]
    numbers = lowering.numbers
    operands = [
        numbers.converted(lowering.scalar(tensor), tensor.spec.dtype, dtypes.float64)
        for tensor in op.inputs
    ]
    whole = all(tensor.spec.dtype.is_integer for tensor in op.inputs)
    if op.attrs["options"] or (whole and name in _TO_INT):
        raise Unsupported(f"`{name}` of {op.inputs[0].spec.dtype.name}")
    if name in _TO_INT and len(operands) == 1:
        rounded = numbers.intrinsic(f"llvm.{_TO_INT[name]}", *operands)
        return numbers.converted(rounded, dtypes.float64, dtype)
    if name == "math.sqrt":
        found = numbers.intrinsic("llvm.sqrt", *operands)
    elif name in _OF_LIBRARY and len(operands) == _OF_LIBRARY[name]:
        found = numbers.library(name.removeprefix("math."), *operands)
    else:
        raise Unsupported(f"`{name}`")
    size = numbers.intrinsic("llvm.fabs", found)
    is_finite = lowering.build.fcmp_ordered("<", size, size.type(math.inf))
    numbers.fail_if(lowering.build.not_(is_finite))
    return found


_TO_INT = {
    "int": "trunc", "math.trunc": "trunc", "math.floor": "floor", "math.ceil": "ceil",
    "round": "rint",
}  # fmt: skip
"""Conversions to an int as intrinsics of LLVM."""

_OF_LIBRARY = {
    **dict.fromkeys(
        (
            "math.acos", "math.asin", "math.atan", "math.cos", "math.cosh", "math.exp", "math.log",
            "math.sin", "math.sinh", "math.tan", "math.tanh",
        ),
        1,
    ),
    "math.atan2": 2,
    "math.pow": 2,
}  # fmt: skip
"""Functions that Python's `math` takes from the C library, and their numbers of operands."""

RULES: dict[Emit, Rule] = {
    Emit.CONSTANT: _constant,
    Emit.ALIAS: _same,
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
    Emit.TOTAL: _reduction,
    Emit.MEAN: _reduction,
    Emit.PROD: _reduction,
    Emit.MAX: _reduction,
    Emit.MIN: _reduction,
    Emit.ANY: _reduction,
    Emit.ALL: _reduction,
    Emit.ARGMAX: _extreme_position,
    Emit.ARGMIN: _extreme_position,
    Emit.SORTED: _sorted,
    Emit.PRODUCT: _product,
    Emit.NEW_LIST: _new_list,
    Emit.SET_ENTRY: _set_entry,
    Emit.STACK: _same,
    Emit.COUNT: _count,
    Emit.ASSERT: _raised,
    Emit.RAISE: _raised,
    Emit.FUNCTION: _function,
}
"""The rule of each computation on arrays."""
