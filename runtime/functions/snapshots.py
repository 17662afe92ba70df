"""Snapshots of Python values, to test later whether they changed.

Numbers and strings compare by value, collections and arrays by contents, all other objects by
identity. Snapshots do not keep objects alive.
"""

from __future__ import annotations

import array
import operator
import weakref
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.reach.places import parts_of
from autograph.reach.walk import ATOMS


class Identities(NamedTuple):
    """Ids of the collections that are compared by identity.

    Attributes:
      apart: compared by identity only. None of them may replace another collection.
      kept: compared by identity and by contents.
    """

    apart: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()


NO_IDENTITIES = Identities()


class Snapshot(ABC):
    """The state of a value at one time."""

    __slots__ = ()

    @abstractmethod
    def matches(self, value: object) -> bool:
        """Return whether a graph traced with the former value also serves `value`."""


def snapshot(
    value: Any,
    identities: Identities = NO_IDENTITIES,
    seen: set[int] | None = None,
    around: frozenset[int] = frozenset(),
) -> Snapshot:
    """Return a snapshot that matches only values for which a graph is valid.

    `identities` are the collections whose identity counts. `seen` receives the ids of collections
    compared by contents. `around` are the ids of the collections that hold the value.

    >>> held = snapshot({"rate": [0.5, 1]})
    >>> held.matches({"rate": [0.5, 1]}), held.matches({"rate": [0.5, True]})
    (True, False)
    """
    kind = type(value)
    if kind in ATOMS:
        return Plain(value)
    is_apart = id(value) in identities.apart or id(value) in around
    parts = None if is_apart else _parts_of(kind)
    if parts is None:
        return Same(value)
    if seen is not None:
        seen.add(id(value))
    if issubclass(kind, np.ndarray) and not value.dtype.hasobject:
        return Array(value)
    return Contents(value, parts, identities, seen, around | {id(value)})


class Plain(Snapshot):
    """A number, a string or None: its type and value; 0.0 and -0.0 differ.

    Attributes:
      value: the value.
    """

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def matches(self, value: object) -> bool:
        """Return whether type and text form are equal."""
        held = self.value
        if value is held:
            return True
        kind = type(held)
        if type(value) is not kind:
            return False
        if kind is float or kind is complex:
            return repr(value) == repr(held)
        return bool(value == held)

    def __str__(self) -> str:
        return repr(self.value)


class Same(Snapshot):
    """One object, as long as it exists and is of its class.

    Attributes:
      reference: a weak reference to the object. An object that has none is held: another one could
        get its address.
      keeps_class: whether no assignment to `__class__` can change its class.
    """

    __slots__ = ("_kind", "_name", "keeps_class", "reference")

    def __init__(self, held: object) -> None:
        self._kind = id(type(held))
        self._name = type(held).__name__
        self.keeps_class = issubclass(type(held), type) or not type(held).__flags__ & _HEAP_TYPE
        try:
            self.reference: Callable[[], object] = weakref.ref(held)
        except TypeError:
            self.reference = lambda: held

    def matches(self, value: object) -> bool:
        """Return whether `value` is the object, of the same class."""
        return self._kind == id(type(value)) and self.reference() is value

    def __str__(self) -> str:
        return f"a {self._name}"


_HEAP_TYPE = 1 << 9
"""Flag of classes that a program defines (Py_TPFLAGS_HEAPTYPE)."""


class Array(Snapshot):
    """A NumPy array: dtype, shape and bytes."""

    __slots__ = ("_bytes", "_dtype", "_kind", "_shape")

    def __init__(self, value: np.ndarray[Any, Any]) -> None:
        """Copy the bytes without the methods of a subclass."""
        self._kind = type(value)
        self._dtype = value.dtype
        self._shape = value.shape
        self._bytes = np.array(value, subok=False).tobytes()

    def matches(self, value: object) -> bool:
        """Return whether class, dtype, shape and bytes are equal."""
        if type(value) is not self._kind:
            return False
        if value.dtype != self._dtype or value.shape != self._shape:
            return False
        return bool(value.tobytes() == self._bytes)

    def __str__(self) -> str:
        return f"an array of {self._dtype} of shape {self._shape}"


class Contents(Snapshot):
    """A collection: its class and snapshots of its parts."""

    __slots__ = ("_address", "_apart", "_held", "_kind", "_parts", "_plain", "_text")

    def __init__(
        self,
        value: object,
        parts: Callable[[Any], tuple[Any, ...]],
        identities: Identities,
        seen: set[int] | None,
        around: frozenset[int],
    ) -> None:
        """Take a snapshot of every part."""
        self._address = id(value) if id(value) in identities.kept else None
        self._apart = identities.apart
        self._kind = type(value)
        self._parts = parts
        held = parts(value)
        self._plain = held if all(type(part) in ATOMS for part in held) else ()
        self._held = tuple(snapshot(part, identities, seen, around) for part in held)
        self._text = _described(value)

    def matches(self, value: object) -> bool:
        """Return whether the class, the identity if it counts, and each part match."""
        if type(value) is not self._kind or self._address not in (None, id(value)):
            return False
        if id(value) in self._apart:
            return False
        parts = self._parts(value)
        if len(parts) != len(self._held):
            return False
        if self._plain and all(map(operator.is_, self._plain, parts)):
            return True
        return all(map(_matches, self._held, parts))

    def __str__(self) -> str:
        return self._text


def _matches(held: Snapshot, value: object) -> bool:
    return held.matches(value)


def _described(value: Any) -> str:
    kind = type(value)
    counts = issubclass(kind, (list, tuple, deque, set, frozenset))
    return f"a {kind.__name__} of {len(value)}" if counts else f"a {kind.__name__}"


def _parts_of(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    return next((parts for base, parts in _PARTS if issubclass(kind, base)), None)


def _of_dict(value: object) -> tuple[Any, ...]:
    keys, items = parts_of(value)
    return (*keys, *items)


def _of_set(value: object) -> tuple[Any, ...]:
    """Return the members in an order independent of the insertion order."""
    base: Any = set if issubclass(type(value), set) else frozenset
    return tuple(sorted(base.__iter__(value), key=_rank))


def _rank(member: object) -> int:
    return hash(member) if type(member) in ATOMS else id(member)


_PARTS: tuple[tuple[type, Callable[[Any], tuple[Any, ...]]], ...] = (
    (list, lambda value: tuple(list.__iter__(value))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (deque, lambda value: tuple(deque.__iter__(value))),
    (dict, _of_dict),
    (slice, lambda value: (value.start, value.stop, value.step)),
    (set, _of_set),
    (frozenset, _of_set),
    (np.ndarray, lambda value: (*value.shape, *value.ravel().tolist())),
    (bytearray, lambda value: (bytes(value),)),
    (array.array, lambda value: (value.typecode, bytes(value))),
    (weakref.ref, lambda value: (weakref.ref.__call__(value),)),
    (weakref.finalize, lambda value: (id(value), value.alive, value.atexit)),
)
"""The parts of each kind of collection, read without running code of the program."""


def first_difference(held: Snapshot, value: object) -> str:
    """Describe the change of a value.

    >>> first_difference(snapshot(2.0), 5.0)
    '2.0 -> 5.0'
    """
    now = snapshot(value)
    before, after = str(held), str(now)
    return f"{before} -> {after}" if before != after else f"{after} with other contents"
