"""Items of arrays: `a[key]` and `a[key] = value`, with NumPy's views and copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np

from autograph.operators.alternatives import checked
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.staged_iterable import StagedIterable
from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.numpy_programs.creation import shape_vector
from runtime.numpy_programs.dispatch import Function, refuse
from runtime.numpy_programs.promotion import as_dtype, is_number, known_array
from runtime.numpy_programs.values import Array, operand, shape_tuple, wrapped
from runtime.numpy_programs.views import View
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.array.joining import concat, stack
from runtime.ops.array.repeating import broadcast_to
from runtime.ops.array.shaping import reshape, transpose
from runtime.ops.base.convert import cast_to, constant_of, strong
from runtime.ops.effects.output import raise_when
from runtime.ops.items.gathering import gather, gather_nd
from runtime.ops.items.indexing import boolean_mask, getitem, with_item
from runtime.ops.items.scattering import (
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from runtime.ops.items.selecting import where
from runtime.ops.math.arithmetic import add
from runtime.ops.math.elementwise import is_nan
from runtime.ops.math.logic import greater, greater_equal, less, less_equal

Key = tuple[Any, ...]


@dataclass(frozen=True)
class Items:
    """The step to the items at integers, slices, `None` and `...`.

    Attributes:
      key: the index.
      written: the index as the program writes it.
    """

    key: Key
    written: Any

    def read(self, tensor: Tensor) -> Tensor:
        """Return the items."""
        return getitem(tensor, self.key)

    def write(self, tensor: Tensor, value: Tensor) -> Tensor:
        """Return the tensor with other items."""
        return with_item(tensor, self.key, value)

    def of_caller(self, array: TensorLike) -> Any:
        """Return the items of the caller's array; None if only the running graph knows which."""
        parts = [_parts(entry) for entry in self.key]
        known = not any(isinstance(each, Tensor) for entry in parts for each in entry)
        return array[(*self.key, ...)] if known else None


def _parts(entry: Any) -> tuple[Any, ...]:
    return (entry.start, entry.stop, entry.step) if isinstance(entry, slice) else (entry,)


@dataclass(frozen=True)
class Transposed:
    """The step to the elements with the dimensions in another order."""

    order: tuple[int, ...]

    def read(self, tensor: Tensor) -> Tensor:
        """Return the elements in the new order of dimensions."""
        return transpose(tensor, self.order)

    def write(self, tensor: Tensor, value: Tensor) -> Tensor:
        """Return the elements of the view in the order of the base."""
        return transpose(value, tuple(np.argsort(self.order).tolist()))

    def of_caller(self, array: TensorLike) -> Any:
        """Return the view of the caller's array."""
        return array.transpose(self.order)


@dataclass(frozen=True)
class Reshaped:
    """The step to the elements in another shape."""

    shape: Any

    def read(self, tensor: Tensor) -> Tensor:
        """Return the elements in the new shape."""
        return reshape(tensor, self.shape)

    def write(self, tensor: Tensor, value: Tensor) -> Tensor:
        """Return the elements of the view in the shape of the base."""
        return reshape(value, shape_of(tensor))

    def of_caller(self, array: TensorLike) -> Any:
        """Return the view or copy of the caller's array; None for a shape that is computed."""
        return None if isinstance(self.shape, Tensor) else array.reshape(self.shape)


class Rows(StagedIterable):
    """The items of an array along its first dimension: views, or scalars of a vector."""

    is_live = True

    def __init__(self, array: Array) -> None:
        """Store the array. Raises TypeError for one without dimensions."""
        if not array.ndim:
            raise TypeError("iteration over a 0-d array")
        self._array = array
        self.is_empty = array.dims[0] == 0

    @property
    def owners(self) -> tuple[object, ...]:
        """The array."""
        return (self._array,)

    def length(self) -> TensorLike:
        """Return the first dimension."""
        return self._array.shape[0]

    def item(self, index: Any) -> Any:
        """Return one item, as it is now."""
        return read(self._array, index)


def entries_of(array: Array, key: Any) -> Key:
    """Return an index as a tuple with an entry for each dimension that it mentions.

    Traced integers become int64; lists become arrays, `...` slices. One that may be None raises
    if it is.
    """
    entries = [
        _entry(checked(each, "an index")) for each in (key if isinstance(key, tuple) else (key,))
    ]
    taken = sum(each is not None and each is not Ellipsis for each in entries)
    taken += sum(_rank(each) - 1 for each in entries if _is_mask(each))
    if taken > array.ndim:
        raise IndexError(
            f"too many indices for array: array is {array.ndim}-dimensional, but {taken} were "
            "indexed"
        )
    if any(each is Ellipsis for each in entries):
        at = next(i for i, each in enumerate(entries) if each is Ellipsis)
        entries[at : at + 1] = [slice(None)] * (array.ndim - taken)
    return tuple(entries)


