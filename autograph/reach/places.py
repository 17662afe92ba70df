"""Places that hold values: variables, attributes, the contents of lists. Each reads and writes."""

from __future__ import annotations

import functools
import threading
import types
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from autograph.errors import StagingError
from autograph.operators.moved import is_parted, move, note_items, resolve
from autograph.operators.variables import Conflict

MISSING = object()
"""The value of an empty place."""

NOTE = "__autograph"
"""Prefix of the attributes that the converter sets on functions."""


class Place:
    """A place that holds a value of the program.

    Attributes:
      owner: the object that it is in; held, so that its address stays its own.
      key: what tells the places of one owner apart.
      label: what the program calls the place.
    """

    def __init__(self, owner: Any, key: Any, label: str) -> None:
        self.owner = owner
        self.key = key
        self.label = label

    @property
    def identity(self) -> tuple[int, Any]:
        """Equal for two objects of this class that are one place."""
        return id(self.owner), self.key

    def read(self) -> Any:
        """Return the value; `MISSING` if there is none."""
        raise NotImplementedError

    def write(self, value: object) -> None:
        """Set the value; `MISSING` removes it."""
        raise NotImplementedError

    def reader(self) -> Callable[[], Any]:
        """Return a function that reads the place, and keeps the object around it alive at most
        where Python has no weak reference to it.
        """
        return self.read


class Entry(Place):
    """One name of a namespace: an attribute in a `__dict__`, or a global variable."""

    owner: dict[str, Any]

    def read(self) -> Any:
        """Return the value of the name."""
        return self.owner.get(self.key, MISSING)

    def write(self, value: Any) -> None:
        """Binds the name, or removes it."""
        if value is MISSING:
            self.owner.pop(self.key, None)
        else:
            self.owner[self.key] = value

    def reader(self) -> Callable[[], Any]:
        """Return the lookup of the name itself: guards of a cached call run many of them."""
        return functools.partial(self.owner.get, self.key, MISSING)


class Shadow(Entry):
    """An attribute that hides one of the class: without it the object shows that of the class."""

    def __init__(self, owner: Any, key: Any, label: str, shown: Any) -> None:
        super().__init__(owner, key, label)
        self._shown = shown

    def read(self) -> Any:
        """Return the value of the object, else that of the class."""
        return self.owner.get(self.key, self._shown)


class Keys(Place):
    """The names of a namespace; read-only."""

    owner: dict[str, Any]

    def read(self) -> tuple[str, ...]:
        """Return the names, in order."""
        return tuple(self.owner)


class Count(Place):
    """The number of names of a namespace; read-only."""

    owner: dict[str, Any]

    def read(self) -> int:
        """Return the number of names."""
        return len(self.owner)


class Unhidden(Place):
    """Whether a namespace hides none of the built-in names in `key`; read-only."""

    owner: dict[str, Any]

    @property
    def namespace(self) -> dict[str, Any]:
        """The namespace."""
        return self.owner

    def read(self) -> bool:
        """Return whether it hides none."""
        return self.namespace.keys().isdisjoint(self.key)

    def reader(self) -> Callable[[], bool]:
        """Return `read` as a function that is quick to call."""
        return functools.partial(self.owner.keys().isdisjoint, self.key)


class UnhiddenHere(Unhidden):
    """The same of a `threading.local`, of which each thread has its own attributes."""

    owner: Any

    @property
    def namespace(self) -> dict[str, Any]:
        """The attributes that the current thread has."""
        return cast(dict[str, Any], own_attribute(self.owner, "__dict__"))

    def reader(self) -> Callable[[], bool]:
        """Return `read`."""
        return self.read


class Hooked(Entry):
    """An attribute of an object whose class has another one: a method, or what it computes.

    Whether Python asks the class would depend on whether the attribute exists at run time.
    """

    def write(self, value: object) -> None:
        """Binds the name, or removes it."""
        if hasattr(type(value), "__autograph_defined__"):
            value = Conflict(lambda use: self._refusal())
        super().write(value)

    def _refusal(self) -> StagingError:
        return StagingError(
            f"a staged statement decides whether `{self.label}` is an attribute of the object or "
            "comes from its class.",
            remedy="Assign it before the statement.",
        )


