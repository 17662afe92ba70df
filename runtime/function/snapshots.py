"""What a Python value held when it was looked at, to tell later whether it still holds the same.

Numbers and strings count by value, collections and arrays by what is in them, everything else by
identity. Objects are not kept alive.
"""

from __future__ import annotations

import array
import collections
import operator
import weakref
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

BY_VALUE = (bool, int, float, complex, str, bytes, type(None))
_SEQUENCES = (list, tuple, collections.deque)
_SETS = (set, frozenset)
COLLECTIONS = (*_SEQUENCES, *_SETS, dict)
_BUFFERS = (np.ndarray, bytearray, array.array)

_BLOCK = 32_768
"""Bytes compared at once: copies of them stay in the cache."""


class Snapshot(ABC):
    """What a value held."""

    __slots__ = ()

    @abstractmethod
    def matches(self, value: Any) -> bool:
        """Whether a graph recorded with what was held then serves for `value`, too."""


def snapshot(value: Any, around: frozenset[int] = frozenset()) -> Snapshot:
    """What `value` holds now.

    Args:
      value: any object.
      around: addresses of the collections that it is an item of, and of others of which only the
        identity counts.

    Returns:
      What matches only values that a graph may take for this one.

    >>> held = snapshot({"rate": [0.5, 1]})
    >>> held.matches({"rate": [0.5, 1]}), held.matches({"rate": [0.5, True]})
    (True, False)
    """
    kind = type(value)
    if kind in BY_VALUE:
        return Plain(value)
    if id(value) in around:
        return Same(value)
    if issubclass(kind, COLLECTIONS):
        return _of_collection(value, around | {id(value)})
    if issubclass(kind, _BUFFERS):
        return _of_buffer(value, around | {id(value)})
    return Same(value)


def _of_collection(value: Any, around: frozenset[int]) -> Snapshot:
    kind = type(value)
    if issubclass(kind, _SETS):
        return Members(value)
    if issubclass(kind, dict):
        return Entries(value, around)
    return Items(value, around)


def _of_buffer(value: Any, around: frozenset[int]) -> Snapshot:
    if not isinstance(value, np.ndarray):
        return Content(value)
    if value.dtype.hasobject:
        return ObjectArray(value, around)
    return ArrayContent(value)


