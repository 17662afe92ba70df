"""`x[...]`, and reading and replacing elements by their positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError, UnimplementedError
from runtime.core.opdef import ANY, BOOL, INDEX, INTEGER, NOT_DIFFERENTIABLE, DTypes, sample
from runtime.core.shapes import Dims, TensorShape, broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims, static_entries, static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import rules
from runtime.ops.convert import cast_to, constant_of, convert_to_tensor, one_dtype
from runtime.ops.define import call, define_op
from runtime.ops.shaping import reshape

newaxis = None
"""In an index: a new dimension of length 1."""

_NUMBER = DTypes("int32", dtypes.int32)
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


class _Slices:
    """An index as vectors of begins, ends and strides, with a bit for each special entry."""

    def __init__(self, key: Any) -> None:
        self.begin: list[Any] = []
        self.end: list[Any] = []
        self.strides: list[Any] = []
        self.masks = dict.fromkeys(MASKS, 0)
        for entry in key if isinstance(key, tuple) else (key,):
            self._add(entry)

    def _add(self, entry: Any) -> None:
        if entry is Ellipsis:
            self._append(0, 0, 1, "ellipsis_mask")
        elif entry is None:
            self._append(0, 0, 1, "new_axis_mask")
        elif isinstance(entry, slice):
            self._add_slice(entry)
        else:
            index = _scalar_index(entry)
            self._append(index, index + 1, 1, "shrink_axis_mask")

    def _add_slice(self, entry: slice) -> None:
        masks = [
            mask
            for mask, bound in (("begin_mask", entry.start), ("end_mask", entry.stop))
            if bound is None
        ]
        bounds = (entry.start, entry.stop, entry.step)
        begin, end, step = (None if bound is None else _scalar_index(bound) for bound in bounds)
        if not isinstance(step, Tensor) and step == 0:
            raise InvalidArgumentError(None, None, "the step of a slice cannot be 0")
        self._append(
            0 if begin is None else begin,
            0 if end is None else end,
            1 if step is None else step,
            *masks,
        )

    def _append(self, begin: Any, end: Any, stride: Any, *masks: str) -> None:
        for mask in masks:
            self.masks[mask] |= 1 << len(self.begin)
        self.begin.append(begin)
        self.end.append(end)
        self.strides.append(stride)

    def operands(self) -> list[Tensor]:
        """The three vectors."""
        vectors = (("begin", self.begin), ("end", self.end), ("strides", self.strides))
        flat = [(name, value) for name, vector in vectors for value in vector]
        if not any(isinstance(value, Tensor) for _, value in flat):
            return [constant_of(np.array(vector, np.int32)) for _, vector in vectors]
        dtype = next(value.dtype for _, value in flat if isinstance(value, Tensor))
        return [
            convert_to_tensor(one_dtype("StridedSlice", [(name, v) for v in vector], dtype)[0])
            for name, vector in vectors
        ]


def _scalar_index(entry: Any) -> Any:
    if isinstance(entry, (int, np.integer)) and not isinstance(entry, (bool, np.bool_)):
        return int(entry)
    if not isinstance(entry, Tensor) and hasattr(type(entry), "__tf_tensor__"):
        entry = convert_to_tensor(entry)
    if isinstance(entry, Tensor) and entry.dtype in INDEX and entry.shape.rank in (0, None):
        return entry
    shown = str(entry.spec) if isinstance(entry, Tensor) else repr(entry)
    raise TypeError(
        f"{shown} cannot be an index of a tensor. An index is an integer, an integer scalar "
        "tensor, a slice, `...`, `newaxis`, or one bool mask; for several positions use "
        "runtime.gather or runtime.gather_nd"
    )


def _numpy_index(begin: Any, end: Any, strides: Any, masks: dict[str, int]) -> tuple[Any, ...]:
    index: list[Any] = []
    for i in range(len(begin)):
        bit = 1 << i
        if masks["ellipsis_mask"] & bit:
            index.append(Ellipsis)
        elif masks["new_axis_mask"] & bit:
            index.append(None)
        elif masks["shrink_axis_mask"] & bit:
            index.append(int(begin[i]))
        else:
            start = None if masks["begin_mask"] & bit else int(begin[i])
            stop = None if masks["end_mask"] & bit else int(end[i])
            index.append(slice(start, stop, int(strides[i])))
    return tuple(index)


def _strided_slice(xp: Any, x: Any, begin: Any, end: Any, strides: Any, **masks: int) -> Any:
    if 0 in strides:
        raise ValueError("strides[i] must be non-zero: a step is 0")
    return x[_numpy_index(begin, end, strides, masks)]


def _slice_spec(x: Tensor, begin: Tensor, end: Tensor, strides: Tensor, **masks: int) -> TensorSpec:
    bounds = [static_entries(vector) for vector in (begin, end, strides)]
    if 0 in (bounds[2] or ()):
        raise ValueError("strides[i] must be non-zero: a step is 0")
    if x.spec.dims is None or any(bound is None for bound in bounds):
        return x.spec.with_dims(None)
    return x.spec.with_dims(_sliced_dims(x.spec.dims, bounds, masks))


def _sliced_dims(dims: tuple[int | None, ...], bounds: Any, masks: dict[str, int]) -> Dims:
    begin, end, strides = bounds
    count = len(begin)
    new = bin(masks["new_axis_mask"]).count("1")
    dots = bin(masks["ellipsis_mask"]).count("1")
    if dots > 1:
        raise ValueError("an index has at most one `...`")
    covered = len(dims) - (count - new - dots)
    if covered < 0:
        raise ValueError(f"{count - new - dots} indices for {len(dims)} dimensions")
    result: list[int | None] = []
    axis = 0
    for i in range(count):
        bit = 1 << i
        if masks["ellipsis_mask"] & bit:
            result += dims[axis : axis + covered]
            axis += covered
        elif masks["new_axis_mask"] & bit:
            result.append(1)
        elif masks["shrink_axis_mask"] & bit:
            _check_index(begin[i], dims[axis], axis)
            axis += 1
        else:
            start = slice(None) if masks["begin_mask"] & bit else begin[i]
            stop = slice(None) if masks["end_mask"] & bit else end[i]
            result.append(_slice_length(dims[axis], start, stop, strides[i]))
            axis += 1
    return (*result, *dims[axis:])


def _check_index(index: int | None, length: int | None, axis: int) -> None:
    if index is not None and length is not None and not -length <= index < length:
        raise ValueError(f"index {index} is out of bounds for axis {axis} with size {length}")


def _slice_length(length: int | None, start: Any, stop: Any, step: int | None) -> int | None:
    """The length of a slice; an open end is given as a slice object."""
    is_open = isinstance(start, slice) and isinstance(stop, slice)
    if is_open and length is not None and step is not None:
        return len(range(*slice(None, None, step).indices(length)))
    if None in (length, start, stop, step):
        return None
    first, last = (None if isinstance(bound, slice) else bound for bound in (start, stop))
    return len(range(*slice(first, last, step).indices(length or 0)))


_ROWS = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def _index_sample(x: Any, key: Any, *value: Any) -> Any:
    slices = _Slices(key)
    vectors = [np.array(v, np.int32) for v in (slices.begin, slices.end, slices.strides)]
    return sample(x, *vectors, *value, **slices.masks)


def _spread_slice(
    xp: Any, dims: Any, begin: Any, end: Any, strides: Any, dy: Any, **masks: int
) -> Any:
    result = xp.zeros(tuple(int(dim) for dim in dims), dy.dtype)
    result[_numpy_index(begin, end, strides, masks)] = dy
    return result


_SLICE_GRAD = define_op(
    "StridedSliceGrad",
    {"shape": INDEX, "begin": INDEX, "end": INDEX, "strides": INDEX, "dy": ANY},
    lambda dims, begin, end, strides, dy, **masks: spec_of(dy.spec.dtype, static_dims(dims)),
    _spread_slice,
    grad=lambda g, y, dims, begin, end, strides, dy, **masks: (
        *(None,) * 4,
        call("StridedSlice", g, begin, end, strides, **masks),
    ),
    samples=(_index_sample([2, 3], slice(None, None, 2), [[1.0, 2.0, 3.0]]),),
)


def _slice_grad(
    g: Tensor, y: Tensor, x: Tensor, begin: Tensor, end: Tensor, strides: Tensor, **masks: Any
) -> tuple[Tensor | None, ...]:
    dims = call("Shape", x, out_type=begin.dtype)
    return _SLICE_GRAD(dims, begin, end, strides, g, **masks), None, None, None


STRIDED_SLICE = define_op(
    "StridedSlice",
    {"input": ANY, "begin": INDEX, "end": INDEX, "strides": INDEX},
    _slice_spec,
    _strided_slice,
    grad=_slice_grad,
    samples=(
        _index_sample(_ROWS, (0, slice(None, None, -1))),
        _index_sample(_ROWS, (..., None, 1)),
        _index_sample(_ROWS, slice(1, None)),
        _index_sample([1, 2, 3], -1),
    ),
)


def getitem(x: TensorLike, key: Any) -> Tensor:
    """`x[key]` as in NumPy, for integers, slices, `...`, `newaxis`, scalars and one bool mask.

    Raises: TypeError for other keys; InvalidArgumentError for an index that is out of bounds.

    >>> print(getitem([[1, 2], [3, 4]], (0, ...)))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    if _is_mask(key):
        return boolean_mask(x, key)
    slices = _Slices(key)
    return STRIDED_SLICE(x, *slices.operands(), name="strided_slice", **slices.masks)


