"""Places that hold values of the program: variables, attributes, the items of a list or a dict."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Any

from autograph.errors import StagingError
from autograph.operators.variables import Undefined

MISSING = object()
"""Stands for the value of a place that holds none."""


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


class Entry(Slot):
    """One name of a namespace: an attribute, or a global variable."""

    def __init__(self, names: dict[str, Any], name: str, label: str) -> None:
        super().__init__(label, (id(names), name))
        self._names = names
        self._name = name

    def read(self) -> Any:
        """The value under the name."""
        return self._names.get(self._name, MISSING)

    def write(self, value: Any) -> None:
        """Binds the name."""
        if value is MISSING:
            self._names.pop(self._name, None)
        else:
            self._names[self._name] = value


class NewEntry(Entry):
    """An attribute that an object did not have of its own; until then it was that of the class."""

    def __init__(self, names: dict[str, Any], name: str, label: str, inherited: Any) -> None:
        super().__init__(names, name, label)
        self._inherited = inherited

    def read(self) -> Any:
        """The value of the object, else that of the class."""
        return self._names.get(self._name, self._inherited)


class Attribute(Slot):
    """An attribute that is no entry of a dict: of a class, or one with a place of its own."""

    def __init__(self, owner: Any, name: str, label: str) -> None:
        super().__init__(label, (id(owner), name))
        self._owner = owner
        self._name = name

    def read(self) -> Any:
        """The attribute, without any code of the user's."""
        if issubclass(type(self._owner), type):
            return self._owner.__dict__.get(self._name, MISSING)
        return own_attribute(self._owner, self._name)

    def write(self, value: Any) -> None:
        """Sets or deletes the attribute."""
        of = type if issubclass(type(self._owner), type) else object
        if value is not MISSING:
            of.__setattr__(self._owner, self._name, value)
        elif self.read() is not MISSING:
            of.__delattr__(self._owner, self._name)


class Cell(Slot):
    """A variable of a function that another one shares."""

    def __init__(self, cell: types.CellType, label: str) -> None:
        super().__init__(label, (id(cell),))
        self._cell = cell

    def read(self) -> Any:
        """What the variable holds."""
        return content(self._cell)

    def write(self, value: Any) -> None:
        """Binds the variable."""
        if value is not MISSING:
            self._cell.cell_contents = value
        elif self.read() is not MISSING:
            del self._cell.cell_contents


class Items(Slot):
    """The items of a list or a dict."""

    variable = False

    def __init__(self, container: Any, label: str) -> None:
        super().__init__(label, (id(container),))
        self._container = container

    def read(self) -> Any:
        """The items as a copy, with lists and dicts in them."""
        return contents(self._kind(self._container))

    @property
    def _kind(self) -> type:
        return list if issubclass(type(self._container), list) else dict

    def write(self, value: Any) -> None:
        """Refills the container; a StagingError if it is none any more."""
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


def own_attribute(owner: Any, name: str) -> Any:
    """An attribute without any code of the user's."""
    try:
        return object.__getattribute__(owner, name)
    except AttributeError:
        return MISSING


def content(cell: types.CellType) -> Any:
    """What a cell holds, or MISSING."""
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def value_or_undefined(slot: Slot) -> Any:
    """What a slot holds, for a library: nothing is a variable without a value."""
    value = slot.read()
    return Undefined(slot.label) if value is MISSING else value


def assign(slot: Slot, value: Any) -> None:
    """Gives a slot what a library made of its value."""
    slot.write(MISSING if type(value) is Undefined else value)


def distinct(slots: Iterable[Slot]) -> Iterator[Slot]:
    """Each place once."""
    found: dict[tuple[Any, ...], Slot] = {}
    for slot in slots:
        found.setdefault(slot.key, slot)
    return iter(found.values())
