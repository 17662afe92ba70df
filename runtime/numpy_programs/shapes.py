"""Functions of NumPy that change shapes: views of their argument."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import TensorLike
from runtime.numpy_programs.creation import known_shape, shape_vector
from runtime.numpy_programs.items import Reshaped, Transposed
from runtime.numpy_programs.refusals import unsupported
from runtime.numpy_programs.tables import as_array, axes_of, axis_of, count_of, implements, rank_of
from runtime.numpy_programs.ufuncs import imag, real
from runtime.numpy_programs.values import Array, operand, shape_tuple, wrapped
from runtime.numpy_programs.views import SnapshotView, View
from runtime.ops.array import repeating
from runtime.ops.base.aliases import AxisLike, ShapeLike


@implements(np.transpose, np.permute_dims)
def _transpose(a: TensorLike, axes: AxisLike = None) -> Any:
    if operand(a).spec.dims == ():
        return a
    own = as_array(a)
    rank = own.ndim
    order = tuple(reversed(range(rank))) if axes is None else tuple(axis_of(e, rank) for e in axes)
    return View(own, Transposed(order))


@implements(np.swapaxes)
def _swapaxes(a: TensorLike, axis1: int, axis2: int) -> Any:
    own = as_array(a)
    order = list(range(own.ndim))
    one, other = axis_of(axis1, own.ndim), axis_of(axis2, own.ndim)
    order[one], order[other] = order[other], order[one]
    return View(own, Transposed(tuple(order)))


@implements(np.moveaxis)
def _moveaxis(a: TensorLike, source: Any, destination: Any) -> Any:
    own = as_array(a)
    moved = np.moveaxis(np.empty(tuple(range(2, 2 + own.ndim))), source, destination).shape
    order = tuple(length - 2 for length in moved)
    return View(own, Transposed(order))


_LAYOUT = "is a view or a copy, as the layout of its base decides"


@implements(np.reshape)
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


@implements(np.ravel)
def _ravel(a: TensorLike, order: str = "C") -> Any:
    return _reshape(a, -1, order)


@implements(np.squeeze)
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
    return own[key] if key else own


@implements(np.expand_dims)
def _expand_dims(a: TensorLike, axis: AxisLike) -> Any:
    own = as_array(a)
    axes = axis if isinstance(axis, tuple) else (axis,)
    rank = own.ndim + len(axes)
    new = {axis_of(each, rank) for each in axes}
    return own[tuple(None if i in new else slice(None) for i in range(rank))]


@implements(np.atleast_1d)
def _atleast_1d(a: TensorLike) -> Any:
    return _reshape(a, 1) if operand(a).shape.rank == 0 else a


@implements(np.atleast_2d)
def _atleast_2d(a: TensorLike) -> Any:
    rank = operand(a).shape.rank or 0
    if rank == 0:
        return _reshape(a, (1, 1))
    return a[None] if rank == 1 else a


@implements(np.broadcast_to)
def _broadcast_to(array: TensorLike, shape: ShapeLike) -> Any:
    return Array(repeating.broadcast_to(operand(array), shape_vector(known_shape(shape))))


@implements(np.shape)
def _shape(a: TensorLike) -> tuple[Any, ...]:
    return shape_tuple(operand(a))


@implements(np.ndim)
def _ndim(a: TensorLike) -> int:
    return rank_of(operand(a))


@implements(np.size)
def _size(a: TensorLike, axis: AxisLike = None) -> Any:
    return count_of(operand(a), None if axis is None else axes_of(axis, rank_of(operand(a))))


@implements(np.real)
def _real(val: Any) -> Any:
    return real(val)


@implements(np.imag)
def _imag(val: Any) -> Any:
    return imag(val)
