"""Functions of NumPy that choose elements: sets, masks, deletions; programs of other functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.aliases import AxisLike
from runtime.core.tensor import TensorLike
from runtime.numpy_programs.dispatch import unsupported
from runtime.numpy_programs.tables import Implementation, for_numpy, raise_if_any
from runtime.numpy_programs.values import Array


def _union(ar1: TensorLike, ar2: TensorLike) -> Any:
    return np.unique(np.concatenate([np.ravel(for_numpy(ar1)), np.ravel(for_numpy(ar2))]))


def _intersection(ar1: TensorLike, ar2: TensorLike) -> Any:
    both = np.sort(np.concatenate([np.unique(for_numpy(ar1)), np.unique(for_numpy(ar2))]))
    return both[:-1][both[1:] == both[:-1]]


def _difference(ar1: TensorLike, ar2: TensorLike) -> Any:
    own = np.unique(for_numpy(ar1))
    return own[np.isin(own, for_numpy(ar2), invert=True)]


def _compress(condition: TensorLike, a: TensorLike, axis: AxisLike = None) -> Any:
    return np.take(for_numpy(a), np.nonzero(for_numpy(condition))[0], axis)


def _extract(condition: TensorLike, arr: TensorLike) -> Any:
    return np.ravel(for_numpy(arr))[np.nonzero(np.ravel(for_numpy(condition)))[0]]


def _place(array: Any, obj: Any, most: Any) -> Any:
    """Return an index from 0, of at most `most`."""
    if (
        isinstance(obj, slice)
        or np.ndim(obj)
        or getattr(obj, "dtype", np.dtype(np.int64)).kind not in "iu"
    ):
        raise unsupported("np.delete or np.insert (at other than one place)")
    length = array.shape[0]
    outside = np.logical_or(np.less(obj, -length), np.greater(obj, most))
    is_known = isinstance(obj, (int, np.integer)) and isinstance(length, int)
    shown = f"index {obj} is out of bounds for axis 0 with size {length}"
    error = shown if is_known else "an index is out of bounds for axis 0"
    raise_if_any(outside, IndexError(error))
    return np.where(np.less(obj, 0), np.add(obj, length), obj)


def _delete(arr: TensorLike, obj: Any, axis: AxisLike = None) -> Any:
    array = for_numpy(arr)
    if axis not in (None, 0):
        raise unsupported("np.delete (along other axes than the first)")
    rows = np.ravel(array) if axis is None else array
    places = np.arange(rows.shape[0] - 1)
    return rows[places + (places >= _place(rows, obj, rows.shape[0] - 1))]


def _insert(arr: TensorLike, obj: Any, values: TensorLike, axis: AxisLike = None) -> Any:
    array = np.ravel(for_numpy(arr))
    if axis is not None:
        raise unsupported("np.insert (along an axis)")
    place = _place(array, obj, array.shape[0])
    new = np.ravel(for_numpy(values)).astype(array.dtype)
    return np.concatenate([array[:place], new, array[place:]])


def _copyto(dst: Any, src: TensorLike, casting: Any = "same_kind", where: Any = True) -> None:
    source = for_numpy(src)
    if not isinstance(dst, Array) or casting != "same_kind":
        raise unsupported("np.copyto (to what is not traced, or with another casting)")
    if not np.can_cast(source.dtype, dst.dtype, casting):
        raise TypeError(
            f"Cannot cast array data from {source.dtype!r} to {dst.dtype!r} according to the rule "
            f"'{casting}'"
        )
    if where is not True:
        source = np.where(for_numpy(where), source.astype(dst.dtype), dst)
    dst[...] = source


def _putmask(a: Any, mask: TensorLike, values: TensorLike) -> None:
    if not isinstance(a, Array) or (np.ndim(values) and np.shape(values) != a.shape):
        raise unsupported("np.putmask (of other values than a number, or one for each element)")
    a[...] = np.where(for_numpy(mask), for_numpy(values).astype(a.dtype), a)


def _ix(*args: TensorLike) -> tuple[Any, ...]:
    """Return for each index one that runs along an axis of its own."""
    found = []
    for own, index in enumerate(map(for_numpy, args)):
        if index.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        places = np.nonzero(index)[0] if index.dtype.kind == "b" else index
        found.append(places.reshape([-1 if i == own else 1 for i in range(len(args))]))
    return tuple(found)


def _choose(a: TensorLike, choices: Sequence[Any]) -> Any:
    index = for_numpy(a)
    wrong = np.logical_or(index < 0, index >= len(choices))
    raise_if_any(wrong, ValueError("invalid entry in choice array"))
    found = choices[0]
    for place, choice in enumerate(choices[1:], 1):
        found = np.where(index == place, choice, found)
    return found if np.ndim(found) else for_numpy(found)[()]


FUNCTIONS: dict[Any, Implementation] = {
    np.choose: _choose,
    np.compress: _compress,
    np.copyto: _copyto,
    np.delete: _delete,
    np.extract: _extract,
    np.insert: _insert,
    np.intersect1d: _intersection,
    np.ix_: _ix,
    np.putmask: _putmask,
    np.setdiff1d: _difference,
    np.union1d: _union,
}
"""The functions of this module, by those of NumPy that they compute."""
