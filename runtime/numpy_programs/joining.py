"""Functions of NumPy that join, repeat and move elements, or change shapes: views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.control_flow.values.growing import GrowingList
from runtime.core.aliases import AxisLike, ShapeLike
from runtime.core.shapes import known
from runtime.core.tensor import Tensor, TensorLike
from runtime.numpy_programs.creation import known_shape, shape_vector
from runtime.numpy_programs.dispatch import function_result, refuse, ufunc_result, unsupported
from runtime.numpy_programs.items import Reshaped, Transposed
from runtime.numpy_programs.promotion import as_dtype
from runtime.numpy_programs.tables import (
    Implementation,
    along,
    as_array,
    axes_of,
    axis_of,
    count_of,
    dtype_of,
    rank_of,
    refuse_out,
    together,
)
from runtime.numpy_programs.ufuncs import imag, real
from runtime.numpy_programs.values import Array, operand, plain, shape_tuple, wrapped
from runtime.numpy_programs.views import SnapshotView, View
from runtime.ops.array import arranging, joining, padding, repeating, shaping
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.items.indexing import getitem


def _check_ranks(tensors: Sequence[Tensor]) -> None:
    if len({tensor.shape.rank for tensor in tensors}) > 1:
        raise ValueError(
            "all the input array dimensions except for the concatenation axis must match exactly"
        )


def _concatenate(arrays: TensorLike, axis: AxisLike = 0, out: object = None) -> Any:
    refuse_out(out)
    if isinstance(arrays, GrowingList):
        return _concatenated_items(arrays, axis)
    tensors = together(arrays)
    if axis is None:
        tensors, axis = [shaping.reshape(each, [-1]) for each in tensors], 0
    _check_ranks(tensors)
    return Array(joining.concat(tensors, axis_of(axis, rank_of(tensors[0]))))


def _concatenated_items(items: GrowingList, axis: AxisLike) -> Any:
    """Return the items, whose number only the running graph knows, one after the other."""
    dims = Array(operand(items)).shape[1:]
    if axis is None:
        return Array(shaping.reshape(operand(items), [-1]))
    place = axis_of(axis, len(dims))
    return _stack(items, place).reshape((*dims[:place], -1, *dims[place + 1 :]))


def _stack(arrays: TensorLike, axis: int = 0) -> Any:
    if isinstance(arrays, GrowingList):
        return function_result(np.moveaxis, function_result(np.array, arrays), 0, axis).copy()
    tensors = together(arrays)
    return Array(joining.stack(tensors, axis_of(axis, rank_of(tensors[0]) + 1)))


def _vstack(tup: TensorLike) -> Any:
    if isinstance(tup, GrowingList):
        rows = function_result(np.array, tup)
        return rows if rows.ndim == 2 else _concatenate(tup)
    return _concatenate([function_result(np.atleast_2d, each) for each in tup], 0)


def _hstack(tup: TensorLike) -> Any:
    if isinstance(tup, GrowingList):
        return _concatenate(tup, 0 if operand(tup).shape.rank == 2 else 1)
    parts = [function_result(np.atleast_1d, each) for each in tup]
    return _concatenate(parts, 0 if operand(parts[0]).shape.rank == 1 else 1)


def _column_stack(tup: TensorLike) -> Any:
    if isinstance(tup, GrowingList):
        return _stack(tup, 1) if operand(tup).shape.rank == 2 else _hstack(tup)
    arrays = map(as_array, tup)
    columns = [each[:, None] if each.ndim == 1 else each for each in arrays]
    return _concatenate(columns, 1)


def _split(
    divide: Callable[..., Any], ary: TensorLike, indices_or_sections: TensorLike, axis: int = 0
) -> list[Any]:
    own = as_array(ary)
    along = axis_of(axis, own.ndim)
    length = own.dims[along]
    if length is None:
        raise refuse("np.split divides an array of unknown length.", "Slice it.")
    parts = divide(np.arange(length), indices_or_sections)
    before = (slice(None),) * along
    return [
        own[(*before, slice(int(p[0]), int(p[-1]) + 1) if len(p) else slice(0, 0))] for p in parts
    ]


def _repeat(a: TensorLike, repeats: TensorLike, axis: AxisLike = None) -> Any:
    tensor, place = along(a, axis)
    return Array(arranging.repeat(tensor, as_dtype(plain(repeats), np.dtype(np.int64)), place))


def _tile(A: TensorLike, reps: TensorLike) -> Any:
    tensor = operand(A)
    times = known_shape(reps)
    missing = len(times) - rank_of(tensor)
    if missing > 0:
        tensor = getitem(tensor, (*(None,) * missing, ...))
    times = (*(1,) * -missing, *times)
    return Array(repeating.tile(tensor, shape_vector(times)))


def _flip(m: TensorLike, axis: AxisLike = None) -> Any:
    own = as_array(m)
    axes = range(own.ndim) if axis is None else axes_of(axis, own.ndim) or ()
    turned = slice(None, None, -1)
    return own[tuple(turned if i in axes else slice(None) for i in range(own.ndim))]


def _roll(a: TensorLike, shift: TensorLike, axis: AxisLike = None) -> Any:
    tensor = operand(a)
    flat = shaping.reshape(tensor, [-1]) if axis is None else tensor
    axes = [0] if axis is None else list(axes_of(axis, rank_of(tensor)) or ())
    shifts = shift if isinstance(shift, (tuple, list)) else [shift] * len(axes)
    rolled = arranging.roll(flat, shape_vector(list(shifts)), np.array(axes))
    return Array(shaping.reshape(rolled, shape_of(tensor)) if axis is None else rolled)


def _pad(
    array: TensorLike,
    pad_width: TensorLike,
    mode: Any = "constant",
    constant_values: TensorLike = 0,
) -> Any:
    tensor = operand(array)
    widths = np.broadcast_to(np.asarray(pad_width), (rank_of(tensor), 2))
    if mode in ("edge", "reflect", "symmetric", "wrap"):
        found: Any = as_array(array)
        for axis, length in enumerate(known_shape(found.shape)):
            if not isinstance(length, int):
                raise unsupported(f"np.pad(mode={mode!r}) (of a length that is not static)")
            places = np.pad(np.arange(length), widths[axis], mode=mode)
            found = function_result(np.take, found, places, axis)
        return found
    if mode != "constant":
        raise unsupported(f"np.pad(mode={mode!r})")
    value = as_dtype(constant_values, dtype_of(tensor))
    return Array(padding.pad(tensor, widths.astype(np.int64), constant_values=value))


def _diff(a: TensorLike, n: int = 1, axis: int = -1) -> Any:
    result = as_array(a)
    along = axis_of(axis, result.ndim)
    before = (slice(None),) * along
    for _ in range(n):
        later, earlier = result[(*before, slice(1, None))], result[(*before, slice(None, -1))]
        is_bool = result.dtype.kind == "b"
        result = ufunc_result(np.not_equal if is_bool else np.subtract, later, earlier)
    return result


def _meshgrid(
    *xi: TensorLike, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> tuple[Any, ...]:
    if sparse or not copy:
        raise unsupported("np.meshgrid(sparse=True)" if sparse else "np.meshgrid(copy=False)")
    grids = arranging.meshgrid(*map(operand, xi), indexing=indexing)
    return tuple(map(Array, grids))


def _transpose(a: TensorLike, axes: AxisLike = None) -> Any:
    if operand(a).spec.dims == ():
        return a
    own = as_array(a)
    rank = own.ndim
    order = tuple(reversed(range(rank))) if axes is None else tuple(axis_of(e, rank) for e in axes)
    return View(own, Transposed(order))


def _swapaxes(a: TensorLike, axis1: int, axis2: int) -> Any:
    own = as_array(a)
    order = list(range(own.ndim))
    one, other = axis_of(axis1, own.ndim), axis_of(axis2, own.ndim)
    order[one], order[other] = order[other], order[one]
    return View(own, Transposed(tuple(order)))


def _moveaxis(a: TensorLike, source: AxisLike, destination: AxisLike) -> Any:
    own = as_array(a)
    moved = np.moveaxis(np.empty(tuple(range(2, 2 + own.ndim))), source, destination).shape
    order = tuple(length - 2 for length in moved)
    return View(own, Transposed(order))


_LAYOUT = "is a view or a copy, as the layout of its base decides"


def _reshape(
    a: TensorLike, shape: ShapeLike = None, order: str = "C", *, newshape: ShapeLike = None
) -> Any:
    if order != "C":
        raise unsupported(f"np.reshape(order={order!r})")
    own = as_array(a)
    wanted = known_shape(newshape if shape is None else shape)
    step = Reshaped(shape_vector(wanted))
    view = SnapshotView(own, step, _LAYOUT)
    return view if wanted else wrapped(view.tensor)


def _squeeze(a: TensorLike, axis: AxisLike = None) -> Any:
    if operand(a).spec.dims == ():
        return a
    own = as_array(a)
    axes = axes_of(axis, own.ndim)
    if axes is None:
        axes = tuple(i for i, length in enumerate(own.dims) if length == 1)
    key = tuple(0 if i in axes else slice(None) for i in range(own.ndim))
    if any(own.dims[i] not in (1, None) for i in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return own[(*key, ...)]


def _expand_dims(a: TensorLike, axis: AxisLike) -> Any:
    own = as_array(a)
    axes = axis if isinstance(axis, tuple) else (axis,)
    rank = own.ndim + len(axes)
    new = {axis_of(each, rank) for each in axes}
    return own[tuple(None if i in new else slice(None) for i in range(rank))]


def _of_each(function: Callable[[Array], Any]) -> Implementation:
    """Return a function of one array, and of several: then a tuple."""

    def of_each(*arys: TensorLike) -> Any:
        found = tuple(function(as_array(each)) for each in arys)
        return found[0] if len(found) == 1 else found

    return of_each


def _atleast_1d(own: Array) -> Any:
    return own if own.ndim else _reshape(own, 1)


def _atleast_2d(own: Array) -> Any:
    if own.ndim == 0:
        return _reshape(own, (1, 1))
    return own[None] if own.ndim == 1 else own


class _Broadcast:
    """The step to an array that repeats elements."""

    def __init__(self, shape: tuple[Any, ...]) -> None:
        self._shape = shape

    def read(self, tensor: Tensor) -> Tensor:
        """Return the repeated elements."""
        return repeating.broadcast_to(tensor, shape_vector(self._shape))

    def write(self, tensor: Tensor, value: Tensor) -> Tensor:
        """Return nothing: NumPy's view is read-only, and so is its `SnapshotView`."""
        raise NotImplementedError

    def of_caller(self, array: TensorLike) -> Any:
        """Return the view of the caller's array."""
        is_known = all(isinstance(length, int) for length in self._shape)
        return np.broadcast_to(array, self._shape) if is_known else None


