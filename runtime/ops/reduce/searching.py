"""Unique elements, binary search, histograms, permutations."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import ANY, INDEX, INT32, NOT_DIFFERENTIABLE, REAL, sample
from runtime.core.shapes import as_dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.counts import int32_count
from runtime.ops.base.aliases import Array, DTypeLike, Namespace
from runtime.ops.base.define import Op, define_op, op
from runtime.ops.base.node_forms import Place


class Unique(NamedTuple):
    """Unique elements `y`, and indices `idx` with `x[i] == y[idx[i]]`."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """`Unique` with the number of occurrences of each element."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]


def _distinct(x: Any) -> tuple[Any, Any, Any]:
    """Return unique elements in order of first occurrence, indices into them, and counts."""
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
"""A table of all numbers of the range is used for a range of at most 4 times the elements."""


def _distinct_dense(x: Any, low: int, count: int) -> tuple[Any, Any, Any]:
    """`_distinct` of integers in a narrow range."""
    rows = x.astype(np.int64) - low
    first = np.full(count, x.size)
    # Repeated numbers are written from the end: the lowest index stays.
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


def _unique(xp: Namespace, x: Array, out_idx: DType) -> tuple[Array, ...]:
    values, *indices = _distinct(x)
    return values, *(part.astype(out_idx.numpy_dtype) for part in indices)


@op(
    "Unique",
    {"x": ANY},
    infer=lambda x, out_idx: _distinct_spec(x, out_idx)[:2],
    kernel=lambda xp, x, out_idx: _unique(xp, x, out_idx)[:2],
    outputs=None,
    grad=NOT_DIFFERENTIABLE,
    samples=_UNIQUE_SAMPLES,
)
def unique(x: TensorLike, out_idx: DTypeLike = dtypes.int32, name: str | None = None) -> Unique:
    """Find the unique elements of a vector, in order of first occurrence.

    Args:
      x: vector of any dtype.
      out_idx: int32 or int64, the dtype of the indices.
      name: name for the operation.

    Returns:
      `y`, the unique elements, and `idx`, so that `x[i] == y[idx[i]]`.

    Raises:
      InvalidArgumentError: if `x` is not a vector.

    >>> y, idx = unique([3, 1, 3])
    >>> print(y.numpy(), idx.numpy())
    [3 1] [0 1 0]
    """
    return Unique(*unique.op.outputs(x, out_idx=dtypes.as_dtype(out_idx), name=name))


@op(
    "UniqueWithCounts",
    {"x": ANY},
    infer=_distinct_spec,
    kernel=_unique,
    outputs=None,
    grad=NOT_DIFFERENTIABLE,
    samples=_UNIQUE_SAMPLES,
)
def unique_with_counts(
    x: TensorLike, out_idx: DTypeLike = dtypes.int32, name: str | None = None
) -> UniqueWithCounts:
    """Find the unique elements of a vector and count them; arguments as in `unique`.

    >>> print(unique_with_counts([3, 1, 3]).count.numpy())
    [2 1]
    """
    outputs = unique_with_counts.op.outputs(x, out_idx=dtypes.as_dtype(out_idx), name=name)
    return UniqueWithCounts(*outputs)


def _merged(xp: Namespace, rows: Array, values: Array, values_first: bool) -> Array:
    """Count the elements of each row before each of its values, by one sort of both."""
    length, count = rows.shape[-1], values.shape[-1]
    both = xp.concatenate([values, rows] if values_first else [rows, values], axis=-1)
    order = xp.argsort(both, axis=-1, kind="stable")
    of_row = order >= count if values_first else order < length
    before = xp.cumsum(of_row, axis=-1)
    places = xp.empty_like(order)
    xp.put_along_axis(places, order, before, axis=-1)
    return places[:, :count] if values_first else places[:, length:]


def _write_bound(place: Place) -> list[Ref]:
    """Insert a dimension: TensorFlow takes matrices only."""
    ranks = {tensor.shape.rank for tensor in place.op.inputs}
    if ranks == {2}:
        return place.main(place.op.type, place.inputs, **place.op.attrs)
    if ranks != {1}:
        raise ValueError("its inputs are neither vectors nor matrices")
    zero = place.constant(np.int32(0), "dim")
    rows = [place.part("ExpandDims", [x, zero], "ExpandDims")[0] for x in place.inputs]
    (positions,) = place.part(place.op.type, rows, "rows", **place.op.attrs)
    return place.main("Squeeze", [positions], squeeze_dims=(0,))


