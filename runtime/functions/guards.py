"""Guards: Python values that a trace reads besides its arguments.

A trace freezes the values that the function reads outside. Each graph remembers these values and
serves a call only while they are unchanged. Places that the function itself changes are side
effects and have no guard. Attributes of runtime objects (layers, modules, optimizers, losses,
metrics) are such values, too.
"""

from __future__ import annotations

import types
import weakref
from abc import get_cache_token
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np

from autograph.conversion.class_facts import dictionary_of, direct_bases_of
from autograph.reach.classes import once_per_class
from autograph.reach.places import MISSING, Place
from runtime.core.observed import (
    NAMESPACE,
    WRITES,
    AttributeReads,
    Observed,
    is_variable,
    note_read,
)
from runtime.functions.snapshots import (
    NO_IDENTITIES,
    Identities,
    Plain,
    Same,
    Snapshot,
    first_difference,
    snapshot,
)

_NOTHING = snapshot(MISSING)
_CHANGEABLE = (list, dict, set, deque, np.ndarray, bytearray)


class _Owner(NamedTuple):
    """The attributes of one object that a trace read.

    Attributes:
      reference: a weak reference to the object.
      held: snapshots of the attributes, by name.
      missing: names of other attributes that the code read; the class may have them.
    """

    reference: weakref.ref[Any]
    held: dict[str, Snapshot]
    missing: frozenset[str]

    def reads(self, place: Place) -> bool:
        """Return whether a place is one of the attributes."""
        owner = self.reference()
        if owner is None or object.__getattribute__(owner, NAMESPACE) is not place.owner:
            return False
        return place.key in self.held or place.key in self.missing

    def changes(self) -> Iterator[tuple[Any, str]]:
        """Yield the object and the name of each attribute that changed."""
        owner = self.reference()
        if owner is None:
            return  # the function cannot reach it either
        names = object.__getattribute__(owner, NAMESPACE)
        for name, held in self.held.items():
            if not held.matches(_value(names, name)):
                yield owner, name
        for name in self.missing.intersection(names):
            yield owner, name


class AttributeGuards:
    """Guards on the attributes of runtime objects that one graph depends on.

    Attributes that the trace assigned are side effects and have no guard. Mutable collections are
    compared at each call, everything else only after an assignment. `known` has ids of collections,
    and (namespace id, name) pairs, with another guard or written by the graph.
    """

    __slots__ = ("_collections", "_owners", "_seen")

    def __init__(
        self,
        reads: AttributeReads,
        identities: Identities = NO_IDENTITIES,
        known: Container[Any] = frozenset(),
    ) -> None:
        """Take a snapshot of every attribute."""
        self._seen = WRITES.last
        self._owners: list[_Owner] = []
        self._collections: list[_Owner] = []
        for owner, read in reads:
            names = object.__getattribute__(owner, NAMESPACE)
            own = {n for n in read if (id(owner), n) not in reads.written}
            own = {n for n in own if (id(names), n) not in known}
            WRITES.names |= own
            held = {n: snapshot(_value(names, n), identities) for n in own if n in names}
            missing = frozenset(own.difference(names, [NAMESPACE]))
            internal = _internal_names(type(owner))
            changeable = {
                n: held[n]
                for n in held
                if isinstance(names[n], _CHANGEABLE)
                if id(names[n]) not in known and n not in internal
            }
            if NAMESPACE in own:
                WRITES.walked.add(id(owner))
                held[NAMESPACE] = snapshot(_value(names, NAMESPACE))
                if any(isinstance(names[n], (list, dict)) for n in names if n not in internal):
                    changeable[NAMESPACE] = held[NAMESPACE]
            self._owners.append(_Owner(weakref.ref(owner), held, missing))
            if changeable:
                self._collections.append(_Owner(weakref.ref(owner), changeable, frozenset()))

    def __len__(self) -> int:
        return len(self._owners)

    def read(self, place: Place) -> bool:
        """Return whether there is a guard on an attribute."""
        return any(each.reads(place) for each in self._owners)

    def hold(self) -> bool:
        """Return whether no attribute changed."""
        if self._collections and any(any(each.changes()) for each in self._collections):
            return False
        last = WRITES.last
        if self._seen is not last:
            if any(any(each.changes()) for each in self._owners):
                return False
            self._seen = last
        return True

    def changes(self) -> Iterator[tuple[str, Snapshot, Any]]:
        """Yield the label, the snapshot and the current value of each changed attribute."""
        for each in (*self._collections, *self._owners):
            for owner, name in each.changes():
                names = object.__getattribute__(owner, NAMESPACE)
                yield _label(owner, names, name), each.held.get(name, _NOTHING), _value(names, name)

    def note_all(self) -> None:
        """Record the attributes as reads of the trace that calls the graph."""
        for each in self._owners:
            owner = each.reference()
            if owner is not None:
                for name in (*each.held, *each.missing):
                    note_read(owner, name)


