"""What a Python value held when it was looked at, to tell later whether it still holds the same.

Numbers and strings count by value, collections and arrays by their contents, all other objects by
identity. Objects are not kept alive.
"""

from __future__ import annotations

import array
import operator
import weakref
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.reach.places import items_of
from autograph.reach.walk import ATOMS


class Snapshot(ABC):
    """What a value held."""

    __slots__ = ()

    @abstractmethod
    def matches(self, value: Any) -> bool:
        """Whether a graph recorded with what was held then serves for `value`, too."""


def snapshot(
    value: Any, apart: frozenset[int] = frozenset(), seen: set[int] | None = None
) -> Snapshot:
    """Return what `value` holds now.

    Args:
      value: any object.
      apart: addresses of collections of which only the identity counts.
      seen: gets the addresses of the collections whose contents count.

    Returns:
      What matches only values that a graph may take for this one.

    >>> held = snapshot({"rate": [0.5, 1]})
    >>> held.matches({"rate": [0.5, 1]}), held.matches({"rate": [0.5, True]})
    (True, False)
    """
    kind = type(value)
    if kind in ATOMS:
        return Plain(value)
    parts = None if id(value) in apart else _parts_of(kind)
    if parts is None:
        return Same(value)
    if seen is not None:
        seen.add(id(value))
    if issubclass(kind, np.ndarray) and not value.dtype.hasobject:
        return Array(value)
    return Contents(value, parts, apart | {id(value)}, seen)


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
        """The value as it is written."""
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
        except TypeError:  # Without weak references its address has to do.
            self.reference = None

    def matches(self, value: Any) -> bool:
        """Whether `value` is the object."""
        if self.reference is None:
            return self._address == id(value)
        return self.reference() is value

    def __str__(self) -> str:
        """The class of the object."""
        return f"a {self._name}"


class Array(Snapshot):
    """A NumPy array: dtype, shape and bytes."""

    __slots__ = ("_bytes", "_dtype", "_kind", "_shape")

    def __init__(self, value: np.ndarray[Any, Any]) -> None:
        """Copies the bytes, past what a subclass may do."""
        self._kind = type(value)
        self._dtype = value.dtype
        self._shape = value.shape
        self._bytes = np.array(value, subok=False).tobytes()

    def matches(self, value: Any) -> bool:
        """Whether it is an array of the same class, dtype and shape, with the same bytes."""
        if type(value) is not self._kind:
            return False
        if value.dtype != self._dtype or value.shape != self._shape:
            return False
        return bool(value.tobytes() == self._bytes)

    def __str__(self) -> str:
        """Its dtype and shape."""
        return f"an array of {self._dtype} of shape {self._shape}"


class Contents(Snapshot):
    """A collection: its class, and what each of its parts held.

    Args:
      value: the collection.
      parts: returns the parts of one of its class.
      apart, seen: as for `snapshot`.
    """

    __slots__ = ("_held", "_kind", "_parts", "_plain", "_text")

    def __init__(
        self,
        value: Any,
        parts: Callable[[Any], tuple[Any, ...]],
        apart: frozenset[int] = frozenset(),
        seen: set[int] | None = None,
    ) -> None:
        """Looks at every part."""
        self._kind = type(value)
        self._parts = parts
        held = parts(value)
        self._plain = held if all(type(part) in ATOMS for part in held) else ()
        self._held = tuple(snapshot(part, apart, seen) for part in held)
        self._text = _described(value)

    def matches(self, value: Any) -> bool:
        """Whether it is of the same class and each part matches."""
        if type(value) is not self._kind:
            return False
        parts = self._parts(value)
        if len(parts) != len(self._held):
            return False
        if self._plain and all(map(operator.is_, self._plain, parts)):
            return True
        return all(map(_matches, self._held, parts))

    def __str__(self) -> str:
        """Its class and size."""
        return self._text


def _matches(held: Snapshot, value: Any) -> bool:
    return held.matches(value)


def _described(value: Any) -> str:
    kind = type(value)
    counts = issubclass(kind, (list, tuple, deque, set, frozenset))
    return f"a {kind.__name__} of {len(value)}" if counts else f"a {kind.__name__}"


def _parts_of(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    return next((parts for base, parts in _PARTS if issubclass(kind, base)), None)


def _of_dict(value: Any) -> tuple[Any, ...]:
    items = items_of(value)
    return (*items, *items.values())


def _of_set(value: Any) -> tuple[Any, ...]:
    """The members in an order that does not depend on how the set came to be."""
    base: Any = set if issubclass(type(value), set) else frozenset
    return tuple(sorted(base.__iter__(value), key=_rank))


def _rank(member: Any) -> int:
    return hash(member) if type(member) in ATOMS else id(member)


_PARTS: tuple[tuple[type, Callable[[Any], tuple[Any, ...]]], ...] = (
    (list, lambda value: tuple(list.__iter__(value))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (deque, lambda value: tuple(deque.__iter__(value))),
    (dict, _of_dict),
    (set, _of_set),
    (frozenset, _of_set),
    (np.ndarray, lambda value: (*value.shape, *value.ravel().tolist())),
    (bytearray, lambda value: (bytes(value),)),
    (array.array, lambda value: (value.typecode, bytes(value))),
)
"""The parts of each kind of collection, found without running code of the program."""


def first_difference(held: Snapshot, value: Any) -> str:
    """Return what a value holds in place of what it held, in words for a message.

    >>> first_difference(snapshot(2.0), 5.0)
    '2.0 -> 5.0'
    """
    now = snapshot(value)
    before, after = str(held), str(now)
    return f"{before} -> {after}" if before != after else f"{after} with other contents"
