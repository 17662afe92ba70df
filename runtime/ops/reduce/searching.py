"""Distinct elements, positions in sorted rows, counts in bins."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import ANY, INDEX, INT32, NOT_DIFFERENTIABLE, REAL, sample
from runtime.core.shapes import as_dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.counts import int32_count
from runtime.ops.base.define import Op, define_op


class Unique(NamedTuple):
    """The distinct elements, and for each element the position of its like among them."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """As `Unique`, with how often each distinct element occurs."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]


def _distinct(x: Any) -> tuple[Any, Any, Any]:
    """Distinct elements in the order in which they first occur, positions, and counts."""
    if x.ndim != 1:
        raise ValueError(f"unique expects a 1D vector, not shape {list(x.shape)}")
    if x.dtype.kind in "iu" and x.size:
        low, high = int(x.min()), int(x.max())
        if high - low < _DENSE * x.size and high <= np.iinfo(np.int64).max:
            return _distinct_dense(x, low, high - low + 1)
    values, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    order = np.argsort(first, kind="stable")
    places = np.empty(len(order), int)
    places[order] = np.arange(len(order))
    return values[order], places[inverse.reshape(-1)], counts[order]


_DENSE = 4
"""How many times as many as the elements their range may have for a table of all numbers."""


def _distinct_dense(x: Any, low: int, count: int) -> tuple[Any, Any, Any]:
    """`_distinct` of integers that lie close together."""
    rows = x.astype(np.int64) - low
    first = np.full(count, x.size)
    # Of several positions of one number the last that is written stays: the lowest.
    first[rows[::-1]] = np.arange(x.size - 1, -1, -1)
    order = np.sort(first[first < x.size])
    found = rows[order]
    places = np.empty(count, np.int64)
    places[found] = np.arange(len(found))
    return x[order], places[rows], np.bincount(rows, minlength=count)[found]


def _distinct_spec(x: Tensor, out_idx: DType) -> tuple[TensorSpec, ...]:
    if x.shape.rank not in (None, 1):
        raise ValueError(f"unique expects a 1D vector, not shape {x.shape}")
    positions, counts = x.spec.with_dtype(out_idx), spec_of(out_idx, (None,))
    return x.spec.with_dims((None,)), positions, counts


_UNIQUE_SAMPLES = (
    sample([3, 1, 3, 2], out_idx=dtypes.int32),
    sample(["b", "a"], out_idx=dtypes.int64),
)
_UNIQUE = define_op(
    "Unique",
    {"x": ANY},
    lambda x, out_idx: _distinct_spec(x, out_idx)[:2],
    lambda xp, x, out_idx: (
        (found := _distinct(x))[0],
        found[1].astype(out_idx.numpy_dtype),
    ),
    outputs=None,
    grad=NOT_DIFFERENTIABLE,
    samples=_UNIQUE_SAMPLES,
)
_UNIQUE_WITH_COUNTS = define_op(
    "UniqueWithCounts",
    {"x": ANY},
    _distinct_spec,
    lambda xp, x, out_idx: (
        (found := _distinct(x))[0],
        *(part.astype(out_idx.numpy_dtype) for part in found[1:]),
    ),
    outputs=None,
    grad=NOT_DIFFERENTIABLE,
    samples=_UNIQUE_SAMPLES,
)


def unique(x: TensorLike, out_idx: Any = dtypes.int32, name: str | None = None) -> Unique:
    """The distinct elements of a vector, in the order in which they first occur.

    Args:
      x: a vector.
      out_idx: the dtype of positions, int32 or int64.
      name: the name of the operation.

    Returns: `y`, the distinct elements, and `idx`, so that `x[i] == y[idx[i]]`.
    Raises: InvalidArgumentError if `x` is no vector.

    >>> y, idx = unique([3, 1, 3])
    >>> print(y.numpy(), idx.numpy())
    [3 1] [0 1 0]
    """
    return Unique(*_UNIQUE.outputs(x, out_idx=dtypes.as_dtype(out_idx), name=name))


def unique_with_counts(
    x: TensorLike, out_idx: Any = dtypes.int32, name: str | None = None
) -> UniqueWithCounts:
    """As `unique`, with how often each distinct element occurs.

    >>> print(unique_with_counts([3, 1, 3]).count.numpy())
    [2 1]
    """
    outputs = _UNIQUE_WITH_COUNTS.outputs(x, out_idx=dtypes.as_dtype(out_idx), name=name)
    return UniqueWithCounts(*outputs)