class Plain(Snapshot):
    """A number, a string or None: its type and its value; 0.0 and -0.0 are two values."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        """Keeps the value."""
        self._value = value

    def matches(self, value: Any) -> bool:
        """Whether it is of the same type and written alike."""
        held = self._value
        if value is held:
            return True
        kind = type(held)
        if type(value) is not kind:
            return False
        if kind is float or kind is complex:
            return repr(value) == repr(held)
        return bool(value == held)

    def __str__(self) -> str:
        """Gives the value as it is written."""
        return repr(self._value)


class Same(Snapshot):
    """One object, as long as it exists."""

    __slots__ = ("_address", "_name", "reference")

    def __init__(self, held: Any) -> None:
        """Refers to the object."""
        self._address = id(held)
        self._name = type(held).__name__
        try:
            self.reference: Any = weakref.ref(held)
        except TypeError:  # What cannot be held weakly is compared by its address.
            self.reference = None

    def matches(self, value: Any) -> bool:
        """Whether `value` is the object."""
        if self.reference is None:
            return self._address == id(value)
        return self.reference() is value

    def __str__(self) -> str:
        """Gives the class of the object."""
        return f"a {self._name}"


class Items(Snapshot):
    """A list, tuple or deque: what its items held, in their order."""

    __slots__ = ("_base", "_items", "_kind", "_plain")

    def __init__(self, value: Any, around: frozenset[int] = frozenset()) -> None:
        """Looks at every item."""
        self._kind = type(value)
        self._base = _base(self._kind, _SEQUENCES)
        items = tuple(self._base.__iter__(value))
        self._plain = items if all(type(item) in BY_VALUE for item in items) else ()
        self._items = tuple(snapshot(item, around) for item in items)

    def matches(self, value: Any) -> bool:
        """Whether it is of the same class and each item matches."""
        if type(value) is not self._kind:
            return False
        items = tuple(self._base.__iter__(value))
        if len(items) != len(self._items):
            return False
        if self._plain and all(map(operator.is_, self._plain, items)):
            return True
        return all(map(_matches, self._items, items))

    def __str__(self) -> str:
        """Gives its class and length."""
        return f"a {self._kind.__name__} of {len(self._items)}"


class Entries(Snapshot):
    """A dict: what its keys and values held, in their order."""

    __slots__ = ("_keys", "_kind", "_values")

    def __init__(self, value: dict[Any, Any], around: frozenset[int] = frozenset()) -> None:
        """Looks at every entry."""
        self._kind = type(value)
        self._keys = Items(list(dict.keys(value)), around)
        self._values = Items(list(dict.values(value)), around)

    def matches(self, value: Any) -> bool:
        """Whether it is of the same class, with the same entries in the same order."""
        if type(value) is not self._kind:
            return False
        return self._keys.matches(list(dict.keys(value))) and self._values.matches(
            list(dict.values(value))
        )

    def __str__(self) -> str:
        """Gives its class."""
        return f"a {self._kind.__name__}"


class Members(Snapshot):
    """A set: its members, by value where they are numbers or strings, else by identity."""

    __slots__ = ("_kind", "_members")

    def __init__(self, value: set[Any] | frozenset[Any]) -> None:
        """Looks at every member."""
        self._kind = type(value)
        self._members = _members(value)

    def matches(self, value: Any) -> bool:
        """Whether it has the same members."""
        return type(value) is self._kind and _members(value) == self._members

    def __str__(self) -> str:
        """Gives its class and size."""
        return f"a {self._kind.__name__} of {len(self._members)}"


class Content(Snapshot):
    """The bytes of a bytearray or an array of the standard library."""

    __slots__ = ("_content", "_kind", "_typecode")

    def __init__(self, value: Any) -> None:
        """Copies the bytes."""
        self._kind = type(value)
        self._typecode = getattr(value, "typecode", "B")
        self._content = bytes(value)

    def matches(self, value: Any) -> bool:
        """Whether it is of the same class and element type, with the same bytes."""
        if type(value) is not self._kind or getattr(value, "typecode", "B") != self._typecode:
            return False
        return bytes(value) == self._content

    def __str__(self) -> str:
        """Gives its class."""
        return f"a {self._kind.__name__}"


class ArrayContent(Snapshot):
    """A NumPy array: dtype, shape and bytes."""

    __slots__ = ("_array", "_bytes", "_kind")

    def __init__(self, value: np.ndarray[Any, Any]) -> None:
        """Copies the array."""
        self._kind = type(value)
        self._array = np.array(value, order="C", subok=False)
        self._bytes = self._array.reshape(-1).view(np.uint8)

    def matches(self, value: Any) -> bool:
        """Whether it is an array of the same class, dtype and shape, with the same bytes."""
        held = self._array
        if type(value) is not self._kind:
            return False
        if value.dtype != held.dtype or value.shape != held.shape:
            return False
        if held.nbytes <= _BLOCK // 4:
            return bool(value.tobytes() == held.tobytes())
        now = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
        starts = range(0, held.nbytes, _BLOCK)
        return all(_equal_bytes(now[i : i + _BLOCK], self._bytes[i : i + _BLOCK]) for i in starts)

    def __str__(self) -> str:
        """Gives class, dtype and shape."""
        return f"an array of {self._array.dtype} of shape {self._array.shape}"


class ObjectArray(Snapshot):
    """A NumPy array of Python objects: what each of them held."""

    __slots__ = ("_items", "_kind", "_shape")

    def __init__(self, value: np.ndarray[Any, Any], around: frozenset[int]) -> None:
        """Looks at every element."""
        self._kind = type(value)
        self._shape = value.shape
        self._items = Items(value.ravel().tolist(), around)

    def matches(self, value: Any) -> bool:
        """Whether it has the same shape and each element matches."""
        if type(value) is not self._kind or value.shape != self._shape:
            return False
        return self._items.matches(value.ravel().tolist())

    def __str__(self) -> str:
        """Gives the shape."""
        return f"an array of objects of shape {self._shape}"


def _matches(held: Snapshot, value: Any) -> bool:
    return held.matches(value)


def _base(kind: type, bases: tuple[type, ...]) -> Any:
    """The built-in class whose methods look into `kind` without running code of the program."""
    return next(base for base in bases if issubclass(kind, base))


def _members(value: Any) -> frozenset[Any]:
    base = _base(type(value), _SETS)
    return frozenset(map(_member, tuple(base.__iter__(value))))


def _member(value: Any) -> Any:
    kind = type(value)
    if kind is float or kind is complex:
        return kind, repr(value)
    if kind in BY_VALUE:
        return kind, value
    if kind is tuple or kind is frozenset:
        return kind, kind(map(_member, value))
    return kind, id(value)


def _equal_bytes(now: np.ndarray[Any, Any], held: np.ndarray[Any, Any]) -> bool:
    words = len(now) - len(now) % 8
    if not np.array_equal(now[:words].view(np.uint64), held[:words].view(np.uint64)):
        return False
    return bytes(now[words:]) == bytes(held[words:])


def first_difference(held: Snapshot, value: Any) -> str:
    """What a value holds in place of what it held, in words for a message.

    >>> first_difference(snapshot(2.0), 5.0)
    '2.0 -> 5.0'
    """
    now = snapshot(value)
    before, after = str(held), str(now)
    return f"{before} -> {after}" if before != after else f"{after} with other contents"
