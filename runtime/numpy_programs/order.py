"""Functions of NumPy that sort, search and count."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.tensor import TensorLike
from runtime.numpy_programs.creation import array
from runtime.numpy_programs.dispatch import UFUNCS
from runtime.numpy_programs.promotion import as_dtype
from runtime.numpy_programs.refusals import unsupported
from runtime.numpy_programs.tables import (
    along,
    as_array,
    axis_of,
    dtype_of,
    implements,
    refuse_out,
    together,
)
from runtime.numpy_programs.values import Array, operand, wrapped
from runtime.ops.array import shaping
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.base.aliases import AxisLike
from runtime.ops.base.convert import cast_to
from runtime.ops.effects.output import raise_when
from runtime.ops.math import counting
from runtime.ops.reduce import reduction, searching, sorting


@implements(np.sort)
def _sort(
    a: TensorLike,
    axis: AxisLike = -1,
    kind: str | None = None,
    order: str | None = None,
    *,
    stable: Any = None,
) -> Any:
    return Array(sorting.sort(*along(a, axis)))


@implements(np.argsort)
def _argsort(
    a: TensorLike,
    axis: AxisLike = -1,
    kind: str | None = None,
    order: str | None = None,
    *,
    stable: Any = None,
) -> Any:
    stable = bool(stable) or kind in ("stable", "mergesort")
    found = sorting.argsort(*along(a, axis), stable=stable)
    return Array(cast_to(found, dtypes.int64))


@implements(np.searchsorted)
def _searchsorted(a: TensorLike, v: TensorLike, side: str = "left", sorter: Any = None) -> Any:
    if sorter is not None:
        raise unsupported("np.searchsorted(sorter=...)")
    rows, wanted = together([a, v])
    flat = shaping.reshape(wanted, [-1])
    found = searching.searchsorted(rows, flat, side, dtypes.int64)
    return wrapped(shaping.reshape(found, shape_of(wanted)) if wanted.spec.dims != () else found[0])


@implements(np.unique)
def _unique(ar: Any) -> Any:
    flat = sorting.sort(shaping.reshape(operand(ar), [-1]))
    if flat.dtype.is_floating:
        raise unsupported("np.unique (of floats)")
    return Array(searching.unique(flat).y)


@implements(np.bincount)
def _bincount(x: TensorLike, weights: Any = None, minlength: Any = 0) -> Any:
    own = dtype_of(operand(x))
    if not np.can_cast(own, np.int64):
        raise TypeError(f"Cannot cast array data from {own!r} to {np.dtype(np.int64)!r}")
    tensor = as_dtype(operand(x), np.dtype(np.int32))
    at_least = as_dtype(minlength, np.dtype(np.int32))
    raise_when(
        reduction.reduce_any(UFUNCS[np.less](tensor, 0)),
        ValueError("'list' argument must have no negative elements"),
    )
    if weights is None:
        found = counting.bincount(tensor, minlength=at_least)
        return Array(cast_to(found, dtypes.int64))
    weighted = as_dtype(operand(weights), np.dtype(np.float64))
    return Array(counting.bincount(tensor, weighted, at_least, dtype=dtypes.float64))


@implements(np.take)
def _take(a: TensorLike, indices: TensorLike, axis: AxisLike = None, out: object = None) -> Any:
    refuse_out(out)
    own = as_array(a)
    if axis is None:
        own, axis = Array(shaping.reshape(own.tensor, [-1])), 0
    key = array(indices) if isinstance(indices, (list, tuple)) else indices
    return (
        array(own[((slice(None),) * axis_of(axis, own.ndim)) + (key,)])
        if not _is_item(own, key)
        else own[key]
    )


def _is_item(own: Array, key: Any) -> bool:
    return own.ndim == 1 and not isinstance(key, Array)
