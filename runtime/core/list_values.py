"""Values of lists of tensors: persistent lists of arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.core.aliases import Array
from runtime.core.errors import InvalidArgumentError, OutOfRangeError


class ListBoundsError(OutOfRangeError, InvalidArgumentError, IndexError):
    """An index of a list is out of bounds.

    It is an `OutOfRangeError`, an `InvalidArgumentError` and an `IndexError`, so that a program
    catches it alike in eager and in traced code.
    """


class ListValue:
    """An immutable list of arrays, some of which may not be written yet.

    Appending to the newest version of a list shares its storage, so a loop that fills a list takes
    linear time.
    """

    __slots__ = ("_filled", "_storage", "size")

    def __init__(self, storage: list[Any], filled: int, size: int) -> None:
        """Hold the first `filled` entries of `storage`; None is an entry not written."""
        self._storage = storage
        self._filled = filled
        self.size = size

    @classmethod
    def of(cls, arrays: Iterable[Array]) -> ListValue:
        """Return the list of these arrays."""
        entries = list(arrays)
        if entries and isinstance(entries[0], bytes):
            # Rows of a vector of strings; stacked as bytes they would have the longest's length.
            entries = [np.array(each, object) for each in entries]
        return cls(entries, len(entries), len(entries))

    def get(self, index: int) -> Any:
        """Return one entry or None; raises ListBoundsError out of bounds."""
        if not 0 <= index < self.size:
            raise ListBoundsError.of(
                f"Tried to read from index {index} but array size is: {self.size}. "
                f"Trying to access element {index} in a list with {self.size} elements."
            )
        return self._storage[index] if index < self._filled else None

    def with_item(self, index: int, value: object, resize: bool = False) -> ListValue:
        """Return the list with one entry replaced, extended to `index` if `resize`.

        Raises: ListBoundsError out of bounds.
        """
        if index < 0:
            text = f"Writing to negative indices (index {index}) is not allowed."
            raise ListBoundsError.of(text)
        if index >= self.size and not resize:
            raise ListBoundsError.of(
                f"Tried to write to index {index} but array is not resizeable and size is: "
                f"{self.size}"
            )
        return self._stored(index, value, max(self.size, index + 1))

    def _stored(self, index: int, value: object, size: int) -> ListValue:
        storage = self._storage
        if index == self._filled == len(storage):
            storage.append(value)
            # If another thread has appended first, this value stays in the storage unread.
            if storage[index] is value:
                return ListValue(storage, index + 1, size)
        filled = max(self._filled, index + 1)
        entries = self._storage[: self._filled] + [None] * (filled - self._filled)
        entries[index] = value
        return ListValue(entries, filled, size)

    def appended(self, value: object) -> ListValue:
        """Return the list with an entry appended."""
        return self._stored(self.size, value, self.size + 1)

    def resized(self, size: int) -> ListValue:
        """Return the list truncated or extended by entries not written.

        Raises: ListBoundsError if the size is negative.
        """
        if size < 0:
            raise ListBoundsError.of(f"a list cannot have the size {size}")
        return ListValue(self._storage, min(self._filled, size), size)

    def removed(self, index: int) -> ListValue:
        """Return the list without one entry; raises ListBoundsError if there is none."""
        self.get(index)
        entries = self.entries()
        del entries[index]
        return ListValue(entries, len(entries), len(entries))

    def inserted(self, index: int, value: object) -> ListValue:
        """Return the list with an entry before another one, or at the end.

        Raises: ListBoundsError for another index.
        """
        if not 0 <= index <= self.size:
            raise ListBoundsError.of(f"an entry cannot be inserted at {index} of {self.size}")
        entries = self.entries()
        entries.insert(index, value)
        return ListValue(entries, len(entries), len(entries))

    def numbers(self, zero: complex) -> list[Any]:
        """Return all entries, scalars, as Python numbers; `zero` for one not written."""
        return [zero if entry is None else entry.item() for entry in self.entries()]

    def arrays(self, zeros: Array) -> list[Any]:
        """Return all entries; `zeros` for one not written."""
        return [zeros if entry is None else entry for entry in self.entries()]

    def entries(self) -> list[Any]:
        """Return all entries; None for one not written."""
        return self._storage[: self._filled] + [None] * (self.size - self._filled)
