"""The stand-in for a tuple whose length is known only at run time: a slice by tensors."""

from __future__ import annotations

from typing import Any, NoReturn

from runtime.control_flow.values.growing import GrowingList


class GrowingTuple(GrowingList):
    """A tuple of tensors, or of tuples of tensors, whose length is known only at run time.

    It is read like a tuple. It is not a result, a text or a state of a staged statement, for which
    a graph has lists.
    """

    represents = tuple
    change = "is sliced by a tensor"
    remedy = "Slice a list, `list(t)[a:b]`, or a tensor."

    @classmethod
    def like(cls, items: GrowingList) -> GrowingTuple:
        """Return a tuple of the elements of a list."""
        return cls(items.columns, items.node)

    def as_list(self) -> GrowingList:
        """Return a list of the elements."""
        return GrowingList(self.columns, self.node)

    def check_is_part(self) -> NoReturn:
        """Raise: a tuple of unknown length cannot be returned or stored in another object."""
        self.refuse("is returned, held by another object or chosen")

    def __getitem__(self, index: object) -> Any:
        found = super().__getitem__(index)
        return GrowingTuple.like(found) if isinstance(index, slice) else found

    def __eq__(self, other: object) -> Any:
        """Return whether another tuple has equal elements, as a tensor."""
        if isinstance(other, tuple):
            return super().__eq__(list(other))
        return super().__eq__(other) if isinstance(other, GrowingTuple) else False

    def __hash__(self) -> int:
        """Raise: the elements are known only at run time."""
        self.refuse("is a key or member, or is hashed")

    def __add__(self, other: object) -> GrowingTuple:
        _check_is_tuple(other)
        joined = self.as_list()
        joined.extend(list(other) if isinstance(other, tuple) else other)
        return GrowingTuple.like(joined)

    def __radd__(self, other: object) -> GrowingTuple:
        """Return the concatenation of a Python tuple and this one."""
        _check_is_tuple(other)
        assert isinstance(other, tuple)
        joined = GrowingList.of(list(other), self.columns, self.node)
        joined.extend(self)
        return GrowingTuple.like(joined)

    __iadd__ = __add__

    def __mul__(self, times: Any) -> GrowingTuple:
        return GrowingTuple.like(self.as_list() * times)

    __rmul__ = __imul__ = __mul__

    def __setitem__(self, index: object, value: object) -> NoReturn:
        """Raise, as for a tuple."""
        raise TypeError("'tuple' object does not support item assignment")

    def __delitem__(self, index: object) -> NoReturn:
        """Raise, as for a tuple."""
        raise TypeError("'tuple' object doesn't support item deletion")

    def __getattribute__(self, name: str) -> Any:
        """Raise for a method that changes a list."""
        if name in _OF_LISTS:
            raise AttributeError(f"'tuple' object has no attribute {name!r}")
        return super().__getattribute__(name)


_OF_LISTS = frozenset(
    {"append", "extend", "insert", "pop", "remove", "reverse", "clear", "sort"}
)  # fmt: skip


def _check_is_tuple(other: object) -> None:
    if not isinstance(other, (tuple, GrowingTuple)):
        kind = type(other).__name__
        raise TypeError(f'can only concatenate tuple (not "{kind}") to tuple')
