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
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import is_
from typing import Any
from zlib import crc32

from autograph import staging
from autograph.errors import StagingError
from autograph.operators.calls import LEFT_ALONE, is_known_library
from autograph.operators.variables import Undefined

_MISSING = object()
_MOST_OBJECTS = 50_000
"""So many objects are looked over at most; a program that reaches more of them is not watched
beyond, since the look itself would take seconds at every statement."""

_LARGE = 1 << 24
"""From so many bytes on, of an array only a checksum is kept, so that it cannot be put back."""

_OWN = "__autograph"
"""Begins the names of what the converter itself notes on functions."""


class Slot:
    """A place that holds a value of the program: `read`, `write`, and what it is called."""

    variable = True
    """Whether the text of a program can name the place, so that it may be state already."""

    def __init__(self, label: str, key: tuple[Any, ...]) -> None:
        """Names it; slots with one `key` are one place."""
        self.label = label
        self.key = key

    def read(self) -> Any:
        """The value; `Undefined` where there is none."""
        raise NotImplementedError

    def write(self, value: Any) -> None:
        """Gives the place a value; `Undefined` takes it away."""
        raise NotImplementedError


class _Entry(Slot):
    """One name of a namespace: an attribute, or a global variable."""

    def __init__(self, names: dict[str, Any], name: str, label: str) -> None:
        super().__init__(label, (id(names), name))
        self._names = names
        self._name = name

    def read(self) -> Any:
        return self._names.get(self._name, _MISSING)

    def write(self, value: Any) -> None:
        if value is _MISSING:
            self._names.pop(self._name, None)
        else:
            self._names[self._name] = value


class _NewEntry(_Entry):
    """An attribute that an object did not have of its own; until then it was that of the class."""

    def __init__(self, names: dict[str, Any], name: str, label: str, inherited: Any) -> None:
        super().__init__(names, name, label)
        self._inherited = inherited

    def read(self) -> Any:
        return self._names.get(self._name, self._inherited)


class _Attribute(Slot):
    """An attribute that is no entry of a dict: of a class, or one with a place of its own."""

    def __init__(self, owner: Any, name: str, label: str) -> None:
        super().__init__(label, (id(owner), name))
        self._owner = owner
        self._name = name

    def read(self) -> Any:
        if issubclass(type(self._owner), type):
            return self._owner.__dict__.get(self._name, _MISSING)
        return _own_attribute(self._owner, self._name)

    def write(self, value: Any) -> None:
        of = type if issubclass(type(self._owner), type) else object
        if value is not _MISSING:
            of.__setattr__(self._owner, self._name, value)
        elif self.read() is not _MISSING:
            of.__delattr__(self._owner, self._name)


class _Cell(Slot):
    """A variable of a function that another one shares."""

    def __init__(self, cell: types.CellType, label: str) -> None:
        super().__init__(label, (id(cell),))
        self._cell = cell

    def read(self) -> Any:
        return _content(self._cell)

    def write(self, value: Any) -> None:
        if value is not _MISSING:
            self._cell.cell_contents = value
        elif self.read() is not _MISSING:
            del self._cell.cell_contents


class _Items(Slot):
    """The items of a list or a dict."""

    variable = False

    def __init__(self, container: Any, label: str) -> None:
        super().__init__(label, (id(container),))
        self._container = container

    def read(self) -> Any:
        return contents(self._kind(self._container))

    @property
    def _kind(self) -> type:
        return list if issubclass(type(self._container), list) else dict

    def write(self, value: Any) -> None:
        if type(value) is not self._kind:
            raise new_length(self.label)
        refill(self._container, value)


def new_length(label: str) -> StagingError:
    """The error for a list whose length a staged statement decides, where others see the list."""
    return StagingError(
        f"`{label}` is a list whose length depends on a staged statement. Objects, callers and "
        "other names that hold the list would not see that.",
        remedy="Build it with `append` under one variable of the function, and return it.",
    )


def is_container(value: Any) -> bool:
    """Whether the contents of a value are state in its place."""
    return type(value) is list or type(value) is dict


def contents(value: Any) -> Any:
    """A list or dict as a copy, with those in it; any other value itself."""
    if type(value) is list:
        return [contents(item) for item in value]
    if type(value) is dict:
        return {key: contents(item) for key, item in value.items()}
    return value


def within(value: Any) -> Iterator[Any]:
    """A list or dict, and those in it."""
    if is_container(value):
        yield value
        for item in value.values() if type(value) is dict else value:
            yield from within(item)


def refill(container: Any, items: Any) -> None:
    """Makes a list or dict hold other items; a list or dict in it stays the same object."""
    if issubclass(type(container), list):
        kept = dict(enumerate(container))
        list.__setitem__(container, slice(None), [_kept(kept, *each) for each in enumerate(items)])
    else:
        kept = dict(dict.items(container))
        dict.clear(container)
        for key, item in items.items():
            dict.__setitem__(container, key, _kept(kept, key, item))


