"""Snapshots of objects that cannot be state: iterators, buffers, random numbers, settings."""

from __future__ import annotations

import gc
import itertools
import types
import warnings
from typing import Any
from zlib import crc32

from autograph.reach.record import Label, Sealed

LARGE_BUFFER = 1 << 24
"""Size in bytes from which a record stores only a checksum of an array, and cannot restore it."""


class Members(Sealed):
    """The snapshot of a set of a derived class."""

    instead = "a set or a dict"

    def __init__(self, value: Any, label: Label) -> None:
        self._members = tuple(set.__iter__(value))
        super().__init__(value, label)

    def _look(self) -> Any:
        return set(map(id, set.__iter__(self._value)))  # of members that `_members` keeps alive

    def _put_back(self) -> None:
        set.clear(self._value)
        set.update(self._value, self._members)


class Buffer(Sealed):
    """The snapshot of an object with the buffer protocol: an array, a bytearray."""

    instead = "a tensor or a list"

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
    """The position of an iterator or generator."""

    def _look(self) -> Any:
        if type(self._value) is types.GeneratorType:
            frame = self._value.gi_frame
            return None if frame is None else (frame.f_lasti, dict(frame.f_locals))
        if type(self._value) is itertools.count:
            return repr(self._value)
        return self._value.__length_hint__()


class Reduced(Sealed):
    """The position of an `itertools` iterator, read from its pickled form."""

    def _look(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return _reduced(self._value)


def _reduced(value: Any) -> Any:
    """Return the numbers in the pickled form of an iterator; the id of any other value.

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
        except TypeError:  # a generator, which the walk records separately
            pass
    return id(value)


class RandomNumbers(Sealed):
    """The state of a `random.Random`."""

    def _look(self) -> Any:
        return self._value.getstate()

    def _put_back(self) -> None:
        self._value.setstate(self._before)


class RandomBits(Sealed):
    """The state of a generator with a `bit_generator`."""

    def __init__(self, value: Any, label: Label) -> None:
        self._state = value.bit_generator.state
        super().__init__(value, label)

    def _look(self) -> Any:
        return str(self._value.bit_generator.state)

    def _put_back(self) -> None:
        self._value.bit_generator.state = self._state


class Referents(Sealed):
    """The snapshot of an object written in C: the objects that it refers to."""

    def __init__(self, value: Any, label: Label) -> None:
        self._referents = gc.get_referents(value)  # kept, so that their ids stay theirs
        super().__init__(value, label)

    def _look(self) -> Any:
        return [*map(id, gc.get_referents(self._value))]


class Settings(Sealed):
    """The snapshot of a `decimal.Context`, without its flags."""

    def _look(self) -> Any:
        return _settings(self._value)


def _settings(context: Any) -> tuple[Any, ...]:
    traps = tuple(context.traps.values())
    return *(getattr(context, each) for each in _SETTINGS), traps


class DecimalContext(Sealed):
    """The settings of the `decimal` context, without its flags."""

    def __init__(self, decimal: types.ModuleType) -> None:
        self._context = decimal.getcontext()
        super().__init__(decimal, "decimal.getcontext()")

    def kind(self) -> str:
        """Return what the object is, in words."""
        return "of type Context"

    def _look(self) -> Any:
        context = self._value.getcontext()
        return context is self._context, *_settings(context)

    def _put_back(self) -> None:
        self._value.setcontext(self._context)
        *settings, traps = self._before[1:]
        for name, value in zip(_SETTINGS, settings, strict=True):
            setattr(self._context, name, value)
        self._context.traps.update(zip(self._context.traps, traps, strict=True))


_SETTINGS = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


class Finalizer(Sealed):
    """The snapshot of a `weakref.finalize`: whether it waits, and whether it runs at exit."""

    def _look(self) -> Any:
        return self._value.alive, self._value.atexit


class NumPyRandom(Sealed):
    """The state of the generator that the functions of `numpy.random` share."""

    def _look(self) -> Any:
        _, numbers, *position = self._value.get_state(legacy=True)
        return numbers.tobytes(), position

    def kind(self) -> str:
        """Return what the object is, in words."""
        return "which a library keeps"
