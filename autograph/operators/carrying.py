"""The form in which a library carries the values of a staged statement.

An object that existed before the statement is carried as a reference. Lists, dicts and structures
are copied, because another block changes them before the library reads them.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable, Iterator, Sequence
from operator import eq, is_
from typing import Any

from autograph.conversion.class_facts import look_up
from autograph.errors import StagingError
from autograph.operators.aliases import alternatives_of
from autograph.operators.moved import parted_in
from autograph.operators.stand_ins import Ref, Twin, has_identity, is_bound
from autograph.operators.variables import Conflict
from autograph.reach.classes import (
    attributes_of,
    is_of_program,
    is_plain_object,
    is_structure,
    object_with,
    once_per_class,
)
from autograph.reach.places import MISSING, Place, own_attribute
from autograph.reach.walk import ATOMS, Reach
from autograph.staging import Choices, is_one_of
from autograph.values import Value


class Carrying:
    """What the values of one statement are carried as.

    Args:
      reach: the objects reachable from the blocks.
      places: the places that the blocks change.
      outer: the aliases in the block around the statement.

    Attributes:
      chooses: whether the library can choose among objects.
      grown: the items of lists and dicts that a stand-in holds, by the id of the list or dict.
    """

    def __init__(self, reach: Reach, places: Sequence[Place], outer: Choices) -> None:
        self._reach = reach
        self._places = places
        self._outer = outer
        self.chooses = False
        self.grown: dict[int, Any] = {}
        self._refs: dict[int, Ref] = {}
        self._twins: dict[int, Twin] = {}
        self._copying: set[int] = set()

    def is_old(self, value: Value) -> bool:
        """Return whether an object existed before the statement."""
        return self._reach.holds(value) or self._outer.knows(value)

    def is_known(self, value: Value) -> bool:
        """Return whether an object existed before the statement and is mutable in it, or a tuple
        holds such an object. So is a method of an object, and a partial, that existed before.
        """
        if issubclass(type(value), tuple):
            return any(map(self.is_known, tuple.__iter__(value)))
        if type(value) is types.MethodType:
            return self.is_known(value.__self__)
        if type(value) is functools.partial:
            return self._reach.holds(value)
        return has_identity(value) and self._reach.holds(value)

    def selected(self, value: Value) -> Any:
        """Return a copy of what a reference selects if the statement makes one of the objects."""
        refers = hasattr(type(value), "__autograph_refers__")
        if refers and not all(map(self.is_old, alternatives_of(value))):
            return value.__autograph_copied__()
        return value

    def reference(self, value: Value) -> Any:
        """Return a reference to an object, if the library can choose among objects.

        A list that only entries of this statement refer to is carried by value.
        """
        if not self.chooses or not self.is_known(value) or issubclass(type(value), tuple):
            return value
        if is_bound(value):
            return self.existing(value)
        own = {place.identity for place in self._places}
        if all(each.identity in own for each in self._reach.holders(value)):
            kept = is_plain_object(type(value)) or is_structure(type(value))
            return self.existing(value) if kept else self.grown.get(id(value), value)
        return self.existing(value)

    def existing(self, value: Value) -> Any:
        """Return a reference to an object that existed before; any other value unchanged."""
        if not self.chooses or not self.is_known(value) or issubclass(type(value), tuple):
            return value
        if is_plain_object(type(value)):
            return Ref(value, _snapshot(value))
        if is_structure(type(value)):
            return Ref(value, self.copied(value))
        items = self.grown.get(id(value))
        if items is not None:
            return Ref(value, items)
        if hasattr(type(value), "__autograph_carried__"):
            return Ref(value, value.mapped(self.copied))
        return Ref(value, self.copied(value) if type(value) in (list, dict) else None)

    def kept(self, value: object) -> Any:
        """Return a reference to an object that existed before, for an entry that keeps it."""
        if not self.is_known(value):
            return value
        return self._refs.setdefault(id(value), Ref(value))

    def copied(self, value: Value) -> Any:
        """Copy the lists and dicts in a structure, except poisoned ones; refer to objects in it."""
        value = self.selected(self.grown.get(id(value), value))
        kind = type(value)
        if is_one_of(value) and any(map(is_bound, value.__autograph_values__)):
            return value.__autograph_with__(map(self.existing, value.__autograph_values__))
        if is_structure(kind):
            return self._copied_structure(value)
        if is_plain_object(kind) or is_bound(value):
            return self.existing(value)
        if kind is list or kind is tuple:
            parted = parted_in(value) if self.chooses else None
            if parted is not None:
                return Conflict(parted.error)
            items = [item if type(item) in ATOMS else self.copied(item) for item in value]
            return value if kind is tuple and all(map(is_, items, value)) else kind(items)
        if kind is dict:
            parted = parted_in(value) if self.chooses else None
            if parted is not None:
                return Conflict(parted.error)
            require_quiet_keys(value, "a dict")
            return {key: self.copied(item) for key, item in value.items()}
        if hasattr(kind, "__autograph_carried__"):
            parted = value.parted if self.chooses else None
            return value.mapped(self.copied) if parted is None else Conflict(parted.error)
        return value

    def _copied_structure(self, value: Value) -> Any:
        """Copy a named tuple if it holds lists or dicts, and a dataclass object, which may change.

        An object that contains itself is left for the library to refuse.
        """
        if id(value) in self._copying:
            return value
        self._copying.add(id(value))
        try:
            if issubclass(type(value), tuple):
                items = list(map(self.copied, tuple.__iter__(value)))
                same = all(map(is_, items, tuple.__iter__(value)))
                return value if same else tuple.__new__(type(value), items)
            held = {name: own_attribute(value, name) for name in attributes_of(value)}
            parts = {name: self.copied(v) for name, v in held.items() if v is not MISSING}
            return object_with(type(value), parts)
        finally:
            self._copying.discard(id(value))

    def twin(self, first: int, value: object) -> Twin:
        """Return the stand-in of an object that the entry number `first` carries."""
        if self.chooses:
            return Twin(first, self.copied(value))
        return self._twins.setdefault(first, Twin(first))


def _snapshot(value: object) -> Any:
    """Return a shallow copy of a plain object."""
    held = {name: own_attribute(value, name) for name in attributes_of(value)}
    return object_with(type(value), {k: v for k, v in held.items() if v is not MISSING})


class _Test:
    """Whether one key of a class was tested."""

    is_over = False


_test_of = once_per_class(lambda kind: _Test())


def require_quiet_keys(container: Value, label: str) -> None:
    """Raise StagingError if `__hash__` or `__eq__` of a key of a dict or set changes something.

    One key of each class of the program is tested, by two calls: one may keep its result.

    Args:
      container: a dict or set; of any other value nothing is asked.
      label: the user's name for it.

    Raises:
      StagingError: if the second call changes something, too.
    """
    for key in _members(container):
        kind: Any = type(key)
        if not is_of_program(kind) or _test_of(kind).is_over:
            continue
        changed = _changed_by(key) and _changed_by(key)
        if changed:
            raise StagingError(
                f"`{label}` has a key of the class `{kind.__name__}`, whose `__hash__` or `__eq__` "
                f"changes `{changed}`. A traced function that changes the dict or set copies it, "
                "which calls them more often than Python does.",
                remedy="Change nothing in these methods, or use numbers or strings as keys.",
            )
        _test_of(kind).is_over = True


def _members(value: Value) -> Iterator[Any]:
    """Yield the keys of a dict or set other than numbers and strings, and the parts of tuples."""
    keys: Iterable[Any] = ()
    if issubclass(type(value), dict):
        keys = dict.keys(value)
    elif issubclass(type(value), (set, tuple)):
        keys = value
    for key in keys:
        if type(key) is tuple:
            yield from _members(key)
        elif type(key) not in ATOMS:
            yield key


def _changed_by(key: object) -> str:
    """Return the label of a place that hashing and comparing a key changes, or an empty text."""
    methods = [look_up(type(key), name) for name in ("__hash__", "__eq__")]
    own = [each for each in methods if type(each) is types.FunctionType]
    if not own:
        return ""
    reach = Reach(own, {"self": key})
    hash(key)
    eq(key, key)
    changed = reach.changed()
    reach.restore()
    return changed[0].label if changed else ""
