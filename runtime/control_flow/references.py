"""References to one of several existing objects of one class, which a tensor selects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from autograph.reach.places import holder_of
from runtime.control_flow.values.stacks import row
from runtime.core import dtypes
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import cast_to, constant_of, convert_to_tensor
from runtime.ops.math.logic import equal


class Reference:
    """A reference to one of several existing objects.

    All other names than these are those of the objects.
    """

    __slots__ = ("__autograph_objects__", "__autograph_position__")

    __autograph_objects__: tuple[Any, ...]
    __autograph_position__: Tensor

    def __init__(self, objects: Sequence[Any], position: Tensor) -> None:
        """Store each object once."""
        known = {_identity(each): each for each in objects}
        if len(known) < len(objects):
            numbers = {key: number for number, key in enumerate(known)}
            position = row(_indices([numbers[_identity(each)] for each in objects]), position)
        object.__setattr__(self, "__autograph_objects__", tuple(known.values()))
        object.__setattr__(self, "__autograph_position__", position)

    def __autograph_type__(self) -> type:
        """Return the class of the objects."""
        return type(self.__autograph_objects__[0])

    def __tensor_flatten__(self) -> tuple[tuple[Any, ...], Any]:
        """Return the position as part and the objects as description."""
        return (self.__autograph_position__,), Candidates(self.__autograph_objects__)

    @classmethod
    def __tensor_unflatten__(cls, description: Any, parts: Sequence[Any]) -> Self:
        """Rebuild the reference; the inverse of `__tensor_flatten__`."""
        return cls(description.containers, parts[0])

    def __autograph_refers__(self) -> tuple[Any, ...]:
        """Return the objects that an assignment may change."""
        return self.__autograph_objects__

    def __autograph_is__(self, other: Any) -> Any:
        """Return whether it selects an object, or the object that another reference selects."""
        index: Any = 0
        others = (other,)
        if hasattr(type(other), "__autograph_refers__"):
            index, others = other.__autograph_position__, other.__autograph_refers__()
        places = {_identity(each): place for place, each in enumerate(others)}
        table = [places.get(_identity(each), -1) for each in self.__autograph_objects__]
        if set(table) == {-1}:
            return False
        found = row(_indices(table), self.__autograph_position__)
        return equal(found, cast_to(convert_to_tensor(index), dtypes.int32))

    def __autograph_selected__(self) -> Any:
        """Return the object after the graph has run."""
        position: Any = self.__autograph_position__
        return self.__autograph_objects__[int(position)]


class Candidates:
    """The objects of a reference; equal for the same objects."""

    def __init__(self, containers: tuple[Any, ...]) -> None:
        self.containers = containers

    def __eq__(self, other: object) -> bool:
        own = list(map(_identity, self.containers))
        return isinstance(other, Candidates) and own == list(map(_identity, other.containers))

    def __hash__(self) -> int:
        return hash(tuple(map(_identity, self.containers)))

    def position_of(self, value: Any) -> Tensor:
        """Return the index of the object that a value is, or refers to."""
        places = {_identity(each): place for place, each in enumerate(self.containers)}
        if not hasattr(type(value), "__autograph_refers__"):
            return _indices(places[_identity(value)])
        (position,), candidates = value.__tensor_flatten__()
        if candidates == self:
            return cast_to(position, dtypes.int32)
        return row(_indices([places[_identity(each)] for each in candidates.containers]), position)


def candidates_of(values: Sequence[Any]) -> tuple[Candidates, list[Tensor]]:
    """Return the objects that values are or refer to, and which of them each value is."""
    objects = [
        each
        for value in values
        for each in (value.__autograph_refers__() if isinstance(value, Reference) else (value,))
    ]
    candidates = Candidates(tuple({_identity(each): each for each in objects}.values()))
    return candidates, [candidates.position_of(value) for value in values]


def _identity(value: Any) -> int:
    """Return the id of an object, or of what has its items: the program knows it by both."""
    return id(holder_of(value))


def _indices(numbers: int | list[int]) -> Tensor:
    return constant_of(np.array(numbers, np.int32))
