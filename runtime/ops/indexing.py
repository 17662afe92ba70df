"""`x[...]`, and reading and replacing elements by their positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import ANY, BOOL, INDEX, NUMERIC, sample
from runtime.core.shapes import Dims, broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_entries
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import rules
from runtime.ops.convert import constant_of, convert_to_tensor, one_dtype
from runtime.ops.define import call, define_op
from runtime.ops.shaping import reshape

newaxis = None
"""In an index: a new dimension of length 1."""

_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


class _Slices:
    """An index as vectors of begins, ends and strides, with a bit for each special entry."""

    def __init__(self, key: Any) -> None:
        self.begin: list[Any] = []
        self.end: list[Any] = []
        self.strides: list[Any] = []
        self.masks = dict.fromkeys(_MASKS, 0)
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
    return x[_numpy_index(begin, end, strides, masks)]


def _slice_spec(x: Tensor, begin: Tensor, end: Tensor, strides: Tensor, **masks: int) -> TensorSpec:
    bounds = [static_entries(vector) for vector in (begin, end, strides)]
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


_STRIDED_SLICE = define_op(
    "StridedSlice",
    {"input": ANY, "begin": INDEX, "end": INDEX, "strides": INDEX},
    _slice_spec,
    _strided_slice,
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
    return _STRIDED_SLICE(x, *slices.operands(), name="strided_slice", **slices.masks)


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


_SLICE_UPDATE = define_op(
    "TensorStridedSliceUpdate",
    {"input": ANY, "begin": INDEX, "end": INDEX, "strides": INDEX, "value": ANY},
    _updated_spec,
    _updated,
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


def _gathered(params: Tensor, indices: Tensor, axis: int) -> TensorSpec:
    dims, where_dims = params.spec.dims, indices.spec.dims
    if dims is None or where_dims is None:
        return params.spec.with_dims(None)
    position = rules.normal_axis(axis, len(dims))
    return params.spec.with_dims((*dims[:position], *where_dims, *dims[position + 1 :]))


def _gather(xp: Any, params: Any, indices: Any, axis: int) -> Any:
    length = params.shape[rules.normal_axis(axis, params.ndim)]
    _check_positions(xp, indices, length)
    return xp.take(params, indices, axis=axis)


def _check_positions(xp: Any, indices: Any, length: int) -> None:
    wrong = (indices < 0) | (indices >= length)
    if xp.any(wrong):
        at = [int(entry) for entry in np.argwhere(np.atleast_1d(wrong))[0]]
        value = np.atleast_1d(indices)[tuple(at)]
        raise InvalidArgumentError(
            None, None, f"indices[{','.join(map(str, at))}] = {value} is not in [0, {length})"
        )


_GATHER = define_op(
    "GatherV2",
    {"params": ANY, "indices": INDEX},
    _gathered,
    _gather,
    samples=(sample([5, 6, 7], [2, 0], axis=0), sample(_ROWS, 1, axis=-1)),
)


def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: Any = None,
    axis: int | None = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The slices of `params` at `indices` along `axis` (None: 0).

    Args:
      params: any tensor.
      indices: int32 or int64, of any shape.
      validate_indices: has no effect; indices are always checked.
      axis: the axis.
      batch_dims: only 0.

    Raises: InvalidArgumentError for an index out of range; ValueError for other `batch_dims`.

    >>> print(gather([5, 6, 7], [2, 0]))
    tf.Tensor([7 5], shape=(2,), dtype=int32)
    """
    if batch_dims:
        raise ValueError(f"gather supports batch_dims=0, not {batch_dims}; use gather_nd")
    return _GATHER(params, indices, axis=int(axis or 0), name=name)