def _merged(xp: Any, rows: Any, values: Any, values_first: bool) -> Any:
    """How many elements of each row come before each value of the row: all rows at once."""
    length, count = rows.shape[-1], values.shape[-1]
    both = xp.concatenate([values, rows] if values_first else [rows, values], axis=-1)
    order = xp.argsort(both, axis=-1, kind="stable")
    of_row = order >= count if values_first else order < length
    before = xp.cumsum(of_row, axis=-1)
    places = xp.empty_like(order)
    xp.put_along_axis(places, order, before, axis=-1)
    return places[:, :count] if values_first else places[:, length:]


def _bound(name: str, side: str) -> Op:
    def kernel(xp: Any, rows: Any, values: Any, out_type: DType) -> Any:
        if not rows.ndim or not values.ndim:
            raise ValueError("slice index -1 of dimension 0 out of bounds.")
        count = math.prod(rows.shape[:-1])
        sequences = rows.reshape(count, rows.shape[-1])
        wanted = values.reshape(math.prod(values.shape[:-1]), values.shape[-1])
        if count != len(wanted):
            raise ValueError(
                f"Leading dim_size of both tensors must match: {rows.shape} and {values.shape}"
            )
        if count == 1:
            found = xp.searchsorted(sequences[0], wanted[0], side=side)
        else:
            found = _merged(xp, sequences, wanted, side == "left")
        return found.astype(out_type.numpy_dtype).reshape(values.shape)

    return define_op(
        name,
        {"sorted_inputs": REAL, "values": REAL},
        lambda rows, values, out_type: values.spec.with_dtype(out_type),
        kernel,
        grad=NOT_DIFFERENTIABLE,
        samples=(
            sample([1.0, 3.0], [0.0, 1.0, 3.5], out_type=dtypes.int32),
            sample([[1.0, 3.0], [2.0, 2.0]], [[1.0], [2.0]], out_type=dtypes.int32),
            sample(np.zeros([0]), [1.0], out_type=dtypes.int32),
        ),
    )


_LOWER, _UPPER = _bound("LowerBound", "left"), _bound("UpperBound", "right")


