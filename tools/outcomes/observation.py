"""What a caller can see of a value, as plain data that two runs can be compared by."""

from __future__ import annotations

import copy
import functools
import inspect
import math
import types
from collections import ChainMap, UserDict, UserList, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

import runtime as tf

DEEPEST = 30
MOST_RESULTS = 100
_MAPPINGS = (dict, UserDict, ChainMap, types.MappingProxyType)
_SEQUENCES = (list, tuple, deque, UserList)
_ATOMS = (type(None), bool, int, float, complex, str)
_NO_DATA = (
    type, types.ModuleType, types.BuiltinFunctionType, types.FunctionType,
    types.GetSetDescriptorType,
)  # fmt: skip


@dataclass(frozen=True)
class Shown:
    """One value: its kind and its parts."""

    kind: str
    parts: tuple[Any, ...] = ()

    def __str__(self) -> str:
        inner = ", ".join(str(part) for part in self.parts)
        if self.kind == "atom":
            return repr(self.parts[0])
        if self.kind == "pair":
            return ": ".join(str(part) for part in self.parts)
        return f"[{inner}]" if self.kind == "list" else f"{self.kind}({inner})"


@dataclass
class Observer:
    """Turns values into `Shown`.

    Containers met a second time become a reference to the first; a tuple never changes, so no
    program depends on which one it is.
    """

    met: dict[int, int] = field(default_factory=dict)
    kept: list[Any] = field(default_factory=list)

    def show(self, value: Any, depth: int = 0) -> Shown:
        if depth > DEEPEST:
            return Shown("deeper")
        if isinstance(value, bytes):
            return Shown("atom", (value.decode("latin-1"),))
        if isinstance(value, _ATOMS):
            return Shown("atom", (value,))
        if isinstance(value, np.ndarray | np.generic) or tf.is_tensor(value):
            return _array(value)
        if isinstance(value, types.MethodType):
            return Shown("method", (self.show(value.__func__), self.show(value.__self__, depth)))
        if isinstance(value, functools.partial):
            held = value.func, value.args, value.keywords
            return Shown("partial", tuple(self.show(each, depth + 1) for each in held))
        if isinstance(value, _NO_DATA) or (callable(value) and not _is_of_program(value)):
            return Shown("code", (getattr(value, "__name__", type(value).__name__),))
        if id(value) in self.met:
            return Shown("again", (Shown("atom", (self.met[id(value)],)),))
        if not isinstance(value, tuple | frozenset):
            self.met[id(value)] = len(self.kept)
            self.kept.append(value)
        return self._container(value, depth + 1)

    def _container(self, value: Any, depth: int) -> Shown:
        kind = type(value).__name__
        if isinstance(value, _MAPPINGS):
            pairs = [
                Shown("pair", (self.show(key, depth), self.show(each, depth)))
                for key, each in value.items()
            ]
            return Shown(kind, (*pairs, *self._attributes(value, depth)))
        if isinstance(value, _SEQUENCES):
            parts = [self.show(each, depth) for each in value]
            return Shown(kind, (*parts, *self._attributes(value, depth)))
        if isinstance(value, set | frozenset):
            return Shown(kind, tuple(sorted((self.show(v, depth) for v in value), key=str)))
        if isinstance(value, BaseException):
            return Shown(kind, tuple(self.show(each, depth) for each in value.args))
        if isinstance(value, Iterator):
            return Shown("iterator", self._rest(value, depth))
        if isinstance(value, bytearray | memoryview):
            return Shown(kind, tuple(Shown("atom", (each,)) for each in bytes(value)))
        return Shown(kind, self._attributes(value, depth))

    def _attributes(self, value: Any, depth: int) -> tuple[Shown, ...]:
        names = dict(getattr(value, "__dict__", {}))
        if isinstance(value, UserDict | UserList | ChainMap):
            names = {}
        for base in type(value).__mro__:
            slots = base.__dict__.get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if hasattr(value, name) and name != "__dict__":
                    names[name] = getattr(value, name)
        return tuple(
            Shown("pair", (Shown("atom", (name,)), self.show(names[name], depth)))
            for name in sorted(names)
        )

    def _rest(self, value: Iterator[Any], depth: int) -> tuple[Shown, ...]:
        """What an iterator still gives, where a copy can tell."""
        try:
            return tuple(self.show(each, depth) for each in islice(copy.copy(value), MOST_RESULTS))
        except TypeError:  # a generator
            return ()


