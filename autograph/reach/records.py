"""What one object held at a moment: which of its places hold something else now, and undoing it."""

from __future__ import annotations

import copy
import functools
import itertools
import threading
import types
import warnings
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, filterfalse, repeat
from operator import is_, is_not
from typing import Any
from zlib import crc32

from autograph.errors import StagingError
from autograph.reach.classes import Vocabulary, once_per_class
from autograph.reach.places import (
    MISSING,
    NOTE,
    Carried,
    Contents,
    Entry,
    Hooked,
    Keys,
    Member,
    Place,
    Shadow,
    holder_of,
    inherited,
    items_of,
    own_attribute,
    refill,
)
from autograph.staging import trace

LARGE_BUFFER = 1 << 24
"""Size in bytes from which only a checksum of an array is kept, which cannot put it back."""


Label = str | tuple["Label", str, Any]
"""What the program calls an object: a name, or that of an object with an attribute or a key.

Most labels are never shown, so they become texts late.
"""


def text_of(label: Label) -> str:
    """A label as the program would write it.

    >>> text_of((("self", ".", "rows"), "[", 2))
    'self.rows[2]'
    """
    ends: list[str] = []
    while isinstance(label, tuple):
        label, sign, key = label
        ends.append(f".{key}" if sign == "." else f"[{key!r}]")
    return label + "".join(reversed(ends))


Change = tuple[Place, Any]
"""A place that holds something else now, and what it held."""


def in_place(label: str, kind: str) -> StagingError:
    """The error for a changed object that cannot be state of a staged statement."""
    return StagingError(
        f"`{label}`, {kind}, is changed in place in a staged statement, which is traced whether or "
        "not it will run: the change cannot wait for that.",
        remedy="Change it before or after the statement, or use a tensor, a list or a dict.",
    )


class Record:
    """What one object held."""

    def changes(self) -> list[Change]:
        """The places that hold something else now, with what they held.

        Raises: StagingError for a changed object that cannot be state of a statement.
        """
        raise NotImplementedError

    def restore(self) -> None:
        """Puts back what the object held."""
        raise NotImplementedError

    def holders(self, value: Any) -> list[Place]:
        """The places of the object that held this very value."""
        return []

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """The places that code can read by the names that it mentions, with their values."""
        return ()


class Single(Record):
    """What a few places held one by one: variables of a closure, attributes with slots."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._before = [(place, place.read()) for place in places]

    def changes(self) -> list[Change]:
        """The places that hold something else now, with what they held."""
        return [(place, before) for place, before in self._before if place.read() is not before]

    def restore(self) -> None:
        """Puts back what was there."""
        for place, before in self._before:
            if place.read() is not before:
                place.write(before)

    def holders(self, value: Any) -> list[Place]:
        """The places that held this very value."""
        return [place for place, before in self._before if before is value]

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """All of them: functions use their variables and defaults without a name in between."""
        return self._before


class Slots(Single):
    """What the attributes of an object held that are in slots."""

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """The attributes that code mentions."""
        return [(place, before) for place, before in self._before if place.key in vocabulary]


class Names(Record):
    """What the names of a namespace meant: of an object, a class or a module.

    Args:
      names: the namespace.
      label: what the program calls the object; empty for a module.
      kind: the class of the object, whose attributes it shows where it has none of its own.
      wanted: the names that count; None: all.
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
        self._before = self._now()

    def _now(self) -> dict[str, Any]:
        if self._wanted is None:
            return dict(self._names)
        return {name: self._names.get(name, MISSING) for name in self._wanted}

    def place(self, name: str) -> Place:
        """The place of a name."""
        label = _attribute_label(self._label, name)
        if self._kind is None:
            return Entry(self._names, name, label)
        shown = inherited(self._kind, name)
        if shown is MISSING:
            hooked = hasattr(self._kind, "__getattr__")
            return (Hooked if hooked else Entry)(self._names, name, label)
        return Shadow(self._names, name, label, shown)

    def _counts(self, name: str) -> bool:
        """Whether a change of the name means anything to the program."""
        if name.startswith(NOTE):
            return False
        # A cached property is computed when it is first read, so one computed in a block is
        # dropped with the block.
        is_new = name not in self._before
        return not (is_new and self._kind and name in _cached_properties(self._kind))

    def _differing(self) -> list[str]:
        now, before = self._now(), self._before
        if now.keys() == before.keys() and all(map(is_, now.values(), before.values())):
            return []
        names = list({**before, **now})
        values = (map(each.get, names, repeat(MISSING)) for each in (now, before))
        return list(compress(names, map(is_not, *values)))

    def changes(self) -> list[Change]:
        """The places that hold something else now, with what they held."""
        before = self._before
        return [
            (self.place(name), before.get(name, MISSING))
            for name in self._differing()
            if self._counts(name)
        ]

    def restore(self) -> None:
        """Puts back what was there."""
        for name in self._differing():
            if not name.startswith(NOTE):
                self.place(name).write(self._before.get(name, MISSING))

    def holders(self, value: Any) -> list[Place]:
        """The places that held this very value."""
        return [self.place(name) for name, before in self._before.items() if before is value]

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """The names that code mentions, without those that mean nothing."""
        for name, before in self._before.items():
            if before is not MISSING and name in vocabulary and not name.startswith(NOTE):
                yield Entry(self._names, name, _attribute_label(self._label, name)), before