def _bound(name: str, side: str) -> Op:
    def kernel(xp: Namespace, rows: Array, values: Array, out_type: DType) -> Array:
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
        node=NodeForm(write=_write_bound),
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
    out_type: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Find where values would be inserted into sorted rows, by binary search.

    Args:
      sorted_sequence: real tensor of shape [..., n], sorted along the last axis.
      values: tensor of the same dtype and of shape [..., m].
      side: "left": before equal elements; "right": after them.
      out_type: int32 or int64.
      name: name for the operation.

    Returns:
      Tensor of the shape of `values`, entries in [0, n].

    Raises:
      ValueError: for another `side`.
      InvalidArgumentError: if the shapes do not fit.

    >>> print(searchsorted([1, 3, 5], [0, 3, 9]).numpy())
    [0 1 3]
    """
    if side not in ("left", "right"):
        raise ValueError(
            f"Argument `side` must be either 'right' or 'left'. Received: `side` = '{side}'."
        )
    bound = _LOWER if side == "left" else _UPPER
    return bound(sorted_sequence, values, out_type=dtypes.as_dtype(out_type), name=name)


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


def _counts_spec(values: Tensor, value_range: Tensor, nbins: Tensor, dtype: DType) -> TensorSpec:
    count = static_value(nbins)
    return spec_of(dtype, (None if count is None else int(count),))


def _counts(xp: Namespace, values: Array, value_range: Array, nbins: Array, dtype: DType) -> Array:
    places = _bins(values, value_range, nbins).ravel().astype(np.int64)
    return np.bincount(places, minlength=int(nbins)).astype(dtype.numpy_dtype)


@op(
    "HistogramFixedWidth",
    {"values": REAL, "value_range": REAL, "nbins": INT32},
    infer=_counts_spec,
    kernel=_counts,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], 5, dtype=dtypes.int32),),
)
def histogram_fixed_width(
    values: TensorLike,
    value_range: TensorLike,
    nbins: TensorLike = 100,
    dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Count values in bins of equal width.

    Args:
      values: real tensor; values outside of the range count in the first or last bin.
      value_range: [start of the first bin, end of the last], of the dtype of `values`.
      nbins: integer scalar, the number of bins.
      dtype: int32 or int64.
      name: name for the operation.

    Returns:
      Vector of length `nbins`.

    Raises:
      InvalidArgumentError: if the range is empty, or `nbins` is not positive.

    >>> print(histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5).numpy())
    [2 1 1 0 2]
    """
    count, kind = int32_count("nbins", nbins), dtypes.as_dtype(dtype)
    return histogram_fixed_width.op(values, value_range, count, dtype=kind, name=name)


def _invert(xp: Namespace, x: Array) -> Array:
    outside = np.flatnonzero((x < 0) | (x >= len(x)))
    if outside.size:
        raise ValueError(f"{x[outside[0]]} is not between 0 and {len(x)}")
    again = np.flatnonzero(np.bincount(x) > 1)
    if again.size:
        raise ValueError(f"{again[0]} is duplicated in the input.")
    result = xp.empty_like(x)
    result[x] = xp.arange(len(x), dtype=x.dtype)
    return result


@op(
    "InvertPermutation",
    {"x": INDEX},
    infer=lambda x: x.spec.with_dims(as_dims(x.shape.with_rank(1))),
    kernel=_invert,
    samples=(sample([2, 0, 1]),),
)
def invert_permutation(x: TensorLike, name: str | None = None) -> Tensor:
    """Invert a permutation.

    Args:
      x: int32 or int64 vector that contains each of 0, ..., n - 1 once.
      name: name for the operation.

    Returns:
      The vector `y` with `y[x[i]] == i`.

    Raises:
      InvalidArgumentError: if `x` is not a permutation.

    >>> print(invert_permutation([2, 0, 1]).numpy())
    [1 2 0]
    """
    return invert_permutation.op(x, name=name)


def _unraveled_spec(indices: Tensor, dims: Tensor) -> TensorSpec:
    count = dims.spec.dims[0] if dims.spec.dims else None
    return indices.spec.with_dims(
        None if indices.spec.dims is None else (count, *indices.spec.dims)
    )


def _unraveled(xp: Namespace, indices: Array, dims: Array) -> Array:
    if np.any((indices < 0) | (indices >= np.prod(dims))):
        raise ValueError(f"index is out of bound as with dims {dims.tolist()}")
    return np.array(np.unravel_index(indices, tuple(dims.tolist())), indices.dtype)


@op(
    "UnravelIndex",
    {"indices": INDEX, "dims": INDEX},
    infer=_unraveled_spec,
    kernel=_unraveled,
    samples=(sample([5, 2], [2, 3]), sample(5, [2, 3])),
)
def unravel_index(indices: TensorLike, dims: TensorLike, name: str | None = None) -> Tensor:
    """Convert flat indices, in row-major order, to coordinates.

    Args:
      indices: int32 or int64 tensor.
      dims: vector of the same dtype, the shape that the indices refer to.
      name: name for the operation.

    Returns:
      Tensor with one row for each dimension.

    Raises:
      InvalidArgumentError: if an index is out of range.

    >>> print(unravel_index([5, 2], [2, 3]).numpy())
    [[1 0]
     [2 2]]
    """
    return unravel_index.op(indices, dims, name=name)