def _kept(kept: dict[Any, Any], key: Any, item: Any) -> Any:
    before = kept.get(key)
    if before is not item and is_container(before) and type(before) is type(item):
        refill(before, item)
        return before
    return item


def _own_attribute(owner: Any, name: str) -> Any:
    """An attribute without any code of the user's."""
    try:
        return object.__getattribute__(owner, name)
    except AttributeError:
        return _MISSING


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING


class _Places:
    """What a few places held: attributes of an object with `__slots__`, variables of a closure."""

    def __init__(self, slots: list[Slot]) -> None:
        self._before = [(slot, slot.read()) for slot in slots]

    def changed(self) -> list[Slot]:
        return [slot for slot, value in self._before if slot.read() is not value]

    def restore(self) -> None:
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
        return {name: self._names.get(name, _MISSING) for name in self._wanted}

    def _slot(self, name: str) -> Slot | None:
        """The place of a name; None where its change means nothing."""
        raise NotImplementedError

    def _differing(self) -> list[tuple[Slot, Any]]:
        """The slots that hold something else, and what they held."""
        now, before = self._now(), self._before
        if len(now) == len(before) and all(map(is_, now.values(), before.values())):
            return []
        names = dict.fromkeys([*before, *now])
        changed = [n for n in names if now.get(n, _MISSING) is not before.get(n, _MISSING)]
        slots = [(self._slot(name), before.get(name, _MISSING)) for name in changed]
        return [(slot, value) for slot, value in slots if slot is not None]

    def changed(self) -> list[Slot]:
        return [slot for slot, _ in self._differing()]

    def restore(self) -> None:
        for slot, value in self._differing():
            slot.write(value)


class _Globals(_Names):
    """Names of a module."""

    def _slot(self, name: str) -> Slot | None:
        assert isinstance(self._names, dict)
        return _Entry(self._names, name, name)


class _ClassNames(_Names):
    """Names of a class, besides those that Python itself looks at."""

    def __init__(self, kind: type) -> None:
        self._kind = kind
        super().__init__(kind.__dict__)

    def _slot(self, name: str) -> Slot | None:
        if name.startswith("__"):
            return None
        return _Attribute(self._kind, name, f"{self._kind.__name__}.{name}")


class _Attributes(_Names):
    """The attributes of an object."""

    def __init__(self, names: dict[str, Any], label: str, kind: Any = None) -> None:
        self._label = label
        self._kind = kind
        super().__init__(names)

    def _slot(self, name: str) -> Slot | None:
        assert isinstance(self._names, dict)
        label = f"{self._label}.{name}"
        if name in self._before:
            return _Entry(self._names, name, label)
        if name.startswith(_OWN):
            return None
        inherited = _MISSING if self._kind is None else _class_value(self._kind, name)
        return _NewEntry(self._names, name, label, inherited)

    def changed(self) -> list[Slot]:
        cached = _cached_properties(self._kind)
        new = [name for name in cached if name in self._names and name not in self._before]
        return [slot for slot in super().changed() if not (new and slot.key[-1] in new)]


class _Container:
    """What a list or a dict held."""

    def __init__(self, container: Any, label: str) -> None:
        self._slot = _Items(container, label)
        self._container = container
        self._before = list(container) if issubclass(type(container), list) else dict(container)

    def changed(self) -> list[Slot]:
        return [] if _same(self._container, self._before) else [self._slot]

    def restore(self) -> None:
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


class _Members(_Sealed):
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


class _Buffer(_Sealed):
    """The bytes of an array."""

    def _look(self) -> Any:
        with memoryview(self._value) as view:
            return view.tobytes() if view.nbytes < _LARGE else crc32(view.tobytes())

    def _put_back(self) -> None:
        with memoryview(self._value) as view:
            if type(self._before) is bytes and view.c_contiguous and view.nbytes:
                with view.cast("B") as flat:
                    flat[:] = self._before


class _Position(_Sealed):
    """How far an iterator or a generator has come."""

    def _look(self) -> Any:
        if type(self._value) is types.GeneratorType:
            frame = self._value.gi_frame
            return None if frame is None else (frame.f_lasti, dict(frame.f_locals))
        if type(self._value) is itertools.count:
            return repr(self._value)
        return self._value.__length_hint__()


class _RandomNumbers(_Sealed):
    """How far a generator of the module `random` has come."""

    def _look(self) -> Any:
        return self._value.getstate()

    def _put_back(self) -> None:
        self._value.setstate(self._before)


