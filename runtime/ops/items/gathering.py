"""Gathering of slices by index, and of elements by index tuple."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError, UnimplementedError
from runtime.core.node_form import NodeForm
from runtime.core.opdef import ANY, INDEX, Emit, Storage, sample
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape as shape_
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, AxisLike, Namespace
from runtime.ops.base.arguments import static_int
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.base.define import call, op
from runtime.ops.base.node_forms import moved_index
from runtime.ops.base.sample_values import MATRIX
from runtime.ops.items.indexed_slices import IndexedSlices


def _gathered_spec(params: Tensor, indices: Tensor, axis: int, batch_dims: int = 0) -> TensorSpec:
    dims, where_dims = params.spec.dims, indices.spec.dims
    if dims is None or where_dims is None:
        return params.spec.with_dims(None)
    position = rules.normal_axis(axis, len(dims))
    if not 0 <= batch_dims <= min(position, len(where_dims)):
        raise ValueError(f"batch_dims {batch_dims} is not in [0, {min(position, len(where_dims))}]")
    batch = TensorShape(dims[:batch_dims]).merge_with(where_dims[:batch_dims]).as_list()
    rest = (*dims[batch_dims:position], *where_dims[batch_dims:], *dims[position + 1 :])
    return params.spec.with_dims((*batch, *rest))


def _gather(xp: Namespace, params: Array, indices: Array, axis: int, batch_dims: int = 0) -> Array:
    position = rules.normal_axis(axis, params.ndim)
    check_positions(xp, indices, params.shape[position])
    if not batch_dims:
        return xp.take(params, indices, axis=axis)
    front = xp.moveaxis(params, position, batch_dims)
    taken = front[(*_batch_positions(xp, indices, batch_dims), indices)]
    inner = range(indices.ndim, indices.ndim + position - batch_dims)
    return xp.moveaxis(taken, inner, range(batch_dims, position))


def _batch_positions(xp: Namespace, indices: Array, batch_dims: int) -> list[Any]:
    """Return the positions along the batch dimensions, in shapes that broadcast."""
    return [
        xp.arange(indices.shape[i]).reshape((-1,) + (1,) * (indices.ndim - i - 1))
        for i in range(batch_dims)
    ]


def _gather_grad(
    g: Tensor, y: Tensor, params: Tensor, indices: Tensor, axis: int, batch_dims: int = 0
) -> tuple[Tensor | IndexedSlices, None]:
    """Add each slice of the gradient where it was taken from; along axis 0 as `IndexedSlices`."""
    if params.shape.rank is None or indices.shape.rank is None:
        raise UnimplementedError.of(
            "the gradient of gather needs to know how many dimensions there are"
        )
    rank, depth = params.shape.rank, indices.shape.rank
    position, new = rules.normal_axis(axis, rank), depth - batch_dims
    if not position:
        rows = call("ConcatV2", [-1], shape_vector(params, range(1, rank)), axis=0)
        values = call("Reshape", g, rows)
        places = call("Reshape", indices, [-1])
        return IndexedSlices(values, places, shape_.op(params, out_type=dtypes.int32)), None
    batch, outer = [*range(batch_dims)], [*range(batch_dims, position)]
    order = [*batch, *(i + len(outer) for i in range(batch_dims, depth)), *outer]
    order += range(position + new, rank + new - 1)
    dims = [*batch, position, *outer, *range(position + 1, rank)]
    full = shape_vector(params, dims)
    places = batched_tuples(call("ExpandDims", indices, axis=-1), batch_dims)
    moved = call("Transpose", g, perm=tuple(order), conjugate=False)
    total = call("ScatterNd", places, moved, cast_to(full, indices.dtype))
    back = tuple(int(i) for i in np.argsort(dims))
    return call("Transpose", total, perm=back, conjugate=False), None


def shape_vector(x: Tensor, axes: Iterable[int]) -> Tensor:
    """Return the lengths of some axes of a tensor, int32."""
    dims = shape_.op(x, out_type=dtypes.int32)
    return gather.op(dims, np.array([*axes], np.int32), axis=0)


def check_positions(xp: Namespace, indices: Array, length: int) -> None:
    """Raise InvalidArgumentError unless all positions are in [0, length)."""
    wrong = (indices < 0) | (indices >= length)
    if xp.count_nonzero(wrong):  # faster than `any`
        at = [int(entry) for entry in np.argwhere(np.atleast_1d(wrong))[0]]
        value = np.atleast_1d(indices)[tuple(at)]
        raise InvalidArgumentError.of(
            f"indices[{','.join(map(str, at))}] = {value} is not in [0, {length})"
        )


_CUBE = [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]


@op(
    "GatherV2",
    {"params": ANY, "indices": INDEX},
    infer=_gathered_spec,
    kernel=_gather,
    grad=_gather_grad,
    storage=Storage.VIEW,
    emit=Emit.ROW,
    node=NodeForm(moved=(moved_index(2, "axis"),)),
    samples=(
        sample([5, 6, 7], [2, 0], axis=0),
        sample(MATRIX, 1, axis=-1),
        sample(MATRIX, [[1, 0], [1, 1]], axis=0),
        sample(_CUBE, [[2, 1], [1, 1]], axis=1),
        sample(_CUBE, [[1, 0], [1, 1]], axis=2, batch_dims=1),
        sample(_CUBE, [[[0], [1], [1]]] * 2, axis=2, batch_dims=2),
    ),
)
def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: object = None,
    axis: AxisLike = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """Gather slices along an axis.

    Args:
      params: any tensor.
      indices: int32 or int64, of any shape.
      validate_indices: has no effect; indices are always checked.
      axis: the axis; None: `batch_dims`.
      batch_dims: number of leading dimensions that `params` and `indices` share; each entry of
        these gathers by itself.

    Returns:
      Tensor of shape `params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]`.

    Raises:
      InvalidArgumentError: if an index is out of range.
      ValueError: if `batch_dims` does not fit.

    >>> print(gather([[1, 2, 3], [4, 5, 6]], [2, 0], axis=1).numpy())
    [[3 1]
     [6 4]]
    """
    x, places = convert_to_tensor(params), convert_to_tensor(indices)
    batch = _batch_count(batch_dims, places) if batch_dims else 0
    position = batch if axis is None else static_int("axis", axis)
    if not batch:
        return gather.op(x, places, axis=position, name=name)
    rank = x.shape.rank
    if rank is not None and rules.normal_axis(position, rank) < batch:
        raise ValueError(
            f"batch_dims = {batch} must be less than or equal to axis = "
            f"{rules.normal_axis(position, rank)}"
        )
    return gather.op(x, places, axis=position, batch_dims=batch, name=name)


def _batch_count(batch_dims: object, indices: Tensor) -> int:
    batch = static_int("batch_dims", batch_dims)
    rank = indices.shape.rank
    if batch < 0:
        if rank is None:
            raise ValueError("a negative batch_dims needs to know how many dimensions indices has")
        batch += rank
    if rank is not None and not 0 <= batch <= rank:
        raise ValueError(
            f"batch_dims = {batch_dims} must be less than or equal to rank(indices) = {rank}"
        )
    return batch


def check_tuples(xp: Namespace, indices: Array, shape: tuple[int, ...]) -> None:
    """Raise InvalidArgumentError if an index tuple is outside of a shape."""
    limits = np.array(shape[: indices.shape[-1]], np.int64)
    wrong = ((indices < 0) | (indices >= limits)).any(axis=-1)
    if xp.any(wrong):
        at = [int(entry) for entry in np.argwhere(np.atleast_1d(wrong))[0]][: indices.ndim - 1]
        value = ", ".join(str(int(entry)) for entry in indices[tuple(at)])
        where = ",".join(map(str, at))
        raise InvalidArgumentError.of(
            f"indices[{where}] = [{value}] does not index into param shape {list(shape)}"
        )


def tuple_index(xp: Namespace, indices: Array, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Return index tuples as a NumPy index; raises InvalidArgumentError if one is outside."""
    depth = indices.shape[-1]
    _check_depth(depth, len(shape))
    check_tuples(xp, indices, shape)
    return tuple(indices[..., i] for i in range(depth))


