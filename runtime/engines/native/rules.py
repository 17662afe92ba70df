"""Rules of the lowering: reductions, products, ranges and functions of Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.engines.limits import Unsupported
from runtime.engines.native.arrays import View, known_count
from runtime.engines.native.item_rules import ITEM_RULES
from runtime.engines.native.list_rules import LIST_RULES
from runtime.engines.native.lowering import Deferred, Lowering, Rule, Value, is_array
from runtime.engines.native.products import product
from runtime.engines.native.reductions import Reduction, pairwise, position
from runtime.engines.native.scatter_rules import SCATTER_RULES
from runtime.engines.native.softmax_rules import SOFTMAX_RULES
from runtime.engines.native.sorting import ordered
from runtime.engines.native.types import INT64, has_type, number, type_of
from runtime.engines.native.window_rules import WINDOW_RULES


def rule_for(op: Operation) -> Rule | None:
    """Return the rule of an operation; None: it is a computation on numbers."""
    return None if op.definition.emit is None else RULES.get(op.definition.emit)


def _constant(lowering: Lowering, op: Operation) -> Value:
    value, dtype = op.attrs["value"], op.outputs[0].spec.dtype
    return Deferred(op) if value.ndim or not has_type(dtype) else number(dtype, value.item())


def _same(lowering: Lowering, op: Operation) -> Value:
    return lowering.held(op.inputs[0])


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
    return elements.reshaped(value, dims)


def _refuse_complex(op: Operation) -> None:
    dtype = op.inputs[0].spec.dtype
    if dtype.is_complex:
        raise Unsupported(f"the operation {op.type} of {dtype.name}")


def _reduction(lowering: Lowering, op: Operation) -> Value | None:
    (tensor,) = op.inputs
    if not is_array(tensor) or not has_type(tensor.spec.dtype):
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
    quotient = lowering.elements.elementwise(lambda x: build.fdiv(*x), [total, divisor], dtype)
    return lowering.elements.forced(quotient)


def _extreme_position(lowering: Lowering, op: Operation) -> Value | None:
    if not is_array(op.inputs[0]):
        return None
    _refuse_complex(op)
    view = lowering.array(op.inputs[0])
    sign = ">" if op.definition.emit is Emit.ARGMAX else "<"
    axis = op.attrs["axis"] % len(view.dims)
    of_nan = op.attrs.get("nan_wins", False)
    return position(lowering.elements, view, axis, op.attrs["output_type"], sign, of_nan)


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
    a = a.along((1, 0)) if op.attrs["transpose_a"] else a
    b = b.along((1, 0)) if op.attrs["transpose_b"] else b
    return product(lowering.elements, a, b)


# ---- ranges ----


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


def _shift(lowering: Lowering, op: Operation) -> Value:
    """Return the result of a shift of Python; fail where it may raise."""
    if op.outputs[0].spec.dims != ():
        raise Unsupported(f"the operation {op.type} of arrays")
    return lowering.numbers.compute(op, [lowering.scalar(tensor) for tensor in op.inputs])


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
    **ITEM_RULES,
    **LIST_RULES,
    **SOFTMAX_RULES,
    **SCATTER_RULES,
    **WINDOW_RULES,
    Emit.CONSTANT: _constant,
    Emit.ALIAS: _same,
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
    Emit.COUNT: _count,
    Emit.ASSERT: _raised,
    Emit.RAISE: _raised,
    Emit.FUNCTION: _function,
    Emit.LEFT_SHIFT: _shift,
    Emit.RIGHT_SHIFT: _shift,
}
"""The rule of each computation on arrays."""