def _tuple_index(xp: Any, indices: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    depth = indices.shape[-1]
    for i in range(depth):
        _check_positions(xp, indices[..., i], shape[i])
    return tuple(indices[..., i] for i in range(depth))


def _gathered_nd(params: Tensor, indices: Tensor) -> TensorSpec:
    dims, where_dims = params.spec.dims, indices.spec.dims
    if dims is None or not where_dims or where_dims[-1] is None:
        return params.spec.with_dims(None)
    return params.spec.with_dims((*where_dims[:-1], *dims[where_dims[-1] :]))


_GATHER_ND = define_op(
    "GatherNd",
    {"params": ANY, "indices": INDEX},
    _gathered_nd,
    lambda xp, params, indices: params[_tuple_index(xp, indices, params.shape)],
    samples=(sample(_ROWS, [[0, 1], [1, 2]]), sample(_ROWS, [[1]])),
)


def gather_nd(
    params: TensorLike, indices: TensorLike, batch_dims: int = 0, name: str | None = None
) -> Tensor:
    """The elements or slices of `params` at index tuples, the last dimension of `indices`.

    Raises: InvalidArgumentError for an index out of range; ValueError for `batch_dims` besides 0.

    >>> print(gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]))
    tf.Tensor([2 3], shape=(2,), dtype=int32)
    """
    if batch_dims:
        raise ValueError(f"gather_nd supports batch_dims=0, not {batch_dims}")
    return _GATHER_ND(params, indices, name=name)


def _scatter_update(xp: Any, x: Any, indices: Any, updates: Any) -> Any:
    result = xp.array(x)
    result[_tuple_index(xp, indices, x.shape)] = updates
    return result


def _scatter_add(xp: Any, x: Any, indices: Any, updates: Any) -> Any:
    result = xp.array(x)
    xp.add.at(result, _tuple_index(xp, indices, x.shape), updates)
    return result


_SCATTERED = (
    sample([1, 2, 3], [[0], [2]], [8, 9]),
    sample(_ROWS, [[1]], [[0.0, 0.0, 0.0]]),
)
_SCATTER_UPDATE = define_op(
    "TensorScatterUpdate",
    {"tensor": ANY, "indices": INDEX, "updates": ANY},
    lambda x, indices, updates: x.spec,
    _scatter_update,
    samples=_SCATTERED,
)
_SCATTER_ADD = define_op(
    "TensorScatterAdd",
    {"tensor": NUMERIC, "indices": INDEX, "updates": NUMERIC},
    lambda x, indices, updates: x.spec,
    _scatter_add,
    samples=_SCATTERED,
)


def tensor_scatter_nd_update(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """The tensor with `updates` at the index tuples `indices`.

    Raises: InvalidArgumentError for an index out of range.

    >>> print(tensor_scatter_nd_update([1, 2, 3], [[0]], [9]))
    tf.Tensor([9 2 3], shape=(3,), dtype=int32)
    """
    return _SCATTER_UPDATE(tensor, indices, updates, name=name)


def tensor_scatter_nd_add(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """The tensor with `updates` added at the index tuples `indices`; repeated ones add up.

    >>> print(tensor_scatter_nd_add([1, 2], [[0], [0]], [1, 1]))
    tf.Tensor([3 2], shape=(2,), dtype=int32)
    """
    return _SCATTER_ADD(tensor, indices, updates, name=name)


def _select_grad(
    g: Tensor, y: Tensor, condition: Tensor, t: Tensor, e: Tensor
) -> tuple[None, Tensor, Tensor]:
    return None, call("SelectV2", condition, g, 0), call("SelectV2", condition, 0, g)


_SELECT = define_op(
    "SelectV2",
    {"condition": BOOL, "t": ANY, "e": ANY},
    rules.broadcasted,
    lambda xp, condition, t, e: xp.where(condition, t, e),
    grad=_select_grad,
    samples=(sample([True, False], [1, 2], 9), sample(True, 1.0, 2.0)),
)
_WHERE = define_op(
    "Where",
    {"condition": ANY},
    lambda condition: spec_of(dtypes.int64, (None, condition.shape.rank)),
    lambda xp, condition: xp.argwhere(condition),
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
      mask: bool; its shape is the beginning of that of `tensor`.
      axis: only 0 or None.

    >>> print(boolean_mask([1, 2, 3], [True, False, True]))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """
    if axis:
        raise ValueError(f"boolean_mask supports axis=0, not {axis}")
    return gather_nd(tensor, where(mask), name=name)


def one_hot(
    indices: TensorLike,
    depth: int,
    on_value: Any = None,
    off_value: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """A new last dimension of length `depth` with `on_value` (1) at the index, else 0.

    >>> print(one_hot([1], 3))
    tf.Tensor([[0. 1. 0.]], shape=(1, 3), dtype=float32)
    """
    wanted = dtypes.float32 if dtype is None else dtypes.as_dtype(dtype)
    on = 1 if on_value is None else on_value
    off = 0 if off_value is None else off_value
    return _ONE_HOT(indices, depth=int(depth), on=on, off=off, dtype=wanted, name=name)


def _one_hot(xp: Any, indices: Any, depth: int, on: Any, off: Any, dtype: dtypes.DType) -> Any:
    hits = xp.expand_dims(indices, -1) == xp.arange(depth)
    return xp.where(hits, on, off).astype(dtype.numpy_dtype)


def _one_hot_spec(
    indices: Tensor, depth: int, on: Any, off: Any, dtype: dtypes.DType
) -> TensorSpec:
    dims = indices.spec.dims
    return spec_of(dtype, None if dims is None else (*dims, depth))


_ONE_HOT = define_op(
    "OneHot",
    {"indices": INDEX},
    _one_hot_spec,
    _one_hot,
    samples=(sample([0, 2], depth=3, on=1, off=0, dtype=dtypes.float32),),
)
