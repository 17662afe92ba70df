"""Reductions of NumPy: sums, means, extremes, positions, running sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import AxisLike, DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.numpy_programs.dispatch import function_result, ufunc_result, unsupported
from runtime.numpy_programs.promotion import NumPyDType, as_dtype, result_dtype
from runtime.numpy_programs.tables import (
    Implementation,
    along,
    axes_of,
    axis_of,
    count_of,
    dtype_of,
    in_dtype,
    rank_of,
    refuse_out,
    truths,
    widened,
)
from runtime.numpy_programs.values import Array, operand, wrapped
from runtime.ops.array import shaping
from runtime.ops.array.dimensions import size as size_of
from runtime.ops.base.convert import cast_to
from runtime.ops.base.define import OpFunction
from runtime.ops.effects.output import raise_when
from runtime.ops.math.logic import equal
from runtime.ops.reduce import ordering, reduction, running
from runtime.ops.reduce.reduction import reduce_prod


def _reduced(
    operation: Callable[..., Tensor], tensor: Tensor, axis: AxisLike, keepdims: bool
) -> Any:
    return wrapped(operation(tensor, axis=axes_of(axis, rank_of(tensor)), keepdims=bool(keepdims)))


def _total(operation: Callable[..., Tensor]) -> Any:
    def function(
        a: TensorLike,
        axis: AxisLike = None,
        dtype: DTypeLike = None,
        out: object = None,
        keepdims: bool = False,
    ) -> Any:
        refuse_out(out)
        return _reduced(operation, widened(operand(a), dtype), axis, keepdims)

    return function


_sum = _total(reduction.reduce_sum)


def _reduction(of: Callable[[TensorLike, AxisLike], tuple[Callable[..., Tensor], Tensor]]) -> Any:
    """Return a function that reduces by an operation; `of` gives it with its operand."""

    def function(
        a: TensorLike, axis: AxisLike = None, out: object = None, keepdims: bool = False
    ) -> Any:
        refuse_out(out)
        return _reduced(*of(a, axis), axis, keepdims)

    return function


def _extreme(name: str, of_numbers: Callable[..., Tensor], of_bools: Callable[..., Tensor]) -> Any:
    def of(a: TensorLike, axis: AxisLike) -> tuple[Callable[..., Tensor], Tensor]:
        tensor = operand(a)
        _refuse_empty(tensor, axes_of(axis, rank_of(tensor)), name)
        return of_bools if tensor.dtype is dtypes.bool else of_numbers, tensor

    return _reduction(of)


def _refuse_empty(tensor: Tensor, axes: Sequence[int] | None, name: str) -> None:
    dims = tensor.spec.dims or ()
    lengths = dims if axes is None else [dims[axis] for axis in axes]
    error = ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if 0 in lengths:
        raise error
    if None in lengths:
        raise_when(equal(size_of(tensor), 0), error)


_MAX = _extreme("maximum", reduction.reduce_max, reduction.reduce_any)
_MIN = _extreme("minimum", reduction.reduce_min, reduction.reduce_all)


def _floats(tensor: Tensor, dtype: DTypeLike) -> tuple[Tensor, NumPyDType]:
    """Return the operand of a mean, and the dtype of the result; float16 is added in float32."""
    own = dtype_of(tensor) if dtype is None else np.dtype(dtype)
    result = np.dtype(np.float64) if own.kind in "biu" else own
    wide = np.dtype(np.float32) if result == np.float16 and dtype is None else result
    return as_dtype(tensor, wide), result


def _refuse_axis_of_scalar(tensor: Tensor, axis: AxisLike) -> None:
    """Raise NumPy's AxisError: means take no axis of a scalar, though sums take 0."""
    if axis is not None and not rank_of(tensor):
        raise np.exceptions.AxisError(0, 0)


def _mean(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike = None,
    out: object = None,
    keepdims: bool = False,
) -> Any:
    refuse_out(out)
    tensor, result = _floats(operand(a), dtype)
    _refuse_axis_of_scalar(tensor, axis)
    total = _reduced(reduction.reduce_sum, tensor, axis, keepdims)
    mean = total / in_dtype(count_of(tensor, axes_of(axis, rank_of(tensor))), dtype_of(tensor))
    return wrapped(as_dtype(operand(mean), result))


