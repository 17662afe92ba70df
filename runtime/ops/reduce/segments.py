"""Reductions of segments: groups of slices with the same id."""

from __future__ import annotations

from typing import Any, Protocol, cast

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import INDEX, NUMERIC, REAL, DTypes, Grad, sample
from runtime.core.shapes import Dims, compatible
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import fill, ones_like
from runtime.ops.array.dimensions import rank as rank_
from runtime.ops.array.dimensions import shape
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import reshape
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.families import publish
from runtime.ops.base.gradient_parts import chosen, ones_of, zeros_of
from runtime.ops.items.gathering import gather
from runtime.ops.math.arithmetic import maximum, realdiv
from runtime.ops.math.casting import cast as cast_dtype
from runtime.ops.math.comparison import equal, greater
from runtime.ops.math.complexes import conj

_COUNT = DTypes("int32 or int64 (num_segments)", *INDEX.members)
_ROWS = [[1.0, 2.0], [3.0, 4.5], [5.0, 6.0], [7.0, 8.0]]
_SORTED = (sample(_ROWS, [0, 0, 2, 2]), sample([5, 6, 7], [0, 1, 1]))
_UNSORTED = (
    sample(_ROWS, [1, 0, 1, 2], 3),
    sample([5, 6, 7], [0, 1, -1], 3),
    sample([[1.0, 2.0], [3.0, 4.5]], [[0, 1], [1, 2]], 3),
)


class Segment(Protocol):
    """A reduction of segments whose ids ascend."""

    op: Op

    def __call__(
        self, data: TensorLike, segment_ids: TensorLike, name: str | None = None
    ) -> Tensor:
        """Reduce each segment."""


class UnsortedSegment(Protocol):
    """A reduction of segments whose ids are in any order."""

    op: Op

    def __call__(
        self,
        data: TensorLike,
        segment_ids: TensorLike,
        num_segments: TensorLike,
        name: str | None = None,
    ) -> Tensor:
        """Reduce each segment."""


def _lowest(dtype: Any) -> Any:
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _highest(dtype: Any) -> Any:
    return np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max


_NEUTRAL = {
    "add": lambda dtype: 0,
    "multiply": lambda dtype: 1,
    "maximum": _lowest,
    "minimum": _highest,
}
"""Neutral element of each function: the result of an unsorted segment without members."""


def _sorted_spec(data: Tensor, ids: Tensor) -> TensorSpec:
    dims = data.spec.dims
    if dims is None:
        return data.spec
    if not dims:
        raise ValueError("data must be at least rank 1")
    known = static_value(ids)
    count = None if known is None else (int(known[-1]) + 1 if len(known) else 0)
    return data.spec.with_dims((count, *dims[1:]))


def _check_sorted(xp: Namespace, data: Array, ids: Array) -> None:
    if data.shape[:1] != ids.shape:
        raise ValueError("segment_ids should be the same size as dimension 0 of input.")
    if xp.any(ids[1:] < ids[:-1]):
        raise ValueError("segment ids are not increasing")
    if ids.size and ids[0] < 0:
        raise ValueError(
            f"Segment id {ids[0]} out of range [0, {ids[-1] + 1}), possibly because 'segment_ids' "
            "input is not sorted."
        )


