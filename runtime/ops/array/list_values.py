"""The values of lists of tensors, which never change: each change gives a new list."""

from __future__ import annotations

from typing import Any

from runtime.core.errors import InvalidArgumentError, OutOfRangeError


class ListBoundsError(OutOfRangeError, InvalidArgumentError, IndexError):
    """A list has no such entry.

    It is an `OutOfRangeError`, an `InvalidArgumentError` and an `IndexError`, so that a program
    catches it alike in eager and in traced code.
    """


class ListValue:
    """A list of arrays, some of which may not be written yet.

    Appending to the newest version of a list reuses its storage, so a loop that fills a list
    takes time in proportion to its length.
    """

    __slots__ = ("_filled", "_storage", "size")

    def __init__(self, storage: list[Any], filled: int, size: int) -> None:
        """Holds the first `filled` entries of `storage`; None stands for one not written."""
        self._storage = storage
        self._filled = filled
        self.size = size

    @classmethod
    def of(cls, arrays: Any) -> ListValue:
        """The list of these arrays."""
        entries = list(arrays)
        return cls(entries, len(entries), len(entries))

    def get(self, index: int) -> Any:
        """One entry, or None. Raises ListBoundsError out of bounds."""
        if not 0 <= index < self.size:
            raise ListBoundsError.of(
                f"Tried to read from index {index} but array size is: {self.size}. "
                f"Trying to access element {index} in a list with {self.size} elements.",
            )
        return self._storage[index] if index < self._filled else None

    def with_item(self, index: int, value: Any, resize: bool = False) -> ListValue:
        """The list with another entry, longer if need be and `resize` allows it.

        Raises: ListBoundsError out of bounds.
        """
        if index < 0:
            text = f"Writing to negative indices (index {index}) is not allowed."
            raise ListBoundsError.of(text)
        if index >= self.size and not resize:
            raise ListBoundsError.of(
                f"Tried to write to index {index} but array is not resizeable and size is: "
                f"{self.size}",
            )
        return self._stored(index, value, max(self.size, index + 1))

    def _stored(self, index: int, value: Any, size: int) -> ListValue:
        storage = self._storage
        if index == self._filled == len(storage):
            storage.append(value)
            # Another thread may have appended first: then what was appended here is never read.
            if storage[index] is value:
                return ListValue(storage, index + 1, size)
        filled = max(self._filled, index + 1)
        entries = self._storage[: self._filled] + [None] * (filled - self._filled)
        entries[index] = value
        return ListValue(entries, filled, size)

    def appended(self, value: Any) -> ListValue:
        """The list with one entry more at its end."""
        return self._stored(self.size, value, self.size + 1)

    def resized(self, size: int) -> ListValue:
        """The list with `size` entries: cut off, or with entries not written."""
        return ListValue(self._storage, min(self._filled, size), size)

    def entries(self) -> list[Any]:
        """All entries; None for one not written."""
        return self._storage[: self._filled] + [None] * (self.size - self._filled)
