"""What a library carries in place of an object that a staged statement must not copy."""

from __future__ import annotations

from collections import deque
from enum import Enum
from functools import partial
from types import MethodType
from typing import Any

from autograph.reach.classes import holds_attributes
from autograph.staging import takes_part


class StandIn:
    """The value that a library carries in place of an object.

    Args:
      items: a copy of the object at the end of the block, for a library whose other block outputs
        a new object. None: there is no such block.
    """

    __slots__ = ("items",)

    def __init__(self, items: object) -> None:
        self.items = items

    def is_same(self, other: object) -> bool:
        """Return whether two stand-ins replace the same object."""
        raise NotImplementedError


class Ref(StandIn):
    """The stand-in of an object that existed before the statement."""

    __slots__ = ("value",)

    def __init__(self, value: object, items: object = None) -> None:
        super().__init__(items)
        self.value = value

    def is_same(self, other: object) -> bool:
        """Return whether `other` refers to the same object."""
        return type(other) is Ref and _are_one(self.value, other.value)

    def __repr__(self) -> str:
        return repr(self.value)


def is_bound(value: object) -> bool:
    """Return whether a value is a method of an object, or a function with arguments.

    >>> is_bound([].append), is_bound(partial(max, 0))
    (False, True)
    """
    return type(value) is MethodType or type(value) is partial


def _are_one(left: object, right: object) -> bool:
    """Return whether two references are to one object; each read of a method makes a new one."""
    if type(left) is MethodType and type(right) is MethodType:
        return left.__self__ is right.__self__ and left.__func__ is right.__func__
    return left is right


class Twin(StandIn):
    """The stand-in of an object that an earlier entry carries."""

    __slots__ = ("position",)

    def __init__(self, position: int, items: object = None) -> None:
        super().__init__(items)
        self.position = position

    def is_same(self, other: object) -> bool:
        """Return whether `other` refers to the same entry."""
        return type(other) is Twin and self.position == other.position

    def __repr__(self) -> str:
        return repr(self.items)


def has_identity(value: object) -> bool:
    """Return whether a program can tell a value from an equal one.

    >>> has_identity([1]), has_identity((1,)), has_identity("one")
    (True, False, False)
    """
    kind: Any = type(value)
    if issubclass(kind, (list, dict, deque, set)) or hasattr(kind, "__autograph_carried__"):
        return True
    return holds_attributes(kind) and not takes_part(kind) and not issubclass(kind, Enum)
