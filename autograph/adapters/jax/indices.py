"""Indices of JAX's arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from autograph.adapters.jax.arrays import is_array
from autograph.values import Value


def is_integer(index: object) -> bool:
    """Return whether it is an integer or an array of integers."""
    return bool(jnp.issubdtype(jnp.result_type(index), jnp.integer))


def signed(index: object) -> Any:
    """Integers in JAX's own integer dtype; what does not fit it stays larger than any size."""
    dtype = jnp.asarray(0).dtype
    array = jnp.asarray(index)
    if jnp.issubdtype(array.dtype, jnp.unsignedinteger) and array.dtype.itemsize >= dtype.itemsize:
        array = jnp.minimum(array, np.asarray(np.iinfo(dtype).max, array.dtype))
    return lax.convert_element_type(array, dtype)


def numbers_by_axis(array: jax.Array, index: Value) -> Iterator[tuple[int, Any]]:
    """Yield the integers of an index, each with its axis: Python's, and arrays of them.

    >>> list(numbers_by_axis(np.zeros((2, 3, 4)), (..., 5, slice(None))))
    [(1, 5)]
    """
    entries = index if isinstance(index, tuple) else (index,)
    taken = sum(map(_axes_of, entries))
    axis = 0
    for entry in entries:
        if entry is Ellipsis:
            axis += len(array.shape) - taken
            continue
        if _is_number(entry) and axis < len(array.shape):
            yield axis, entry
        axis += _axes_of(entry)


def _is_number(entry: object) -> bool:
    if isinstance(entry, bool):
        return False
    return isinstance(entry, int) or (is_array(entry) and is_integer(entry))


def _axes_of(entry: Any) -> int:
    """How many axes of an array an entry of an index is for."""
    if entry is None or entry is Ellipsis or isinstance(entry, bool):
        return 0
    if is_array(entry) and entry.dtype == bool:
        return len(entry.shape)
    return 1