def _piece_spec(x: Tensor, begin: Tensor, size: Tensor) -> TensorSpec:
    dims, starts, sizes = x.spec.dims, static_entries(begin), static_entries(size)
    count = next((len(part) for part in (dims, sizes, starts) if part is not None), None)
    if count is None:
        return x.spec.with_dims(None)
    unknown: tuple[int | None, ...] = (None,) * count
    whole, first = dims or unknown, starts or unknown
    parts = tuple(sizes) if sizes is not None else unknown
    if not len(whole) == len(first) == len(parts):
        raise ValueError(f"begin {starts} and size {sizes} do not fit {len(whole)} dimensions")
    return x.spec.with_dims(tuple(map(_piece_length, whole, first, parts)))


def _piece_length(length: int | None, start: int | None, size: int | None) -> int | None:
    if start is not None and length is not None and not 0 <= start <= length:
        raise ValueError(f"Expected begin in [0, {length}], but got {start}")
    rest = None if length is None or start is None else length - start
    if size == -1:
        return rest
    if size is not None and rest is not None and not 0 <= size <= rest:
        raise ValueError(f"Expected size in [0, {rest}], but got {size}")
    return size


def _piece(xp: Any, x: Any, begin: Any, size: Any) -> Any:
    lengths = []
    for length, start, count in zip(x.shape, begin.tolist(), size.tolist(), strict=True):
        lengths.append(_piece_length(length, start, count) or 0)
    return x[tuple(slice(b, b + n) for b, n in zip(begin.tolist(), lengths, strict=True))]


