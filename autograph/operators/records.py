"""What an object was like before a block was traced: how it differs now, and how to put it back."""

from __future__ import annotations

import functools
import itertools
import types
from collections import deque
from collections.abc import Mapping
from operator import is_
from typing import Any
from zlib import crc32

from autograph.errors import StagingError
from autograph.operators.slots import MISSING, Attribute, Entry, Items, NewEntry, Slot

_LARGE = 1 << 24
"""From so many bytes on, of an array only a checksum is kept, so that it cannot be put back."""

_OWN = "__autograph"
"""Begins the names of what the converter itself notes on functions."""


class Places:
    """What a few places held: attributes of an object with `__slots__`, variables of a closure."""

    def __init__(self, slots: list[Slot]) -> None:
        self._before = [(slot, slot.read()) for slot in slots]

    def changed(self) -> list[Slot]:
        """The places that hold something else now."""
        return [slot for slot, value in self._before if slot.read() is not value]

    def restore(self) -> None:
        """Puts back what was there."""
        for slot, value in self._before:
            if slot.read() is not value:
                slot.write(value)


class _Names:
    """What the names of a namespace stood for: of a module, a class, an object.

    Most of them never change, so that they are compared all at once, and become slots then.
    """

    def __init__(self, names: Mapping[str, Any], wanted: tuple[str, ...] | None = None) -> None:
        self._names = names
        self._wanted = wanted
        self._before = self._now()

    def _now(self) -> dict[str, Any]:
        if self._wanted is None:
            return dict(self._names)
        return {name: self._names.get(name, MISSING) for name in self._wanted}

    def _slot(self, name: str) -> Slot | None:
        """The place of a name; None where its change means nothing."""
        raise NotImplementedError

    def _differing(self) -> list[tuple[Slot, Any]]:
        """The slots that hold something else, and what they held."""
        now, before = self._now(), self._before
        if len(now) == len(before) and all(map(is_, now.values(), before.values())):
            return []
        names = dict.fromkeys([*before, *now])
        changed = [n for n in names if now.get(n, MISSING) is not before.get(n, MISSING)]
        slots = [(self._slot(name), before.get(name, MISSING)) for name in changed]
        return [(slot, value) for slot, value in slots if slot is not None]

    def changed(self) -> list[Slot]:
        return [slot for slot, _ in self._differing()]

    def restore(self) -> None:
        for slot, value in self._differing():
            slot.write(value)


class Globals(_Names):
    """Names of a module."""

    def _slot(self, name: str) -> Slot | None:
        assert isinstance(self._names, dict)
        return Entry(self._names, name, name)


class ClassNames(_Names):
    """Names of a class, besides those that Python itself looks at."""

    def __init__(self, kind: type) -> None:
        self._kind = kind
        super().__init__(kind.__dict__)

    def _slot(self, name: str) -> Slot | None:
        if name.startswith("__"):
            return None
        return Attribute(self._kind, name, f"{self._kind.__name__}.{name}")


class Attributes(_Names):
    """The attributes of an object."""

    def __init__(self, names: dict[str, Any], label: str, kind: Any = None) -> None:
        self._label = label
        self._kind = kind
        super().__init__(names)

    def _slot(self, name: str) -> Slot | None:
        assert isinstance(self._names, dict)
        label = f"{self._label}.{name}"
        if name in self._before:
            return Entry(self._names, name, label)
        if name.startswith(_OWN):
            return None
        inherited = MISSING if self._kind is None else _class_value(self._kind, name)
        return NewEntry(self._names, name, label, inherited)

    def changed(self) -> list[Slot]:
        """The places that hold something else now, but no cached property computed since."""
        cached = _cached_properties(self._kind)
        new = [name for name in cached if name in self._names and name not in self._before]
        return [slot for slot in super().changed() if not (new and slot.key[-1] in new)]


class Container:
    """What a list or a dict held."""

    def __init__(self, container: Any, label: str) -> None:
        self._slot = Items(container, label)
        self._container = container
        self._before = list(container) if issubclass(type(container), list) else dict(container)

    def changed(self) -> list[Slot]:
        """The places that hold something else now."""
        return [] if _same(self._container, self._before) else [self._slot]

    def restore(self) -> None:
        """Puts back what was there."""
        if not self.changed():
            return
        if type(self._before) is list:
            list.__setitem__(self._container, slice(None), self._before)
        else:
            dict.clear(self._container)
            dict.update(self._container, self._before)