def _entry(value: TensorLike) -> Any:
    if value is None or value is Ellipsis:
        return value
    if isinstance(value, slice):
        return slice(*(_bound(each) for each in (value.start, value.stop, value.step)))
    if isinstance(value, (bool, np.bool_)):
        raise refuse("an array is indexed by a single truth value.", "Use `if`, or np.where.")
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, Tensor):
        return _traced_entry(value)
    if isinstance(value, (Array, np.ndarray, list, GrowingList)):
        tensor = value.stack() if isinstance(value, GrowingList) else operand(value)
        if isinstance(value, list) and not value:
            tensor = constant_of(np.zeros(0, np.int64))
        if tensor.dtype is dtypes.bool:
            return tensor
        return _traced_entry(tensor)
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
        "boolean arrays are valid indices"
    )


def _traced_entry(tensor: Tensor) -> Tensor:
    if not tensor.dtype.is_integer:
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return strong(cast_to(tensor, dtypes.int64))


def _bound(value: TensorLike) -> Any:
    if value is None or isinstance(value, (int, np.integer)):
        return None if value is None else int(value)
    return _traced_entry(operand(value))


def _rank(entry: object) -> int:
    return Array(entry).ndim if isinstance(entry, Tensor) else 0


def _is_mask(entry: object) -> bool:
    return isinstance(entry, Tensor) and entry.dtype is dtypes.bool


def _is_scalar(entry: object) -> bool:
    return isinstance(entry, int) or (isinstance(entry, Tensor) and entry.shape.rank == 0)


def _has_dots(key: Any) -> bool:
    """Return whether an index has `...`: its item is an array, also of no dimension."""
    return any(each is Ellipsis for each in (key if isinstance(key, tuple) else (key,)))


def _is_basic(entries: Key) -> bool:
    return all(not isinstance(each, Tensor) or each.shape.rank == 0 for each in entries)


def read(array: Array, key: Any) -> Any:
    """Return `array[key]`: a scalar, a view, or for an index that is an array a copy.

    Raises:
      IndexError: for an index out of range, when the graph runs if only that knows it.
      StagingError: for a mixture of arrays and slices that no operation reads.
    """
    entries = entries_of(array, key)
    if not _is_basic(entries):
        return wrapped(_gathered(array.tensor, entries))
    if len(entries) == array.ndim and all(map(_is_scalar, entries)) and not _has_dots(key):
        _check_known(entries, array.dims)
        return getitem(array.tensor, entries)
    _check_known([each for each in entries if each is not None], array.dims)
    return View(array, Items(entries, key))


def _check_known(entries: Sequence[Any], dims: Sequence[int | None]) -> None:
    """Raise NumPy's IndexError for an int out of range."""
    for axis, (entry, length) in enumerate(zip(entries, dims, strict=False)):
        if isinstance(entry, int) and length is not None and not -length <= entry < length:
            raise IndexError(f"index {entry} is out of bounds for axis {axis} with size {length}")


def assign(array: Array, key: Any, value: TensorLike) -> None:
    """Do `array[key] = value`; raises as `read`."""
    if isinstance(value, View) and value.viewed is array and _is_at(value.step, key):
        return  # the end of `array[key] += ...`, which has changed the view
    entries = entries_of(array, key)
    tensor = array.tensor
    given = as_dtype(_scalar_or_tensor(value), _castable(value, array))
    if _is_basic(entries):
        _check_known([each for each in entries if each is not None], array.dims)
        _check_range(value, array.dtype)
        rank = array.ndim + sum(each is None for each in entries)
        given = _without_first_ones(given, rank - sum(map(_is_scalar, entries)))
        array.store(with_item(tensor, entries, given) if entries else _filled(tensor, given))
    else:
        array.store(_scattered(tensor, entries, given))


def _change_at(
    ufunc: np.ufunc, scatter: Function, array: Array, key: Any, value: TensorLike
) -> None:
    """Do `ufunc.at(array, key, value)`; raises as `read`."""
    entries = entries_of(array, key)
    if _is_basic(entries):
        array[key] = ufunc(array[key], value)
        return
    given = operand(value)
    dtype = given.spec.dtype
    kinds = "iufc" if dtype.is_integer else "fc" if dtype.is_floating else "c"
    fits = (
        array.dtype.kind in kinds
        if is_number(value)
        else (np.result_type(array.dtype, dtype.numpy_dtype) == array.dtype)
    )
    if not fits:
        raise refuse(
            f"`np.{ufunc.__name__}.at` gets {dtype.name} for an array of {array.dtype}.",
            "Convert it by `astype`.",
        )
    array.store(_scattered(array.tensor, entries, as_dtype(given, array.dtype), scatter))


