"""Reductions over groups of rows, each group named by a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import INDEX, NUMERIC, REAL, DTypes, Grad, Kernel, Sample, sample
from runtime.core.shapes import compatible
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape
from runtime.ops.array.shaping import reshape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.gradient_parts import chosen, zeros_of
from runtime.ops.items.gathering import gather
from runtime.ops.math.arithmetic import maximum
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import conj

_COUNT = DTypes("int32 or int64 (num_segments)", *INDEX.members)
_ROWS = [[1.0, 2.0], [3.0, 4.5], [5.0, 6.0], [7.0, 8.0]]
_SORTED = (sample(_ROWS, [0, 0, 2, 2]), sample([5, 6, 7], [0, 1, 1]))
_UNSORTED = (sample(_ROWS, [1, 0, 1, 2], 3), sample([5, 6, 7], [0, 1, -1], 3))
_NESTED = sample([[1.0, 2.0], [3.0, 4.5]], [[0, 1], [1, 2]], 3)


def _sorted_spec(data: Tensor, ids: Tensor) -> TensorSpec:
    dims = data.spec.dims
    if dims is None:
        return data.spec
    if not dims:
        raise ValueError("data must be at least rank 1")
    known = static_value(ids)
    count = None if known is None else (int(known[-1]) + 1 if len(known) else 0)
    return data.spec.with_dims((count, *dims[1:]))


def _unsorted_spec(data: Tensor, ids: Tensor, count: Tensor) -> TensorSpec:
    dims, inner = data.spec.dims, ids.spec.dims
    if dims is None or inner is None:
        return data.spec.with_dims(None)
    if not compatible(dims[: len(inner)], inner):
        raise ValueError(f"data.shape = {dims} does not start with segment_ids.shape = {inner}")
    known = static_value(count)
    return data.spec.with_dims((None if known is None else int(known), *dims[len(inner) :]))


def _check_sorted(xp: Any, data: Any, ids: Any) -> None:
    if data.shape[:1] != ids.shape:
        raise ValueError("segment_ids should be the same size as dimension 0 of input.")
    if xp.any(ids[1:] < ids[:-1]):
        raise ValueError("segment ids are not increasing")
    if ids.size and ids[0] < 0:
        raise ValueError(
            f"Segment id {ids[0]} out of range [0, {ids[-1] + 1}), possibly because 'segment_ids' "
            "input is not sorted."
        )


def _lowest(dtype: Any) -> Any:
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _highest(dtype: Any) -> Any:
    return np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max


_START = {
    "add": lambda dtype: 0,
    "multiply": lambda dtype: 1,
    "maximum": _lowest,
    "minimum": _highest,
}


def _grouped(xp: Any, function: str, data: Any, ids: Any, count: int) -> Any:
    """The rows with each number, one after the other, combined by a function of two."""
    rows = xp.reshape(data, (ids.size, *data.shape[ids.ndim :]))
    names = xp.reshape(ids, (-1,))
    start = _START[function](data.dtype)
    result = xp.full((count, *rows.shape[1:]), start, dtype=data.dtype)
    getattr(xp, function).at(result, names[names >= 0], rows[names >= 0])
    return result


def _of_runs(xp: Any, function: str, data: Any, ids: Any, count: int) -> Any:
    """`_grouped` for numbers in order, so that the rows of each stand together."""
    result = xp.full((count, *data.shape[1:]), _START[function](data.dtype), dtype=data.dtype)
    starts = np.flatnonzero(np.diff(ids, prepend=-1))
    if data.size:
        combined = getattr(xp, function).reduceat(data, starts, axis=0, dtype=data.dtype)
        result[ids[starts]] = combined
    return result


def _sorted(function: str, empty: int = 0, mean: bool = False) -> Kernel:
    def kernel(xp: Any, data: Any, ids: Any) -> Any:
        _check_sorted(xp, data, ids)
        count = int(ids[-1]) + 1 if ids.size else 0
        result = _of_runs(xp, function, data, ids, count)
        members = xp.bincount(ids, minlength=count).reshape((count,) + (1,) * (data.ndim - 1))
        if mean:
            total = result / xp.maximum(members, 1).astype(data.dtype)
            return (xp.trunc(total) if data.dtype.kind in "iu" else total).astype(data.dtype)
        return xp.where(members == 0, data.dtype.type(empty), result)

    return kernel


def _unsorted(function: str) -> Kernel:
    def kernel(xp: Any, data: Any, ids: Any, count: Any) -> Any:
        if data.shape[: ids.ndim] != ids.shape:
            raise ValueError(
                f"data.shape = {data.shape} does not start with segment_ids.shape = {ids.shape}"
            )
        if count < 0:
            raise ValueError("Input num_segments == " + str(count) + " must not be negative.")
        wrong = xp.argwhere(ids >= count)
        if len(wrong):
            place = tuple(int(i) for i in wrong[0])
            raise InvalidArgumentError.of(
                f"segment_ids{list(place)} = {ids[place]} is out of range [0, {count})",
            )
        return _grouped(xp, function, data, ids, int(count))

    return kernel


def _from_groups(rows: Tensor, ids: Tensor, like: Tensor) -> Tensor:
    """To each place the row of its group; zeros where the number is negative."""
    picked = gather(rows, maximum(ids, 0))
    rank, inner = like.shape.rank, ids.shape.rank
    if rank is None or inner is None:
        raise InvalidArgumentError.of(
            "the gradient of a segment reduction needs tensors whose ranks are known"
        )
    inside = reshape(
        ids >= 0, call("ConcatV2", shape(ids), np.ones(rank - inner, np.int32), axis=0)
    )
    return chosen(inside, picked)


def _counts(ids: Tensor, rows: Tensor, like: Tensor) -> Tensor:
    """How many members each group has, at least one, to divide rows by."""
    ones = call("OnesLike", ids, dtype=like.dtype)
    total = maximum(_UNSORTED_SUM(ones, ids, shape(rows)[0]), 1)
    rank = rows.shape.rank
    beside = call("Rank", rows) - 1 if rank is None else convert_to_tensor(rank - 1)
    units = call("Fill", call("Pack", beside, axis=0), 1)
    return reshape(total, call("ConcatV2", [-1], units, axis=0))


def _extreme_grad(g: Tensor, y: Tensor, data: Tensor, ids: Tensor, *rest: Tensor) -> Any:
    """Members that are equally extreme share the gradient."""
    if not data.dtype.is_floating:
        return (None,) * (2 + len(rest))
    hits = cast(call("Equal", _from_groups(y, ids, data), data), data.dtype)
    number = _UNSORTED_SUM(hits, ids, shape(y)[0])
    share = call("DivNoNan", g, number)
    return (_from_groups(share, ids, data) * hits, None, *(None for _ in rest))


def _prod_grad(g: Tensor, y: Tensor, data: Tensor, ids: Tensor, *rest: Tensor) -> Any:
    """The product of the other members; where one is zero, it is computed without it."""
    zero = call("Equal", data, 0)
    zeros = _UNSORTED_SUM(cast(zero, dtypes.int32), ids, shape(y)[0])
    passed = chosen(call("Greater", zeros, 1), zeros_of(g), g)
    without = chosen(zero, call("OnesLike", data, dtype=data.dtype), data)
    rest_product = _from_groups(_UNSORTED_PROD(without, ids, shape(y)[0]), ids, data)
    others = chosen(zero, rest_product, call("DivNoNan", _from_groups(y, ids, data), data))
    return (_from_groups(passed, ids, data) * conj(others), None, *(None for _ in rest))


def _sum_grad(g: Tensor, y: Tensor, data: Tensor, ids: Tensor, *rest: Tensor) -> Any:
    return (_from_groups(g, ids, data), None, *(None for _ in rest))


def _mean_grad(g: Tensor, y: Tensor, data: Tensor, ids: Tensor) -> Any:
    return _from_groups(g / _counts(ids, g, data), ids, data), None


def _segment(name: str, kernel: Kernel, grad: Grad, group: DTypes = REAL) -> Op:
    return define_op(
        f"Segment{name}",
        {"data": group, "segment_ids": INDEX},
        _sorted_spec,
        kernel,
        grad=grad,
        samples=_SORTED,
    )


def _unsorted_segment(name: str, function: str, grad: Grad, group: DTypes = REAL) -> Op:
    samples: tuple[Sample, ...] = (*_UNSORTED, _NESTED)
    return define_op(
        f"UnsortedSegment{name}",
        {"data": group, "segment_ids": INDEX, "num_segments": _COUNT},
        _unsorted_spec,
        _unsorted(function),
        grad=grad,
        samples=samples,
    )


_SUM = _segment("Sum", _sorted("add"), _sum_grad, NUMERIC)
_MEAN = _segment("Mean", _sorted("add", mean=True), _mean_grad, NUMERIC)
_PROD = _segment("Prod", _sorted("multiply", empty=1), _prod_grad, NUMERIC)
_MAX = _segment("Max", _sorted("maximum"), _extreme_grad)
_MIN = _segment("Min", _sorted("minimum"), _extreme_grad)
_UNSORTED_SUM = _unsorted_segment("Sum", "add", _sum_grad, NUMERIC)
_UNSORTED_PROD = _unsorted_segment("Prod", "multiply", _prod_grad, NUMERIC)
_UNSORTED_MAX = _unsorted_segment("Max", "maximum", _extreme_grad)
_UNSORTED_MIN = _unsorted_segment("Min", "minimum", _extreme_grad)


def segment_sum(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The sum of the rows with each number.

    Args:
      data: numbers with at least one dimension.
      segment_ids: int32 or int64, one for each row, none smaller than the one before.

    Returns: a row for each number from 0 to the last; 0 where a number has no row.
    Raises: InvalidArgumentError if the numbers descend, are negative, or are too few or many.

    >>> print(segment_sum([1, 2, 5], [0, 0, 1]))
    tf.Tensor([3 5], shape=(2,), dtype=int32)
    """
    return _SUM(data, segment_ids, name=name)


