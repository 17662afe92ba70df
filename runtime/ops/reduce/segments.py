"""Reductions of segments: groups of slices with the same id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import INDEX, NUMERIC, REAL, DTypes, Emit, Grad, sample
from runtime.core.shapes import Dims, compatible
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import fill, ones_like
from runtime.ops.array.dimensions import rank as rank_
from runtime.ops.array.dimensions import shape
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import reshape
from runtime.ops.base import rules
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import OpFunction, call, define_op, ones_of, publish, select, zeros_of
from runtime.ops.items.gathering import gather
from runtime.ops.math.arithmetic import maximum, realdiv
from runtime.ops.math.casting import cast as cast_dtype
from runtime.ops.math.complexes import conj
from runtime.ops.math.logic import equal, greater

_COUNT = DTypes("int32 or int64 (num_segments)", *INDEX.members)
_ROWS = [[1.0, 2.0], [3.0, 4.5], [5.0, 6.0], [7.0, 8.0]]
_SAMPLES = (
    sample(_ROWS, [1, 0, 1, 2], 3),
    sample([5, 6, 7], [0, 1, -1], 3),
    sample([[1.0, 2.0], [3.0, 4.5]], [[0, 1], [1, 2]], 3),
)


def _lowest(dtype: np.dtype[Any]) -> Any:
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _highest(dtype: np.dtype[Any]) -> Any:
    return np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max


def _reduced_spec(data: Tensor, ids: Tensor, count: Tensor) -> TensorSpec:
    dims, inner = data.spec.dims, ids.spec.dims
    if dims is None or inner is None:
        return data.spec.with_dims(None)
    _check_prefix(dims, inner)
    return data.spec.with_dims((rules.known_int(count), *dims[len(inner) :]))


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


def _row(
    name: str,
    function: str,
    about: str,
    example: str,
    *,
    op: str,
    emit: Emit,
    grad: Grad,
    neutral: Callable[[Any], Any],
    group: DTypes = REAL,
) -> OpFunction[..., Tensor]:
    """Define a reduction by a ufunc; `neutral(dtype)` is the result of an empty segment."""

    def kernel(xp: Namespace, data: Array, ids: Array, count: Array) -> Array:
        _check_prefix(data.shape, ids.shape)
        _check_ids(xp, ids, int(count))
        rows = xp.reshape(data, (ids.size, *data.shape[ids.ndim :]))
        names = xp.reshape(ids, (-1,))
        result = xp.full((int(count), *rows.shape[1:]), neutral(data.dtype), dtype=data.dtype)
        getattr(xp, function).at(result, names[names >= 0], rows[names >= 0])
        return result

    defined = define_op(
        op,
        {"data": group, "segment_ids": INDEX, "num_segments": _COUNT},
        _reduced_spec,
        kernel,
        grad=grad,
        emit=emit,
        samples=_SAMPLES,
    )

    def public(
        data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
    ) -> Tensor:
        return defined(data, segment_ids, num_segments, name=name)

    rest = f"""
        Args:
          data: Tensor; each element is {group.name}.
          segment_ids: int32 or int64, of a shape that is a prefix of that of `data`. Elements with
            a negative id are left out.
          num_segments: integer scalar, above all ids.

        Returns: Tensor of shape [num_segments, *data.shape[rank(segment_ids):]].
        Raises: InvalidArgumentError if an id is out of range, or the shapes do not fit.
        """
    return publish(public, __name__, name, defined, about, rest, example)


def _from_groups(rows: Tensor, ids: Tensor, like: Tensor) -> Tensor:
    """Gather for each element the row of its segment; zeros where the id is negative."""
    picked = gather(rows, maximum(ids, 0))
    rank, inner = like.shape.rank, ids.shape.rank
    if rank is None or inner is None:
        raise InvalidArgumentError.of(
            "the gradient of a segment reduction needs tensors whose ranks are known"
        )
    units = np.ones(rank - inner, np.int32)
    return select(reshape(ids >= 0, concat.op(shape(ids), units, axis=0)), picked)


def _extreme_grad(g: Tensor, y: Tensor, data: Tensor, ids: Tensor, count: Tensor) -> Any:
    """Divide the gradient among equal extremes."""
    if not data.dtype.is_floating:
        return None, None, None
    hits = cast_dtype(equal.op(_from_groups(y, ids, data), data), data.dtype)
    number = unsorted_segment_sum(hits, ids, count)
    share = call("DivNoNan", g, number)
    return _from_groups(share, ids, data) * hits, None, None


def _prod_grad(g: Tensor, y: Tensor, data: Tensor, ids: Tensor, count: Tensor) -> Any:
    """Multiply by the product of the other members, without the one that is zero."""
    zero = equal.op(data, 0)
    zeros = unsorted_segment_sum(cast_dtype(zero, dtypes.int32), ids, count)
    passed = select(greater.op(zeros, 1), zeros_of(g), g)
    without = select(zero, ones_of(data), data)
    rest_product = _from_groups(unsorted_segment_prod(without, ids, count), ids, data)
    others = select(zero, rest_product, call("DivNoNan", _from_groups(y, ids, data), data))
    return _from_groups(passed, ids, data) * conj(others), None, None


unsorted_segment_sum: OpFunction[..., Tensor] = _row(
    "unsorted_segment_sum",
    "add",
    "Sum of the elements with each id; 0 of none.",
    "[1, 2, 5], [1, 1, 0], 2 -> [5 3]",
    op="UnsortedSegmentSum",
    emit=Emit.SEGMENT_SUM,
    neutral=lambda dtype: 0,
    grad=lambda g, y, data, ids, count: (_from_groups(g, ids, data), None, None),
    group=NUMERIC,
)
unsorted_segment_prod: OpFunction[..., Tensor] = _row(
    "unsorted_segment_prod",
    "multiply",
    "Product of the elements with each id; 1 of none.",
    "[3, 2, 5], [1, 1, 0], 2 -> [5 6]",
    op="UnsortedSegmentProd",
    emit=Emit.SEGMENT_PROD,
    neutral=lambda dtype: 1,
    grad=_prod_grad,
    group=NUMERIC,
)
unsorted_segment_max = _row(
    "unsorted_segment_max",
    "maximum",
    "Largest of the elements with each id; of none the lowest number of the dtype.",
    "[1, 2, 5], [1, 1, 0], 2 -> [5 2]",
    op="UnsortedSegmentMax",
    emit=Emit.SEGMENT_MAX,
    neutral=_lowest,
    grad=_extreme_grad,
)
unsorted_segment_min = _row(
    "unsorted_segment_min",
    "minimum",
    "Smallest of the elements with each id; of none the highest number of the dtype.",
    "[1, 2, 5], [1, 1, 0], 2 -> [5 1]",
    op="UnsortedSegmentMin",
    emit=Emit.SEGMENT_MIN,
    neutral=_highest,
    grad=_extreme_grad,
)


def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Mean of the elements with each id; 0 of none.

    Args:
      data, segment_ids, num_segments, name: as in `unsorted_segment_sum`.

    Returns: Tensor of the shape and dtype of `unsorted_segment_sum`.

    >>> print(unsorted_segment_mean([1.0, 2.0, 5.0], [1, 1, 0], 2).numpy())
    [5.  1.5]
    """
    values, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
    total = unsorted_segment_sum(values, ids, num_segments)
    members = unsorted_segment_sum(ones_like.op(ids, dtype=values.dtype), ids, num_segments)
    rank = total.shape.rank
    beside = rank_.op(total) - 1 if rank is None else convert_to_tensor(rank - 1)
    column = concat.op([-1], fill.op(call("Pack", beside, axis=0), 1), axis=0)
    return realdiv.op(total, reshape(maximum(members, 1), column), name=name)
