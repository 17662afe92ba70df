"""Objects of the program merged attribute by attribute after a staged branch.

After `if test: best = Candidate(score)` the variable refers to an object whose attributes are those
of one of two objects. Computations with them are the same as for either object, but the identity of
the object is unknown. So an object without its own `__eq__` refuses `==` and `hash`, as it refuses
`is`.
"""

from __future__ import annotations

import inspect
import weakref
from dataclasses import dataclass
from typing import Any, NoReturn

from autograph.operators.stand_ins import StandIn
from autograph.reach.classes import attributes_of, is_plain_object, object_with, program_class
from autograph.reach.places import MISSING, own_attribute
from runtime.core.errors import StagingError, VariantError


class Kept(StandIn):
    """An attribute other than a tensor or number: identical in both objects."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        super().__init__(None)
        self.value = value

    def is_same(self, other: object) -> bool:
        """Return whether the other one holds the same object."""
        return type(other) is Kept and self.value is other.value

    def __repr__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class Description:
    """A class, and the names of the attributes of one of its objects."""

    kind: type
    names: tuple[str, ...]


class Attributes:
    """The attributes of an object of the program, as a structure."""

    def __init__(self, value: object) -> None:
        """Read the attributes without running code of the program."""
        held = {name: own_attribute(value, name) for name in sorted(attributes_of(value))}
        held = {name: each for name, each in held.items() if each is not MISSING}
        self.description = Description(program_class(type(value)), tuple(held))
        self.parts = tuple(held.values())

    @property
    def word(self) -> str:
        """The name of the class, for messages."""
        return self.description.kind.__name__

    def __tensor_flatten__(self) -> tuple[tuple[Any, ...], Description]:
        """Return the attributes as parts and the class as description."""
        return self.parts, self.description

    @classmethod
    def __tensor_unflatten__(cls, description: Description, parts: Any) -> Any:
        """Return an object of the class."""
        values = [part.value if type(part) is Kept else part for part in parts]
        names = description.names
        return object_with(
            _class_of_merged(description.kind), dict(zip(names, values, strict=True))
        )


def is_mergeable(value: object) -> bool:
    """Return whether an object can be merged with another one of its class."""
    return is_plain_object(program_class(type(value)))


class _Merged(type):
    """The metaclass of merged objects: a merged class equals the class of the program."""

    def __eq__(cls, other: object) -> bool:
        return isinstance(other, type) and program_class(cls) is program_class(other)

    def __hash__(cls) -> int:
        return hash(program_class(cls))


_classes: weakref.WeakKeyDictionary[type, type] = weakref.WeakKeyDictionary()


def _class_of_merged(kind: type) -> type:
    """Return a subclass whose objects refuse identity-based operations."""
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


def _refuse_identity(self: object, other: object = None) -> NoReturn:
    kind = program_class(type(self)).__name__
    raise StagingError(
        f"an object of the class {kind} is compared or hashed by its identity, which a tensor "
        "decides: only the running graph knows which object it is.",
        remedy=f"Give {kind} an `__eq__`, or compare an attribute.",
        public=VariantError,
    )