class _RandomBits(_Sealed):
    """How far a generator has come that draws from a `bit_generator`."""

    def __init__(self, value: Any, label: str) -> None:
        self._state = value.bit_generator.state
        super().__init__(value, label)

    def _look(self) -> Any:
        return str(self._value.bit_generator.state)

    def _put_back(self) -> None:
        self._value.bit_generator.state = self._state


class _Hidden(_Sealed):
    """State of a library that no object of the program holds."""

    def _look(self) -> Any:
        return self._value()

    def _kind(self) -> str:
        return "which a library keeps"


_Record = _Places | _Names | _Container | _Sealed

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
        self._records: list[_Record] = []
        self._held: dict[int, Any] = {}
        self._apart = frozenset(map(id, apart))
        self._cells: set[int] = set()
        self._waiting: list[tuple[Any, str]] = []
        roots = [each for each in functions if isinstance(each, types.FunctionType)]
        for function in roots:
            self._cells.update(map(id, function.__closure__ or ()))
        for function in roots:
            self._reach_from(function)
        self._records += [_Hidden(look, label) for label, look in staging.hidden_state.items()]
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
            self._records.append(_RandomNumbers(value, label))
        elif hasattr(kind, "bit_generator"):
            self._records.append(_RandomBits(value, label))
        elif _is_array(value):
            self._records.append(_Buffer(value, label))
        elif _is_of_library(kind):
            return
        elif issubclass(kind, _CONTAINERS):
            self._look_at_container(value, label)
        if _is_of_user(kind):
            self._look_at_attributes(value, label)

    def _look_at_iterator(self, value: Any, label: str) -> None:
        kind = type(value)
        if kind in _COUNTING or hasattr(kind, "__length_hint__"):
            self._records.append(_Position(value, label))
        if kind is not types.GeneratorType:
            for part in gc.get_referents(value):
                self._wait(part, label)

    def _look_at_container(self, value: Any, label: str) -> None:
        kind = type(value)
        if issubclass(kind, (set, deque)):
            self._records.append(_Members(value, label))
        elif issubclass(kind, (list, dict)) and id(value) not in self._apart:
            self._records.append(_Container(value, label))
        items = dict.items(value) if issubclass(kind, dict) else enumerate(value)
        for key, item in [(key, item) for key, item in items if type(item) not in _ATOMS]:
            self._wait(item, f"{label}[{key!r}]")

    def _look_at_attributes(self, value: Any, label: str) -> None:
        kind: Any = type(value)
        names = _own_attribute(value, "__dict__")
        if type(names) is dict:
            self._records.append(_Attributes(names, label, kind))
            for name, item in names.items():
                if type(item) not in _ATOMS:
                    self._wait(item, f"{label}.{name}")
        members = [_Attribute(value, name, f"{label}.{name}") for name in _slots_of(kind)]
        if members:
            self._records.append(_Places(list(members)))
        for member in members:
            self._wait(member.read(), member.label)
        self._wait(kind, kind.__name__)

    def _look_at_class(self, kind: Any) -> None:
        plain = type(kind) is type or type(kind) is ABCMeta
        if not plain or not _is_of_user(kind) or issubclass(kind, enum.Enum):
            return
        self._records.append(_ClassNames(kind))
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
        self._records.append(_Places([_Cell(cell, name) for name, cell in other.items()]))
        label = function.__name__
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self._wait(value, f"a default of {label}")
        if function.__dict__:
            self._records.append(_Attributes(function.__dict__, label))
        self._reach_from(function)

    def _reach_from(self, function: types.FunctionType) -> None:
        """What a function names: its closure, and those globals that its code mentions."""
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            self._wait(_content(cell), name)
        names = function.__globals__
        if is_known_library(names):
            return
        mentioned = tuple(name for name in _names_in(function.__code__) if name in names)
        self._records.append(_Globals(names, mentioned))
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
            return _MISSING if hasattr(type(found), "__get__") else found
    return _MISSING


@functools.lru_cache(maxsize=4096)
def _slots_of(kind: Any) -> tuple[str, ...]:
    return tuple(
        name
        for base in kind.__mro__
        if _is_of_user(base)
        for name, value in base.__dict__.items()
        if type(value) is types.MemberDescriptorType and not name.startswith("__")
    )


def value_or_undefined(slot: Slot) -> Any:
    """What a slot holds, for a library: nothing is a variable without a value."""
    value = slot.read()
    return Undefined(slot.label) if value is _MISSING else value


def assign(slot: Slot, value: Any) -> None:
    """Gives a slot what a library made of its value."""
    slot.write(_MISSING if type(value) is Undefined else value)


def distinct(slots: Iterable[Slot]) -> Iterator[Slot]:
    """Each place once."""
    found: dict[tuple[Any, ...], Slot] = {}
    for slot in slots:
        found.setdefault(slot.key, slot)
    return iter(found.values())