def _sorted(
    name: str,
    function: str,
    about: str,
    example: str,
    *,
    op: str,
    grad: Grad,
    group: DTypes = REAL,
    empty: int = 0,
    mean: bool = False,
) -> Segment:
    """Define a reduction of runs of equal ids; `empty` is the result of an id without rows."""

    def kernel(xp: Namespace, data: Array, ids: Array) -> Array:
        _check_sorted(xp, data, ids)
        count = int(ids[-1]) + 1 if ids.size else 0
        result = xp.full((count, *data.shape[1:]), empty, dtype=data.dtype)
        if not data.size:
            return result
        starts = np.flatnonzero(np.diff(ids, prepend=-1))
        combined = getattr(xp, function).reduceat(data, starts, axis=0, dtype=data.dtype)
        if mean:
            sizes = np.diff(starts, append=len(ids)).reshape((-1,) + (1,) * (data.ndim - 1))
            combined = combined / sizes.astype(data.dtype)
            combined = xp.trunc(combined) if data.dtype.kind in "iu" else combined
        result[ids[starts]] = combined.astype(data.dtype)
        return result

    defined = define_op(
        op,
        {"data": group, "segment_ids": INDEX},
        _sorted_spec,
        kernel,
        grad=grad,
        samples=_SORTED,
    )

    def public(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
        return defined(data, segment_ids, name=name)

    rest = f"""
        Args:
          data: Tensor of shape [n, ...]; each element is {group.name}.
          segment_ids: int32 or int64 vector of length n, ascending, >= 0.
          name: name for the operation.

        Returns:
          Tensor of shape [segment_ids[-1] + 1, ...]; {empty} for an id without rows.

        Raises:
          InvalidArgumentError: if the ids descend, are negative, or are not one for each row.
        """
    return cast(Segment, publish(public, __name__, name, defined, about, rest, example))


def _unsorted_spec(data: Tensor, ids: Tensor, count: Tensor) -> TensorSpec:
    dims, inner = data.spec.dims, ids.spec.dims
    if dims is None or inner is None:
        return data.spec.with_dims(None)
    _check_prefix(dims, inner)
    known = static_value(count)
    return data.spec.with_dims((None if known is None else int(known), *dims[len(inner) :]))


def _check_prefix(dims: Dims, ids: Dims) -> None:
    if dims is not None and ids is not None and not compatible(dims[: len(ids)], ids):
        raise ValueError(f"data.shape = {dims} does not start with segment_ids.shape = {ids}")


def _check_ids(xp: Namespace, ids: Array, count: int) -> None:
    if count < 0:
        raise ValueError(f"Input num_segments == {count} must not be negative.")
    wrong = xp.argwhere(ids >= count)
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        raise InvalidArgumentError.of(
            f"segment_ids{list(place)} = {ids[place]} is out of range [0, {count})"
        )


def _unsorted(
    name: str,
    function: str,
    about: str,
    example: str,
    *,
    op: str,
    grad: Grad,
    group: DTypes = REAL,
) -> UnsortedSegment:
    """Define a reduction of elements with equal ids."""

    def kernel(xp: Namespace, data: Array, ids: Array, count: Array) -> Array:
        _check_prefix(data.shape, ids.shape)
        _check_ids(xp, ids, int(count))
        rows = xp.reshape(data, (ids.size, *data.shape[ids.ndim :]))
        names = xp.reshape(ids, (-1,))
        neutral = _NEUTRAL[function](data.dtype)
        result = xp.full((int(count), *rows.shape[1:]), neutral, dtype=data.dtype)
        getattr(xp, function).at(result, names[names >= 0], rows[names >= 0])
        return result

    defined = define_op(
        op,
        {"data": group, "segment_ids": INDEX, "num_segments": _COUNT},
        _unsorted_spec,
        kernel,
        grad=grad,
        samples=_UNSORTED,
    )

    def public(
        data: TensorLike,
        segment_ids: TensorLike,
        num_segments: TensorLike,
        name: str | None = None,
    ) -> Tensor:
        return defined(data, segment_ids, num_segments, name=name)

    rest = f"""
        Args:
          data: Tensor; each element is {group.name}.
          segment_ids: int32 or int64, of a shape that is a prefix of that of `data`. Elements with
            a negative id are left out.
          num_segments: integer scalar, above all ids.
          name: name for the operation.

        Returns:
          Tensor of shape [num_segments, *data.shape[rank(segment_ids):]].

        Raises:
          InvalidArgumentError: if an id is out of range, or the shapes do not fit.
        """
    return cast(UnsortedSegment, publish(public, __name__, name, defined, about, rest, example))


def _from_groups(rows: Tensor, ids: Tensor, like: Tensor) -> Tensor:
    """Gather for each element the row of its segment; zeros where the id is negative."""
    picked = gather(rows, maximum(ids, 0))
    rank, inner = like.shape.rank, ids.shape.rank
    if rank is None or inner is None:
        raise InvalidArgumentError.of(
            "the gradient of a segment reduction needs tensors whose ranks are known"
        )
    units = np.ones(rank - inner, np.int32)
    return chosen(reshape(ids >= 0, concat.op(shape(ids), units, axis=0)), picked)


def _counts(ids: Tensor, rows: Tensor, like: Tensor) -> Tensor:
    """Return the size of each segment, at least 1, in a shape to divide rows by."""
    ones = ones_like.op(ids, dtype=like.dtype)
    total = maximum(unsorted_segment_sum(ones, ids, shape(rows)[0]), 1)
    rank = rows.shape.rank
    beside = rank_.op(rows) - 1 if rank is None else convert_to_tensor(rank - 1)
    units = fill.op(call("Pack", beside, axis=0), 1)
    return reshape(total, concat.op([-1], units, axis=0))


def _extreme_grad(g: Tensor, y: Tensor, data: Tensor, ids: Tensor, *rest: Tensor) -> Any:
    """Divide the gradient among equal extremes."""
    if not data.dtype.is_floating:
        return (None,) * (2 + len(rest))
    hits = cast_dtype(equal.op(_from_groups(y, ids, data), data), data.dtype)
    number = unsorted_segment_sum(hits, ids, shape(y)[0])
    share = call("DivNoNan", g, number)
    return (_from_groups(share, ids, data) * hits, None, *(None for _ in rest))


def _prod_grad(g: Tensor, y: Tensor, data: Tensor, ids: Tensor, *rest: Tensor) -> Any:
    """Multiply by the product of the other members, without the one that is zero."""
    zero = equal.op(data, 0)
    zeros = unsorted_segment_sum(cast_dtype(zero, dtypes.int32), ids, shape(y)[0])
    passed = chosen(greater.op(zeros, 1), zeros_of(g), g)
    without = chosen(zero, ones_of(data), data)
    rest_product = _from_groups(unsorted_segment_prod(without, ids, shape(y)[0]), ids, data)
    others = chosen(zero, rest_product, call("DivNoNan", _from_groups(y, ids, data), data))
    return (_from_groups(passed, ids, data) * conj(others), None, *(None for _ in rest))


def _sum_grad(g: Tensor, y: Tensor, data: Tensor, ids: Tensor, *rest: Tensor) -> Any:
    return (_from_groups(g, ids, data), None, *(None for _ in rest))


def _mean_grad(g: Tensor, y: Tensor, data: Tensor, ids: Tensor) -> Any:
    return _from_groups(g / _counts(ids, g, data), ids, data), None


segment_sum = _sorted(
    "segment_sum",
    "add",
    "Sum of the rows with each id; the ids ascend.",
    "[1, 2, 5], [0, 0, 2] -> [3 0 5]",
    op="SegmentSum",
    grad=_sum_grad,
    group=NUMERIC,
)
segment_mean = _sorted(
    "segment_mean",
    "add",
    "Mean of the rows with each id; the ids ascend. Integers are rounded toward zero.",
    "[1.0, 2.0, 5.0], [0, 0, 1] -> [1.5 5. ]",
    op="SegmentMean",
    grad=_mean_grad,
    group=NUMERIC,
    mean=True,
)
segment_prod = _sorted(
    "segment_prod",
    "multiply",
    "Product of the rows with each id; the ids ascend.",
    "[3, 2, 5], [0, 0, 2] -> [6 1 5]",
    op="SegmentProd",
    grad=_prod_grad,
    group=NUMERIC,
    empty=1,
)
segment_max = _sorted(
    "segment_max",
    "maximum",
    "Largest of the rows with each id; the ids ascend.",
    "[1, 2, 5], [0, 0, 1] -> [2 5]",
    op="SegmentMax",
    grad=_extreme_grad,
)
segment_min = _sorted(
    "segment_min",
    "minimum",
    "Smallest of the rows with each id; the ids ascend.",
    "[1, 2, 5], [0, 0, 1] -> [1 5]",
    op="SegmentMin",
    grad=_extreme_grad,
)
unsorted_segment_sum: UnsortedSegment = _unsorted(
    "unsorted_segment_sum",
    "add",
    "Sum of the elements with each id; 0 of none.",
    "[1, 2, 5], [1, 1, 0], 2 -> [5 3]",
    op="UnsortedSegmentSum",
    grad=_sum_grad,
    group=NUMERIC,
)
unsorted_segment_prod: UnsortedSegment = _unsorted(
    "unsorted_segment_prod",
    "multiply",
    "Product of the elements with each id; 1 of none.",
    "[3, 2, 5], [1, 1, 0], 2 -> [5 6]",
    op="UnsortedSegmentProd",
    grad=_prod_grad,
    group=NUMERIC,
)
unsorted_segment_max = _unsorted(
    "unsorted_segment_max",
    "maximum",
    "Largest of the elements with each id; of none the lowest number of the dtype.",
    "[1, 2, 5], [1, 1, 0], 2 -> [5 2]",
    op="UnsortedSegmentMax",
    grad=_extreme_grad,
)
unsorted_segment_min = _unsorted(
    "unsorted_segment_min",
    "minimum",
    "Smallest of the elements with each id; of none the highest number of the dtype.",
    "[1, 2, 5], [1, 1, 0], 2 -> [5 1]",
    op="UnsortedSegmentMin",
    grad=_extreme_grad,
)


def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Mean of the elements with each id; 0 of none. Arguments as in `unsorted_segment_sum`.

    >>> print(unsorted_segment_mean([1.0, 2.0, 5.0], [1, 1, 0], 2).numpy())
    [5.  1.5]
    """
    total, number = _total(data, segment_ids, num_segments)
    return realdiv.op(total, number)


def _total(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike
) -> tuple[Tensor, Tensor]:
    """Return the sums, and the number of members of each, at least 1, to divide them by."""
    values, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
    total = unsorted_segment_sum(values, ids, num_segments)
    return total, _counts(ids, total, values)