def _broadcast_to(array: TensorLike, shape: ShapeLike) -> Any:
    step = _Broadcast(tuple(known_shape(shape)))
    return SnapshotView(as_array(array), step, "is a read-only view that repeats elements")


def _broadcast_arrays(*args: TensorLike) -> tuple[Any, ...]:
    shapes = [operand(each).shape for each in args]
    if not all(shape.is_fully_defined() for shape in shapes):
        raise refuse("np.broadcast_arrays gets an array of unknown shape.", "Use np.broadcast_to.")
    shape = np.broadcast_shapes(*(known(shape.as_list()) for shape in shapes))
    arrays = map(as_array, args)
    return tuple(each if each.dims == shape else _broadcast_to(each, shape) for each in arrays)


def _size(a: TensorLike, axis: AxisLike = None) -> Any:
    return count_of(operand(a), None if axis is None else axes_of(axis, rank_of(operand(a))))


FUNCTIONS: dict[Any, Implementation] = {
    np.concatenate: _concatenate,
    np.stack: _stack,
    np.vstack: _vstack,
    np.hstack: _hstack,
    np.column_stack: _column_stack,
    np.append: lambda arr, values, axis=None: _concatenate([arr, values], axis),
    np.split: partial(_split, np.split),
    np.array_split: partial(_split, np.array_split),
    np.repeat: _repeat,
    np.tile: _tile,
    np.flip: _flip,
    np.flipud: lambda m: _flip(m, 0),
    np.fliplr: lambda m: _flip(m, 1),
    np.roll: _roll,
    np.pad: _pad,
    np.diff: _diff,
    np.meshgrid: _meshgrid,
    np.transpose: _transpose,
    np.permute_dims: _transpose,
    np.swapaxes: _swapaxes,
    np.moveaxis: _moveaxis,
    np.reshape: _reshape,
    np.ravel: lambda a, order="C": _reshape(a, -1, order),
    np.squeeze: _squeeze,
    np.expand_dims: _expand_dims,
    np.atleast_1d: _of_each(_atleast_1d),
    np.atleast_2d: _of_each(_atleast_2d),
    np.broadcast_to: _broadcast_to,
    np.broadcast_arrays: _broadcast_arrays,
    np.shape: lambda a: shape_tuple(operand(a)),
    np.ndim: lambda a: rank_of(operand(a)),
    np.size: _size,
    np.real: real,
    np.imag: imag,
}
"""The functions of NumPy that are implemented here."""