def _attribute_label(label: Label, name: str) -> str:
    return f"{text_of(label)}.{name}" if label else name


class Attributes(Names):
    """What the attributes of an object held."""

    def __init__(self, owner: Any, names: dict[str, Any], label: Label) -> None:
        self._owner = owner
        super().__init__(names, label, type(owner))

    def changes(self) -> list[Change]:
        """The attributes that hold something else now, with what they held."""
        owner = self._owner
        if type(owner) is not self._kind or own_attribute(owner, "__dict__") is not self._names:
            raise in_place(text_of(self._label), f"of type {self._kind.__name__}")
        return super().changes()

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """The attributes that code mentions, also those that are its class's until it has them."""
        if issubclass(self._kind, threading.local):
            # Each thread has attributes of its own.
            for place, before in super().places(vocabulary):
                yield Member(self._owner, place.key, place.label), before
            return
        yield from super().places(vocabulary)
        if vocabulary.is_everything:
            label = _attribute_label(self._label, "__dict__")
            yield Keys(self._names, "keys", label), tuple(self._before)
        for name in vocabulary.of_classes(self._kind):
            if name not in self._before:
                yield Entry(self._names, name, _attribute_label(self._label, name)), MISSING

    def restore(self) -> None:
        """Puts back what was there; notes cached properties that are dropped."""
        for name in filterfalse(self._counts, self._differing()):
            if not name.startswith(NOTE):
                label = _attribute_label(self._label, name)
                trace.dropped[id(self._owner), name] = (self._owner, name, label)
        super().restore()


class ClassNames(Names):
    """What the names of a class meant, besides those that Python itself looks at."""

    def __init__(self, kind: type) -> None:
        self._class = kind
        super().__init__(kind.__dict__)

    def place(self, name: str) -> Place:
        """The place of a name."""
        return Member(self._class, name, f"{self._class.__name__}.{name}")

    def _counts(self, name: str) -> bool:
        return not name.startswith("__")

    def restore(self) -> None:
        """Puts back what was there."""
        for name in filter(self._counts, self._differing()):
            self.place(name).write(self._before.get(name, MISSING))

    def places(self, vocabulary: Vocabulary) -> Iterable[tuple[Place, Any]]:
        """The names that code mentions, also those that are a base's until the class has them."""
        for name in vocabulary.of_classes(self._class):
            if self._counts(name) or name in _CALLED:
                yield self.place(name), self._before.get(name, MISSING)


_CALLED = ("__call__", "__init__")
"""Methods that code calls without their names, and programs replace."""