AT: dict[np.ufunc, Function] = {
    ufunc: partial(_change_at, ufunc, scatter)
    for ufunc, scatter in (
        (np.add, tensor_scatter_nd_add),
        (np.subtract, tensor_scatter_nd_sub),
        (np.maximum, tensor_scatter_nd_max),
        (np.minimum, tensor_scatter_nd_min),
    )
}
"""What the method `at` of ufuncs does."""


def _check_range(value: TensorLike, dtype: np.dtype[Any]) -> None:
    """Raise where an element cannot hold a number that is not an array, as NumPy does.

    NumPy makes a Python int of it; unsigned elements wrap around, unless it is one already.
    """
    if isinstance(value, Array) or type(value) in (bool, int, float):
        return
    tensor = operand(value)
    is_weak = bool(getattr(tensor, "weak", False))
    source = tensor.spec.dtype
    if tensor.spec.dims != () or not (dtype.kind == "i" or (dtype.kind == "u" and is_weak)):
        return
    error = OverflowError(f"Python integer out of bounds for {dtype}")
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    if source.is_floating:
        raise_when(is_nan(tensor), ValueError("cannot convert float NaN to integer"))
        wide = cast_to(tensor, dtypes.float64)
        raise_when(greater_equal(wide, float(high) + 1.0), error)
        # One below the smallest of 64 bits is that number itself.
        below = less if float(low) - 1.0 == float(low) else less_equal
        raise_when(below(wide, float(low) - (below is less_equal)), error)
    elif source.is_integer:
        own = np.iinfo(source.numpy_dtype)
        if own.max > high:
            raise_when(greater(tensor, constant_of(own.dtype.type(high))), error)
        if own.min < low:
            raise_when(less(tensor, constant_of(own.dtype.type(low))), error)


def _is_at(step: Any, key: object) -> bool:
    return isinstance(step, Items) and step.written is key


def _without_first_ones(value: Tensor, rank: int) -> Tensor:
    """Drop first axes of length 1 that make more axes than an assigned part has, as NumPy does."""
    dims = value.spec.dims or ()
    extra = len(dims) - rank
    is_fitting = extra > 0 and dims[:extra] == (1,) * extra
    return getitem(value, (0,) * extra) if is_fitting else value


def _filled(tensor: Tensor, value: Tensor) -> Tensor:
    return broadcast_to(value, shape_of(tensor))


def _scalar_or_tensor(value: TensorLike) -> Any:
    return value if type(value) in (bool, int, float, complex) else operand(value)


def _castable(value: TensorLike, array: Array) -> np.dtype[Any]:
    """Return the dtype of an array. Raises TypeError for a complex number in a real one."""
    given = value if isinstance(value, complex) else operand(value)
    is_complex = isinstance(given, complex) or given.spec.dtype.is_complex
    if is_complex and array.dtype.kind != "c":
        raise TypeError("float() argument must be a string or a real number, not 'complex'")
    return array.dtype


# ---- indices that are arrays ----


def _gathered(tensor: Tensor, entries: Key) -> Tensor:
    if _is_mask(entries[0]) and len(entries) == 1:
        _check_mask(tensor, entries[0])
        return boolean_mask(tensor, entries[0])
    if any(each is None for each in entries):
        raise _mixture()
    tensor, entries = _without_scalars(tensor, entries)
    axes = [axis for axis, each in enumerate(entries) if isinstance(each, Tensor)]
    indices = [_wrapped_around(entries[axis], tensor, axis) for axis in axes]
    if any(each != slice(None) for each in entries if isinstance(each, slice)):
        basic = tuple(slice(None) if isinstance(each, Tensor) else each for each in entries)
        tensor = getitem(tensor, basic)
    if len(axes) == 1:
        return gather(tensor, indices[0], axis=axes[0])
    if axes != list(range(len(axes))):
        raise _mixture()
    return gather_nd(tensor, _tuples(indices))


def _without_scalars(tensor: Tensor, entries: Key) -> tuple[Tensor, Key]:
    """Apply the integers of an index; return what is left of it.

    Next to an array they count as arrays, with the same result if no slice is between.
    """
    scalars = [axis for axis, each in enumerate(entries) if _is_scalar(each)]
    if not scalars:
        return tensor, entries
    arrays = [axis for axis, each in enumerate(entries) if _rank(each)]
    together = sorted((*scalars, *arrays))
    if together != list(range(together[0], together[-1] + 1)):
        raise _mixture()
    basic = tuple(each if _is_scalar(each) else slice(None) for each in entries)
    return getitem(tensor, basic), tuple(each for each in entries if not _is_scalar(each))


