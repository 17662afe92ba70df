"""Python values that a recording reads besides its arguments: when one changes, so must the graph.

What a function reads from its closure, from global names, and from attributes and items of the
objects that it reaches there or through its arguments is frozen in the graph. So each graph
remembers what these places held, and serves a call only while they hold the same. Numbers,
strings and short collections count by value, everything else by identity. Objects are not kept
alive, though what their attributes hold is as long as the graph.

A place that the function itself changes is a side effect of recording, and is left out.
"""

from __future__ import annotations

import dis
import enum
import functools
import sys
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from runtime.core.graph import Graph
from runtime.core.tensor import Tensor
from runtime.function.conversion import is_known_library

ITEM_LIMIT = 64
"""Collections with more items than this count by identity and length."""

OBJECT_LIMIT = 200
"""So many objects and functions are looked into at most."""

_BY_VALUE = (bool, int, float, complex, str, bytes, type(None))
_COLLECTIONS = (list, tuple, dict, set, frozenset)


class _Missing:
    """What a place holds that holds nothing."""

    __slots__ = ("__weakref__",)


_MISSING = _Missing()
_MAKERS = ("__init__",)

Read = Callable[[], Any]


@dataclass(frozen=True)
class Place:
    """Where a value is read.

    Attributes:
      name: how the program writes it.
      key: what tells places apart.
      read: gives what it holds now, `_MISSING` if there is nothing.
    """

    name: str
    key: Hashable
    read: Read


class Guards:
    """All places that one graph depends on, and what they held when it was recorded."""

    __slots__ = ("_objects", "_places", "_tokens", "_values")

    def __init__(self, held: Iterable[tuple[Place, Any]]) -> None:
        """Takes pairs of a place and the value that it holds."""
        self._places = [(place, token_of(value)) for place, value in held]
        self._values: list[tuple[Read, Any, Hashable]] = []
        self._objects: list[tuple[Read, Any]] = []
        self._tokens: list[tuple[Read, Hashable]] = []
        for place, token in self._places:
            value = place.read()
            if isinstance(token, Same) and token.reference is not None:
                self._objects.append((place.read, token.reference))
            elif type(value) in _BY_VALUE:
                self._values.append((place.read, value, token))
            else:
                self._tokens.append((place.read, token))

    def __len__(self) -> int:
        """How many places there are."""
        return len(self._places)

    def hold(self) -> bool:
        """Whether every place holds what it held."""
        for read, reference in self._objects:
            if read() is not reference():
                return False
        for read, value, token in self._values:
            now = read()
            if now is not value and token_of(now) != token:
                return False
        return all(_matches(token, read()) for read, token in self._tokens)

    def changes(self) -> list[str]:
        """What changed, a text for each place."""
        return [
            f"`{place.name}`: {_in_words(token)} -> {_in_words(token_of(value))} (read from "
            "outside; pass it as a tensor, or keep it in a tf.Variable)"
            for place, token in self._places
            for value in [place.read()]
            if not _matches(token, value)
        ]


def _matches(token: Any, value: Any) -> bool:
    """Whether the token of the value would equal this one; makes none where it can."""
    if type(token) is Same:
        return bool(token.is_for(value))
    kind = token[0]
    if type(value) is not kind:
        return False
    if len(token) == 3:
        return bool(token == token_of_long(value))
    if kind is list or kind is tuple:
        return len(value) == len(token[1]) and all(map(_matches, token[1], value))
    return bool(token_of(value) == token)


def token_of(value: Any, depth: int = 2) -> Hashable:
    """What equals that of another value only if a graph may take one for the other.

    >>> token_of([1, 2.0]) == token_of([1, 2.0]), token_of(1) == token_of(True)
    (True, False)
    """
    kind = type(value)
    if kind in _BY_VALUE:
        return kind, repr(value) if kind is float or kind is complex else value
    if not issubclass(kind, _COLLECTIONS):
        return Same(value)
    if not depth or len(value) > ITEM_LIMIT:
        return token_of_long(value)
    is_dict = issubclass(kind, dict)
    items = value.items() if is_dict else value
    tokens = (token_of(item, depth if is_dict else depth - 1) for item in items)
    return kind, frozenset(tokens) if issubclass(kind, (set, frozenset)) else tuple(tokens)