def _value(names: dict[str, Any], name: str) -> Any:
    """Return the value of an attribute.

    For `__dict__` these are modules and variables, and whether there are lists or dicts that can
    grow.
    """
    if name == NAMESPACE:
        values = tuple(names.values())
        grows = any(isinstance(value, (list, dict)) for value in values)
        return (grows, *(each for value in values for each in _members(value)))
    return names.get(name, MISSING)


def _members(value: object) -> Iterator[Any]:
    if isinstance(value, Observed) or is_variable(value):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for each in tuple(value.values()) if isinstance(value, dict) else value:
            yield from _members(each)


def _label(owner: object, names: dict[str, Any], name: str) -> str:
    called = names.get("_name") or names.get("name") or type(owner).__name__
    if name == NAMESPACE:
        return f"the layers and variables of {called}"
    return f"{called}.{name.lstrip('_')}"


@once_per_class
def _internal_names(kind: type) -> frozenset[str]:
    """Names of attributes that only methods of this library use, which replace the collections."""
    bases = [base for base in kind.__mro__ if base.__module__.startswith("runtime.")]
    values = [value for base in bases for value in vars(base).values()]
    functions = [getattr(value, "fget", value) for value in values]
    codes = [each.__code__ for each in functions if type(each) is types.FunctionType]
    return frozenset(n for code in codes for n in code.co_names if n.startswith("_"))


class Guard(NamedTuple):
    """One guarded place.

    Attributes:
      label: the program's name of the place.
      read: returns its value.
      held: a snapshot of its value at trace time.
    """

    label: str
    read: Callable[[], Any]
    held: Snapshot


class _Class(NamedTuple):
    """A class of the program, of which Python looks up special methods without naming them.

    Attributes:
      reference: a weak reference to the class.
      bases: its direct bases.
      size: the number of its own attributes.
      methods: its own special methods, by name, each referred to weakly.
    """

    reference: weakref.ref[type]
    bases: tuple[type, ...]
    size: int
    methods: tuple[tuple[str, weakref.ref[FunctionType]], ...]

    @classmethod
    def of(cls, kind: type) -> _Class:
        """Describe a class."""
        names = dictionary_of(kind)
        methods = tuple(
            (name, weakref.ref(value))
            for name, value in names.items()
            if name.startswith("__") and type(value) is FunctionType
        )
        return cls(weakref.ref(kind), direct_bases_of(kind), len(names), methods)

    def change(self) -> str | None:
        """Describe what changed; None if nothing did, or the class is gone."""
        kind = self.reference()
        if kind is None:
            return None
        if direct_bases_of(kind) is not self.bases:
            return f"the bases of `{kind.__name__}` were replaced"
        names = dictionary_of(kind)
        if len(names) != self.size:
            return f"`{kind.__name__}` got or lost attributes"
        for name, reference in self.methods:
            if names.get(name) is not reference():
                return f"`{kind.__name__}.{name}` was replaced"
        return None