class Items(Record):
    """What a list or dict held.

    Args:
      container: the list or dict.
      label: what the program calls it.
      holders: finds the places that refer to a value.
    """

    def __init__(self, container: Any, label: Label, holders: Callable[[Any], list[Place]]) -> None:
        self._container = container
        self._label = label
        self._holders = holders
        self._found: Contents | None = None
        self._before = items_of(container)

    @property
    def contents(self) -> Contents:
        """The place of the items."""
        if self._found is None:
            self._found = Contents(self._container, text_of(self._label), self._holders)
        return self._found

    def _is_same(self) -> bool:
        container, before = self._container, self._before
        if len(container) != len(before):
            return False
        if type(before) is list:
            return all(map(is_, items_of(container), before))
        if type(container) is set:
            return all(map(is_, container, before))
        ordered = issubclass(type(container), OrderedDict)
        keys: Any = OrderedDict.__iter__(container) if ordered else dict.__iter__(container)
        if not all(map(is_, keys, before)):
            return False
        if ordered:
            return all(dict.__getitem__(container, key) is before[key] for key in before)
        return all(map(is_, dict.values(container), before.values()))

    def changes(self) -> list[Change]:
        """The places that hold something else now, with what they held."""
        return [] if self._is_same() else [(self.contents, self._before)]

    def restore(self) -> None:
        """Puts back what was there."""
        if self._is_same():
            return
        self.contents.take_back()
        refill(self._container, self._before)
        if type(self._container) is set and not self._is_same():
            raise in_place(self.contents.label, "of which Python cannot put the order back")

    def holders(self, value: Any) -> list[Place]:
        """The places that held this very value."""
        if type(self._before) is list:
            keys = [key for key, item in enumerate(self._before) if item is value]
        else:
            keys = [key for key, item in self._before.items() if item is value]
        return [_Item(self._container, key, f"{self.contents.label}[{key!r}]") for key in keys]


class _Item(Place):
    """One item of a list or dict."""

    def read(self) -> Any:
        holder = holder_of(self.owner)
        if holder is not self.owner:
            return _Part(holder, self.key, self.label).read()
        if issubclass(type(self.owner), dict):
            return dict.get(self.owner, self.key, MISSING)
        # A list is shorter if its own stand-in was taken back before.
        return self.owner[self.key] if self.key < len(self.owner) else MISSING

    def write(self, value: Any) -> None:
        holder = holder_of(self.owner)
        if holder is not self.owner:
            _Part(holder, self.key, self.label).write(value)
            return
        bases = (list, deque, dict)
        base: Any = next(each for each in bases if issubclass(type(self.owner), each))
        base.__setitem__(self.owner, self.key, value)


class Held(Record):
    """What a mutable value of a tensor library held."""

    def __init__(self, value: Any, label: Label) -> None:
        self.contents = Carried(value, "contents", text_of(label))
        self._before = copy.copy(value)

    def changes(self) -> list[Change]:
        """The places that hold something else now, with what they held."""
        same = self.contents.owner.is_same(self._before)
        return [] if same else [(self.contents, self._before)]

    def restore(self) -> None:
        """Puts back what was there."""
        self.contents.write(self._before)

    def holders(self, value: Any) -> list[Place]:
        """The places that held this very value."""
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
            self.owner.put(self.key, value)


class Sealed(Record):
    """An object that cannot take part in staged statements: its change is an error."""

    def __init__(self, value: Any, label: Label) -> None:
        self._value = value
        self._label = label
        self._before = self._look()

    @property
    def owner(self) -> Any:
        """The object."""
        return self._value

    @property
    def label(self) -> str:
        """What the program calls the object."""
        return text_of(self._label)

    def _look(self) -> Any:
        """What is equal as long as nothing changed."""
        raise NotImplementedError

    def _put_back(self) -> None:
        """Undoes the change, where that can be done."""

    def kind(self) -> str:
        """Return what the object is, in words."""
        return f"of type {type(self._value).__name__}"

    def has_changed(self) -> bool:
        """Whether the object holds something else now."""
        return bool(self._look() != self._before)

    def changes(self) -> list[Change]:
        """None: raises for the object if it changed."""
        if not self.has_changed():
            return []
        self.restore()
        raise in_place(self.label, self.kind())

    def restore(self) -> None:
        """Puts back what was there."""
        if self.has_changed():
            self._put_back()


