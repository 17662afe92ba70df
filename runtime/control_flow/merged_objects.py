"""Objects of the program that are one of two, as a tensor decides: merged attribute by attribute.

After `if test: best = Candidate(score)` the variable names an object whose attributes are those of
one of two objects. What is computed from them is the same as for either; which of the two it is
cannot be told. So an object without an `__eq__` of its own refuses `==` and `hash` from then on, as
it does `is`.
"""

from __future__ import annotations

import inspect
import weakref
from dataclasses import dataclass
from typing import Any, NoReturn

from autograph.operators.state import StandIn
from autograph.reach.classes import attributes_of, is_plain_object, object_with, program_class
from autograph.reach.places import MISSING, own_attribute
from runtime.core.errors import StagingError, VariantError


class Kept(StandIn):
    """An attribute that is no tensor or number: the same object, whichever is chosen."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        super().__init__(None)
        self.value = value

    def is_same(self, other: Any) -> bool:
        """Whether the other one is the same object."""
        return type(other) is Kept and self.value is other.value

    def __repr__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class Description:
    """A class, and the names of the attributes that an object of it has."""

    kind: type
    names: tuple[str, ...]


class Attributes:
    """The attributes of an object of the program, as a structure."""

    def __init__(self, value: Any) -> None:
        """Reads them, without running code of the program."""
        held = {name: own_attribute(value, name) for name in sorted(attributes_of(value))}
        held = {name: each for name, each in held.items() if each is not MISSING}
        self.description = Description(program_class(type(value)), tuple(held))
        self.parts = tuple(held.values())

    @property
    def word(self) -> str:
        """What it is, for messages."""
        return self.description.kind.__name__

    def __tensor_flatten__(self) -> tuple[tuple[Any, ...], Description]:
        """The attributes, and the class."""
        return self.parts, self.description

    @classmethod
    def __tensor_unflatten__(cls, description: Description, parts: Any) -> Any:
        """An object of the class."""
        values = [part.value if type(part) is Kept else part for part in parts]
        names = description.names
        return object_with(
            _class_of_merged(description.kind), dict(zip(names, values, strict=True))
        )


def is_mergeable(value: Any) -> bool:
    """Whether an object can be merged with another one of its class."""
    return is_plain_object(program_class(type(value)))


class _Merged(type):
    """A class of merged objects, which equals that of the program."""

    def __eq__(cls, other: object) -> bool:
        """Whether both are the same class of the program."""
        return isinstance(other, type) and program_class(cls) is program_class(other)

    def __hash__(cls) -> int:
        """As the class of the program."""
        return hash(program_class(cls))


_classes: weakref.WeakKeyDictionary[type, type] = weakref.WeakKeyDictionary()


def _class_of_merged(kind: type) -> type:
    """A class whose objects refuse what asks for their identity."""
    if inspect.getattr_static(kind, "__eq__") is not inspect.getattr_static(object, "__eq__"):
        return kind
    if kind not in _classes:
        namespace = {
            "__slots__": (),
            "__module__": kind.__module__,
            "__qualname__": kind.__qualname__,
            "__doc__": kind.__doc__,
            "__autograph_class__": kind,
            "__class__": property(lambda self: kind),
            "__eq__": _refuse_identity,
            "__ne__": _refuse_identity,
            "__hash__": _refuse_identity,
        }
        metaclass = type("metaclass", (_Merged, type(kind)), {})
        _classes[kind] = metaclass(kind.__name__, (kind,), namespace)
    return _classes[kind]


def _refuse_identity(self: Any, other: Any = None) -> NoReturn:
    kind = program_class(type(self)).__name__
    raise StagingError(
        f"an object of the class {kind} is compared or hashed by its identity, which a tensor "
        "decides: only the running graph knows which object it is.",
        remedy=f"Give {kind} an `__eq__`, or compare an attribute.",
        public=VariantError,
    )
