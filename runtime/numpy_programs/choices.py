"""Functions of NumPy that choose, compare, sort, search and count elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.numpy_programs.creation import array
from runtime.numpy_programs.dispatch import function_result, ufunc_result, unsupported
from runtime.numpy_programs.promotion import as_dtype, kind_of, python_number, result_dtype
from runtime.numpy_programs.tables import (
    Implementation,
    along,
    as_array,
    axis_of,
    dtype_of,
    rank_of,
    refuse_out,
    together,
    truths,
)
from runtime.numpy_programs.values import SEQUENCES, Array, operand, plain, wrapped
from runtime.ops.array import shaping
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.array.dimensions import size
from runtime.ops.array.joining import concat
from runtime.ops.array.ranges import range as counted
from runtime.ops.base.convert import cast_to
from runtime.ops.effects.output import raise_when
from runtime.ops.items.gathering import gather
from runtime.ops.items.indexing import getitem
from runtime.ops.items.selecting import where
from runtime.ops.math import arithmetic, counting, elementwise, logic
from runtime.ops.reduce import ordering, reduction, running, searching


def _where(condition: TensorLike, x: TensorLike = None, y: TensorLike = None) -> Any:
    test = truths(condition)
    if x is None and y is None:
        return _nonzero(condition)
    x, y = plain(x), plain(y)
    dtype = result_dtype(kind_of(x), kind_of(y))
    return Array(where(test, as_dtype(x, dtype), as_dtype(y, dtype)))


def _nonzero(a: TensorLike) -> tuple[Any, ...]:
    found = where(truths(a))
    rank = rank_of(operand(a))
    if not rank:
        raise ValueError("Calling nonzero on 0d arrays is not allowed.")
    return tuple(Array(getitem(found, (slice(None), axis))) for axis in range(rank))


def _clip(
    a: TensorLike,
    a_min: TensorLike = None,
    a_max: TensorLike = None,
    out: object = None,
    min: TensorLike = None,
    max: TensorLike = None,
) -> Any:
    refuse_out(out)
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    bounds = [each for each in (low, high) if each is not None]
    values = list(map(plain, (a, *bounds)))
    dtype = result_dtype(*map(kind_of, values))
    result: Any = wrapped(as_dtype(values[0], dtype))
    if low is not None:
        result = ufunc_result(np.maximum, result, low)
    if high is not None:
        result = ufunc_result(np.minimum, result, high)
    return result if isinstance(result, Tensor) else array(result)


def _isclose(
    a: TensorLike,
    b: TensorLike,
    rtol: TensorLike = 1e-05,
    atol: TensorLike = 1e-08,
    equal_nan: bool = False,
) -> Any:
    if equal_nan:
        raise unsupported("np.isclose(equal_nan=True)")
    b = wrapped(as_dtype(plain(b), result_dtype(kind_of(plain(b)), float)))  # no int wraps around
    near = ufunc_result(
        np.less_equal,
        ufunc_result(np.absolute, ufunc_result(np.subtract, a, b)),
        ufunc_result(np.add, atol, ufunc_result(np.multiply, rtol, ufunc_result(np.absolute, b))),
    )
    finite = ufunc_result(np.isfinite, b)
    both = ufunc_result(np.logical_and, near, finite)
    return ufunc_result(np.logical_or, both, ufunc_result(np.equal, a, b))


def _allclose(a: TensorLike, b: TensorLike, *args: Any, **options: Any) -> Any:
    return python_number(operand(function_result(np.all, _isclose(a, b, *args, **options))))


def _array_equal(a1: TensorLike, a2: TensorLike) -> Any:
    if operand(a1).spec.dims != operand(a2).spec.dims:
        return False
    return python_number(operand(function_result(np.all, ufunc_result(np.equal, a1, a2))))


def _round(a: TensorLike, decimals: int = 0, out: object = None) -> Any:
    refuse_out(out)
    if operand(a).dtype is dtypes.bool and decimals:
        raise TypeError("np.round of truth values to decimals")
    if operand(a).dtype.is_integer and decimals >= 0:
        return array(a) if isinstance(a, Array) else a
    if decimals == 0:
        return ufunc_result(np.rint, a)
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return ufunc_result(np.rint, a * scale) / scale
    found = ufunc_result(np.rint, a / scale) * scale
    return wrapped(as_dtype(operand(found), dtype_of(operand(a))))


def _sort(
    a: TensorLike,
    axis: AxisLike = -1,
    kind: str | None = None,
    order: str | None = None,
    *,
    stable: bool | None = None,
) -> Any:
    return Array(ordering.sort(*along(a, axis)))


def _argsort(
    a: TensorLike,
    axis: AxisLike = -1,
    kind: str | None = None,
    order: str | None = None,
    *,
    stable: bool | None = None,
) -> Any:
    stable = bool(stable) or kind in ("stable", "mergesort")
    found = ordering.argsort(*along(a, axis), stable=stable)
    return Array(cast_to(found, dtypes.int64))


def _searchsorted(a: TensorLike, v: TensorLike, side: str = "left", sorter: object = None) -> Any:
    if sorter is not None:
        raise unsupported("np.searchsorted(sorter=...)")
    rows, wanted = together([a, v])
    flat = shaping.reshape(wanted, [-1])
    found = searching.searchsorted(rows, flat, side, dtypes.int64)
    return wrapped(shaping.reshape(found, shape_of(wanted)) if wanted.spec.dims != () else found[0])


def _unique(
    ar: TensorLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> Any:
    """Return the values in order, each once: where a sorted value differs from the one before."""
    whole = operand(ar)
    flat = shaping.reshape(whole, [-1])
    if flat.dtype.is_complex or flat.dtype is dtypes.bool:
        raise unsupported(f"np.unique (of {flat.dtype.name})")
    order = ordering.argsort(flat, 0, stable=True)
    values = gather(flat, order)
    place = counted(size(values))
    before = gather(values, arithmetic.maximum(place - 1, 0))
    differs = logic.not_equal(values, before)
    if flat.dtype.is_floating:  # all NaN are one value
        both = logic.logical_and(elementwise.is_nan(values), elementwise.is_nan(before))
        differs = logic.logical_and(differs, elementwise.logical_not(both))
    is_first = logic.logical_or(logic.equal(place, 0), differs)
    first = shaping.reshape(where(is_first), [-1])
    found = [gather(values, first)]
    if return_index:
        found.append(cast_to(gather(order, first), dtypes.int64))
    if return_inverse:
        number = running.cumsum(cast_to(is_first, dtypes.int64)) - 1
        back = gather(number, ordering.argsort(order, 0))
        found.append(shaping.reshape(back, shape_of(whole)))
    if return_counts:
        ends = concat([first[1:], cast_to(shaping.reshape(size(values), [1]), dtypes.int64)], 0)
        found.append(arithmetic.subtract(ends, first))
    return tuple(map(Array, found)) if len(found) > 1 else Array(found[0])


def _lexsort(keys: TensorLike, axis: int = -1) -> Any:
    if axis not in (-1, 0) or any(rank_of(operand(key)) != 1 for key in keys):
        raise unsupported("np.lexsort (of keys that are no vectors)")
    order: Any = slice(None)
    for key in map(as_array, keys):
        found = _argsort(key[order], kind="stable")
        order = found if isinstance(order, slice) else order[found]
    return order


def _argwhere(a: TensorLike) -> Any:
    if not rank_of(operand(a)):
        raise unsupported("np.argwhere (of a scalar)")
    return Array(where(truths(a)))


def _median(a: TensorLike, axis: AxisLike = None) -> Any:
    """Return the mean of the one or two values in the middle; NaN if there is one."""
    tensor, place = along(a, axis)
    rows = Array(ordering.sort(tensor, axis=place))
    count = rows.shape[place]
    middle = slice((count - 1) // 2, count // 2 + 1)
    found = function_result(np.mean, rows[(slice(None),) * place + (middle,)], place)
    if not tensor.dtype.is_floating:
        return found
    unordered = function_result(np.any, ufunc_result(np.isnan, Array(tensor)), place)
    return wrapped(
        where(operand(unordered), as_dtype(np.nan, dtype_of(operand(found))), operand(found))
    )


def _bincount(x: TensorLike, weights: object = None, minlength: object = 0) -> Any:
    own = dtype_of(operand(x))
    if not np.can_cast(own, np.int64):
        raise TypeError(f"Cannot cast array data from {own!r} to {np.dtype(np.int64)!r}")
    if rank_of(operand(x)) > 1:
        raise ValueError("object too deep for desired array")
    if weights is not None and not np.can_cast(dtype_of(operand(weights)), np.float64):
        raise TypeError("Cannot cast array data of weights to dtype('float64')")
    tensor = as_dtype(operand(x), np.dtype(np.int32))
    at_least = as_dtype(minlength, np.dtype(np.int32))
    raise_when(
        reduction.reduce_any(operand(ufunc_result(np.less, x, 0))),
        ValueError("'list' argument must have no negative elements"),
    )
    if weights is None:
        found = counting.bincount(tensor, minlength=at_least)
        return Array(cast_to(found, dtypes.int64))
    weighted = as_dtype(operand(weights), np.dtype(np.float64))
    return Array(counting.bincount(tensor, weighted, at_least, dtype=dtypes.float64))


def _take(a: TensorLike, indices: TensorLike, axis: AxisLike = None, out: object = None) -> Any:
    refuse_out(out)
    own = as_array(a)
    if axis is None:
        own, axis = Array(shaping.reshape(own.tensor, [-1])), 0
    key = array(indices) if isinstance(indices, SEQUENCES) else indices
    return (
        array(own[((slice(None),) * axis_of(axis, own.ndim)) + (key,)])
        if not _is_item(own, key)
        else own[key]
    )


def _is_item(own: Array, key: object) -> bool:
    return own.ndim == 1 and not isinstance(key, Array)


FUNCTIONS: dict[Any, Implementation] = {
    np.where: _where,
    np.nonzero: _nonzero,
    np.flatnonzero: lambda a: _nonzero(shaping.reshape(operand(a), [-1]))[0],
    np.argwhere: _argwhere,
    np.isscalar: lambda element: isinstance(element, Tensor) or np.isscalar(element),
    np.clip: _clip,
    np.isclose: _isclose,
    np.allclose: _allclose,
    np.array_equal: _array_equal,
    np.round: _round,
    np.around: _round,
    np.sort: _sort,
    np.argsort: _argsort,
    np.lexsort: _lexsort,
    np.median: _median,
    np.searchsorted: _searchsorted,
    np.unique: _unique,
    np.bincount: _bincount,
    np.take: _take,
}
"""The functions of NumPy that are implemented here."""
