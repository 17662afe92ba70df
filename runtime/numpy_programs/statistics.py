"""Functions of NumPy on samples: quantiles, histograms, interpolation, convolution."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import AxisLike
from runtime.core.tensor import TensorLike
from runtime.numpy_programs.dispatch import function_result, ufunc_result, unsupported
from runtime.numpy_programs.promotion import as_dtype, is_number
from runtime.numpy_programs.tables import (
    Implementation,
    along,
    as_array,
    dtype_of,
    for_numpy,
    raise_if_any,
    rank_of,
    together,
)
from runtime.numpy_programs.values import Array, operand, plain, wrapped
from runtime.ops.array import shaping
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.items.selecting import where
from runtime.ops.reduce import ordering


def _chosen(test: Any, one: Any, other: Any) -> Array:
    return Array(where(operand(test), operand(one), operand(other)))


def _floor(x: Any) -> Any:
    return ufunc_result(np.floor, x)


def _vector(a: TensorLike) -> Array:
    return Array(shaping.reshape(operand(a), [-1]))


def _quantile(
    whole: int,
    error: Exception,
    a: TensorLike,
    q: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
) -> Any:
    """Return quantiles along an axis; those of several shares along a new first axis.

    Args:
      whole: 1, or 100 for percentiles.
      error: what is raised for a share outside of [0, whole].
    """
    tensor, place = along(a, axis)
    if tensor.dtype is dtypes.bool or tensor.dtype.is_complex:
        raise TypeError("a must be an array of real numbers")
    given = operand(q)
    if keepdims or rank_of(given) > 1 or (whole == 1 and given.dtype.kind != "f"):
        raise unsupported("np.quantile (of other shares than floats, or with keepdims)")
    is_narrow = tensor.dtype.is_floating and is_number(plain(q))
    dtype = dtype_of(tensor) if is_narrow else np.dtype(np.float64)
    shares = Array(as_dtype(shaping.reshape(given, [-1]), dtype))
    shares = ufunc_result(np.true_divide, shares, dtype.type(whole))
    raise_if_any(ufunc_result(np.logical_or, shares < 0, shares > 1), error)
    rows = function_result(np.moveaxis, Array(ordering.sort(tensor, axis=place)), place, 0)
    last = rows.shape[0] - 1
    at = shares * last
    index = _floor(at).astype(np.int64)
    low, high = rows[index], rows[ufunc_result(np.minimum, index + 1, last)]
    part = (at - _floor(at))[(slice(None), *(None,) * (rows.ndim - 1))]
    step = high - low  # from the nearer end, as NumPy does
    found = _chosen(part >= 0.5, high - step * (1 - part), low + step * part)
    if tensor.dtype.is_floating:
        unordered = function_result(np.any, ufunc_result(np.isnan, rows), 0)
        found = _chosen(unordered, as_dtype(np.nan, found.dtype), found)
    return found[0] if rank_of(given) == 0 else found


def _convolve(a: TensorLike, v: TensorLike, mode: str = "full") -> Any:
    tensors = together([a, v])
    if tensors[0].dtype is dtypes.bool:
        raise unsupported("np.convolve (of truth values)")
    if any(rank_of(each) > 1 for each in tensors):
        raise ValueError("object too deep for desired array")
    x, y = map(_vector, tensors)
    for name, each in (("a", x), ("v", y)):
        raise_if_any(np.equal(each.size, 0), ValueError(f"{name} cannot be empty"))
    margin = function_result(np.zeros, y.size - 1, x.dtype)
    wide = function_result(np.concatenate, [margin, x, margin])
    first = function_result(np.arange, x.size + y.size - 1)[:, None]
    found = wide[first + function_result(np.arange, y.size)] @ y[::-1]
    short = ufunc_result(np.minimum, x.size, y.size)
    lengths = {
        "full": (0, x.size + y.size - 1),
        "same": ((short - 1) // 2, x.size + y.size - short),
        "valid": (short - 1, x.size + y.size - 2 * short + 1),
    }
    if mode not in lengths:
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")
    start, length = lengths[mode]
    return found[start : start + length]


def _interp(
    x: TensorLike, xp: TensorLike, fp: TensorLike, left: TensorLike = None, right: TensorLike = None
) -> Any:
    if operand(fp).dtype.is_complex:
        raise unsupported("np.interp (of complex numbers)")
    wide = np.dtype(np.float64)
    shape = shape_of(operand(x))
    at, places, values = (_vector(as_dtype(operand(each), wide)) for each in (x, xp, fp))
    raise_if_any(np.equal(places.size, 0), ValueError("array of sample points is empty"))
    raise_if_any(
        np.not_equal(places.size, values.size),
        ValueError("fp and xp are not of the same length."),
    )
    after = function_result(np.searchsorted, places, at, "right")
    low = ufunc_result(np.maximum, after - 1, 0)
    high = ufunc_result(np.minimum, after, places.size - 1)
    width = places[high] - places[low]
    is_place = ufunc_result(np.logical_or, width == 0, at == places[low])
    slope = (values[high] - values[low]) / _chosen(width == 0, as_dtype(1.0, wide), width)
    found = _chosen(is_place, values[low], slope * (at - places[low]) + values[low])
    for is_beyond, value, end in (
        (at < places[0], left, values[0]),
        (at > places[-1], right, values[-1]),
    ):
        found = _chosen(is_beyond, end if value is None else as_dtype(plain(value), wide), found)
    is_nan = ufunc_result(np.logical_and, ufunc_result(np.isnan, at), places.size > 1)
    found = _chosen(is_nan, at, found)
    return wrapped(shaping.reshape(found.tensor, shape))


def _bounds(sample: Any, span: Any) -> tuple[Any, Any]:
    """Return the outer edges of a histogram; of equal elements, edges around them."""
    low, high = (sample.min(), sample.max()) if span is None else span
    error = "max must be larger than min in range parameter."
    raise_if_any(ufunc_result(np.greater, low, high), ValueError(error))
    finite = ufunc_result(np.isfinite, ufunc_result(np.subtract, high, low))
    error = "range of the histogram is not finite"
    raise_if_any(ufunc_result(np.logical_not, finite), ValueError(error))
    margin = function_result(np.where, ufunc_result(np.equal, low, high), 0.5, 0.0)
    margin = margin.astype(np.result_type(sample.dtype, np.float16))
    return operand(low - margin), operand(high + margin)


def _counted_in_bins(sample: Any, low: Any, high: Any, edges: Any, bins: int) -> Any:
    """Return the counts of bins of one width, with NumPy's rule for elements near an edge."""
    kept = sample[ufunc_result(np.logical_and, sample >= low, sample <= high)]
    index = ((kept - low) / (high - low) * bins).astype(np.int64)
    index = ufunc_result(np.minimum, index, bins - 1)
    index = index - (kept < edges[index])
    is_next = ufunc_result(np.logical_and, kept >= edges[index + 1], index != bins - 1)
    return function_result(np.bincount, index + is_next, minlength=bins)


