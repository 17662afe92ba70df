"""`hasattr`, `getattr`, `callable`, `vars`, `dir` and `type` of what a staged statement decides.

An attribute that only one way through a staged statement assigns is there or not when the program
runs. A library has a value of a class of its own in its place, with two attributes:
`__autograph_defined__` says whether there is a value, and `__autograph_value__` is that value.

An object that a library has in the place of another one, such as a list of which only the running
program knows the length, has a method `__autograph_type__` that returns the class of that one.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from autograph.errors import StagingError
from autograph.operators.frames import leave_out
from autograph.operators.variables import Conflict, conflict_error, ld
from autograph.staging import is_one_of, library_of

_MISSING = object()


def _is_possible(value: Any) -> bool:
    return hasattr(type(value), "__autograph_defined__")


def _has_attribute(owner: Any, name: str, /) -> Any:
    """`hasattr(owner, name)`; staged where the running program decides."""
    value: Any = builtins.getattr(ld(owner), name, _MISSING)
    if type(value) is Conflict:
        raise conflict_error(value)
    return value.__autograph_defined__ if _is_possible(value) else value is not _MISSING


def _get_attribute(owner: Any, name: str, /, *default: Any) -> Any:
    """`getattr(owner, name)`, or with a default."""
    value = builtins.getattr(ld(owner), name, *default)
    if not default or not _is_possible(value):
        return value
    defined = value.__autograph_defined__
    library = library_of(defined)
    assert library is not None
    choices = (lambda: (value.__autograph_value__,)), (lambda: (default[0],))
    return library.cond(defined, *choices, (f"the attribute `{name}`",))[0]


def _is_callable(value: Any, /) -> bool:
    """`callable(value)`; a value that has no one type has no answer."""
    return builtins.callable(ld(value))


def type_(value: Any, /) -> type:
    """`type(value)`.

    >>> type_([1])
    <class 'list'>
    """
    value = ld(value)
    if is_one_of(value):
        error = value.__autograph_refusal__("asked for its class")
        leave_out(error)
        raise error
    represents = builtins.getattr(type(value), "__autograph_type__", None)
    return type(value) if represents is None else represents(value)


def _is_instance(value: Any, classes: Any, /) -> bool:
    """`isinstance(value, classes)`."""
    value = ld(value)
    if builtins.hasattr(type(value), "__autograph_type__"):
        return issubclass(type_(value), classes)
    return isinstance(value, classes)


def _names(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*owner: Any) -> Any:
        held = getattr(owner[0], "__dict__", {}) if owner else {}
        for name, value in held.items():
            if _is_possible(value):
                raise StagingError(
                    f"whether `{type(owner[0]).__name__}.{name}` has a value depends on a staged "
                    f"statement, so {function.__name__}() cannot say which attributes there are.",
                    remedy="Assign the attribute before the statement, or use hasattr().",
                )
        return function(*owner)

    return call


def _operator(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def operator(*args: Any) -> Any:
        try:
            return call(*args)
        except BaseException as error:
            leave_out(error)
            raise

    operator.__name__ = operator.__qualname__ = name
    return operator


OVERLOADS: dict[Any, Callable[..., Any]] = {
    builtins.hasattr: _operator("hasattr", _has_attribute),
    builtins.getattr: _operator("getattr", _get_attribute),
    builtins.callable: _operator("callable", _is_callable),
    builtins.vars: _operator("vars", _names(builtins.vars)),
    builtins.dir: _operator("dir", _names(builtins.dir)),
}
"""What converted code calls in place of the built-in functions that look at attributes."""

IS_INSTANCE = _operator("isinstance", _is_instance)
"""What it calls in place of `isinstance` of classes of lists and dicts."""
