"""Built-in functions that mean something else in converted code.

`overload_of(len)` is the function that converted code calls in place of `len`. It asks the
library of the first staged argument, and is Python's own function for everything else. Functions
that count frames count those of the user.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from autograph.operators.callers import COUNTING
from autograph.operators.frames import leave_out
from autograph.staging import library_among

NAMES = (
    "abs", "all", "any", "bool", "enumerate", "filter", "float", "int", "iter", "len", "map",
    "max", "min", "next", "print", "range", "reversed", "round", "sorted", "sum", "zip",
)  # fmt: skip
"""The built-in functions with an overload."""


def _overload(name: str) -> Callable[..., Any]:
    original = getattr(builtins, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            library = library_among(args)
            if library is None and kwargs:
                library = library_among(kwargs.values())
            if library is not None:
                result = library.builtin(name, *args, **kwargs)
                if result is not NotImplemented:
                    return result
            return original(*args, **kwargs)
        except BaseException as error:
            leave_out(error)
            raise

    call.__name__ = call.__qualname__ = name
    return call


_OVERLOADS: dict[Any, Callable[..., Any]] = {
    **{getattr(builtins, name): _overload(name) for name in NAMES},
    **COUNTING,
}


def overload_of(function: Any) -> Callable[..., Any] | None:
    """What converted code calls in place of a built-in function; None: the function itself.

    >>> overload_of(len)([1, 2])
    2
    >>> overload_of(repr) is None
    True
    """
    return _OVERLOADS.get(function)