def _piece_grad(
    g: Tensor, y: Tensor, x: Tensor, begin: Tensor, size: Tensor
) -> tuple[Tensor, None, None]:
    lengths = call("Shape", y, out_type=begin.dtype)
    after = call("Shape", x, out_type=begin.dtype) - begin - lengths
    return call("Pad", g, call("Pack", begin, after, axis=1)), None, None


SLICE = define_op(
    "Slice",
    {"input": ANY, "begin": INDEX, "size": INDEX},
    _piece_spec,
    _piece,
    grad=_piece_grad,
    samples=(sample(_ROWS, [0, 1], [2, 1]), sample(_ROWS, [1, 0], [-1, 2]), sample([1], [0], [1])),
)


def _is_mask(key: Any) -> bool:
    if isinstance(key, Tensor):
        return key.dtype is dtypes.bool
    return isinstance(key, np.ndarray) and key.dtype == np.bool_


def _updated(xp: Any, x: Any, begin: Any, end: Any, strides: Any, value: Any, **masks: int) -> Any:
    result = xp.array(x)
    result[_numpy_index(begin, end, strides, masks)] = value
    return result


def _updated_spec(
    x: Tensor, begin: Tensor, end: Tensor, strides: Tensor, value: Tensor, **masks: int
) -> TensorSpec:
    target = _slice_spec(x, begin, end, strides, **masks).dims
    joint = broadcast(target, value.spec.dims)
    if target is not None and joint is not None and len(joint) > len(target):
        raise ValueError(f"a value of shape {value.shape} does not fit into shape {target}")
    return x.spec