def token_of_long(value: Any) -> Hashable:
    """What tells a collection from others by identity and length only.

    >>> held, other = [1], [1]
    >>> token_of_long(held) == token_of_long(held), token_of_long(held) == token_of_long(other)
    (True, False)
    """
    return type(value), id(value), len(value)


class Same:
    """Equal for the same object, as long as it exists."""

    __slots__ = ("_hash", "_name", "reference")

    def __init__(self, held: Any) -> None:
        """Refers to the object."""
        self._hash = id(held)
        self._name = type(held).__name__
        try:
            self.reference: Any = weakref.ref(held)
        except TypeError:  # What cannot be held weakly is compared by its address.
            self.reference = None

    def is_for(self, value: Any) -> bool:
        """Whether `value` is the object."""
        if self.reference is None:
            return self._hash == id(value)
        return self.reference() is value

    def __eq__(self, other: object) -> bool:
        """Whether both refer to one object."""
        if not isinstance(other, Same):
            return NotImplemented
        held = other.reference is not None and other.reference()
        same = self.reference is None or self.reference() is held
        return self._hash == other._hash and same

    def __hash__(self) -> int:
        """Hashes the identity."""
        return self._hash

    def __repr__(self) -> str:
        """Gives the class of the object."""
        return f"a {self._name}"


def _in_words(token: Any) -> str:
    if isinstance(token, Same):
        return "nothing" if token.is_for(_MISSING) else repr(token)
    kind, value = token[0], token[1]
    if kind in (float, complex):
        return str(value)
    if kind in _BY_VALUE:
        return repr(value)
    return f"a {kind.__name__}"


class Watch:
    """Looks at the places before and after a recording.

    Args:
      function: the function that is recorded.
      arguments: the objects among its arguments.
    """

    def __init__(self, function: Callable[..., Any], arguments: Iterable[Any]) -> None:
        """Remembers what the places hold now."""
        self._function = function
        self._arguments = [_reference(argument) for argument in arguments]
        places, _ = self._places()
        self._before = {place.key: token_of(place.read()) for place in places}

    def guards(self) -> Guards:
        """The places with what they hold now, without those that the recording changed."""
        places, assigned = self._places()
        held = [(place, place.read()) for place in places if place.key not in assigned]
        return Guards((place, value) for place, value in held if self._is_steady(place, value))

    def _is_steady(self, place: Place, value: Any) -> bool:
        return place.key not in self._before or self._before[place.key] == token_of(value)

    def _places(self) -> tuple[list[Place], set[Hashable]]:
        reach = _Reach()
        reach.visit("", self._function)
        for argument in self._arguments:
            reach.visit("", argument())
        return reach.places()


def _reference(value: Any) -> Read:
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value