class Member(Place):
    """An attribute outside of a `__dict__`: of a class, or in a slot."""

    def read(self) -> Any:
        """Return the attribute, without running user code."""
        if issubclass(type(self.owner), type):
            return self.owner.__dict__.get(self.key, MISSING)
        return own_attribute(self.owner, self.key)

    def write(self, value: Any) -> None:
        """Set or delete the attribute, without running user code."""
        of = type if issubclass(type(self.owner), type) else object
        if value is not MISSING:
            of.__setattr__(self.owner, self.key, value)
        elif self.read() is not MISSING:
            of.__delattr__(self.owner, self.key)

    def reader(self) -> Callable[[], Any]:
        """Return a lookup in the class, or in the object, which may be gone by then."""
        if issubclass(type(self.owner), type):
            return functools.partial(self.owner.__dict__.get, self.key, MISSING)
        try:
            owner: Callable[[], Any] = weakref.ref(self.owner)
        except TypeError:
            return self.read
        key = self.key
        return lambda: own_attribute(owner(), key)


class Cell(Place):
    """A free variable."""

    owner: types.CellType

    def read(self) -> Any:
        """Return the value of the variable."""
        try:
            return self.owner.cell_contents
        except ValueError:
            return MISSING

    def write(self, value: object) -> None:
        """Bind or unbind the variable."""
        if value is not MISSING:
            self.owner.cell_contents = value
        elif self.read() is not MISSING:
            del self.owner.cell_contents


class Carried(Place):
    """The content of a mutable value of a tensor library, such as a list that grows in a graph."""

    def read(self) -> Any:
        """Return a copy of the value."""
        return self.owner.contents()

    def write(self, value: Any) -> None:
        """Make the value equal to another one, or to a list of Python."""
        if type(value) is list:
            value = self.owner.of_items(value)
        held = dict(vars(value))
        self.owner.hide(None)
        vars(self.owner).update(held)


class Contents(Place):
    """The items of one list or dict, without nested ones.

    A library may need another object, the stand-in, for items whose number is known at run time.
    The stand-in then replaces the list at every known place, and the list itself is `Moved`.

    Args:
      owner: the list or dict.
      label: the user's name for it.
      holders: returns the places that refer to the owner.
    """

    def __init__(self, owner: Any, label: str, holders: Callable[[Any], list[Place]]) -> None:
        super().__init__(owner, "contents", label)
        self._find_holders = holders
        self._holders: list[Place] | None = None

    @property
    def stand_in(self) -> Any:
        """Return the stand-in of the list; `MISSING` if it has none."""
        holder = holder_of(self.owner)
        return MISSING if holder is self.owner else holder

    def read(self) -> Any:
        """Return a copy of the items, or of their stand-in."""
        stand_in = self.stand_in
        return items_of(self.owner) if stand_in is MISSING else stand_in.contents()

    def is_replaced_by(self, value: object) -> bool:
        """Return whether writing a value gives the owner its first stand-in."""
        return type(self._held(value)) is not self.kind and self.stand_in is MISSING

    def write(self, value: object) -> None:
        """Refill the owner, or replace it by a stand-in if the value is of another kind."""
        value = self._held(value)
        if type(value) is not self.kind:
            self._replace(value)
        else:
            self.take_back()
            refill(self.owner, value)

    @property
    def kind(self) -> type:
        """Return the class of its items: `list` for a list or deque, else a dict class."""
        if type(self.owner) is set:
            return SetMembers
        return list if issubclass(type(self.owner), list | deque) else dict

    def _held(self, value: Any) -> Any:
        """Return a value, as a list of Python if it has a known length and no `list` holds it."""
        known = getattr(type(value), "known_items", None)
        items = None if known is None or type(self.owner) is list else known(value)
        return value if items is None else items

    def _replace(self, value: object) -> None:
        if not hasattr(type(value), "__autograph_carried__"):
            raise StagingError(
                f"`{self.label}` cannot hold {value!r} in place of its items.",
                remedy="Give it the same length, or keys, on every way through the statement.",
            )
        if type(self.owner) not in (list, dict):
            value = value.stand_in(self.owner) if hasattr(value, "stand_in") else None
        if value is None:
            raise StagingError(
                f"the length of `{self.label}`, of type {type(self.owner).__name__}, depends on a "
                "staged statement.",
                remedy=f"Use a {self.kind.__name__}.",
            )
        known = self.stand_in
        if known is not MISSING and known is not value and type(known) is type(value):
            # Variables may refer to it.
            vars(known).update(vars(value))
            value = known
        if self._holders is None:
            self._holders = self._find_holders(self.owner)
        move(self.owner, value, self.label)
        self.rename()

    def rename(self) -> None:
        """Rebind the places that refer to the owner to its stand-in, if it has one."""
        stand_in = self.stand_in
        if stand_in is MISSING:
            return
        for holder in self._holders or ():
            if holder.read() is self.owner:
                holder.write(stand_in)

    def take_back(self) -> None:
        """Rebind the places that refer to the stand-in to the owner."""
        stand_in = self.stand_in
        if stand_in is MISSING:
            return
        for holder in self._holders or ():
            if holder.read() is stand_in:
                holder.write(self.owner)
        self.owner.clear()
        note_items(self.owner)