def _update_grad(
    g: Tensor,
    y: Tensor,
    x: Tensor,
    begin: Tensor,
    end: Tensor,
    strides: Tensor,
    value: Tensor,
    **masks: Any,
) -> tuple[Tensor | None, ...]:
    place = (begin, end, strides)
    untouched = _SLICE_UPDATE(g, *place, call("ZerosLike", value, dtype=value.dtype), **masks)
    return untouched, None, None, None, STRIDED_SLICE(g, *place, **masks)


_SLICE_UPDATE = define_op(
    "TensorStridedSliceUpdate",
    {"input": ANY, "begin": INDEX, "end": INDEX, "strides": INDEX, "value": ANY},
    _updated_spec,
    _updated,
    grad=_update_grad,
    samples=(
        _index_sample(_ROWS, 0, 9.0),
        _index_sample([1, 2, 3], slice(None, 2), [7, 8]),
    ),
)


def with_item(x: TensorLike, key: Any, value: TensorLike) -> Tensor:
    """What `x` would be after `x[key] = value`.

    Raises: TypeError or InvalidArgumentError if key or value do not fit.

    >>> print(with_item([1, 2, 3], 0, 9))
    tf.Tensor([9 2 3], shape=(3,), dtype=int32)
    """
    if _is_mask(key):
        tensor = convert_to_tensor(x)
        mask = reshape(key, _mask_shape(convert_to_tensor(key), tensor))
        return where(mask, convert_to_tensor(value, dtype_hint=tensor.dtype), tensor)
    slices = _Slices(key)
    return _SLICE_UPDATE(x, *slices.operands(), value, name="strided_slice_update", **slices.masks)


def _mask_shape(mask: Tensor, x: Tensor) -> Any:
    missing = (x.shape.rank or 0) - (mask.shape.rank or 0)
    dims = mask.spec.dims
    if dims is None or x.spec.dims is None or None in dims or missing < 0:
        raise TypeError(f"a mask needs a known shape that begins that of the tensor, not {mask}")
    return [*dims, *[1] * missing]


def _gathered(params: Tensor, indices: Tensor, axis: int, batch_dims: int = 0) -> TensorSpec:
    dims, where_dims = params.spec.dims, indices.spec.dims
    if dims is None or where_dims is None:
        return params.spec.with_dims(None)
    position = rules.normal_axis(axis, len(dims))
    if not 0 <= batch_dims <= min(position, len(where_dims)):
        raise ValueError(f"batch_dims {batch_dims} is not in [0, {min(position, len(where_dims))}]")
    batch = TensorShape(dims[:batch_dims]).merge_with(where_dims[:batch_dims]).as_list()
    rest = (*dims[batch_dims:position], *where_dims[batch_dims:], *dims[position + 1 :])
    return params.spec.with_dims((*batch, *rest))