def _var(
    a: TensorLike,
    axis: AxisLike = None,
    dtype: DTypeLike = None,
    out: object = None,
    ddof: TensorLike = 0,
    keepdims: bool = False,
) -> Any:
    refuse_out(out)
    tensor, result = _floats(operand(a), dtype)
    _refuse_axis_of_scalar(tensor, axis)
    if dtype_of(tensor).kind == "c":
        raise unsupported("np.var (of complex numbers)")
    axes = axes_of(axis, rank_of(tensor))
    count = in_dtype(count_of(tensor, axes), dtype_of(tensor))
    total = reduction.reduce_sum(tensor, axis=axes, keepdims=True)
    away = ufunc_result(np.subtract, tensor, ufunc_result(np.true_divide, total, count))
    square = operand(ufunc_result(np.multiply, away, away))
    degrees = ufunc_result(np.maximum, ufunc_result(np.subtract, count, ddof), 0)
    found = _reduced(reduction.reduce_sum, square, axis, keepdims) / degrees
    return wrapped(as_dtype(operand(found), result))


def _along_axis(weights: Tensor, values: Tensor, axis: AxisLike) -> Tensor:
    """Return a vector of weights in a shape that multiplies the values along an axis."""
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    if rank_of(weights) != 1:
        raise unsupported("np.average (of weights with several dimensions)")
    rank = rank_of(values)
    place = axis_of(axis, rank)
    if not values.shape[place : place + 1].is_compatible_with(weights.shape):
        raise ValueError(
            "Shape of weights must be consistent with shape of a along specified axis."
        )
    return shaping.reshape(weights, [-1 if at == place else 1 for at in range(rank)])


def _average(a: TensorLike, axis: AxisLike = None, weights: TensorLike = None) -> Any:
    if weights is None:
        return _mean(a, axis)
    values, weight = operand(a), operand(weights)
    kinds = [dtype_of(values), dtype_of(weight)]
    if values.dtype is dtypes.bool or values.dtype.is_integer:
        kinds.append(np.dtype(np.float64))
    dtype = result_dtype(*kinds)
    if not values.shape.is_compatible_with(weight.shape):
        weight = _along_axis(weight, values, axis)
    weight = as_dtype(weight, dtype)
    total = _sum(Array(weight), axis)
    raise_when(
        operand(function_result(np.any, ufunc_result(np.equal, total, 0))),
        ZeroDivisionError("Weights sum to zero, can't be normalized"),
    )
    return (
        _sum(ufunc_result(np.multiply, Array(as_dtype(values, dtype)), Array(weight)), axis) / total
    )


def _count_nonzero(a: TensorLike, axis: AxisLike = None, *, keepdims: bool = False) -> Any:
    counts = cast_to(truths(a), dtypes.int64)
    return _reduced(reduction.reduce_sum, counts, axis, keepdims)


def _position(operation: OpFunction[..., Tensor]) -> Implementation:
    """Return the function of a position; the first NaN counts as the extreme."""

    def function(
        a: TensorLike, axis: AxisLike = None, out: object = None, *, keepdims: bool = False
    ) -> Any:
        refuse_out(out)
        tensor, place = along(a, axis)
        _refuse_empty(tensor, (place,), "an empty sequence")
        if tensor.dtype is dtypes.bool:
            tensor = cast_to(tensor, dtypes.int32)
        attrs = {"axis": place, "output_type": dtypes.int64}
        if tensor.dtype.is_floating:
            attrs["nan_wins"] = True
        found = operation.op.apply((tensor,), None, attrs)
        if not keepdims:
            return wrapped(found)
        if axis is None:
            return Array(shaping.reshape(found, [1] * rank_of(operand(a))))
        return Array(shaping.expand_dims(found, place))

    return function


def _running(operation: Callable[..., Tensor]) -> Implementation:
    def function(
        a: TensorLike, axis: AxisLike = None, dtype: DTypeLike = None, out: object = None
    ) -> Any:
        refuse_out(out)
        tensor, place = along(a, axis)
        return wrapped(operation(widened(tensor, dtype), axis=place))

    return function


FUNCTIONS: dict[Any, Implementation] = {
    np.sum: _sum,
    np.prod: _total(reduce_prod),
    np.max: _MAX,
    np.amax: _MAX,
    np.min: _MIN,
    np.amin: _MIN,
    np.any: _reduction(lambda a, axis: (reduction.reduce_any, truths(a))),
    np.all: _reduction(lambda a, axis: (reduction.reduce_all, truths(a))),
    np.mean: _mean,
    np.var: _var,
    np.std: lambda a, axis=None, **options: ufunc_result(np.sqrt, _var(a, axis, **options)),
    np.ptp: lambda a, axis=None: _MAX(a, axis) - _MIN(a, axis),
    np.average: _average,
    np.count_nonzero: _count_nonzero,
    np.argmax: _position(ordering.argmax),
    np.argmin: _position(ordering.argmin),
    np.cumsum: _running(running.cumsum),
    np.cumprod: _running(running.cumprod),
}
"""The functions of NumPy that are implemented here."""