def _same(container: Any, before: Any) -> bool:
    if len(container) != len(before):
        return False
    if issubclass(type(container), list):
        return all(map(is_, container, before))
    same_keys = all(map(is_, container, before))
    return same_keys and all(map(is_, dict.values(container), before.values()))


class _Sealed:
    """An object that cannot take part in staged statements: its change is an error."""

    def __init__(self, value: Any, label: str) -> None:
        self._value = value
        self._label = label
        self._before = self._look()

    def _look(self) -> Any:
        raise NotImplementedError

    def _put_back(self) -> None:
        """Where it can be: what it was."""

    def _kind(self) -> str:
        return f"of type {type(self._value).__name__}"

    def changed(self) -> list[Slot]:
        if self._look() == self._before:
            return []
        self.restore()
        raise StagingError(
            f"`{self._label}`, {self._kind()}, is changed in place in a "
            "staged statement, which is traced whether or not it will run: the change cannot wait "
            "for that.",
            remedy="Change it before or behind the statement, or use a tensor, a list or a dict.",
        )

    def restore(self) -> None:
        if self._look() != self._before:
            self._put_back()


class Members(_Sealed):
    """What a set or a queue held."""

    def _look(self) -> Any:
        return [id(member) for member in self._value] if self._ordered else set(self._value)

    @property
    def _ordered(self) -> bool:
        return issubclass(type(self._value), deque)

    def __init__(self, value: Any, label: str) -> None:
        self._members = list(value)
        super().__init__(value, label)

    def _put_back(self) -> None:
        self._value.clear()
        (self._value.extend if self._ordered else self._value.update)(self._members)


class Buffer(_Sealed):
    """The bytes of an array."""

    def _look(self) -> Any:
        with memoryview(self._value) as view:
            return view.tobytes() if view.nbytes < _LARGE else crc32(view.tobytes())

    def _put_back(self) -> None:
        with memoryview(self._value) as view:
            if type(self._before) is bytes and view.c_contiguous and view.nbytes:
                with view.cast("B") as flat:
                    flat[:] = self._before


class Position(_Sealed):
    """How far an iterator or a generator has come."""

    def _look(self) -> Any:
        if type(self._value) is types.GeneratorType:
            frame = self._value.gi_frame
            return None if frame is None else (frame.f_lasti, dict(frame.f_locals))
        if type(self._value) is itertools.count:
            return repr(self._value)
        return self._value.__length_hint__()


class RandomNumbers(_Sealed):
    """How far a generator of the module `random` has come."""

    def _look(self) -> Any:
        return self._value.getstate()

    def _put_back(self) -> None:
        self._value.setstate(self._before)


class RandomBits(_Sealed):
    """How far a generator has come that draws from a `bit_generator`."""

    def __init__(self, value: Any, label: str) -> None:
        self._state = value.bit_generator.state
        super().__init__(value, label)

    def _look(self) -> Any:
        return str(self._value.bit_generator.state)

    def _put_back(self) -> None:
        self._value.bit_generator.state = self._state


class Hidden(_Sealed):
    """State of a library that no object of the program holds."""

    def _look(self) -> Any:
        return self._value()

    def _kind(self) -> str:
        return "which a library keeps"


@functools.lru_cache(maxsize=4096)
def _cached_properties(kind: Any) -> frozenset[str]:
    """Attributes that are computed when they are first read, and mean nothing until then."""
    return frozenset(
        name
        for base in getattr(kind, "__mro__", ())
        for name, value in base.__dict__.items()
        if isinstance(value, functools.cached_property)
    )


def _class_value(kind: type, name: str) -> Any:
    """What an object without an attribute of its own shows under a name."""
    for base in kind.__mro__:
        if name in base.__dict__:
            found = base.__dict__[name]
            return MISSING if hasattr(type(found), "__get__") else found
    return MISSING


Record = Places | _Names | Container | _Sealed