def _gather(xp: Any, params: Any, indices: Any, axis: int, batch_dims: int = 0) -> Any:
    position = rules.normal_axis(axis, params.ndim)
    check_positions(xp, indices, params.shape[position])
    if not batch_dims:
        return xp.take(params, indices, axis=axis)
    front = xp.moveaxis(params, position, batch_dims)
    taken = front[(*_batch_positions(xp, indices, batch_dims), indices)]
    inner = range(indices.ndim, indices.ndim + position - batch_dims)
    return xp.moveaxis(taken, inner, range(batch_dims, position))


def _batch_positions(xp: Any, indices: Any, batch_dims: int) -> list[Any]:
    """The position of each index along the first dimensions, ready to broadcast."""
    return [
        xp.arange(indices.shape[i]).reshape((-1,) + (1,) * (indices.ndim - i - 1))
        for i in range(batch_dims)
    ]


def _gather_grad(
    g: Tensor, y: Tensor, params: Tensor, indices: Tensor, axis: int, batch_dims: int = 0
) -> tuple[Tensor, None]:
    """Each slice of the gradient is added where it was taken from."""
    if params.shape.rank is None or indices.shape.rank is None:
        raise UnimplementedError(
            None, None, "the gradient of gather needs to know how many dimensions there are"
        )
    rank, depth = params.shape.rank, indices.shape.rank
    position, new = rules.normal_axis(axis, rank), depth - batch_dims
    batch, outer = [*range(batch_dims)], [*range(batch_dims, position)]
    order = [*batch, *(i + len(outer) for i in range(batch_dims, depth)), *outer]
    order += range(position + new, rank + new - 1)
    dims = [*batch, position, *outer, *range(position + 1, rank)]
    full = shape_vector(params, dims)
    places = batched_tuples(call("ExpandDims", indices, axis=-1), batch_dims)
    moved = call("Transpose", g, perm=tuple(order), conjugate=False)
    total = call("ScatterNd", places, moved, call("Cast", full, dtype=indices.dtype))
    back = tuple(int(i) for i in np.argsort(dims))
    return call("Transpose", total, perm=back, conjugate=False), None


def shape_vector(x: Tensor, axes: Sequence[int]) -> Tensor:
    """The lengths of some axes of a tensor, int32."""
    dims = call("Shape", x, out_type=dtypes.int32)
    return call("GatherV2", dims, np.array(axes, np.int32), axis=0)


def check_positions(xp: Any, indices: Any, length: int) -> None:
    """Raises InvalidArgumentError if a position is negative or not below `length`."""
    wrong = (indices < 0) | (indices >= length)
    if xp.any(wrong):
        at = [int(entry) for entry in np.argwhere(np.atleast_1d(wrong))[0]]
        value = np.atleast_1d(indices)[tuple(at)]
        raise InvalidArgumentError(
            None, None, f"indices[{','.join(map(str, at))}] = {value} is not in [0, {length})"
        )


_CUBE = [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]
_GATHER = define_op(
    "GatherV2",
    {"params": ANY, "indices": INDEX},
    _gathered,
    _gather,
    grad=_gather_grad,
    samples=(
        sample([5, 6, 7], [2, 0], axis=0),
        sample(_ROWS, 1, axis=-1),
        sample(_ROWS, [[1, 0], [1, 1]], axis=0),
        sample(_CUBE, [[2, 1], [1, 1]], axis=1),
        sample(_CUBE, [[1, 0], [1, 1]], axis=2, batch_dims=1),
        sample(_CUBE, [[[0], [1], [1]]] * 2, axis=2, batch_dims=2),
    ),
)


