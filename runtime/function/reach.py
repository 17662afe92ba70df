"""Places that a function can read besides its arguments, as far as its code says.

These are variables of enclosing functions, global names, modules that it imports, and attributes
and items of the objects that it reaches there or through its arguments.
"""

from __future__ import annotations

import enum
import functools
import sys
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

from autograph.reach import MISSING, MOST_OBJECTS, holds_attributes, names_in, too_many
from runtime.core.graph import Graph
from runtime.core.tensor import Tensor
from runtime.function.conversion import is_known_library
from runtime.function.snapshots import BY_VALUE, COLLECTIONS

_MAKERS = ("__init__",)
_COMPUTED = frozenset(
    {"getattr", "hasattr", "vars", "attrgetter", "methodcaller", "__dict__", "__getattribute__"}
)
"""Names by which a program reads attributes that its code does not spell."""

Read = Callable[[], Any]


@dataclass(frozen=True)
class Place:
    """Where a value is read.

    Attributes:
      name: how the program writes it.
      key: what tells places apart.
      read: gives what it holds now, `MISSING` if there is nothing.
    """

    name: str
    key: Hashable
    read: Read


def reference(value: Any) -> Read:
    """Gives the object, weakly where that can be, so that nothing is kept alive."""
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value


def places_read(function: Callable[..., Any], arguments: Iterable[Any]) -> list[Place]:
    """The places that a call can read."""
    reach = _Reach()
    reach.visit("", function)
    for argument in arguments:
        reach.visit("", argument)
    return reach.places()


class _Reach:
    """Everything that a function can read, as far as its code says."""

    def __init__(self) -> None:
        self._places: dict[Hashable, Place] = {}
        self._seen: set[int] = set()
        self._attributes: set[str] = {"__call__"}
        self._objects: list[tuple[str, Any]] = []
        self._is_computed = False

    def places(self) -> list[Place]:
        """The places."""
        looked_up: set[tuple[int, str]] = set()
        while fresh := [
            (name, owner, attribute)
            for name, owner in self._objects
            for attribute in self._attributes_read(owner)
            if (id(owner), attribute) not in looked_up
        ]:
            for name, owner, attribute in fresh:
                looked_up.add((id(owner), attribute))
                self._attribute(name, owner, attribute)
        if self._is_computed:
            for name, owner in self._objects:
                self._names_of_attributes(name, owner)
        return list(self._places.values())

    def _attributes_read(self, owner: Any) -> Iterator[str]:
        yield from self._attributes
        # By position, a pattern of a class reads these.
        yield from getattr(type(owner), "__match_args__", ())
        if _is_class(owner):
            yield from _MAKERS
        if self._is_computed or not _is_of_the_program(owner):
            yield from tuple(_dictionary(owner) or ())
            yield from _slots(owner)

    def _names_of_attributes(self, name: str, owner: Any) -> None:
        held = _dictionary(owner)
        if held is not None and type(owner) is not ModuleType:
            key = (id(owner), "__dict__")
            self._places[key] = Place(f"{name or 'self'}.__dict__", key, lambda: tuple(held))

    def visit(self, name: str, value: Any) -> None:
        """Looks into a value that the program calls `name`, without running code of its class."""
        if id(value) in self._seen:
            return
        kind = type(value)
        if kind in BY_VALUE or issubclass(kind, Tensor):
            return
        if kind is MethodType:
            self.visit(name, value.__func__)
            self.visit(f"{name}.__self__" if name else "self", value.__self__)
            return
        self._seen.add(id(value))
        if len(self._seen) > MOST_OBJECTS:
            raise too_many(name)
        own = _dictionary(value)
        if kind is FunctionType:
            self._function(value)
            self.visit(name, vars(value).get("__wrapped__"))
        elif kind is functools.partial or kind is functools.partialmethod:
            self.visit(name, value.func)
            for part in (*value.args, *value.keywords.values()):
                self.visit(name, part)
        elif kind is staticmethod or kind is classmethod:
            self.visit(name, value.__func__)
        elif kind is property:
            self.visit(name, value.fget)
        elif own is not None and "__wrapped__" in own and kind is not ModuleType:
            self.visit(name, own["__wrapped__"])
        else:
            if issubclass(kind, COLLECTIONS):
                self._items(name, value)
            elif kind is np.ndarray and value.dtype.hasobject:
                self._items(name, value.ravel().tolist())
            held: Any = kind
            if _is_of_the_program(value) or holds_attributes(held):
                self._objects.append((name, value))

    def _items(self, name: str, value: Any) -> None:
        for key, item in _entries(value):
            if type(item) not in BY_VALUE:
                self.visit(f"{name}[{key!r}]" if type(key) in BY_VALUE else f"{name}[…]", item)

    def _function(self, function: FunctionType) -> None:
        namespace = function.__globals__
        if is_known_library(namespace):
            return
        self._names(function.__code__, namespace)
        self._defaults(function)
        cells = function.__closure__ or ()
        for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
            self._place(Place(name, id(cell), functools.partial(_cell_contents, cell)))

    def _defaults(self, function: FunctionType) -> None:
        referred = reference(function)
        for name in ("__defaults__", "__kwdefaults__"):
            if getattr(function, name):
                read = functools.partial(_default_values, referred, name)
                label = f"the defaults of {function.__name__}"
                self._place(Place(label, (id(function), name), read))

    def _names(self, code: CodeType, namespace: dict[str, Any]) -> None:
        """What code may mean by the names that it mentions: attributes, globals and modules."""
        names = names_in(code)
        self._attributes.update(names, _words_in(code))
        if _COMPUTED.intersection(names):
            self._is_computed = True
        for name in names:
            if name in sys.modules:
                self.visit(name, sys.modules[name])
        for name in tuple(namespace) if "globals" in names else names:
            if name in namespace:
                key = (id(namespace), name)
                self._place(Place(name, key, functools.partial(namespace.get, name, MISSING)))

    def _attribute(self, name: str, owner: Any, attribute: str) -> None:
        """The place of an attribute, and those where another one would hide it or be hidden."""
        holders = [
            (holder, held)
            for holder in (owner, *_classes(owner))
            if (held := _dictionary(holder)) is not None
        ]
        if not any(attribute in held for _, held in holders):
            return
        for holder, held in holders:
            if type(held.get(attribute)) is MemberDescriptorType and not _is_class(owner):
                self._place(_place_of_slot(name, owner, attribute, held[attribute]))
            else:
                read = functools.partial(held.get, attribute, MISSING)
                key = _key(holder, attribute)
                self._place(Place(f"{name or 'self'}.{attribute}", key, read))

    def _place(self, place: Place) -> None:
        value = place.read()
        if place.key in self._places or _is_library(value):
            return
        self._places[place.key] = place
        self.visit(place.name, value)


