"""Predicates on classes and code: readable names, and classes whose objects hold user values."""

from __future__ import annotations

import functools
import itertools
import sys
import threading
import types
import weakref
from abc import ABCMeta
from collections.abc import Callable, Iterator, Mapping
from enum import EnumType
from typing import Any, TypeVar

from autograph.code_objects import code_objects, names_in
from autograph.conversion.class_facts import bases_of, dictionary_of, is_static, look_up
from autograph.conversion.libraries import LEFT_ALONE, is_known_library
from autograph.reach.computed import names_asked_for

Answer = TypeVar("Answer")

_MACHINERY = frozenset(
    {"_asyncio", "_frozen_importlib", "_frozen_importlib_external", "_thread", "abc", "asyncio",
     "concurrent", "enum", "importlib", "inspect", "logging", "multiprocessing", "pathlib",
     "threading", "traceback", "typing"}
)  # fmt: skip
"""Standard modules whose objects hold no user data, change in other threads, or are immutable.

Of their objects, only the settings count: public attributes and `SETTINGS`.
"""

SETTINGS = frozenset({"_name", "_daemonic"})
"""Attributes of machinery that public properties assign: `Thread.name`, `Thread.daemon`."""


_NONE: Mapping[str, Any] = types.MappingProxyType({})


class Vocabulary:
    """The set of names in code: the attributes that it can read.

    Attributes:
      is_everything: whether the code computes names, so that it can read every attribute.
      catches: whether the code can go on without an attribute: it handles exceptions, or asks for
        attributes by `getattr` or `hasattr`.

    >>> words = Vocabulary()
    >>> words.add(compile("len(self.items)", "", "eval"))
    >>> "items" in words, "rows" in words
    (True, False)
    """

    def __init__(self) -> None:
        self._names = {"__call__"}
        self._of_classes: dict[type, frozenset[str]] = {}
        self.is_everything = False
        self.catches = False

    def __contains__(self, name: str) -> bool:
        return self.is_everything or name in self._names

    def add(self, code: types.CodeType, variables: Mapping[str, Any] = _NONE) -> None:
        """Add the names in code, and those that its global variables hold."""
        self._names.update(names_in(code), _words_in(code))
        self.catches = self.catches or any(each.co_exceptiontable for each in code_objects(code))
        asked = names_asked_for(code)
        held: list[Any] = [variables.get(name) for name in asked.variables] if asked else []
        if asked is None or any(type(name) is not str for name in held):
            self.is_everything = True
        else:
            self._names.update(asked.names, held)
            self.catches = self.catches or bool(asked.names or held)

    def add_names(self, names: tuple[str, ...]) -> None:
        """Add names that code uses without mentioning them."""
        self._names.update(names)

    def among(self, names: dict[str, Any]) -> set[str]:
        """Return the names of a namespace that the code mentions."""
        return self._names.intersection(names)

    def missing_in(self, names: Mapping[str, Any]) -> frozenset[str]:
        """Return the names that the code mentions and a namespace lacks."""
        return frozenset(self._names.difference(names))

    def of_classes(self, kind: type) -> frozenset[str]:
        """Return the names that the code can read of a class of the program and its bases."""
        known = self._of_classes.get(kind)
        if known is None:
            held = (dictionary_of(base) for base in bases_of(kind) if is_of_program(base))
            known = self._of_classes[kind] = frozenset(itertools.chain(*held))
        return known if self.is_everything else known & self._names


@functools.lru_cache(maxsize=1 << 16)
def _words_in(code: types.CodeType) -> frozenset[str]:
    """Return the words in constant tuples: class patterns store attribute names there."""
    found: set[str] = set()
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _words_in(constant)
        elif isinstance(constant, tuple):
            found.update(each for each in constant if isinstance(each, str))
    return frozenset(found)


def once_per_class(question: Callable[[Any], Answer]) -> Callable[[Any], Answer]:
    """Cache a predicate per class, with weak references to classes.

    >>> once_per_class(lambda kind: kind.__name__)(int)
    'int'
    """
    known: dict[int, tuple[weakref.ref[Any], Answer]] = {}

    @functools.wraps(question)
    def answer(kind: object) -> Answer:
        number = id(kind)
        found = known.get(number)
        if found is None or found[0]() is not kind:
            gone = functools.partial(_forget, known, number)
            found = known[number] = weakref.ref(kind, gone), question(kind)
        return found[1]

    return answer


def _forget(known: dict[int, Any], number: int, gone: weakref.ref[Any]) -> None:
    known.pop(number, None)


def _root(kind: object) -> str:
    """Return the top-level module of a class, or of a module."""
    own = getattr(kind, "__module__", None) or getattr(kind, "__name__", "")
    return str(own).partition(".")[0]


@once_per_class
def is_of_tensor_library(kind: object) -> bool:
    """Return whether a class belongs to a library whose functions run unconverted."""
    return _root(kind) in LEFT_ALONE


@once_per_class
def is_of_program(kind: type) -> bool:
    """Return whether a class belongs to the program, not to a library.

    A class created in a namespace without `__name__` has the module "builtins".
    """
    name = str(getattr(kind, "__module__", ""))
    module = sys.modules.get(name)
    names = {"__name__": name} if module is None else vars(module)
    return not is_static(kind) and (name == "builtins" or not is_known_library(names))


@once_per_class
def is_library_object(kind: type) -> bool:
    """Return whether code of the standard library reads attributes of objects of a class."""
    roots = (_root(base) for base in bases_of(kind) if not is_static(base))
    return not is_namespace(kind) and any(
        root in sys.stdlib_module_names and root not in _MACHINERY for root in roots
    )