def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: Any = None,
    axis: int | None = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The slices of `params` at `indices` along `axis`.

    Args:
      params: any tensor.
      indices: int32 or int64, of any shape.
      validate_indices: has no effect; indices are always checked.
      axis: the axis; None: that after the first `batch_dims`.
      batch_dims: how many dimensions `params` and `indices` have in common: each entry of those
        gathers by itself.
      name: the name of the operation.

    Returns: shape `params[:axis] + indices[batch_dims:] + params[axis + 1:]`.
    Raises: InvalidArgumentError for an index out of range; ValueError if `batch_dims` does not fit.

    >>> print(gather([5, 6, 7], [2, 0]))
    tf.Tensor([7 5], shape=(2,), dtype=int32)
    """
    x, places = convert_to_tensor(params), convert_to_tensor(indices)
    batch = _batch_count(batch_dims, places)
    chosen = batch if axis is None else static_int("axis", axis)
    if not batch:
        return _GATHER(x, places, axis=chosen, name=name)
    rank = x.shape.rank
    if rank is not None and rules.normal_axis(chosen, rank) < batch:
        raise ValueError(
            f"batch_dims = {batch} must be less than or equal to axis = "
            f"{rules.normal_axis(chosen, rank)}"
        )
    return _GATHER(x, places, axis=chosen, batch_dims=batch, name=name)


def _batch_count(batch_dims: Any, indices: Tensor) -> int:
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


def static_int(name: str, value: Any) -> int:
    """An argument as a Python int.

    Raises: ValueError if it is a tensor whose value is known only when the graph runs.
    """
    known = static_value(value) if isinstance(value, Tensor) else value
    if known is None:
        raise ValueError(
            f"`{name}` has to be known while the graph is recorded; got {value}. Pass a Python "
            "integer."
        )
    return int(known)


def check_tuples(xp: Any, indices: Any, shape: tuple[int, ...]) -> None:
    """Raises InvalidArgumentError if an index tuple points outside of a shape."""
    limits = np.array(shape[: indices.shape[-1]], np.int64)
    wrong = ((indices < 0) | (indices >= limits)).any(axis=-1)
    if wrong.any():
        at = [int(entry) for entry in np.argwhere(np.atleast_1d(wrong))[0]][: indices.ndim - 1]
        value = ", ".join(str(int(entry)) for entry in indices[tuple(at)])
        where = ",".join(map(str, at))
        raise InvalidArgumentError(
            None,
            None,
            f"indices[{where}] = [{value}] does not index into param shape {list(shape)}",
        )


def tuple_index(xp: Any, indices: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Index tuples as a NumPy index. Raises InvalidArgumentError if one points outside."""
    depth = indices.shape[-1]
    if depth > len(shape):
        raise ValueError(
            "index innermost dimension length must be <= params rank; saw: "
            f"{depth} vs. {len(shape)}"
        )
    check_tuples(xp, indices, shape)
    return tuple(indices[..., i] for i in range(depth))


def _gathered_nd(params: Tensor, indices: Tensor) -> TensorSpec:
    dims, where_dims = params.spec.dims, indices.spec.dims
    if dims is None or not where_dims or where_dims[-1] is None:
        return params.spec.with_dims(None)
    if where_dims[-1] > len(dims):
        raise ValueError(
            "index innermost dimension length must be <= params rank; saw: "
            f"{where_dims[-1]} vs. {len(dims)}"
        )
    return params.spec.with_dims((*where_dims[:-1], *dims[where_dims[-1] :]))


_GATHER_ND = define_op(
    "GatherNd",
    {"params": ANY, "indices": INDEX},
    _gathered_nd,
    lambda xp, params, indices: params[tuple_index(xp, indices, params.shape)],
    grad=lambda g, y, params, indices: (
        call("ScatterNd", indices, g, call("Shape", params, out_type=indices.dtype)),
        None,
    ),
    samples=(
        sample(_ROWS, [[0, 1], [1, 2]]),
        sample(_ROWS, [[1]]),
        sample(_CUBE, [[[0, 1]], [[0, 1]]]),
    ),
)