def _dictionary(value: Any) -> Any:
    """The attributes of an object itself; None if it has no room for any."""
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None


def _key(owner: Any, attribute: str) -> Hashable:
    """What tells an attribute from others: where it is, and its name."""
    held = _dictionary(owner)
    return (id(held) if type(held) is dict else id(owner)), attribute


def _default_values(referred: Read, name: str) -> Any:
    return getattr(referred(), name, MISSING)


def _is_class(value: Any) -> bool:
    return issubclass(type(value), type)


def _slots(owner: Any) -> Iterator[str]:
    """The attributes that an object keeps outside of its dictionary."""
    for holder in _classes(owner):
        for name, held in tuple(vars(holder).items()):
            if type(held) is MemberDescriptorType:
                yield name


def _place_of_slot(name: str, owner: Any, attribute: str, slot: Any) -> Place:
    referred = reference(owner)

    def read() -> Any:
        try:
            return slot.__get__(referred())
        except AttributeError:
            return MISSING

    return Place(f"{name or 'self'}.{attribute}", (id(owner), attribute), read)


def _entries(value: Any) -> Iterator[tuple[Any, Any]]:
    if issubclass(type(value), dict):
        return iter(tuple(dict.items(value)))
    return enumerate(tuple(value))


def _is_of_the_program(value: Any) -> bool:
    """Whether its attributes are the program's, and not those of a library."""
    kind = type(value)
    if kind is ModuleType:
        return not is_known_library(vars(value))
    if issubclass(kind, (Graph, enum.Enum)):
        return False
    owner: Any = value if _is_class(value) else kind
    return not _is_of_a_library(owner)


@functools.lru_cache(maxsize=4096)
def _is_of_a_library(kind: Any) -> bool:
    module = sys.modules.get(kind.__module__)
    return is_known_library({"__name__": kind.__module__} if module is None else vars(module))


def _is_library(value: Any) -> bool:
    """Whether it belongs to a library, so that nobody replaces it while a program runs."""
    kind = type(value)
    if kind is ModuleType:
        return is_known_library(vars(value))
    if kind is FunctionType:
        return is_known_library(value.__globals__)
    return kind is BuiltinFunctionType


def _classes(owner: Any) -> Iterator[type]:
    """Where attributes are looked up that the object itself does not have."""
    if type(owner) is ModuleType:
        return
    for kind in (owner if _is_class(owner) else type(owner)).__mro__:
        if kind is not owner and not _is_of_a_library(kind):
            yield kind


def _cell_contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # The variable has no value yet.
        return MISSING


@functools.lru_cache(maxsize=1024)
def _words_in(code: CodeType) -> frozenset[str]:
    """Words in tuples of code: patterns of classes name the attributes that they read there."""
    found: set[str] = set()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _words_in(constant)
        elif isinstance(constant, tuple):
            found.update(each for each in constant if isinstance(each, str))
    return frozenset(found)
