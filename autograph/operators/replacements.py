"""What is known of a function: its replacement, as an entry in its attributes."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from autograph.conversion.libraries import is_converted

KNOWN = "__autograph__"
FIXED = "__autograph_fixed__"


class Known:
    """A cache entry on a function: its replacement.

    Decorators copy attributes between functions, so the entry refers to its owner. If the owner is
    its own replacement, the entry has its id only: a reference would be a cycle. A program may
    replace the code of a function, so the entry refers to that, too.
    """

    __slots__ = ("code", "converted", "has_defaults", "number", "owner", "target", "token")

    def __init__(self, owner: object, token: object, target: object) -> None:
        """For `owner`, called with the options that `token` identifies, call `target`."""
        itself = owner is target
        self.owner = None if itself else owner
        self.number = id(owner) if itself else 0
        self.code = owner.__code__ if type(owner) is FunctionType else None
        self.token = token
        self.target = None if itself else target
        self.converted = not itself or (type(owner) is FunctionType and is_converted(owner))
        self.has_defaults = type(owner) is FunctionType and has_defaults(owner)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy or pickle as an empty entry."""
        return (Known, (None, None, None))


class Fixed:
    """A mark on a function: its final replacement."""

    __slots__ = ("owner", "target")

    def __init__(self, owner: object, target: Callable[[], Any] | None) -> None:
        """For `owner`, call what `target` returns; None: `owner` itself."""
        self.owner = owner
        self.target = target

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy or pickle as an empty mark."""
        return (Fixed, (None, None))


def has_defaults(function: FunctionType) -> bool:
    """Return whether a function has defaults, which a program may reassign."""
    return function.__defaults__ is not None or function.__kwdefaults__ is not None


def follow_defaults(target: object, function: FunctionType) -> None:
    """Give a converted function the defaults of its original, which a program may reassign."""
    if type(target) is not FunctionType:
        return
    if target.__defaults__ is not function.__defaults__:
        target.__defaults__ = function.__defaults__
    if target.__kwdefaults__ is not function.__kwdefaults__:
        target.__kwdefaults__ = function.__kwdefaults__


def fix(function: FunctionType, target: Callable[[], Any] | None = None) -> None:
    """Fix the replacement of a function.

    Args:
      function: the function.
      target: returns the replacement. None: the function itself.
    """
    function.__dict__[FIXED] = Fixed(function, target)


def forget(function: FunctionType) -> None:
    """Remove attributes copied by `functools.wraps`."""
    function.__dict__.pop(KNOWN, None)
    function.__dict__.pop(FIXED, None)


def fixed(function: FunctionType) -> Fixed | None:
    """Return the fixed replacement of a function, or None."""
    found = function.__dict__.get(FIXED)
    return found if type(found) is Fixed and found.owner is function else None