def gather_nd(
    params: TensorLike, indices: TensorLike, batch_dims: int = 0, name: str | None = None
) -> Tensor:
    """The elements or slices of `params` at index tuples, the last dimension of `indices`.

    Args:
      params: any tensor.
      indices: int32 or int64; the last dimension holds index tuples.
      batch_dims: how many dimensions `params` and `indices` have in common: each entry of those
        gathers by itself.
      name: the name of the operation.

    Raises: InvalidArgumentError for an index out of range; ValueError if `batch_dims` does not fit.

    >>> print(gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]))
    tf.Tensor([2 3], shape=(2,), dtype=int32)
    """
    x, places = convert_to_tensor(params), convert_to_tensor(indices)
    batch = static_int("batch_dims", batch_dims)
    if batch:
        places = _with_batch(x, places, batch)
    return _GATHER_ND(x, places, name=name)


def _with_batch(params: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
    """Index tuples that begin with the positions along the dimensions in common."""
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
    """Index tuples with their own positions along the first dimensions in front of them."""
    rank = tuples.shape.rank or 0
    count = call("Shape", tuples, out_type=tuples.dtype)
    single = np.array([1], tuples.dtype.numpy_dtype)
    ones = call("ConcatV2", count[: rank - 1], single, axis=0)
    for i in reversed(range(batch_dims)):
        line = call("Range", *(convert_to_tensor(n, tuples.dtype) for n in (0, count[i], 1)))
        column = call("Reshape", line, [1] * i + [-1] + [1] * (rank - i - 1))
        tuples = call("ConcatV2", call("BroadcastTo", column, ones), tuples, axis=-1)
    return tuples


def _select_grad(
    g: Tensor, y: Tensor, condition: Tensor, t: Tensor, e: Tensor
) -> tuple[None, Tensor, Tensor]:
    zero = call("ZerosLike", g, dtype=g.dtype)
    return None, _SELECT(condition, g, zero), _SELECT(condition, zero, g)


_SELECT = define_op(
    "SelectV2",
    {"condition": BOOL, "t": ANY, "e": ANY},
    rules.broadcasted,
    lambda xp, condition, t, e: xp.where(condition, t, e),
    grad=_select_grad,
    samples=(sample([True, False], [1, 2], 9), sample(True, 1.0, 2.0)),
)


def _where_scalar(condition: Any) -> Any:
    return np.zeros((int(bool(condition)), 0), np.int64)


_WHERE = define_op(
    "Where",
    {"condition": ANY},
    lambda condition: spec_of(dtypes.int64, (None, condition.shape.rank)),
    lambda xp, condition: xp.argwhere(condition) if condition.ndim else _where_scalar(condition),
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([[True, False], [False, True]]), sample([0, 3])),
)


def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Elements of `x` where `condition` holds and of `y` elsewhere; or where it holds.

    Args:
      condition: bool.
      x, y: the elements, of one dtype; all three shapes broadcast. None for both: the result is
        the positions, int64, at which `condition` is true, one row each.

    Raises: ValueError if only one of `x` and `y` is given.

    >>> print(where([True, False], 1, 2))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    if (x is None) != (y is None):
        raise ValueError("where takes both `x` and `y`, or neither")
    if x is None:
        return _WHERE(condition, name=name)
    return _SELECT(condition, x, y, name=name)


