"""Lists of arrays of one shape, as the rows of one array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.core.aliases import Array, DTypeLike
from runtime.core.dtypes import DType
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.shapes import Dims, element_count
from runtime.core.spec import TensorSpec
from runtime.engines.limits import Unsupported
from runtime.engines.xla.rules import updated
from runtime.engines.xla.scope import Rule, Scope


@jax.tree_util.register_pytree_node_class
class Rows:
    """A list whose entries have one shape; those not written are zeros.

    Attributes:
      rows: the entries, and room for more; None: no entry is written yet.
      room: the number of entries for which there is room.
      size: the number of entries: an int, or a scalar of JAX.
      inner: the length of the lists that are entries; None: the entries are arrays.
    """

    def __init__(self, rows: Array, room: int, size: Array, inner: int | None = None) -> None:
        """Store the fields."""
        self.rows = rows
        self.room = room
        self.size = size
        self.inner = inner

    def tree_flatten(self) -> tuple[Any, Any]:
        """Return what JAX carries, and what it compares."""
        if type(self.size) is int:
            return (self.rows, None), (self.room, self.size, self.inner)
        return (self.rows, self.size), (self.room, None, self.inner)

    @classmethod
    def tree_unflatten(cls, fixed: Any, carried: Any) -> Rows:
        """Return the list of what `tree_flatten` returned."""
        room, size, inner = fixed
        return cls(carried[0], room, carried[1] if size is None else size, inner)

    @property
    def known_size(self) -> int:
        """The number of entries. Raises Unsupported if the trace does not know it."""
        if type(self.size) is not int:
            raise Unsupported("a list whose length the compiler does not know")
        return self.size

    def lacks(self, end: Array) -> bool:
        """Return whether this list has no storage, and the same list after a round has."""
        if not isinstance(end, Rows) or self.rows is not None:
            return False
        return end.rows is not None or self.inner != end.inner

    def with_storage_of(self, end: Rows) -> Rows:
        """Return the list with storage for entries as in another one."""
        rows = end.rows
        if rows is not None:
            rows = jnp.zeros((self.room, *rows.shape[1:]), rows.dtype)
        return Rows(rows, self.room, self.size, end.inner)

    def growing(self, count: int) -> Rows:
        """Return the list with room for more entries, and a length that JAX carries."""
        room = self.known_size + count
        size = jnp.asarray(self.known_size, "int32")
        rows = None if self.rows is None else _padded(self.rows, room)
        return Rows(rows, room, size, self.inner)

    def resized(self, size: int) -> Rows:
        """Return the list cut or extended."""
        rows = None if self.rows is None else _padded(self.rows[: self.known_size], size)
        return Rows(rows, size, size, self.inner)

    def with_entry(self, index: Array, item: Array) -> Rows:
        """Return the list with one entry, inside the room, replaced."""
        if isinstance(item, Rows):
            inner = item.known_size
            if self.inner != inner and (self.inner is not None or self.rows is not None):
                raise Unsupported("a list of lists of several lengths")
            held = Rows(self.rows, self.room, self.size, inner)
            return held if item.rows is None else held.with_entry(index, item.rows)
        if self.rows is None:
            return self._of(jnp.zeros((self.room, *item.shape), item.dtype)).with_entry(index, item)
        if (self.rows.shape[1:], self.rows.dtype) != (item.shape, item.dtype):
            raise Unsupported("a list of arrays of several shapes")
        return self._of(updated(jnp.asarray(self.rows), (index,), "set", item))

    def appended(self, item: Array) -> Rows:
        """Return the list with one more entry."""
        if type(self.size) is int:
            return self.resized(self.size + 1).with_entry(self.size, item)
        longer = self.with_entry(self.size, item)
        return Rows(longer.rows, self.room, self.size + 1, longer.inner)

    def entries(self, dims: Sequence[int], dtype: DTypeLike) -> Any:
        """Return the entries as one array; of `dims` and `dtype` if none is written."""
        if self.inner is not None:
            raise Unsupported("a stack of lists")
        if self.rows is None:
            return jnp.zeros((self.known_size, *dims), dtype)
        return self.rows[: self.known_size]

    def _of(self, rows: Array) -> Rows:
        return Rows(rows, self.room, self.size, self.inner)


def _padded(rows: Array, length: int) -> Any:
    more = max(0, length - len(rows))
    return jnp.pad(rows[:length], [(0, more)] + [(0, 0)] * (rows.ndim - 1))


def _checked(scope: Scope, held: Rows, index: Array) -> Any:
    scope.fail_if((index < 0) | (index >= held.size))
    return index


def _new(scope: Scope, op: Operation, values: Sequence[Any]) -> Rows:
    size = int(values[0])
    return Rows(None, size, size)


def _of_rows(scope: Scope, op: Operation, values: Sequence[Any]) -> Rows:
    return Rows(values[0], len(values[0]), len(values[0]))


def _set(scope: Scope, op: Operation, values: Sequence[Any]) -> Rows:
    held, index, item = values
    if op.attrs["resize"]:
        held = held.resized(max(held.known_size, int(index) + 1))
    return held.with_entry(_checked(scope, held, index), item)  # type: ignore[no-any-return]


def _push(scope: Scope, op: Operation, values: Sequence[Any]) -> Rows:
    return values[0].appended(values[1])  # type: ignore[no-any-return]


def _resize(scope: Scope, op: Operation, values: Sequence[Any]) -> Rows:
    return values[0].resized(int(values[1]))  # type: ignore[no-any-return]


def _length(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    size = values[0].size
    return np.int32(size) if type(size) is int else size


def _dims(element: TensorSpec) -> Any:
    # The kernel raises for an entry of unknown shape that is not written.
    if element_count(element.dims) is None:
        raise Unsupported("a list of arrays of unknown shape")
    return element.dims


def _get(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    held, index = values
    if held.inner is not None:
        return _inner(held, _checked(scope, held, index))
    element = op.attrs["element"]
    return _entry(scope, held, index, _dims(element), element.dtype.numpy_dtype)


def _inner(held: Rows, index: Array) -> Rows:
    rows = None if held.rows is None else jnp.asarray(held.rows)[index]
    return Rows(rows, held.inner or 0, held.inner or 0)


def _get_like(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    held, index, like = values
    if held.inner is not None:
        return _inner(held, _checked(scope, held, index))
    if isinstance(like, Rows):
        return Rows(None, like.known_size, like.known_size)
    return _entry(scope, held, index, like.shape, like.dtype)


def _entry(scope: Scope, held: Rows, index: Array, dims: Dims, dtype: DType) -> Any:
    index = _checked(scope, held, index)
    if held.rows is None:
        return jnp.zeros(dims, dtype)
    return jnp.asarray(held.rows)[index]


def _stack(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    element = op.attrs["element"]
    return values[0].entries(_dims(element), element.dtype.numpy_dtype)


def _stack_like(scope: Scope, op: Operation, values: Sequence[Any]) -> Any:
    held, like = values
    return held.entries(like.shape[1:], like.dtype)


def _sum(scope: Scope, op: Operation, values: Sequence[Any]) -> Rows:
    one, other = (value.resized(max(v.known_size for v in values)) for value in values)
    if one.rows is None or other.rows is None:
        return other if one.rows is None else one  # type: ignore[no-any-return]
    return Rows(one.rows + other.rows, one.room, one.size, one.inner)


RULES: dict[Emit | None, Rule] = {
    Emit.NEW_LIST: _new,
    Emit.LIST_OF_ROWS: _of_rows,
    Emit.SET_ENTRY: _set,
    Emit.PUSHED: _push,
    Emit.RESIZED: _resize,
    Emit.LENGTH: _length,
    Emit.ENTRY: _get,
    Emit.ENTRY_LIKE: _get_like,
    Emit.STACK: _stack,
    Emit.STACK_LIKE: _stack_like,
    Emit.SUM_OF_LISTS: _sum,
}


def pushes(body: Any, place: int) -> int | None:
    """Return how many entries each round appends to a carried list; None if it also changes
    otherwise.
    """
    start, end, count = body.inputs[place], body.outputs[place], 0
    while end is not start:
        if end.op.definition.emit is not Emit.PUSHED:
            return None
        end, count = end.op.inputs[0], count + 1
    return count