class Guards:
    """All guards of one graph.

    Args:
      guards: guards on objects of the program.
      attributes: guards on objects of this library.
      functions: functions of the program, whose code may be replaced, as `%autoreload` does.
      classes: classes of the program, whose bases and special methods may be replaced.
      registered: the number of classes registered at abstract ones that the trace saw; None if it
        met no abstract class.
      places: the identities of the places with a guard.
    """

    __slots__ = (
        "_classes", "_codes", "_guards", "_holds_attributes", "_objects", "_places", "_registered",
        "_values", "attributes",
    )  # fmt: skip

    def __init__(
        self,
        guards: Iterable[Guard],
        attributes: AttributeGuards,
        functions: Iterable[FunctionType] = (),
        classes: Iterable[type] = (),
        registered: object = None,
        places: frozenset[tuple[int, Any]] = frozenset(),
    ) -> None:
        """Separate identity checks, which need no call, from value comparisons."""
        self.attributes = attributes
        self._holds_attributes = attributes.hold if len(attributes) else None
        self._codes: list[tuple[Callable[[], FunctionType | None], CodeType]] = [
            (weakref.ref(function), function.__code__) for function in functions
        ]
        self._classes = list(map(_Class.of, classes))
        self._registered = registered
        self._places = places
        self._guards = list(guards)
        self._objects: list[tuple[Callable[[], Any], Any]] = []
        self._values: list[tuple[Callable[[], Any], Snapshot]] = []
        for _, read, held in self._guards:
            if isinstance(held, Same) and held.keeps_class:
                self._objects.append((read, held.reference))
            else:
                self._values.append((read, held))

    def __len__(self) -> int:
        return len(self._codes) + len(self._classes) + len(self._guards) + len(self.attributes)

    def read(self, place: Place) -> bool:
        """Return whether the graph depends on what a place held during the trace."""
        return place.identity in self._places or self.attributes.read(place)

    def hold(self) -> bool:
        """Return whether no guarded value changed."""
        for function, code in self._codes:
            held = function()
            if held is not None and held.__code__ is not code:
                return False
        for each in self._classes:
            if each.change() is not None:
                return False
        if self._registered is not None and get_cache_token() != self._registered:
            return False
        if self._guards:
            for read, referred in self._objects:
                if read() is not referred():
                    return False
            for read, value in self._values:
                if not value.matches(read()):
                    return False
        return self._holds_attributes is None or self._holds_attributes()

    def broken(self, bind: Callable[[object], str]) -> Iterator[str]:
        """Yield expressions, one of which is true unless `hold` is."""
        for function, code in self._codes:
            yield f"(held := {bind(function)}()) is not None and held.__code__ is not {bind(code)}"
        for each in self._classes:
            yield f"{bind(each.change)}() is not None"
        if self._registered is not None:
            yield f"{bind(get_cache_token)}() != {bind(self._registered)}"
        for read, referred in self._objects:
            yield f"{bind(read)}() is not {bind(referred)}()"
        for read, held in self._values:
            if isinstance(held, Plain):  # without a call, as a rule
                value = f"(held := {bind(read)}()) is not {bind(held.value)}"
                yield f"{value} and not {bind(held.matches)}(held)"
            else:
                yield f"not {bind(held.matches)}({bind(read)}())"
        if self._holds_attributes is not None:
            yield f"not {bind(self._holds_attributes)}()"

    def changes(self) -> list[str]:
        """Return a description of each change."""
        changed = [(label, held, read()) for label, read, held in self._guards]
        outside = [
            f"`{label}`: {_in_words(held, value)} (read from outside; pass it as a tensor, "
            "or keep it in a tf.Variable)"
            for label, held, value in changed
            if not held.matches(value)
        ]
        functions = ((function(), code) for function, code in self._codes)
        outside += [
            f"the code of `{function.__name__}` was replaced"
            for function, code in functions
            if function is not None and function.__code__ is not code
        ]
        outside += filter(None, (each.change() for each in self._classes))
        if self._registered is not None and get_cache_token() != self._registered:
            outside.append("a class was registered at an abstract one")
        return outside + [
            f"`{label}`: {_in_words(held, value)}"
            for label, held, value in self.attributes.changes()
        ]


def _in_words(held: Snapshot, value: object) -> str:
    if held.matches(MISSING):
        return f"nothing -> {snapshot(value)}"
    return f"{held} -> nothing" if value is MISSING else first_difference(held, value)