@once_per_class
def is_machinery(kind: type) -> bool:
    """Return whether objects of a class of the standard library have settings and no user data."""
    return any(_root(base) in _MACHINERY for base in bases_of(kind) if not is_static(base))


@once_per_class
def is_namespace(kind: type) -> bool:
    """Return whether only code of the program names the attributes of objects of a class."""
    return kind in (types.SimpleNamespace, threading.local) or (
        kind.__module__ == "argparse" and kind.__qualname__ == "Namespace"
    )


@once_per_class
def holds_attributes(kind: type) -> bool:
    """Return whether objects of a class hold user values in their attributes."""
    is_open = getattr(kind, "__autograph_attributes__", False)  # says a tensor library
    return is_open or is_namespace(kind) or is_of_program(kind) or is_library_object(kind)


@once_per_class
def is_enumeration(kind: type) -> bool:
    """Return whether a class is an enumeration; a metaclass of these has no members."""
    return issubclass(type(kind), EnumType)


@once_per_class
def draws_numbers(kind: type) -> bool:
    """Return whether a class is `random.Random` or derived from it, with a state."""
    names = {base.__name__ for base in bases_of(kind) if base.__module__ in ("random", "_random")}
    return "Random" in names and "SystemRandom" not in names


@once_per_class
def is_decimal_context(kind: type) -> bool:
    """Return whether a class is `decimal.Context` or derived from it."""
    names = ((base.__module__, base.__name__) for base in bases_of(kind))
    return ("decimal", "Context") in names


_SETTERS = frozenset({"__setitem__", "__delitem__"})


@once_per_class
def is_native(kind: type) -> bool:
    """Return whether a library wrote a class in C, with items or attributes that programs assign.

    >>> import xml.etree.ElementTree
    >>> is_native(xml.etree.ElementTree.Element), is_native(types.SimpleNamespace)
    (True, False)
    """
    if is_of_program(kind) or is_namespace(kind):
        return False
    return any(
        (type(value) is types.WrapperDescriptorType and name in _SETTERS)
        or (type(value) is types.GetSetDescriptorType and not name.startswith("__"))
        for base in bases_of(kind)
        for name, value in dictionary_of(base).items()
    )


@once_per_class
def is_iterator(kind: type) -> bool:
    """Return whether a class is an iterator of a library that is not written in Python."""
    method = look_up(kind, "__next__")
    return type(method) is types.WrapperDescriptorType and not is_of_program(kind)


@once_per_class
def slots_of(kind: Any) -> tuple[str, ...]:
    """Return the slots of a class, without those that a derived class replaces by another name."""
    slots = dict.fromkeys(_slots(kind))
    return tuple(each for each in slots if type(look_up(kind, each)) is types.MemberDescriptorType)


def _slots(kind: Any) -> Iterator[str]:
    for base in bases_of(kind):
        if "__slots__" in dictionary_of(base):
            for name, value in dictionary_of(base).items():
                if type(value) is types.MemberDescriptorType and not name.startswith("__"):
                    yield name


def program_class(kind: Any) -> Any:
    """Return the class of the program whose merged objects are of a class; any other class itself.

    >>> program_class(int)
    <class 'int'>
    """
    return dictionary_of(kind).get("__autograph_class__", kind)


@once_per_class
def is_plain_object(kind: object) -> bool:
    """Return whether objects of a class are determined by their attributes.

    All bases are user classes in Python, and no user code other than `__init__` runs when an object
    is created, copied or freed.
    """
    *bases, root = bases_of(program_class(kind))
    return (
        root is object
        and type(program_class(kind)) in (type, ABCMeta)
        and bool(bases)
        and not hasattr(kind, "__autograph_staging__")
        and not any(hasattr(kind, name) for name in _STRUCTURES)
        and all(is_of_program(base) for base in bases)
        and not any(name in dictionary_of(base) for base in bases for name in _HOOKS)
    )


@once_per_class
def is_record(kind: object) -> bool:
    """Return whether objects of a class are structures whose parts the program can assign.

    >>> import dataclasses
    >>> is_record(dataclasses.make_dataclass("Point", ["x", "y"])), is_record(tuple)
    (True, False)
    """
    parameters = getattr(kind, "__dataclass_params__", None)
    return hasattr(kind, "__attrs_attrs__") or (parameters is not None and not parameters.frozen)


@once_per_class
def is_structure(kind: type) -> bool:
    """Return whether objects of a class are named tuples, or dataclass objects that hold nothing
    but attributes.

    >>> import collections
    >>> is_structure(collections.namedtuple("Point", "x y")), is_structure(tuple)
    (True, False)
    """
    if issubclass(kind, tuple):
        return hasattr(kind, "_fields")
    if look_up(kind, "__new__") is not object.__new__:
        return False
    return hasattr(kind, "__attrs_attrs__") or hasattr(kind, "__dataclass_fields__")


_STRUCTURES = (
    "__dataclass_fields__", "__attrs_attrs__", "__tensor_flatten__", "__autograph_carried__",
    "__autograph_refers__",
)  # fmt: skip
"""Class attributes that exclude their objects from being carried by attributes."""

_HOOKS = ("__del__", "__new__", "__init_subclass__", "__getattribute__")


def object_with(kind: Any, attributes: Mapping[str, Any]) -> Any:
    """Create an object of a class with these attributes, without running user code."""
    made = object.__new__(kind)
    slots = slots_of(kind)
    for name, value in attributes.items():
        if name in slots:
            object.__setattr__(made, name, value)
        else:
            object.__getattribute__(made, "__dict__")[name] = value
    return made


def attributes_of(value: object) -> tuple[str, ...]:
    """Return the names of an object's own attributes."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = ()
    kind: Any = type(value)
    return (*own, *slots_of(kind))
