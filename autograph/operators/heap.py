"""What traced code changes in place: objects that a program reaches besides its own variables.

A branch that is only traced must leave the objects of the program as they were: whether it runs is
known later. So before it, everything that its functions reach is looked over, and afterwards again.
What changed and can hold another value (an attribute, the items of a list or dict, a variable of
another function) becomes part of the statement's state. What cannot, for instance a set, is an
error that names it.
"""

from __future__ import annotations

import enum
import functools
import gc
import itertools
import types
from abc import ABCMeta
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from autograph import staging
from autograph.operators.calls import LEFT_ALONE, is_known_library
from autograph.operators.records import (
    Attributes,
    Buffer,
    ClassNames,
    Container,
    Globals,
    Hidden,
    Members,
    Places,
    Position,
    RandomBits,
    RandomNumbers,
    Record,
)
from autograph.operators.slots import Attribute, Cell, Slot, content, own_attribute
from autograph.operators.variables import Undefined

_MOST_OBJECTS = 50_000
"""So many objects are looked over at most; a program that reaches more of them is not watched
beyond, since the look itself would take seconds at every statement."""

_ATOMS = frozenset(
    {int, float, complex, bool, str, bytes, type(None), type(...), type(NotImplemented), range,
     slice, object, memoryview, types.ModuleType, types.CodeType, types.BuiltinFunctionType,
     types.MethodWrapperType, types.WrapperDescriptorType, types.MethodDescriptorType,
     types.MemberDescriptorType, types.GetSetDescriptorType, Undefined}
)  # fmt: skip
_CONTAINERS = (list, dict, tuple, set, frozenset, deque)
_COUNTING = (types.GeneratorType, itertools.count)


class Heap:
    """What functions reach, as it was when this was made.

    Args:
      functions: the blocks of a statement; their own variables are not looked at, since they are
        the state of the statement, but what these name is.
      apart: objects that need no look, because their contents are state already.
    """

    def __init__(
        self, functions: Iterable[Callable[..., Any] | None], apart: Iterable[Any]
    ) -> None:
        self._records: list[Record] = []
        self._held: dict[int, Any] = {}
        self._apart = frozenset(map(id, apart))
        self._cells: set[int] = set()
        self._waiting: list[tuple[Any, str]] = []
        roots = [each for each in functions if isinstance(each, types.FunctionType)]
        for function in roots:
            self._cells.update(map(id, function.__closure__ or ()))
        for function in roots:
            self._reach_from(function)
        self._records += [Hidden(look, label) for label, look in staging.hidden_state.items()]
        while self._waiting and len(self._held) < _MOST_OBJECTS:
            self._look_at(*self._waiting.pop())

    def holds(self, value: Any) -> bool:
        """Whether the value is one of the objects that were looked at."""
        return self._held.get(id(value)) is value

    def changed(self) -> list[Slot]:
        """The places that hold something else now.

        Raises: StagingError for a changed object that cannot be state.
        """
        return [slot for record in self._records for slot in record.changed()]

    def restore(self) -> None:
        """Puts back what was there."""
        for record in self._records:
            record.restore()

    def _wait(self, value: Any, label: str) -> None:
        kind: Any = type(value)
        if kind is types.ModuleType or kind is types.BuiltinMethodType:
            value = _shared_generator(value)
            if value is None:
                return
        elif kind in _ATOMS:
            return
        if id(value) not in self._held:
            self._held[id(value)] = value
            self._waiting.append((value, label))

    def _look_at(self, value: Any, label: str) -> None:
        kind: Any = type(value)
        if kind is types.FunctionType:
            self._look_at_function(value)
        elif kind is types.MethodType:
            self._wait(value.__self__, label)
            self._wait(value.__func__, label)
        elif kind is functools.partial:
            for part in (value.func, *value.args, *value.keywords.values()):
                self._wait(part, label)
        elif issubclass(kind, type):
            self._look_at_class(value)
        elif kind is staticmethod or kind is classmethod:
            self._wait(value.__func__, label)
        elif kind is property:
            for function in (value.fget, value.fset, value.fdel):
                self._wait(function, label)
        elif _is_iterator(kind):
            self._look_at_iterator(value, label)
        else:
            self._look_at_object(value, label)

    def _look_at_object(self, value: Any, label: str) -> None:
        kind: Any = type(value)
        if _draws_numbers(kind):
            self._records.append(RandomNumbers(value, label))
        elif hasattr(kind, "bit_generator"):
            self._records.append(RandomBits(value, label))
        elif _is_array(value):
            self._records.append(Buffer(value, label))
        elif _is_of_library(kind):
            return
        elif issubclass(kind, _CONTAINERS):
            self._look_at_container(value, label)
        if _is_of_user(kind):
            self._look_at_attributes(value, label)

    def _look_at_iterator(self, value: Any, label: str) -> None:
        kind = type(value)
        if kind in _COUNTING or hasattr(kind, "__length_hint__"):
            self._records.append(Position(value, label))
        if kind is not types.GeneratorType:
            for part in gc.get_referents(value):
                self._wait(part, label)

    def _look_at_container(self, value: Any, label: str) -> None:
        kind = type(value)
        if issubclass(kind, (set, deque)):
            self._records.append(Members(value, label))
        elif issubclass(kind, (list, dict)) and id(value) not in self._apart:
            self._records.append(Container(value, label))
        items = dict.items(value) if issubclass(kind, dict) else enumerate(value)
        for key, item in [(key, item) for key, item in items if type(item) not in _ATOMS]:
            self._wait(item, f"{label}[{key!r}]")

    def _look_at_attributes(self, value: Any, label: str) -> None:
        kind: Any = type(value)
        names = own_attribute(value, "__dict__")
        if type(names) is dict:
            self._records.append(Attributes(names, label, kind))
            for name, item in names.items():
                if type(item) not in _ATOMS:
                    self._wait(item, f"{label}.{name}")
        members = [Attribute(value, name, f"{label}.{name}") for name in _slots_of(kind)]
        if members:
            self._records.append(Places(list(members)))
        for member in members:
            self._wait(member.read(), member.label)
        self._wait(kind, kind.__name__)

    def _look_at_class(self, kind: Any) -> None:
        plain = type(kind) is type or type(kind) is ABCMeta
        if not plain or not _is_of_user(kind) or issubclass(kind, enum.Enum):
            return
        self._records.append(ClassNames(kind))
        for name, item in list(kind.__dict__.items()):
            self._wait(item, f"{kind.__name__}.{name}")
        for base in kind.__bases__:
            self._wait(base, base.__name__)

    def _look_at_function(self, function: types.FunctionType) -> None:
        if is_known_library(function.__globals__):
            return
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        other = {name: cell for name, cell in cells.items() if id(cell) not in self._cells}
        self._cells.update(map(id, other.values()))
        self._records.append(Places([Cell(cell, name) for name, cell in other.items()]))
        label = function.__name__
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self._wait(value, f"a default of {label}")
        if function.__dict__:
            self._records.append(Attributes(function.__dict__, label))
        self._reach_from(function)

    def _reach_from(self, function: types.FunctionType) -> None:
        """What a function names: its closure, and those globals that its code mentions."""
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            self._wait(content(cell), name)
        names = function.__globals__
        if is_known_library(names):
            return
        mentioned = tuple(name for name in _names_in(function.__code__) if name in names)
        self._records.append(Globals(names, mentioned))
        for name in mentioned:
            self._wait(names[name], name)