def _check_depth(depth: int, rank: int) -> None:
    if depth > rank:
        raise ValueError(
            f"index innermost dimension length must be <= params rank; saw: {depth} vs. {rank}"
        )


def _gathered_nd_spec(params: Tensor, indices: Tensor) -> TensorSpec:
    dims, where_dims = params.spec.dims, indices.spec.dims
    if dims is None or not where_dims or where_dims[-1] is None:
        return params.spec.with_dims(None)
    _check_depth(where_dims[-1], len(dims))
    return params.spec.with_dims((*where_dims[:-1], *dims[where_dims[-1] :]))


def _gather_nd(xp: Namespace, params: Array, indices: Array) -> Array:
    if not indices.shape[-1]:  # an empty tuple means the whole tensor
        return xp.broadcast_to(params, (*indices.shape[:-1], *params.shape)).copy()
    return params[tuple_index(xp, indices, params.shape)]


def check_policy(bad_indices_policy: str) -> None:
    """Raise UnimplementedError for a policy other than that an index out of range is an error."""
    if bad_indices_policy not in ("", "DEFAULT", "ERROR"):
        raise UnimplementedError.of(
            f"bad_indices_policy={bad_indices_policy!r} is not supported: an index out of range is "
            "an error here. Leave such indices out, for instance with runtime.boolean_mask."
        )


