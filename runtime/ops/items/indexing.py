"""Indexing: `x[key]`, its gradient, and the tensor after `x[key] = value`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import EllipsisType
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import ANY, INDEX, NUMERIC, Emit, Entries, Storage, sample
from runtime.core.operation import Operation
from runtime.core.shapes import MASKS, Dims, broadcast, element_count, numpy_index
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims, static_entries, static_value
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.dimensions import shape
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import reshape, squeeze
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int
from runtime.ops.base.convert import constant_of, convert_to_tensor, one_dtype
from runtime.ops.base.define import Op, define_op
from runtime.ops.base.samples import MATRIX
from runtime.ops.base.values import holds_objects
from runtime.ops.items.gathering import gather
from runtime.ops.items.selecting import where

newaxis = None
"""In an index: insert a dimension of length 1."""


class _Slices:
    """An index as vectors of begins, ends and strides, with a bit mask for each special kind."""

    def __init__(self, key: object) -> None:
        self.begin: list[Any] = []
        self.end: list[Any] = []
        self.strides: list[Any] = []
        self.masks = dict.fromkeys(MASKS, 0)
        for entry in key if isinstance(key, tuple) else (key,):
            self._add(entry)

    def _add(self, entry: object) -> None:
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
            raise InvalidArgumentError.of("the step of a slice cannot be 0")
        self._append(
            0 if begin is None else begin,
            0 if end is None else end,
            1 if step is None else step,
            *masks,
        )

    def _append(self, begin: object, end: object, stride: object, *masks: str) -> None:
        for mask in masks:
            self.masks[mask] |= 1 << len(self.begin)
        self.begin.append(begin)
        self.end.append(end)
        self.strides.append(stride)

    def operands(self) -> list[Tensor]:
        """Return begin, end and strides as tensors."""
        vectors = (("begin", self.begin), ("end", self.end), ("strides", self.strides))
        flat = [(name, value) for name, vector in vectors for value in vector]
        if not any(isinstance(value, Tensor) for _, value in flat):
            return list(map(constant_of, _index_vectors(self)))
        dtype = next(value.dtype for _, value in flat if isinstance(value, Tensor))
        return [
            convert_to_tensor(one_dtype("StridedSlice", [(name, v) for v in vector], dtype)[0])
            for name, vector in vectors
        ]


def _index_vectors(slices: _Slices) -> list[Any]:
    """Return begin, end and strides as arrays, clipped to 64 bits: no tensor is that long."""
    vectors = (slices.begin, slices.end, slices.strides)
    limits = np.iinfo(np.int32)
    if all(limits.min <= entry <= limits.max for vector in vectors for entry in vector):
        return [np.array(vector, np.int32) for vector in vectors]
    wide = np.iinfo(np.int64)
    return [np.array([min(max(n, wide.min), wide.max) for n in v], np.int64) for v in vectors]


def _scalar_index(entry: object) -> Any:
    if isinstance(entry, np.ndarray) and entry.ndim == 0:
        entry = entry[()]
    if isinstance(entry, (int, np.integer)) and not isinstance(entry, (bool, np.bool_)):
        return int(entry)
    if not isinstance(entry, Tensor) and hasattr(type(entry), "__tf_tensor__"):
        entry = convert_to_tensor(entry)
    if isinstance(entry, Tensor) and entry.dtype in INDEX and entry.shape.rank in (0, None):
        return entry
    shown = f"{entry.spec}" if isinstance(entry, Tensor) else repr(entry)
    raise TypeError(
        f"{shown} cannot be an index of a tensor. An index is an integer, an integer scalar "
        "tensor, a slice, `...`, `newaxis`, or one bool mask; for several positions use "
        "runtime.gather or runtime.gather_nd"
    )


def _check_steps(strides: Collection[int | None]) -> None:
    if 0 in strides:
        raise ValueError("strides[i] must be non-zero: a step is 0")


def _index(
    begin: Array, end: Array, strides: Array, masks: Mapping[str, int]
) -> tuple[int | slice | EllipsisType | None, ...]:
    return numpy_index(begin.tolist(), end.tolist(), strides.tolist(), masks)


def _strided_slice(
    xp: Namespace, x: Array, begin: Array, end: Array, strides: Array, **masks: int
) -> Array:
    _check_steps(strides)
    return x[_index(begin, end, strides, masks)]


def _slice_spec(x: Tensor, begin: Tensor, end: Tensor, strides: Tensor, **masks: int) -> TensorSpec:
    bounds = [static_entries(vector) for vector in (begin, end, strides)]
    _check_steps(bounds[2] or ())
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
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {length}")


def _slice_length(length: int | None, start: object, stop: object, step: int | None) -> int | None:
    """Return the length of a slice; an open bound is a slice object."""
    is_open = isinstance(start, slice) and isinstance(stop, slice)
    if is_open and length is not None and step is not None:
        return len(range(*slice(None, None, step).indices(length)))
    if None in (length, start, stop, step):
        return None
    first, last = (None if isinstance(bound, slice) else bound for bound in (start, stop))
    return len(range(*slice(first, last, step).indices(length or 0)))


def _index_sample(x: object, key: object, *value: object) -> Any:
    slices = _Slices(key)
    return sample(x, *_index_vectors(slices), *value, **slices.masks)


def _spread_slice(
    xp: Namespace, dims: Array, begin: Array, end: Array, strides: Array, dy: Array, **masks: int
) -> Array:
    result = xp.zeros(tuple(int(dim) for dim in dims), dy.dtype)
    result[_index(begin, end, strides, masks)] = dy
    return result


_SLICE_GRAD = define_op(
    "StridedSliceGrad",
    {"shape": INDEX, "begin": INDEX, "end": INDEX, "strides": INDEX, "dy": ANY},
    lambda dims, begin, end, strides, dy, **masks: spec_of(dy.spec.dtype, static_dims(dims)),
    _spread_slice,
    emit=Emit.SPREAD,
    grad=lambda g, y, dims, begin, end, strides, dy, **masks: (
        *(None,) * 4,
        STRIDED_SLICE(g, begin, end, strides, **masks),
    ),
    samples=(_index_sample([2, 3], slice(None, None, 2), [[1.0, 2.0, 3.0]]),),
)


def _slice_grad(
    g: Tensor, y: Tensor, x: Tensor, begin: Tensor, end: Tensor, strides: Tensor, **masks: Any
) -> tuple[Tensor | None, ...]:
    dims = shape.op(x, out_type=begin.dtype)
    (count,) = begin.spec.dims or (None,)
    if count is not None and masks["shrink_axis_mask"] == (1 << count) - 1:
        end = begin  # a loop need not save both: of a position only the begin counts
    return _SLICE_GRAD(dims, begin, end, strides, g, **masks), None, None, None


def _slice_entries(
    read: Entries, x: Tensor, begin: Tensor, end: Tensor, strides: Tensor, **masks: int
) -> Sequence[Any] | None:
    first, last, step = (static_value(each) for each in (begin, end, strides))
    entries = read(x) if len(x.spec.dims or ()) == 1 else None
    if entries is None or first is None or last is None or step is None or len(first) != 1:
        return None
    (index,) = _index(first, last, step, masks)
    if isinstance(index, slice):
        return entries[index]
    if isinstance(index, int) and -len(entries) <= index < len(entries):
        return [entries[index]]
    return None


def _is_known(slicing: Operation) -> bool:
    """Return whether the index is known; then it was checked during recording."""
    x, *bounds = slicing.inputs
    entries = [entry for bound in bounds for entry in static_entries(bound) or (None,)]
    return None not in entries and element_count(x.spec.dims) is not None


STRIDED_SLICE: Op = define_op(
    "StridedSlice",
    {"input": ANY, "begin": INDEX, "end": INDEX, "strides": INDEX},
    _slice_spec,
    _strided_slice,
    grad=_slice_grad,
    entries=_slice_entries,
    storage=Storage.VIEW,
    emit=Emit.SLICE,
    safe=_is_known,
    samples=(
        _index_sample(MATRIX, (0, slice(None, None, -1))),
        _index_sample(MATRIX, (..., None, 1)),
        _index_sample(MATRIX, slice(1, None)),
        _index_sample([1, 2, 3], -1),
    ),
)


def getitem(x: TensorLike, key: Any) -> Tensor:
    """Return `x[key]`, with NumPy's basic indexing or one bool mask.

    Args:
      x: any tensor.
      key: an integer, a slice, `...`, `newaxis`, an integer scalar tensor, a tuple of these, or a
        bool mask.

    Returns: Tensor of the dtype of `x`.
    Raises:
      TypeError: for other keys.
      InvalidArgumentError: if an index is out of bounds.

    >>> print(getitem([[1, 2], [3, 4]], (slice(None), -1)).numpy())
    [2 4]
    """
    if type(x) is EagerTensor and _is_static(key) and STATE.direct is not None:
        array = x._a
        if type(array) is np.ndarray and array.dtype != object:
            try:
                return EagerTensor(array[key])
            except (IndexError, ValueError):
                pass  # the op below reports it
    if _is_mask(key):
        return boolean_mask(x, key)
    slices = _Slices(key)
    return STRIDED_SLICE(x, *slices.operands(), name="strided_slice", **slices.masks)


def lengths(x: Tensor) -> list[Any]:
    """Return the length of each axis: an int where it is known, else a scalar tensor."""
    known = x.spec.dims or ()
    if None not in known:
        return list(known)
    later = shape(x)
    return [getitem(later, i) if dim is None else dim for i, dim in enumerate(known)]


_STATIC = frozenset({int, type(None), type(Ellipsis)})


def _is_static(key: object) -> bool:
    """Return whether a key holds only Python ints, slices of them, `...` and `newaxis`."""
    for entry in key if type(key) is tuple else (key,):
        kind = type(entry)
        if kind is slice:
            if not {type(entry.start), type(entry.stop), type(entry.step)} <= _STATIC:
                return False
        elif kind not in _STATIC:
            return False
    return True


def _is_mask(key: object) -> bool:
    if isinstance(key, Tensor):
        return key.dtype is dtypes.bool
    return isinstance(key, np.ndarray) and key.dtype == np.bool_


def _updated(
    xp: Namespace, x: Array, begin: Array, end: Array, strides: Array, value: Array, **masks: int
) -> Array:
    result = xp.array(x)
    result[_index(begin, end, strides, masks)] = value[()] if holds_objects(x) else value
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
    g: Tensor, y: Tensor, x: Tensor, *operands: Tensor, **masks: Any
) -> tuple[Tensor | None, ...]:
    *place, value = operands
    untouched = _SLICE_UPDATE(g, *place, zeros_like.op(value, dtype=value.dtype), **masks)
    return untouched, None, None, None, STRIDED_SLICE(g, *place, **masks)


_SLICE_UPDATE = define_op(
    "TensorStridedSliceUpdate",
    {"input": ANY, "begin": INDEX, "end": INDEX, "strides": INDEX, "value": ANY},
    _updated_spec,
    _updated,
    grad=_update_grad,
    emit=Emit.ASSIGN,
    samples=(_index_sample(MATRIX, 0, 9.0), _index_sample([1, 2, 3], slice(None, 2), [7, 8])),
)


def _plus_slice(
    xp: Namespace, x: Array, begin: Array, end: Array, strides: Array, value: Array, **masks: int
) -> Array:
    result = x + x.dtype.type(0)
    result[_index(begin, end, strides, masks)] += value
    return result


def _plus_slice_grad(
    g: Tensor, y: Tensor, x: Tensor, *operands: Tensor, **masks: Any
) -> tuple[Tensor | None, ...]:
    return g, None, None, None, STRIDED_SLICE(g, *operands[:3], **masks)


define_op(
    "StridedSliceAdd",
    {"input": NUMERIC, "begin": INDEX, "end": INDEX, "strides": INDEX, "value": NUMERIC},
    _updated_spec,
    _plus_slice,
    grad=_plus_slice_grad,
    emit=Emit.ADD,
    samples=(
        _index_sample(MATRIX, 0, [9.0, 8.0, 7.0]),
        _index_sample([1, 2, 3], slice(None, 2), [7, 8]),
    ),
)
"""Add `value` to the slice of a tensor: its sum with a `StridedSliceGrad`, without the zeros."""


def with_item(x: TensorLike, key: object, value: TensorLike) -> Tensor:
    """Return what `x` would be after `x[key] = value`.

    Args:
      x: any tensor.
      key: as of `getitem`.
      value: tensor of the dtype of `x` whose shape broadcasts to that of `x[key]`.

    Returns: Tensor of the shape and dtype of `x`.
    Raises:
      TypeError: for other keys.
      InvalidArgumentError: if an index is out of bounds, or `value` does not fit.

    >>> print(with_item([1, 2, 3], 0, 9).numpy())
    [9 2 3]
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


