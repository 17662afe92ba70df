"""What code can read of everything that it reaches: the names that it mentions."""

from __future__ import annotations

import types
from abc import ABCMeta
from collections.abc import Iterable, Iterator
from typing import Any

from autograph.conversion.class_facts import bases_of, dictionary_of
from autograph.conversion.libraries import is_known_library
from autograph.reach.classes import attributes_of, is_library_object, is_of_program
from autograph.reach.places import Place
from autograph.reach.record import Label, Sealed, text_of
from autograph.reach.referents import is_dispatcher
from autograph.reach.sealed import Buffer, Members
from autograph.reach.walk import ATOMS, Objects

_MAKERS = ("__new__", "__init__", "__post_init__")
"""Methods that run where code calls a class, and not where it has an object of the class."""


def _is_called_by_python(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _MAKERS


class Reads(Objects):
    """The places that functions can read, judging by the names in their code.

    Unlike `Reach` it follows an attribute only if reached code mentions its name. Library functions
    read no user values.

    Args:
      values: functions and other values, keyed by the user's names.

    Attributes:
      functions: the functions of the program.
      classes: its classes.
      asks_abstract: whether there is an abstract class, which other classes may be registered at.

    >>> reads = Reads({"f": eval("lambda: rate", {"rate": 0.5, "unused": 1})})
    >>> [(place.label, value) for place, value in reads.places()]
    [('rate', 0.5)]
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self._postponed: dict[str, list[tuple[Any, Label]]] = {}
        self._containers: dict[int, tuple[Any, Label]] = {}
        self.functions: list[types.FunctionType] = []
        self.classes: list[type] = []
        self.asks_abstract = False
        super().__init__(values)

    def places(self) -> list[tuple[Place, Any]]:
        """Return the places, each once, with their values."""
        found: dict[Any, tuple[Place, Any]] = {}
        for record in self._records:
            for place, value in record.places(self.vocabulary):
                if type(value) is not types.ModuleType:
                    found.setdefault(place.identity, (place, value))
        return list(found.values())

    def containers(self) -> Iterator[tuple[Any, str]]:
        """Yield the lists, dicts, sets and buffers, with the user's names."""
        return ((value, text_of(label)) for value, label in self._containers.values())

    def _look_further(self) -> bool:
        for name in [name for name in self._postponed if name in self.vocabulary]:
            for value, label in self._postponed.pop(name):
                self._wait(value, label)
        return super()._look_further()

    def _wait(self, value: object, label: Label) -> None:
        super()._wait(value, label)
        kind: Any = value
        if issubclass(type(value), type) and is_of_program(kind):
            for base in bases_of(kind):
                for name in _MAKERS:
                    super()._wait(dictionary_of(base).get(name), name)
            for meta in filter(is_of_program, bases_of(type(kind))):
                super()._wait(dictionary_of(meta).get("__call__"), "__call__")

    def _members_of(self, kind: type) -> Iterable[tuple[str, Any]]:
        # `__call__` of a metaclass runs where code calls a class: see `_wait`.
        own = super()._members_of(kind)
        is_meta = issubclass(kind, type)
        return ((name, item) for name, item in own if not (is_meta and name == "__call__"))

    def _wait_class(self, kind: type) -> None:
        super()._wait(kind, kind.__name__)

    def _wait_named(self, name: str, value: object, label: Label) -> None:
        if name in self.vocabulary or _is_called_by_python(name):
            self._wait(value, label)
        elif type(value) not in ATOMS:
            self._postponed.setdefault(name, []).append((value, label))

    def _seal(self, record: type[Sealed], value: object, label: Label) -> None:
        if record in (Members, Buffer):
            self._containers[id(value)] = value, label

    def _look_at_items(self, value: object, label: Label) -> None:
        self._containers[id(value)] = value, label

    def _look_at_attributes(self, value: object, label: Label) -> None:
        kind: Any = type(value)
        self.vocabulary.add_names(getattr(kind, "__match_args__", ()))
        if is_library_object(kind):
            self.vocabulary.add_names(attributes_of(value))
        super()._look_at_attributes(value, label)

    def _look_at_class(self, kind: type, label: Label = "") -> None:
        self.asks_abstract = self.asks_abstract or issubclass(type(kind), ABCMeta)
        if is_of_program(kind):
            self.classes.append(kind)
        super()._look_at_class(kind, label)

    def _look_at_function(self, function: types.FunctionType, label: Label = "") -> None:
        if not is_known_library(function.__globals__) or is_dispatcher(function):
            self.functions.append(function)
            super()._look_at_function(function, label)
        elif "__wrapped__" in function.__dict__:
            self._wait(function.__dict__["__wrapped__"], label)

    def _names_of_module(self, names: dict[str, Any]) -> set[str]:
        # What a library has in its modules is read by the names in code.
        every = self.vocabulary.is_everything and not is_known_library(names)
        return set(names) if every else super()._names_of_module(names)