class SetMembers(dict[Any, Any]):
    """The members of a set as keys, in the order of iteration."""


def holder_of(container: Iterable[Any]) -> Any:
    """Return the stand-in of a list or dict, or the container itself."""
    return container if is_parted(container) else resolve(container)


def items_of(container: object) -> Any:
    """Copy the items of a list, deque or dict; the members of a set become dict keys."""
    keys, items = parts_of(container)
    return together(container, keys, items)


def parts_of(container: Any) -> tuple[Sequence[Any], tuple[Any, ...]]:
    """Return the keys or indices of a list, deque, dict or set, and its items, in order.

    No code of the program runs, as `__hash__` of a key does where a dict is made; the iterators of
    an ordered dict look up each key, too.

    >>> parts_of({"a": 1}), parts_of([5, 6])
    ((('a',), (1,)), (range(0, 2), (5, 6)))
    """
    kind = type(container)
    if issubclass(kind, list | deque):
        items = tuple(_iterator(container))
        return range(len(items)), items
    if kind is set:
        return tuple(container), (True,) * len(container)
    if issubclass(kind, OrderedDict):
        keys = tuple(OrderedDict.__iter__(container))
        return keys, tuple(dict.__getitem__(container, key) for key in keys)
    return tuple(dict.__iter__(container)), tuple(dict.values(container))


def together(container: object, keys: Iterable[Any], items: Iterable[Any]) -> Any:
    """Return what `items_of` does, made of the parts of a container."""
    if issubclass(type(container), list | deque):
        return list(items)
    of = SetMembers if type(container) is set else dict
    return of(zip(keys, items, strict=True))


def _iterator(container: Iterable[Any]) -> Iterator[Any]:
    """Return an iterator over a list or deque, without running user code."""
    base: Any = list if issubclass(type(container), list) else deque
    return base.__iter__(container)  # type: ignore[no-any-return]


def refill(container: object, items: object) -> None:
    """Replace the items of a list or dict, without running user code."""
    _refill(container, items)
    note_items(container)


def _refill(container: Any, items: Any) -> None:
    if issubclass(type(container), list):
        list.__setitem__(container, slice(None), items)
        return
    if issubclass(type(container), deque):
        deque.clear(container)
        deque.extend(container, items)
        return
    if type(container) is set:
        container.clear()
        for member in items:  # one by one, so that the hash table grows as in the program
            container.add(member)
        return
    of: Any = OrderedDict if issubclass(type(container), OrderedDict) else dict
    of.clear(container)
    for key, item in items.items():
        of.__setitem__(container, key, item)


def own_attribute(owner: object, name: str) -> Any:
    """Return an attribute without running user code; `MISSING` if there is none."""
    # threading.local returns the attributes of the current thread.
    of: Any = threading.local if issubclass(type(owner), threading.local) else object
    try:
        return of.__getattribute__(owner, name)
    except AttributeError:
        return MISSING


def own_names(function: types.FunctionType) -> list[str]:
    """Return the attributes of a function, without the converter's own."""
    return [name for name in function.__dict__ if not name.startswith(NOTE)]


def inherited(kind: type, name: str) -> Any:
    """Return the class attribute that an object inherits; `MISSING` if there is none."""
    for base in kind.__mro__:
        if name in base.__dict__:
            value = base.__dict__[name]
            return MISSING if hasattr(type(value), "__get__") else value
    return MISSING