def boolean_mask(
    tensor: TensorLike, mask: TensorLike, axis: int | None = None, name: str | None = None
) -> Tensor:
    """The parts of `tensor` at which `mask` is true.

    Args:
      tensor: any tensor.
      mask: bool, of at least one dimension; its shape is that of `tensor` from `axis` on, as far
        as it goes.
      axis: where the shape of the mask begins; None: 0.
      name: the name of the operation.

    Raises: ValueError if the mask is a scalar, or its shape does not fit.

    >>> print(boolean_mask([1, 2, 3], [True, False, True]))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    >>> print(boolean_mask([[1, 2], [3, 4]], [True, False], axis=1))
    tf.Tensor(
    [[1]
     [3]], shape=(2, 1), dtype=int32)
    """
    x, chosen = convert_to_tensor(tensor), convert_to_tensor(mask)
    depth, first = chosen.shape.rank, static_int("axis", axis or 0)
    if depth is None:
        raise ValueError(
            "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. "
            "shape=[None] is ok, but shape=None is not."
        )
    if depth == 0:
        raise ValueError("mask cannot be scalar.")
    if x.shape.rank is not None:
        first = rules.normal_axis(first, x.shape.rank)
        x.shape[first : first + depth].assert_is_compatible_with(chosen.shape)
    if first < 0:
        raise ValueError("a negative axis needs to know how many dimensions the tensor has")
    lengths = call("Shape", x, out_type=dtypes.int32)
    flat = call("ConcatV2", lengths[:first], [-1], lengths[first + depth :], axis=0)
    rows = call("Reshape", x, flat)
    if x.spec.dims is not None:
        rows = _with_dims(rows, (*x.spec.dims[:first], None, *x.spec.dims[first + depth :]))
    places = call("Squeeze", where(reshape(chosen, [-1])), axis=(1,))
    return _GATHER(rows, places, axis=first, name=name)


def _with_dims(x: Tensor, dims: tuple[int | None, ...]) -> Tensor:
    return x if x.spec.dims is not None else call("EnsureShape", x, shape=dims)


def one_hot(
    indices: TensorLike,
    depth: TensorLike,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """A new dimension of length `depth` with `on_value` at the index, `off_value` elsewhere.

    Args:
      indices: integers; one that is negative or not below `depth` is nowhere.
      depth: the length, a scalar.
      on_value, off_value: scalars; None: 1 and 0.
      axis: where the new dimension stands; None or -1: last.
      dtype: the dtype; None: that of the values, or float32.
      name: the name of the operation.

    Raises: TypeError if `dtype` is not that of the values.

    >>> print(one_hot([1], 3))
    tf.Tensor([[0. 1. 0.]], shape=(1, 3), dtype=float32)
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    given = [value for value in (on_value, off_value) if value is not None]
    if wanted is None and given:
        wanted = convert_to_tensor(given[0]).dtype
    wanted = wanted or dtypes.float32
    pair = [
        convert_to_tensor(number if value is None else value, dtype_hint=wanted)
        for value, number in ((on_value, 1), (off_value, 0))
    ]
    for label, value in zip(("on_value", "off_value"), pair, strict=True):
        if value.dtype is not wanted:
            raise TypeError(
                f"dtype {value.dtype.name} of {label} does not match dtype parameter {wanted.name}"
            )
    at = -1 if axis is None else static_int("axis", axis)
    return _ONE_HOT(
        indices, cast_to(convert_to_tensor(depth), dtypes.int32), *pair, axis=at, name=name
    )


def _one_hot(xp: Any, indices: Any, depth: Any, on: Any, off: Any, axis: int) -> Any:
    if int(depth) < 0:
        raise ValueError(f"depth must be non-negative, got: {int(depth)}")
    hits = xp.expand_dims(indices, -1) == xp.arange(int(depth))
    return xp.moveaxis(xp.where(hits, on, off), -1, axis)


def _one_hot_spec(indices: Tensor, depth: Tensor, on: Tensor, off: Tensor, axis: int) -> TensorSpec:
    dims, length = indices.spec.dims, static_value(depth)
    if dims is None:
        return spec_of(on.spec.dtype, None)
    position = rules.normal_axis(axis, len(dims) + 1)
    new = None if length is None else int(length)
    return spec_of(on.spec.dtype, (*dims[:position], new, *dims[position:]))


_ONE_HOT = define_op(
    "OneHot",
    {"indices": INTEGER, "depth": _NUMBER, "on_value": ANY, "off_value": ANY},
    _one_hot_spec,
    _one_hot,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([0, 2], 3, 1.0, 0.0, axis=-1), sample([[0, 2]], 3, 5, 6, axis=0)),
)