class Members(Sealed):
    """What a set of a class derived from `set` held."""

    def __init__(self, value: Any, label: Label) -> None:
        self._members = list(value)
        super().__init__(value, label)

    def _look(self) -> Any:
        return set(self._value)

    def _put_back(self) -> None:
        self._value.clear()
        self._value.update(self._members)


class Buffer(Sealed):
    """The bytes of an array, a bytearray or whatever else lends its memory."""

    def _look(self) -> Any:
        with memoryview(self._value) as view:
            content = view.tobytes()
        return content if len(content) < LARGE_BUFFER else crc32(content)

    def _put_back(self) -> None:
        if isinstance(self._value, bytearray) and type(self._before) is bytes:
            self._value[:] = self._before
            return
        with memoryview(self._value) as view:
            if type(self._before) is bytes and view.c_contiguous and view.nbytes:
                with view.cast("B") as flat:
                    flat[:] = self._before


class Position(Sealed):
    """How far an iterator or a generator has come."""

    def _look(self) -> Any:
        if type(self._value) is types.GeneratorType:
            frame = self._value.gi_frame
            return None if frame is None else (frame.f_lasti, dict(frame.f_locals))
        if type(self._value) is itertools.count:
            return repr(self._value)
        return self._value.__length_hint__()


class Reduced(Sealed):
    """How far an iterator of `itertools` has come, which only its pickled form tells."""

    def _look(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return _reduced(self._value)


def _reduced(value: Any) -> Any:
    """The numbers in the pickled form of an iterator; any other value by its address.

    >>> pairs = itertools.combinations([7, 8, 9], 2)
    >>> before = _reduced(pairs)
    >>> _ = next(pairs); _reduced(pairs) == before
    False
    """
    kind = type(value)
    if kind is tuple or kind is list:
        return [_reduced(each) for each in value]
    if kind is int or kind is bool:
        return value
    if hasattr(kind, "__next__") and kind.__module__ in ("builtins", "itertools"):
        try:
            return _reduced(value.__reduce__())
        except TypeError:  # a generator, which is an object of its own for the walk
            pass
    return id(value)


class RandomNumbers(Sealed):
    """How far a generator of the module `random` has come."""

    def _look(self) -> Any:
        return self._value.getstate()

    def _put_back(self) -> None:
        self._value.setstate(self._before)


class RandomBits(Sealed):
    """How far a generator has come that draws from a `bit_generator`."""

    def __init__(self, value: Any, label: Label) -> None:
        self._state = value.bit_generator.state
        super().__init__(value, label)

    def _look(self) -> Any:
        return str(self._value.bit_generator.state)

    def _put_back(self) -> None:
        self._value.bit_generator.state = self._state


class DecimalContext(Sealed):
    """The settings of the module `decimal`; the flags that its arithmetic raises are none."""

    def __init__(self, decimal: types.ModuleType) -> None:
        self._context = decimal.getcontext()
        super().__init__(decimal, "decimal.getcontext()")

    def kind(self) -> str:
        """Return what the object is, in words."""
        return "of type Context"

    def _look(self) -> Any:
        context = self._value.getcontext()
        traps = tuple(context.traps.values())
        return context is self._context, *(getattr(context, each) for each in _SETTINGS), traps

    def _put_back(self) -> None:
        self._value.setcontext(self._context)
        *settings, traps = self._before[1:]
        for name, value in zip(_SETTINGS, settings, strict=True):
            setattr(self._context, name, value)
        self._context.traps.update(zip(self._context.traps, traps, strict=True))


_SETTINGS = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


class Hidden(Sealed):
    """State of a library that no object of the program holds; the value is a function of it."""

    _value: Callable[[], Any]

    def _look(self) -> Any:
        return self._value()

    def kind(self) -> str:
        """Return what the object is, in words."""
        return "which a library keeps"


@once_per_class
def _cached_properties(kind: Any) -> frozenset[str]:
    return frozenset(
        name
        for base in getattr(kind, "__mro__", ())
        for name, value in base.__dict__.items()
        if isinstance(value, functools.cached_property)
    )