def _wrapped_around(index: Tensor, tensor: Tensor, axis: int) -> Tensor:
    """Return indices from the start: negative ones count from the end."""
    if index.dtype is dtypes.bool:
        return _positions(index)
    known = known_array(index)
    if known is not None and np.all(known >= 0):
        return index
    length = strong(operand(shape_tuple(tensor)[axis]))
    return where(less(index, np.int64(0)), add(index, cast_to(length, dtypes.int64)), index)


def _positions(mask: Tensor) -> Tensor:
    if mask.shape.rank != 1:
        raise _mixture()
    return reshape(where(mask), [-1])


def _tuples(indices: Sequence[Tensor]) -> Tensor:
    """Return the index tuples of several arrays, broadcast to one shape."""
    if len({index.spec.dims for index in indices}) > 1:
        zeros = [index - index for index in indices]
        total = zeros[0]
        for each in zeros[1:]:
            total = total + each
        indices = [index + total for index in indices]
    return stack(indices, axis=-1)


def _mixture() -> Exception:
    return refuse(
        "an array is indexed by a mixture of arrays, integers and slices that no operation reads.",
        "Index in two steps, or in a loop.",
        IndexError,
    )  # type: ignore[return-value]


def _check_mask(tensor: Tensor, mask: Tensor) -> None:
    for axis, (own, other) in enumerate(
        zip(mask.spec.dims or (), tensor.spec.dims or (), strict=False)
    ):
        if own is not None and other is not None and own != other:
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis}; size of axis is "
                f"{other} but size of corresponding boolean axis is {own}"
            )


def _scattered(
    tensor: Tensor, entries: Key, value: Tensor, scatter: Function = tensor_scatter_nd_update
) -> Tensor:
    """Return the tensor after an assignment, or another scatter, at an index with arrays."""
    if _is_mask(entries[0]) and len(entries) == 1:
        return _masked(tensor, entries[0], value, scatter)
    if any(each is None for each in entries):
        raise _mixture()
    if any(_is_scalar(each) for each in entries):
        inner, rest = _without_scalars(tensor, entries)
        basic = tuple(each if _is_scalar(each) else slice(None) for each in entries)
        return with_item(tensor, basic, _scattered(inner, rest, value, scatter))
    if any(each != slice(None) for each in entries if isinstance(each, slice)):
        basic = tuple(slice(None) if isinstance(each, Tensor) else each for each in entries)
        open_ended = tuple(each if isinstance(each, Tensor) else slice(None) for each in entries)
        inner = getitem(tensor, basic)
        return with_item(tensor, basic, _scattered(inner, open_ended, value, scatter))
    axes = [axis for axis, each in enumerate(entries) if isinstance(each, Tensor)]
    if len(axes) == 1 and axes[0]:
        return _along(tensor, entries[axes[0]], axes[0], value, scatter)
    if axes != list(range(len(axes))):
        raise _mixture()
    indices = [_wrapped_around(entries[axis], tensor, axis) for axis in axes]
    tuples = _tuples(indices)
    rows = shape_of(tuples, np.int64)[:-1]
    rest_dims = shape_of(tensor, np.int64)[len(axes) :]
    updates = broadcast_to(value, concat([rows, rest_dims], 0))
    return cast(Tensor, scatter(tensor, tuples, updates))


def _along(tensor: Tensor, index: Tensor, axis: int, value: Tensor, scatter: Function) -> Tensor:
    """Assign at an array of indices along a later axis, by bringing it to the front."""
    if index.shape.rank != 1:
        raise _mixture()
    order = (axis, *(each for each in range(tensor.shape.rank or 0) if each != axis))
    back = tuple(np.argsort(order).tolist())
    front = transpose(tensor, order)
    positions = _wrapped_around(index, tensor, axis)
    lengths = list(shape_tuple(tensor))
    lengths[axis] = shape_tuple(positions)[0]
    whole = broadcast_to(value, shape_vector(lengths))
    return transpose(_scattered(front, (positions,), transpose(whole, order), scatter), back)


def _masked(tensor: Tensor, mask: Tensor, value: Tensor, scatter: Function) -> Tensor:
    _check_mask(tensor, mask)
    if value.shape.rank == 0 and scatter is tensor_scatter_nd_update:
        missing = (tensor.shape.rank or 0) - (mask.shape.rank or 0)
        wide = getitem(mask, (..., *(None,) * missing)) if missing else mask
        return where(wide, value, tensor)
    positions = where(mask)
    count = shape_of(positions, np.int64)[:1]
    rest = shape_of(tensor, np.int64)[mask.shape.rank or 0 :]
    updates = broadcast_to(value, concat([count, rest], 0))
    return cast(Tensor, scatter(tensor, positions, updates))


def transposed(array: TensorLike, order: tuple[int, ...]) -> Any:
    """Return the view of an array with its dimensions in another order."""
    return View(array, Transposed(order))