def _array(value: Any) -> Shown:
    if tf.is_tensor(value) and not hasattr(value, "numpy"):
        return Shown("symbolic tensor")
    try:
        found = np.asarray(value.numpy() if hasattr(value, "numpy") else value)
    except Exception:  # a tensor of a graph: any error says so
        return Shown("symbolic tensor")
    return _listed(found.tolist())


def _listed(value: Any) -> Shown:
    if isinstance(value, list):
        return Shown("array", tuple(_listed(each) for each in value))
    return Shown("atom", (value.decode("latin-1") if isinstance(value, bytes) else value,))


def state_of(
    module: types.ModuleType, arguments: Sequence[Any], result: Any
) -> tuple[Shown, Shown]:
    """Show everything that outlives a call: arguments, globals, closures, class attributes.

    The result is shown with it: what it holds may be one of those objects. Staged functions return
    copies of their arguments.

    Globals whose names begin with an underscore are left out: a program keeps there what differs
    between any two runs.
    """
    observer = Observer()
    found: list[Shown] = [observer.show(each) for each in arguments]
    for name, value in sorted(vars(module).items()):
        if name.startswith("_") or isinstance(value, types.ModuleType):
            continue
        parts = _reachable(observer, module.__name__, value)
        if parts:
            found.append(Shown("pair", (Shown("atom", (name,)), *parts)))
    of_arguments = Observer()
    for each in arguments:
        of_arguments.show(each)
    observer.met = {
        address: number
        for address, number in observer.met.items()
        if address not in of_arguments.met
    }
    return Shown("state", tuple(found)), observer.show(result)


def _reachable(observer: Observer, module: str, value: Any) -> list[Shown]:
    if isinstance(value, types.FunctionType):
        if value.__module__ != module:
            return []
        cells = [_cell(observer, cell) for cell in value.__closure__ or ()]
        own = [each for each in value.__dict__.values() if not _of_library(each)]
        defaults = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        return [*cells, *(observer.show(each) for each in (*own, *defaults))]
    if isinstance(value, type):
        if value.__module__ != module:
            return []
        return [
            Shown("pair", (Shown("atom", (name,)), observer.show(each)))
            for name, each in sorted(vars(value).items())
            if not name.startswith("__") and not callable(each) and not hasattr(each, "__get__")
        ]
    return [observer.show(value)]


def _is_of_program(value: Any) -> bool:
    """True for an object whose class, written in Python, has a `__call__`."""
    call = inspect.getattr_static(type(value), "__call__")
    return isinstance(call, types.FunctionType) and not _of_library(value)


def _of_library(value: Any) -> bool:
    """True for what conversion notes on a function."""
    of_library = type(value).__module__.partition(".")[0] in ("autograph", "runtime")
    return of_library and not tf.is_tensor(value)


def _cell(observer: Observer, cell: types.CellType) -> Shown:
    try:
        return observer.show(cell.cell_contents)
    except ValueError:
        return Shown("unbound")


def same(plain: Any, staged: Any) -> bool:
    """Compare two observations; an array agrees with a list, tuple or number of equal content.

    Numbers agree within single precision; True does not agree with 1.

    >>> same(Observer().show([1, 2.0]), Observer().show(tf.constant([1.0, 2.0])))
    True
    >>> same(Observer().show([True]), Observer().show([1]))
    False
    """
    if not isinstance(plain, Shown) or not isinstance(staged, Shown):
        return _same_atom(plain, staged)
    if "symbolic tensor" in (plain.kind, staged.kind):
        return False
    loose = {"array", "list", "tuple"}
    kinds = {plain.kind, staged.kind}
    if len(kinds) == 2 and not ("array" in kinds and kinds <= loose):
        return False
    return len(plain.parts) == len(staged.parts) and all(map(same, plain.parts, staged.parts))


def _same_atom(plain: Any, staged: Any) -> bool:
    numbers = (int, float, complex)
    if not isinstance(plain, numbers) or not isinstance(staged, numbers):
        return type(plain) is type(staged) and bool(plain == staged)
    if isinstance(plain, bool) or isinstance(staged, bool):
        return plain is staged
    if isinstance(plain, int) and isinstance(staged, int):
        return plain == staged
    if isinstance(plain, complex) or isinstance(staged, complex):
        return abs(plain - staged) <= 1e-5 * max(1.0, abs(plain))
    both_nan = math.isnan(plain) and math.isnan(staged)
    return both_nan or math.isclose(plain, staged, rel_tol=1e-5, abs_tol=1e-6)