class _Reach:
    """Everything that a function can read, as far as its code says."""

    def __init__(self) -> None:
        self._places: dict[Hashable, Place] = {}
        self._assigned: set[Hashable] = set()
        self._seen: set[int] = set()
        self._attributes: set[str] = {"__call__"}
        self._stored: set[str] = set()
        self._owned: dict[Hashable, str] = {}
        self._objects: list[tuple[str, Any]] = []

    def places(self) -> tuple[list[Place], set[Hashable]]:
        """The places, and the keys of those that the code assigns."""
        looked_up: set[tuple[int, str]] = set()
        while True:
            fresh = [
                (name, owner, attribute)
                for name, owner in self._objects
                for attribute in (
                    *self._attributes,
                    *(_MAKERS if issubclass(type(owner), type) else ()),
                )
                if (id(owner), attribute) not in looked_up
            ]
            if not fresh:
                break
            for name, owner, attribute in fresh:
                looked_up.add((id(owner), attribute))
                self._attribute(name, owner, attribute)
        stored = {key for key, attribute in self._owned.items() if attribute in self._stored}
        return list(self._places.values()), self._assigned | stored

    def visit(self, name: str, value: Any) -> None:
        """Looks into a value that the program calls `name`, without running code of its class."""
        if id(value) in self._seen or len(self._seen) >= OBJECT_LIMIT:
            return
        kind = type(value)
        if kind in _BY_VALUE or issubclass(kind, Tensor):
            return
        if kind is MethodType:
            self.visit(name, value.__func__)
            self.visit(f"{name}.__self__" if name else "self", value.__self__)
            return
        self._seen.add(id(value))
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
        elif issubclass(kind, _COLLECTIONS):
            self._items(name, value)
        elif own is not None and "__wrapped__" in own and kind is not ModuleType:
            self.visit(name, own["__wrapped__"])
        elif own is not None and _is_of_the_program(value):
            self._objects.append((name, value))

    def _items(self, name: str, value: Any) -> None:
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        if len(value) <= ITEM_LIMIT:
            for key, item in entries:
                self.visit(f"{name}[{key!r}]", item)

    def _function(self, function: FunctionType) -> None:
        namespace = function.__globals__
        if is_known_library(namespace):
            return
        for code in _with_inner(function.__code__):
            self._code(code, namespace, is_init=function.__name__ == "__init__")
        cells = function.__closure__ or ()
        for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
            self._place(Place(name, id(cell), functools.partial(_cell_contents, cell)))
            if name in _stored(function.__code__, "STORE_DEREF"):
                self._assigned.add(id(cell))

    def _code(self, code: CodeType, namespace: dict[str, Any], is_init: bool) -> None:
        self._attributes.update(_read(code, "LOAD_ATTR"), _read(code, "LOAD_METHOD"))
        if not is_init:
            self._stored.update(_stored(code, "STORE_ATTR"))
        for name in _read(code, "LOAD_GLOBAL"):
            if name in namespace:
                key = (id(namespace), name)
                self._place(Place(name, key, functools.partial(namespace.get, name, _MISSING)))
        for name in _stored(code, "STORE_GLOBAL"):
            self._assigned.add((id(namespace), name))

    def _attribute(self, name: str, owner: Any, attribute: str) -> None:
        """The place of an attribute, and those before it where another one would hide it."""
        places = []
        for holder in (owner, *_classes(owner)):
            held = _dictionary(holder)
            if held is None:
                continue
            read = functools.partial(held.get, attribute, _MISSING)
            places.append(Place(f"{name or 'self'}.{attribute}", (id(holder), attribute), read))
            if attribute in held:
                break
        else:
            return
        if not _is_library(places[-1].read()):
            for place in places:
                self._place(place)
        self._owned[id(owner), attribute] = attribute

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


def _is_of_the_program(value: Any) -> bool:
    """Whether its attributes are the program's, and not those of a library."""
    kind = type(value)
    if kind is ModuleType:
        return not is_known_library(vars(value))
    if issubclass(kind, (Graph, enum.Enum)):
        return False
    return not _is_of_a_library(value if issubclass(kind, type) else kind)


def _is_of_a_library(kind: type) -> bool:
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
    for kind in (owner if issubclass(type(owner), type) else type(owner)).__mro__:
        if kind is not owner and not _is_of_a_library(kind):
            yield kind


def _cell_contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # The variable has no value yet.
        return _MISSING


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)


@functools.lru_cache(maxsize=1024)
def _names(code: CodeType) -> dict[str, frozenset[str]]:
    """The names in the code by the instruction that uses them."""
    found: dict[str, set[str]] = {}
    for instruction in dis.get_instructions(code):
        if isinstance(instruction.argval, str):
            found.setdefault(instruction.opname, set()).add(instruction.argval)
    return {kind: frozenset(names) for kind, names in found.items()}


def _read(code: CodeType, instruction: str) -> frozenset[str]:
    return _names(code).get(instruction, frozenset())


def _stored(code: CodeType, instruction: str) -> frozenset[str]:
    inner = (_names(each).get(instruction, frozenset()) for each in _with_inner(code))
    return frozenset().union(*inner)