@op(
    "GatherNd",
    {"params": ANY, "indices": INDEX},
    infer=_gathered_nd_spec,
    kernel=_gather_nd,
    grad=lambda g, y, params, indices: (
        call("ScatterNd", indices, g, shape_.op(params, out_type=indices.dtype)),
        None,
    ),
    samples=(
        sample(MATRIX, [[0, 1], [1, 2]]),
        sample(MATRIX, [[1]]),
        sample(_CUBE, [[[0, 1]], [[0, 1]]]),
        sample([1, 2], np.zeros((3, 0), np.int32)),
    ),
)
def gather_nd(
    params: TensorLike,
    indices: TensorLike,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Tensor:
    """Gather elements or slices by index tuple.

    Args:
      params: any tensor.
      indices: int32 or int64 of shape [..., d]: tuples that index the first d dimensions.
      batch_dims: number of leading dimensions that `params` and `indices` share; each entry of
        these gathers by itself.
      bad_indices_policy: "", "DEFAULT" or "ERROR": an index out of range is an error.

    Returns: Tensor of shape `indices.shape[:-1] + params.shape[d:]`.
    Raises:
      InvalidArgumentError: if an index is out of range.
      ValueError: if `batch_dims` does not fit.
      UnimplementedError: for another policy.

    >>> print(gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy())
    [2 3]
    """
    check_policy(bad_indices_policy)
    x, places = convert_to_tensor(params), convert_to_tensor(indices)
    batch = static_int("batch_dims", batch_dims)
    if batch:
        places = _with_batch(x, places, batch)
    return gather_nd.op(x, places, name=name)


def _with_batch(params: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
    """Prepend the positions along the batch dimensions, after checking `batch_dims`."""
    rank = indices.shape.rank
    if rank is None:
        raise ValueError("gather_nd with batch_dims needs to know how many dimensions indices has")
    if batch_dims < 0 or batch_dims >= rank:
        raise ValueError(f"batch_dims = {batch_dims} must be less than rank(indices) = {rank}")
    if params.shape.rank is not None and batch_dims >= params.shape.rank:
        raise ValueError(
            f"batch_dims = {batch_dims} must be less than rank(params) = {params.shape.rank}"
        )
    return batched_tuples(indices, batch_dims)


def batched_tuples(tuples: Tensor, batch_dims: int) -> Tensor:
    """Prepend to each index tuple its own position along the batch dimensions."""
    rank = tuples.shape.rank or 0
    count = shape_.op(tuples, out_type=tuples.dtype)
    single = np.array([1], tuples.dtype.numpy_dtype)
    ones = call("ConcatV2", count[: rank - 1], single, axis=0)
    for i in reversed(range(batch_dims)):
        line = call("Range", *(convert_to_tensor(n, tuples.dtype) for n in (0, count[i], 1)))
        column = call("Reshape", line, [1] * i + [-1] + [1] * (rank - i - 1))
        tuples = call("ConcatV2", call("BroadcastTo", column, ones), tuples, axis=-1)
    return tuples