@functools.lru_cache(maxsize=4096)
def _names_in(code: types.CodeType) -> tuple[str, ...]:
    found = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= dict.fromkeys(_names_in(constant))
    return tuple(found)


def _is_array(value: Any) -> bool:
    """Whether the value is memory that programs change in place."""
    try:
        with memoryview(value) as view:
            return not view.readonly
    except (TypeError, ValueError, BufferError):
        return False


@functools.lru_cache(maxsize=4096)
def _is_of_library(kind: Any) -> bool:
    return _root(kind) in LEFT_ALONE or hasattr(kind, "__autograph_staging__")


@functools.lru_cache(maxsize=4096)
def _is_of_user(kind: Any) -> bool:
    if kind is types.SimpleNamespace:
        return True
    module = str(getattr(kind, "__module__", ""))
    return not is_known_library({"__name__": module}) and module != "builtins"


@functools.lru_cache(maxsize=4096)
def _draws_numbers(kind: Any) -> bool:
    """Whether the type is `random.Random`, whose base is written in C, or one derived from it."""
    return any(base.__module__ == "_random" for base in kind.__mro__)


def _shared_generator(value: Any) -> Any:
    """The generator behind the module `random` or one of its functions; None for others."""
    if type(value) is types.ModuleType:
        value = value.__dict__.get("seed") if value.__name__ == "random" else None
    owner: Any = getattr(value, "__self__", None)
    kind: Any = type(owner)
    return owner if _draws_numbers(kind) else None


@functools.lru_cache(maxsize=4096)
def _is_iterator(kind: Any) -> bool:
    """Whether the type is one of Python's own iterators."""
    return kind.__module__ in ("builtins", "itertools") and hasattr(kind, "__next__")


def _root(kind: object) -> str:
    return str(getattr(kind, "__module__", "")).partition(".")[0]


@functools.lru_cache(maxsize=4096)
def _slots_of(kind: Any) -> tuple[str, ...]:
    return tuple(
        name
        for base in kind.__mro__
        if _is_of_user(base)
        for name, value in base.__dict__.items()
        if type(value) is types.MemberDescriptorType and not name.startswith("__")
    )