def segment_mean(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The mean of the rows with each number, 0 of none; arguments as in `segment_sum`.

    >>> print(segment_mean([1.0, 2.0, 5.0], [0, 0, 1]))
    tf.Tensor([1.5 5. ], shape=(2,), dtype=float32)
    """
    return _MEAN(data, segment_ids, name=name)


def segment_prod(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The product of the rows with each number, 1 of none; arguments as in `segment_sum`.

    >>> print(segment_prod([1, 2, 5], [0, 0, 1]))
    tf.Tensor([2 5], shape=(2,), dtype=int32)
    """
    return _PROD(data, segment_ids, name=name)


def segment_max(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The largest of the rows with each number, 0 of none; arguments as in `segment_sum`.

    >>> print(segment_max([1, 2, 5], [0, 0, 1]))
    tf.Tensor([2 5], shape=(2,), dtype=int32)
    """
    return _MAX(data, segment_ids, name=name)


def segment_min(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The smallest of the rows with each number, 0 of none; arguments as in `segment_sum`.

    >>> print(segment_min([1, 2, 5], [0, 0, 1]))
    tf.Tensor([1 5], shape=(2,), dtype=int32)
    """
    return _MIN(data, segment_ids, name=name)


def unsorted_segment_sum(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """The sum of the parts with each number.

    Args:
      data: numbers.
      segment_ids: int32 or int64, in any order; the shape is the beginning of that of `data`.
        Parts with a negative number are left out.
      num_segments: how many numbers there are; a scalar.

    Returns: a part for each number from 0 on; 0 where a number has none.
    Raises: InvalidArgumentError if a number is not below `num_segments` or the shapes do not fit.

    >>> print(unsorted_segment_sum([1, 2, 5], [1, 1, 0], 2))
    tf.Tensor([5 3], shape=(2,), dtype=int32)
    """
    return _UNSORTED_SUM(data, segment_ids, num_segments, name=name)


def unsorted_segment_prod(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """The product of the parts with each number, 1 of none; arguments as in `unsorted_segment_sum`.

    >>> print(unsorted_segment_prod([1, 2, 5], [1, 1, 0], 2))
    tf.Tensor([5 2], shape=(2,), dtype=int32)
    """
    return _UNSORTED_PROD(data, segment_ids, num_segments, name=name)


def unsorted_segment_max(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """The largest of the parts with each number, of none the lowest there is.

    Arguments as in `unsorted_segment_sum`.

    >>> print(unsorted_segment_max([1, 2, 5], [1, 1, 0], 2))
    tf.Tensor([5 2], shape=(2,), dtype=int32)
    """
    return _UNSORTED_MAX(data, segment_ids, num_segments, name=name)


def unsorted_segment_min(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """The smallest of the parts with each number, of none the highest there is.

    Arguments as in `unsorted_segment_sum`.

    >>> print(unsorted_segment_min([1, 2, 5], [1, 1, 0], 2))
    tf.Tensor([5 1], shape=(2,), dtype=int32)
    """
    return _UNSORTED_MIN(data, segment_ids, num_segments, name=name)


def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """The mean of the parts with each number, 0 of none; arguments as in `unsorted_segment_sum`.

    >>> print(unsorted_segment_mean([1.0, 2.0, 5.0], [1, 1, 0], 2))
    tf.Tensor([5.  1.5], shape=(2,), dtype=float32)
    """
    total, number = _total(data, segment_ids, num_segments)
    return call("RealDiv", total, number)


def unsorted_segment_sqrt_n(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """The sum of the parts with each number, divided by the root of how many there are.

    >>> print(unsorted_segment_sqrt_n([1.0, 2.0, 1.0, 2.0], [1, 1, 1, 1], 2))
    tf.Tensor([0. 3.], shape=(2,), dtype=float32)
    """
    total, number = _total(data, segment_ids, num_segments)
    return call("RealDiv", total, call("Sqrt", number))


def _total(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike) -> Any:
    """The sums, and how many members each group has, at least one, in a shape to divide by."""
    values, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
    total = unsorted_segment_sum(values, ids, num_segments)
    return total, _counts(ids, total, values)