def searchsorted(
    sorted_sequence: TensorLike,
    values: TensorLike,
    side: str = "left",
    out_type: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Where values would have to be put into sorted rows so that they stay sorted.

    Args:
      sorted_sequence: real numbers, sorted along the last dimension.
      values: what to look for; its dimensions but the last are those of `sorted_sequence`.
      side: "left": before equal elements; "right": behind them.
      out_type: int32 or int64.
      name: the name of the operation.

    Raises: ValueError for another `side`; InvalidArgumentError if the shapes do not fit.

    >>> print(searchsorted([1, 3, 5], [0, 3, 9]))
    tf.Tensor([0 1 3], shape=(3,), dtype=int32)
    """
    if side not in ("left", "right"):
        raise ValueError(
            f"Argument `side` must be either 'right' or 'left'. Received: `side` = '{side}'."
        )
    op = _LOWER if side == "left" else _UPPER
    return op(sorted_sequence, values, out_type=dtypes.as_dtype(out_type), name=name)


def _bins(values: Any, value_range: Any, nbins: Any) -> Any:
    low, high = (float(bound) for bound in value_range)
    if not low < high:
        raise ValueError(
            f"value_range should satisfy value_range[0] < value_range[1], got {value_range}"
        )
    if int(nbins) <= 0:
        raise ValueError(f"nbins should be a positive number, but got '{int(nbins)}'")
    scaled = np.floor((np.asarray(values, np.float64) - low) / (high - low) * int(nbins))
    return np.clip(scaled, 0, int(nbins) - 1)


def _histogram(name: str, infer: Callable[..., TensorSpec], kernel: Callable[..., Any]) -> Op:
    return define_op(
        name,
        {"values": REAL, "value_range": REAL, "nbins": INT32},
        infer,
        kernel,
        grad=NOT_DIFFERENTIABLE,
        samples=(sample([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], 5, dtype=dtypes.int32),),
    )


def _counts_spec(values: Tensor, value_range: Tensor, nbins: Tensor, dtype: DType) -> TensorSpec:
    count = static_value(nbins)
    return spec_of(dtype, (None if count is None else int(count),))


def _counts(xp: Any, values: Any, value_range: Any, nbins: Any, dtype: DType) -> Any:
    places = _bins(values, value_range, nbins).ravel().astype(np.int64)
    return np.bincount(places, minlength=int(nbins)).astype(dtype.numpy_dtype)


_HISTOGRAM = _histogram("HistogramFixedWidth", _counts_spec, _counts)
_BINS = _histogram(
    "HistogramFixedWidthBins",
    lambda values, value_range, nbins, dtype: values.spec.with_dtype(dtype),
    lambda xp, values, value_range, nbins, dtype: _bins(values, value_range, nbins).astype(
        dtype.numpy_dtype
    ),
)


def histogram_fixed_width(
    values: TensorLike,
    value_range: TensorLike,
    nbins: TensorLike = 100,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """How many values lie in each of several bins of equal width.

    Args:
      values: real numbers; those outside count in the first or last bin.
      value_range: where the first bin begins and the last ends; of the dtype of `values`.
      nbins: how many bins.
      dtype: int32 or int64.
      name: the name of the operation.

    Raises: InvalidArgumentError if the range or the number of bins is not above 0.

    >>> print(histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5))
    tf.Tensor([2 1 1 0 2], shape=(5,), dtype=int32)
    """
    count = int32_count("nbins", nbins)
    return _HISTOGRAM(values, value_range, count, dtype=dtypes.as_dtype(dtype), name=name)


def histogram_fixed_width_bins(
    values: TensorLike,
    value_range: TensorLike,
    nbins: TensorLike = 100,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """The number of the bin in which each value lies; arguments as in `histogram_fixed_width`.

    >>> print(histogram_fixed_width_bins([-1.0, 1.5, 15.0], [0.0, 5.0], nbins=5))
    tf.Tensor([0 1 4], shape=(3,), dtype=int32)
    """
    count = int32_count("nbins", nbins)
    return _BINS(values, value_range, count, dtype=dtypes.as_dtype(dtype), name=name)


def _inverted(xp: Any, x: Any) -> Any:
    outside = np.flatnonzero((x < 0) | (x >= len(x)))
    if outside.size:
        raise ValueError(f"{x[outside[0]]} is not between 0 and {len(x)}")
    again = np.flatnonzero(np.bincount(x) > 1)
    if again.size:
        raise ValueError(f"{again[0]} is duplicated in the input.")
    result = xp.empty_like(x)
    result[x] = xp.arange(len(x), dtype=x.dtype)
    return result


_INVERT = define_op(
    "InvertPermutation",
    {"x": INDEX},
    lambda x: x.spec.with_dims(as_dims(x.shape.with_rank(1))),
    _inverted,
    samples=(sample([2, 0, 1]),),
)


def invert_permutation(x: TensorLike, name: str | None = None) -> Tensor:
    """The permutation that undoes a permutation.

    Args:
      x: int32 or int64 vector with the numbers from 0 on, each once.
      name: the name of the operation.

    Raises: InvalidArgumentError if it is no permutation.

    >>> print(invert_permutation([2, 0, 1]))
    tf.Tensor([1 2 0], shape=(3,), dtype=int32)
    """
    return _INVERT(x, name=name)


def _unraveled_spec(indices: Tensor, dims: Tensor) -> TensorSpec:
    count = dims.spec.dims[0] if dims.spec.dims else None
    return indices.spec.with_dims(
        None if indices.spec.dims is None else (count, *indices.spec.dims)
    )


def _unraveled(xp: Any, indices: Any, dims: Any) -> Any:
    if np.any((indices < 0) | (indices >= np.prod(dims))):
        raise ValueError(f"index is out of bound as with dims {dims.tolist()}")
    return np.array(np.unravel_index(indices, tuple(dims.tolist())), indices.dtype)


_UNRAVEL = define_op(
    "UnravelIndex",
    {"indices": INDEX, "dims": INDEX},
    _unraveled_spec,
    _unraveled,
    samples=(sample([5, 2], [2, 3]), sample(5, [2, 3])),
)


def unravel_index(indices: TensorLike, dims: TensorLike, name: str | None = None) -> Tensor:
    """The positions along each dimension of elements that are counted row by row.

    Args:
      indices: int32 or int64, the numbers of elements.
      dims: the shape in which they are.
      name: the name of the operation.

    Returns: one row for each dimension.
    Raises: InvalidArgumentError for an element that is not in the shape.

    >>> print(unravel_index([5, 2], [2, 3]))
    tf.Tensor(
    [[1 0]
     [2 2]], shape=(2, 2), dtype=int32)
    """
    return _UNRAVEL(indices, dims, name=name)
