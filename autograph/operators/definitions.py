"""What converted code asks of definitions that came to stand in an added function."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar

Definition = TypeVar("Definition")


def named(qualname: str) -> Callable[[Definition], Definition]:
    """Decorates a function or class that goes by its name in the user's own text.

    >>> @named("f.<locals>.g")
    ... def g(): ...
    >>> g.__qualname__
    'f.<locals>.g'
    """

    def name(definition: Definition) -> Definition:
        if isinstance(definition, FunctionType):
            definition.__qualname__ = qualname
        elif isinstance(definition, type):
            # Its metaclass may refuse assignments.
            type.__setattr__(definition, "__qualname__", qualname)
        return definition

    return name
