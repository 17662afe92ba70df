"""Gathering of slices by index, and of elements by index tuple."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, AxisLike, Namespace
from runtime.core.errors import PositionError, UnimplementedError
from runtime.core.node_form import NodeForm
from runtime.core.opdef import ANY, INDEX, Emit, Storage, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape as shape_
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call, op
from runtime.ops.base.node_forms import moved_index
from runtime.ops.base.samples import MATRIX
from runtime.ops.items.indexed_slices import IndexedSlices


def _gathered_spec(params: Tensor, indices: Tensor, axis: int) -> TensorSpec:
    dims, where_dims = params.spec.dims, indices.spec.dims
    if dims is None or where_dims is None:
        return params.spec.with_dims(None)
    position = rules.normalize_axis(axis, len(dims))
    return params.spec.with_dims((*dims[:position], *where_dims, *dims[position + 1 :]))


def _gather(xp: Namespace, params: Array, indices: Array, axis: int) -> Array:
    length = params.shape[rules.normalize_axis(axis, params.ndim)]
    if not _is_checked(xp, indices):
        _check_positions(xp, indices, length)
        return xp.take(params, indices, axis=axis)
    try:
        return params.take(indices.view(np.uint32), axis=axis)
    except IndexError:
        _check_positions(xp, indices, length)
        raise


def _is_checked(xp: Namespace, indices: Array) -> bool:
    """Return whether NumPy refuses positions below 0, too, because it takes them as unsigned."""
    return xp is np and indices.dtype.char == "i"


def _gather_grad(
    g: Tensor, y: Tensor, params: Tensor, indices: Tensor, axis: int
) -> tuple[Tensor | IndexedSlices, None]:
    """Add each slice of the gradient where it was taken from; along axis 0 as `IndexedSlices`."""
    rank, depth = params.shape.rank, indices.shape.rank
    if rank is None or depth is None:
        raise UnimplementedError.of(
            "the gradient of gather needs to know how many dimensions there are"
        )
    dims, position = shape_.op(params, out_type=dtypes.int32), rules.normalize_axis(axis, rank)
    if not position:
        values = call("Reshape", g, call("ConcatV2", [-1], dims[1:], axis=0))
        return IndexedSlices(values, call("Reshape", indices, [-1]), dims), None
    front = (*range(position, position + depth), *range(position))
    order = (*front, *range(len(front), rank + depth - 1))
    moved = call("Transpose", g, perm=order, conjugate=False)
    total = call("UnsortedSegmentSum", moved, indices, dims[position])
    back = (*range(1, position + 1), 0, *range(position + 1, rank))
    return call("Transpose", total, perm=back, conjugate=False), None


def _check_positions(xp: Namespace, indices: Array, length: int) -> None:
    """Raise PositionError unless all positions are in [0, length)."""
    wrong = (indices < 0) | (indices >= length)
    if xp.count_nonzero(wrong):  # faster than `any`
        at = [int(entry) for entry in np.argwhere(wrong)[0]]
        which = f"indices[{','.join(map(str, at))}]" if at else "indices"
        value = np.asarray(indices)[tuple(at)]
        raise PositionError.of(f"{which} = {value} is not in [0, {length})")


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
        sample(_CUBE, 1, axis=2),
    ),
)
def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: object = None,
    axis: AxisLike = None,
    batch_dims: int = 0,
    *,
    name: str | None = None,
) -> Tensor:
    """Gather slices along an axis.

    Args:
      params: any tensor.
      indices: int32 or int64, of any shape.
      validate_indices: has no effect; indices are always checked.
      axis: the axis; None: `batch_dims`.
      batch_dims: how many first dimensions `params` and `indices` share: indices of a row select
        from the same row of `params`.

    Returns: Tensor of shape `params.shape[:axis] + indices.shape[batch_dims:] +
      params.shape[axis + 1:]`.
    Raises:
      InvalidArgumentError: if an index is out of range, or the shared dimensions differ.
      ValueError: for `batch_dims` with an unknown rank, or another `axis`.

    >>> print(gather([[1, 2, 3], [4, 5, 6]], [2, 0], axis=1).numpy())
    [[3 1]
     [6 4]]
    >>> print(gather([[1, 2, 3], [4, 5, 6]], [2, 0], batch_dims=1).numpy())
    [3 4]
    """
    shared = static_int("batch_dims", batch_dims)
    if shared:
        tensors = convert_to_tensor(params), convert_to_tensor(indices)
        return gather_nd(tensors[0], _places_in_rows(*tensors, axis, shared), name=name)
    position = 0 if axis is None else static_int("axis", axis)
    return gather.op.apply((params, indices), name, {"axis": position})


def _places_in_rows(params: Tensor, indices: Tensor, axis: AxisLike, shared: int) -> Tensor:
    """Return tuples of the place in the shared dimensions and the index."""
    rank, depth = params.shape.rank, indices.shape.rank
    if rank is None or depth is None:
        raise ValueError(
            f"`gather` with batch_dims={shared} needs to know how many dimensions `params` and "
            f"`indices` have; their shapes are {params.shape} and {indices.shape}. Set them by "
            "`set_shape` or `ensure_shape`."
        )
    count = shared + depth if shared < 0 else shared
    if not 0 <= count <= depth or count >= rank:
        raise ValueError(
            f"batch_dims = {shared} must be at most the rank of `indices`, {depth}, and less than "
            f"the rank of `params`, {rank}."
        )
    if axis is not None and rules.normalize_axis(static_int("axis", axis), rank) != count:
        raise ValueError(
            f"`gather` with batch_dims={shared} takes axis={count} alone, but axis={axis}. "
            f"Transpose `params` so that the axis comes after the first {count}."
        )
    sizes = shape_(params, out_type=indices.dtype)[:count]
    rest = shape_(indices, out_type=indices.dtype)[count:]
    dims = call("ConcatV2", sizes, rest, axis=0)
    numbers = [
        call("Reshape", call("Range", 0, sizes[i], 1), [-1, *[1] * (depth - i - 1)])
        for i in range(count)
    ]
    places = [call("BroadcastTo", each, dims) for each in numbers]
    return call("Pack", *places, indices, axis=-1)


def _check_tuples(xp: Namespace, indices: Array, shape: tuple[int, ...]) -> None:
    """Raise PositionError if an index tuple is outside of a shape."""
    limits = np.array(shape[: indices.shape[-1]], np.int64)
    wrong = ((indices < 0) | (indices >= limits)).any(axis=-1)
    if xp.any(wrong):
        at = [int(entry) for entry in np.argwhere(np.atleast_1d(wrong))[0]][: indices.ndim - 1]
        value = ", ".join(str(int(entry)) for entry in indices[tuple(at)])
        where = ",".join(map(str, at))
        raise PositionError.of(
            f"indices[{where}] = [{value}] does not index into param shape {list(shape)}"
        )


def tuple_index(xp: Namespace, indices: Array, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Return index tuples as a NumPy index; raises PositionError if one is outside."""
    depth = indices.shape[-1]
    _check_depth(depth, len(shape))
    _check_tuples(xp, indices, shape)
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
    if _is_checked(xp, indices):
        try:
            return params[tuple(indices.view(np.uint32).transpose(-1, *range(indices.ndim - 1)))]
        except IndexError:
            pass  # `tuple_index` says which
    return params[tuple_index(xp, indices, params.shape)]


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
def gather_nd(params: TensorLike, indices: TensorLike, *, name: str | None = None) -> Tensor:
    """Gather elements or slices by index tuple.

    Args:
      params: any tensor.
      indices: int32 or int64 of shape [..., d]: tuples that index the first d dimensions.

    Returns: Tensor of shape `indices.shape[:-1] + params.shape[d:]`.
    Raises: InvalidArgumentError if an index is out of range.

    >>> print(gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy())
    [2 3]
    """
    return gather_nd.op.apply((params, indices), name)
