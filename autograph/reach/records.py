"""Snapshots of single objects: detect and undo changes."""

from __future__ import annotations

import builtins
import functools
import threading
import types
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, filterfalse, repeat
from operator import is_, is_not
from typing import Any

from autograph.conversion.class_facts import look_up
from autograph.conversion.libraries import is_known_library
from autograph.errors import StagingError
from autograph.reach.classes import SETTINGS, Vocabulary, once_per_class
from autograph.reach.places import (
    MISSING,
    NOTE,
    Carried,
    Contents,
    Count,
    Entry,
    Hooked,
    Keys,
    Member,
    Place,
    Shadow,
    Unhidden,
    UnhiddenHere,
    holder_of,
    inherited,
    own_attribute,
    own_names,
    parts_of,
    refill,
    together,
)
from autograph.reach.record import Change, Label, Record, in_place, text_of
from autograph.staging import trace


class Single(Record):
    """The snapshot of single places: free variables, slots."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._before = [(place, place.read()) for place in places]

    def changes(self) -> list[Change]:
        """Return the changed places with their previous values."""
        return [(place, before) for place, before in self._before if place.read() is not before]

    def restore(self) -> None:
        """Restore the snapshot."""
        for place, before in self._before:
            if place.read() is not before:
                place.write(before)

    def holders(self, value: object) -> list[Place]:
        """Return the places that held this value (by identity)."""
        return [place for place, before in self._before if before is value]

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return all places: functions read free variables and defaults directly."""
        return self._before