def boolean_mask(
    tensor: TensorLike, mask: TensorLike, axis: int | None = None, name: str | None = "boolean_mask"
) -> Tensor:
    """Return the slices at which a mask is true.

    Args:
      tensor: any tensor.
      mask: bool tensor of known rank, at least 1; its shape is that of `tensor` from `axis` on.
      axis: first axis of `tensor` that the mask covers; None: 0.

    Returns: Tensor of the dtype of `tensor`; one axis replaces those of the mask.
    Raises: ValueError if the mask is a scalar, or its shape does not fit.

    >>> print(boolean_mask([1, 2, 3], [True, False, True]).numpy())
    [1 3]
    >>> print(boolean_mask([[1, 2], [3, 4]], [True, False], axis=1).numpy().tolist())
    [[1], [3]]
    """
    x, selected = convert_to_tensor(tensor), convert_to_tensor(mask)
    depth, first = selected.shape.rank, static_int("axis", axis or 0)
    if depth is None:
        raise ValueError(
            "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. "
            "shape=[None] is ok, but shape=None is not."
        )
    if depth == 0:
        raise ValueError("mask cannot be scalar.")
    if x.shape.rank is not None:
        first = rules.normalize_axis(first, x.shape.rank)
        x.shape[first : first + depth].assert_is_compatible_with(selected.shape)
    if first < 0:
        raise ValueError("a negative axis needs to know how many dimensions the tensor has")
    lengths = shape.op(x, out_type=dtypes.int32)
    flat = concat.op(lengths[:first], [-1], lengths[first + depth :], axis=0)
    rows = reshape.op(x, flat)
    if x.spec.dims is not None:
        known = (*x.spec.dims[:first], None, *x.spec.dims[first + depth :])
        rows.set_shape(known)  # type: ignore[attr-defined]
    places = squeeze.op(where(reshape(selected, [-1])), axis=(1,))
    return gather.op(rows, places, axis=first, name=name)