def _histogram(
    a: TensorLike,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: object = None,
) -> tuple[Any, Any]:
    sample: Any = _vector(a)
    if weights is not None or sample.dtype.kind not in "if" or isinstance(bins, str):
        raise unsupported("np.histogram (of truth values, with weights or of estimated bins)")
    if np.ndim(bins) == 0:
        if not isinstance(bins, (int, np.integer)):
            raise unsupported("np.histogram (with a traced number of bins)")
        if bins < 1:
            raise ValueError("`bins` must be positive, when an integer")
        low, high = _bounds(sample, range)
        edges = function_result(np.linspace, low, high, int(bins) + 1)
        counts = _counted_in_bins(sample, low, high, edges, int(bins))
    else:
        edges = as_array(bins)
        falls = edges[:-1] > edges[1:]
        error = "`bins` must increase monotonically, when an array"
        raise_if_any(falls, ValueError(error))
        rows = Array(ordering.sort(sample.tensor))
        ends = [
            function_result(np.searchsorted, rows, edges[:-1], "left"),
            function_result(np.searchsorted, rows, edges[-1:], "right"),
        ]
        counts = function_result(np.diff, function_result(np.concatenate, ends))
    if density:
        return counts / function_result(np.diff, edges) / counts.sum(), edges
    return counts, edges


def _digitize(x: TensorLike, bins: TensorLike, right: bool = False) -> Any:
    edges = for_numpy(bins)
    rises, falls = np.all(edges[1:] >= edges[:-1]), np.all(edges[1:] <= edges[:-1])
    error = "bins must be monotonically increasing or decreasing"
    raise_if_any(np.logical_not(np.logical_or(rises, falls)), ValueError(error))
    side: Any = "left" if right else "right"
    below = np.searchsorted(edges, x, side)
    above = np.subtract(edges.shape[0], np.searchsorted(edges[::-1], x, side))
    found = np.where(rises, below, above)
    return found if found.ndim else found[()]


def _cov(
    m: TensorLike,
    y: TensorLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
) -> Any:
    parts = [_samples(each, rowvar) for each in (m, y) if each is not None]
    rows = np.concatenate(parts) if y is not None else parts[0]
    count = rows.shape[1] - (ddof if ddof is not None else 0 if bias else 1)
    rows = rows - np.mean(rows, axis=1, keepdims=True)
    return np.squeeze(rows @ rows.T * np.true_divide(1, count))


def _samples(m: TensorLike, rowvar: bool) -> Any:
    """Return the samples of each variable as a row."""
    array = for_numpy(m)
    if array.ndim not in (1, 2) or array.dtype.kind not in "iuf":
        raise unsupported("np.cov (of other than vectors or matrices of real numbers)")
    array = array.astype(np.result_type(array.dtype, np.float64))
    return array[None] if array.ndim == 1 else array if rowvar else array.T


def _corrcoef(x: TensorLike, y: TensorLike | None = None, rowvar: bool = True) -> Any:
    found = _cov(x, y, rowvar)
    if not np.ndim(found):
        return found / found
    deviations = np.sqrt(np.diag(found))
    return np.clip(found / deviations[:, None] / deviations[None, :], -1, 1)


FUNCTIONS: dict[Any, Implementation] = {
    np.percentile: partial(_quantile, 100, ValueError("Percentiles must be in the range [0, 100]")),
    np.quantile: partial(_quantile, 1, ValueError("Quantiles must be in the range [0, 1]")),
    np.convolve: _convolve,
    np.corrcoef: _corrcoef,
    np.cov: _cov,
    np.digitize: _digitize,
    np.interp: _interp,
    np.histogram: _histogram,
}
"""The functions of NumPy that are implemented here."""