class Slots(Single):
    """The snapshot of the slots of an object."""

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the attributes that code mentions."""
        return [(place, before) for place, before in self._before if place.key in vocabulary]


class Names(Record):
    """The snapshot of a namespace: of an object, a class or a module.

    Args:
      names: the namespace.
      label: the user's name for the object; empty for a module.
      kind: the class of the object, which provides its missing attributes.
      wanted: the names to record. None: all.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        label: Label = "",
        kind: Any = None,
        wanted: tuple[str, ...] | None = None,
    ) -> None:
        self._names = names
        self._label = label
        self._kind = kind
        self._wanted = wanted
        self._before = self.now()

    def now(self) -> dict[str, Any]:
        """Return the names with their current values."""
        if self._wanted is None:
            return dict(self._names)
        return {name: self._names.get(name, MISSING) for name in self._wanted}

    def accept_since(self, earlier: dict[str, Any]) -> None:
        """Take over into the snapshot what differs from the result of an earlier `now`."""
        now = self.now()
        for name, value in now.items():
            if earlier.get(name, MISSING) is not value:
                self._before[name] = value
        for name in earlier.keys() - now.keys():
            self._before.pop(name, None)

    def place(self, name: str) -> Place:
        """Return the place of a name."""
        label = _attribute_label(self._label, name)
        if self._kind is None:
            return Entry(self._names, name, label)
        shown = inherited(self._kind, name)
        if shown is MISSING:
            by_class = hasattr(self._kind, "__getattr__") or look_up(self._kind, name) is not None
            return (Hooked if by_class else Entry)(self._names, name, label)
        return Shadow(self._names, name, label, shown)

    def _counts(self, name: str) -> bool:
        """Return whether a change of the name is a change of the program's state."""
        if name.startswith(NOTE):
            return False
        # A cached property is computed on first read; one computed in a block is dropped.
        if name in self._before or self._kind is None or name not in _cached_properties(self._kind):
            return True
        return trace.block is not None and (self._kind.__module__, name) in assigned_in_blocks

    def _differing(self) -> list[str]:
        now, before = self.now(), self._before
        if now.keys() == before.keys() and all(map(is_, now.values(), before.values())):
            return []
        names = list({**before, **now})
        values = (map(each.get, names, repeat(MISSING)) for each in (now, before))
        return list(compress(names, map(is_not, *values)))

    def changes(self) -> list[Change]:
        """Return the changed places with their previous values."""
        before = self._before
        return [
            (self.place(name), before.get(name, MISSING))
            for name in self._differing()
            if self._counts(name)
        ]

    def restore(self) -> None:
        """Restore the snapshot."""
        for name in self._differing():
            if not name.startswith(NOTE):
                self.place(name).write(self._before.get(name, MISSING))

    def holders(self, value: object) -> list[Place]:
        """Return the places that held this value (by identity)."""
        return [self.place(name) for name, before in self._before.items() if before is value]

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the names that code mentions, without the converter's own."""
        for name, before in self._before.items():
            if before is not MISSING and name in vocabulary and not name.startswith(NOTE):
                yield Entry(self._names, name, _attribute_label(self._label, name)), before
        if self._wanted is None:
            yield from self._missing(vocabulary)
        else:
            yield from self._built_in(vocabulary)

    def _missing(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the place that tells whether an attribute is missing that code can go without."""
        missing = vocabulary.missing_in(self._names)
        if missing and (vocabulary.catches or hasattr(self._kind, "__getattr__")):
            label = f"the missing attributes of {text_of(self._label)}"
            yield Unhidden(self._names, missing, label), True

    def _built_in(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the place that tells whether the built-in names that code mentions are hidden.

        Where code handles exceptions, names that are not defined count, too.
        """
        missing = frozenset(name for name, before in self._before.items() if before is MISSING)
        hidden = missing if vocabulary.catches else _BUILT_IN & missing
        if hidden:
            names = ", ".join(f"`{name}`" for name in sorted(hidden))
            label = "the missing globals" if vocabulary.catches else f"the built-in {names}"
            yield Unhidden(self._names, hidden, label), True


_BUILT_IN = frozenset(vars(builtins))


def _attribute_label(label: Label, name: str) -> str:
    return f"{text_of(label)}.{name}" if label else name


class ModuleNames(Names):
    """The snapshot of a module: the public names that the program assigns."""

    def __init__(self, module: types.ModuleType) -> None:
        super().__init__(vars(module), module.__name__)

    def _differing(self) -> list[str]:
        return [name for name in super()._differing() if self._is_assigned(name)]

    def _is_assigned(self, name: str) -> bool:
        """Return whether a changed name is public, no submodule, and not loaded on demand."""
        value = self._names.get(name, MISSING)
        if name.startswith("_") or type(value) is types.ModuleType:
            return False
        load = self._names.get("__getattr__")
        if load is None or name in self._before or value is MISSING:
            return True
        try:
            return load(name) is not value
        except AttributeError:
            return True

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the names that code mentions; if it computes names, their number."""
        for name in vocabulary.among(self._before):
            yield self.place(name), self._before[name]
        if vocabulary.is_everything and "__getattr__" not in self._names:
            label = f"the names in {text_of(self._label)}"
            yield Count(self._names, "count", label), len(self._names)


class NewNames(ModuleNames):
    """The names that a module gains."""

    def __init__(self, module: types.ModuleType) -> None:
        self._known = tuple(vars(module))
        self._is_of_program = not is_known_library(vars(module))
        super().__init__(module)

    def now(self) -> dict[str, Any]:
        """Return the names that it gained, with their values."""
        if tuple(self._names) == self._known:
            return {}
        return {name: self._names[name] for name in set(self._names).difference(self._known)}

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the names that code mentions, and whether others are missing."""
        yield from super().places(vocabulary)
        if self._is_of_program:
            yield from self._missing(vocabulary)


class Attributes(Names):
    """The snapshot of the attributes of an object."""

    def __init__(self, owner: Any, names: dict[str, Any], label: Label) -> None:
        self._owner = owner
        super().__init__(names, label, type(owner))

    def changes(self) -> list[Change]:
        """Return the changed attributes with their previous values."""
        owner = self._owner
        if type(owner) is not self._kind or own_attribute(owner, "__dict__") is not self._names:
            raise StagingError(
                f"`{text_of(self._label)}`, of type {self._kind.__name__}, gets another class or "
                "`__dict__` in code that is traced: only its attributes can change there.",
                remedy="Hold what changes in an attribute.",
            )
        return super().changes()

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the attributes that code mentions, also those provided by the class."""
        if issubclass(self._kind, threading.local):
            # Each thread has its own attributes.
            for place, before in super().places(vocabulary):
                here = UnhiddenHere if isinstance(place, Unhidden) else Member
                yield here(self._owner, place.key, place.label), before
            return
        yield from super().places(vocabulary)
        if vocabulary.is_everything:
            label = _attribute_label(self._label, "__dict__")
            yield Keys(self._names, "keys", label), tuple(self._before)
        for name in vocabulary.of_classes(self._kind):
            if name not in self._before:
                yield Entry(self._names, name, _attribute_label(self._label, name)), MISSING

    def restore(self) -> None:
        """Restore the attributes; record dropped cached properties."""
        for name in filterfalse(self._counts, self._differing()):
            if not name.startswith(NOTE):
                label = _attribute_label(self._label, name)
                trace.dropped[id(self._owner), name] = (self._owner, name, label)
        super().restore()


class SettingsOfMachinery(Names):
    """The snapshot of the settings of an object such as a thread or a logger."""

    def _counts(self, name: str) -> bool:
        return not name.startswith("_") or name in SETTINGS

    def _differing(self) -> list[str]:
        return [*filter(self._counts, super()._differing())]

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the settings: the code that reads them is the library's."""
        for name in filter(self._counts, self._before):
            yield self.place(name), self._before[name]


class NoAttributes(Record):
    """The snapshot of functions that have no attributes."""

    def __init__(self, functions: Iterable[types.FunctionType]) -> None:
        self._functions = tuple(functions)

    def changes(self) -> list[Change]:
        """Return the attributes that the functions have now."""
        return [
            (Entry(each.__dict__, name, f"{each.__name__}.{name}"), MISSING)
            for each in self._functions
            for name in own_names(each)
        ]

    def restore(self) -> None:
        """Remove the attributes."""
        for place, before in self.changes():
            place.write(before)


class ClassNames(Names):
    """The snapshot of a class namespace, without names that Python itself reads."""

    def __init__(self, kind: type) -> None:
        self._class = kind
        super().__init__(kind.__dict__)

    def place(self, name: str) -> Place:
        """Return the place of a name."""
        return Member(self._class, name, f"{self._class.__name__}.{name}")

    def _counts(self, name: str) -> bool:
        return not name.startswith("__")

    def restore(self) -> None:
        """Restore the snapshot."""
        for name in filter(self._counts, self._differing()):
            self.place(name).write(self._before.get(name, MISSING))

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the names that code mentions, also those provided by a base."""
        for name in vocabulary.of_classes(self._class):
            if self._counts(name) or name in _CALLED:
                yield self.place(name), self._before.get(name, MISSING)


class LibraryClassNames(ClassNames):
    """The snapshot of the public names of a library class: the others change by themselves."""

    def _counts(self, name: str) -> bool:
        # A thread is the library's own, such as the monitor that `tqdm` starts on first use.
        return not name.startswith("_") and not isinstance(self._names.get(name), threading.Thread)

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """Return the public names that code mentions."""
        for name in filter(self._counts, vocabulary.among(self._before)):
            yield self.place(name), self._before[name]


_CALLED = ("__call__", "__init__")
"""Methods that code calls without mentioning their names."""


class Items(Record):
    """The snapshot of a list or dict.

    Args:
      container: the list or dict.
      label: the user's name for it.
      holders: returns the places that refer to a value.
    """

    def __init__(self, container: Any, label: Label, holders: Callable[[Any], list[Place]]) -> None:
        self._container = container
        self._label = label
        self._holders = holders
        self._found: Contents | None = None
        self._keys, self._items = parts_of(container)
        self._held: frozenset[int] | None = None

    @property
    def contents(self) -> Contents:
        """Return the place of the items."""
        if self._found is None:
            self._found = Contents(self._container, text_of(self._label), self._holders)
        return self._found

    def now(self) -> tuple[Any, Any]:
        """Return the current keys and items."""
        return parts_of(self._container)

    def accept_since(self, earlier: tuple[Any, Any]) -> None:
        """Take over into the snapshot what differs from the result of an earlier `now`.

        If something differed then, the items stay what code in between has changed.
        """
        if self._is_snapshot(*earlier):
            self._keys, self._items = self.now()
            self._held = None

    def _is_same(self) -> bool:
        return self._is_snapshot(*self.now())

    def _is_snapshot(self, keys: Any, items: Any) -> bool:
        if len(items) != len(self._items) or not _are_same(items, self._items):
            return False
        return type(keys) is range or _are_same(keys, self._keys)

    def _before(self) -> Any:
        return together(self._container, self._keys, self._items)

    def changes(self) -> list[Change]:
        """Return the changed places with their previous values."""
        return [] if self._is_same() else [(self.contents, self._before())]

    def restore(self) -> None:
        """Restore the snapshot."""
        if self._is_same():
            return
        self.contents.take_back()
        refill(self._container, self._before())
        if type(self._container) is set and not self._is_same():
            raise in_place(self.contents.label, "of which Python cannot put the order back")

    def holders(self, value: object) -> list[Place]:
        """Return the places that held this value (by identity)."""
        if self._held is None:  # lists may be many and long: each is looked through once
            self._held = frozenset(map(id, self._items))
        if id(value) not in self._held:
            return []
        keys = [key for key, item in zip(self._keys, self._items, strict=True) if item is value]
        return [Item(self._container, key, f"{self.contents.label}[{key!r}]") for key in keys]


def _are_same(now: Iterable[Any], before: Iterable[Any]) -> bool:
    """Return whether items are the same objects, or equal bytes: `os.environ` makes these anew."""
    return all(
        one is other or (type(one) is type(other) is bytes and one == other)
        for one, other in zip(now, before, strict=True)
    )


class Item(Place):
    """One item of a list or dict."""

    def read(self) -> Any:
        """Return the item; `MISSING` if there is none."""
        holder = holder_of(self.owner)
        if holder is not self.owner:
            return _Part(holder, self.key, self.label).read()
        if issubclass(type(self.owner), dict):
            return dict.get(self.owner, self.key, MISSING)
        # The list may have been shortened when its stand-in was removed.
        return self.owner[self.key] if self.key < len(self.owner) else MISSING

    def write(self, value: Any) -> None:
        """Replace the item, without running user code."""
        holder = holder_of(self.owner)
        if holder is not self.owner:
            _Part(holder, self.key, self.label).write(value)
            return
        bases = (list, deque, dict)
        base: Any = next(each for each in bases if issubclass(type(self.owner), each))
        base.__setitem__(self.owner, self.key, value)


class Held(Record):
    """The snapshot of a mutable value of a tensor library."""

    def __init__(self, value: Any, label: Label) -> None:
        self.contents = Carried(value, "contents", text_of(label))
        self._before = value.__autograph_snapshot__()

    def changes(self) -> list[Change]:
        """Return the changed places with their previous values."""
        same = self.contents.owner.is_same(self._before)
        return [] if same else [(self.contents, self._before)]

    def restore(self) -> None:
        """Restore the snapshot."""
        self.contents.write(self._before)

    def holders(self, value: Any) -> list[Place]:
        """Return the places that held this value (by identity)."""
        owner, label = self.contents.owner, self.contents.label
        return [
            _Part(owner, key, f"{label}[{key!r}]")
            for key, part in self._before.parts().items()
            if part is value
        ]


class _Part(Place):
    """One part of a mutable value of a tensor library."""

    def read(self) -> Any:
        return self.owner.parts().get(self.key, MISSING)

    def write(self, value: Any) -> None:
        if self.key in self.owner.parts():
            self.owner.put_part(self.key, value)


assigned_in_blocks: set[tuple[str, str]] = set()
"""Attributes that converted code assigns in blocks, each with the name of the module.

A block that gives such a cached property of the module a value may have assigned it.
"""


@once_per_class
def _cached_properties(kind: object) -> frozenset[str]:
    return frozenset(
        name
        for base in getattr(kind, "__mro__", ())
        for name, value in base.__dict__.items()
        if isinstance(value, functools.cached_property)
    )
