"""`hasattr`, `getattr`, `callable`, `vars`, `dir` and `type` of staged objects.

If only one branch of a staged statement assigns an attribute, its existence is decided at run time.
A library then stores a placeholder with two attributes: `__autograph_defined__`, whether there is a
value, and `__autograph_value__`, that value.

A value that represents one of Python's, such as a list whose length, or a number whose value, is
known at run time, has a method `__autograph_type__` that returns the class of that value. A method
`__autograph_check_type__` raises if the value may also have the class of its own.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from functools import lru_cache
from inspect import getattr_static
from types import MemberDescriptorType
from typing import Any

from autograph.errors import StagingError
from autograph.operators.frames import leave_out
from autograph.operators.moved import Moved
from autograph.operators.variables import Conflict, Undefined, conflict_error, ld
from autograph.staging import (
    ATOMS,
    Alternatives,
    ProgramName,
    is_one_of,
    library_of,
    ongoing,
    trace,
)
from autograph.values import Value

_MISSING = object()

_OF_STAND_INS = ("defined", "is_none", "truth_only", "read", "refers", "type", "carried")


def _is_ordinary(kind: type) -> bool:
    """Return whether values of a class represent nothing but themselves, whatever is traced.

    >>> _is_ordinary(int), _is_ordinary(Moved)
    (True, False)
    """
    if issubclass(kind, (Moved, Alternatives)) or kind in (Undefined, Conflict):
        return False
    return not any(hasattr(kind, f"__autograph_{each}__") for each in _OF_STAND_INS)


is_ordinary: Callable[[type], bool] = lru_cache(4096)(_is_ordinary)


def _is_possible(value: object) -> bool:
    return hasattr(type(value), "__autograph_defined__")


def _has_attribute(owner: object, name: str, /) -> Any:
    """Return `hasattr(owner, name)`; staged if it is decided at run time."""
    value: Any = builtins.getattr(ld(owner), name, _MISSING)
    if is_ordinary(type(value)):
        return value is not _MISSING
    if type(value) is Conflict:
        raise conflict_error(value)
    return value.__autograph_defined__ if _is_possible(value) else value is not _MISSING


def _get_attribute(owner: object, name: str, /, *default: object) -> Any:
    """Return `getattr(owner, name)`, or with a default."""
    value = builtins.getattr(ld(owner), name, *default)
    if not ongoing and is_ordinary(type(value)):
        return value
    if not default:
        return ld(value)
    if not _is_possible(value):
        return value
    defined = value.__autograph_defined__
    if defined is True:
        return value.__autograph_value__
    library = library_of(defined)
    assert library is not None
    choices = (lambda: (value.__autograph_value__,)), (lambda: (default[0],))
    return library.cond(defined, *choices, (ProgramName(f"the attribute {name}"),))[0]


def delete_attribute(owner: object, name: str, /) -> None:
    """Delete an attribute; raise Python's error if a staged statement has not assigned it.

    The getter of a property does not run.
    """
    held = getattr_static(owner, name, None)
    if isinstance(held, MemberDescriptorType):
        held = builtins.getattr(owner, name, None)
    if _is_possible(held):
        ld(held)
    builtins.delattr(owner, name)


def _is_callable(value: object, /) -> bool:
    """Return `callable(value)`; raise for a value without a single type."""
    return builtins.callable(ld(value))


def type_(value: Value, /) -> type:
    """Return `type(value)`.

    >>> type_([1])
    <class 'list'>
    """
    value = _with_class(value)
    represents = builtins.getattr(type(value), "__autograph_type__", None)
    if represents is None:
        return type(value)
    _check_type(value)
    represented: type = represents(value)
    return represented


def _check_type(value: Value) -> None:
    check = builtins.getattr(type(value), "__autograph_check_type__", None)
    if check is not None:
        check(value)


def _with_class(value: Value) -> Any:
    """Return a value of a single type; raise for others: one of several, a truth only."""
    if not ongoing and is_ordinary(type(value)):
        return value
    value = ld(value)
    if is_one_of(value):
        error = value.__autograph_refusal__("asked for its class")
        leave_out(error)
        raise error
    if builtins.hasattr(type(value), "__autograph_truth_only__"):
        raise value.__autograph_truth_only__
    if issubclass(type(value), Moved):
        value.refuse()
    return value


def is_instance(value: Value, classes: Any, /) -> bool:
    """Return `isinstance(value, classes)`; also for values that represent those of Python.

    >>> is_instance([1], (list, dict))
    True
    """
    try:
        if type(value) in ATOMS or (not ongoing and is_ordinary(type(value))):
            return isinstance(value, classes)
        value = _with_class(value)
        if isinstance(value, classes):
            return True
        represents = builtins.getattr(type(value), "__autograph_type__", None)
        if represents is None:
            return False
        kind = represents(value)
        other = builtins.getattr(value, "__autograph_other_type__", kind)
        if not issubclass(kind, classes) and not issubclass(other, classes):
            return False
        _check_type(value)
        return True
    except BaseException as error:
        leave_out(error)
        raise


def names(owner: Value) -> Any:
    """Return `owner.__dict__`; raise if a staged statement decides which names are in it.

    >>> from types import SimpleNamespace
    >>> names(SimpleNamespace(a=1))
    {'a': 1}
    """
    found = owner.__dict__
    _refuse_names(owner, found)
    return found


def _refuse_names(owner: Value, found: Mapping[str, Any]) -> None:
    for known in trace.computed.values():
        known.refuse_names(owner)
    for name, value in found.items():
        if _is_possible(value):
            raise StagingError(
                f"whether `{type(owner).__name__}.{name}` has a value depends on a staged "
                "statement, so which attributes there are is known only when the graph runs.",
                remedy="Assign the attribute before the statement, or use hasattr().",
            )


def _own_names(owner: object) -> Mapping[str, Any]:
    """Return `owner.__dict__` without a call of its `__getattribute__`; empty if it has none."""
    try:
        found: Mapping[str, Any] = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return {}
    return found


def _names(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*owner: object) -> Any:
        if owner:
            _refuse_names(owner[0], _own_names(owner[0]))
        return function(*owner)

    return call


def _operator(
    function: Callable[..., Any], call: Callable[..., Any], *counts: int
) -> Callable[..., Any]:
    """Return the replacement of a function that takes `counts` arguments."""

    def operator(*args: object) -> Any:
        try:
            return call(*args) if len(args) in counts else function(*args)
        except BaseException as error:
            leave_out(error)
            raise

    operator.__name__ = operator.__qualname__ = function.__name__
    return operator


OVERLOADS: dict[Any, Callable[..., Any]] = {
    builtins.hasattr: _operator(builtins.hasattr, _has_attribute, 2),
    builtins.getattr: _operator(builtins.getattr, _get_attribute, 2, 3),
    builtins.delattr: _operator(builtins.delattr, delete_attribute, 2),
    builtins.callable: _operator(builtins.callable, _is_callable, 1),
    builtins.vars: _operator(builtins.vars, _names(builtins.vars), 0, 1),
    builtins.dir: _operator(builtins.dir, _names(builtins.dir), 0, 1),
}
"""From built-in functions that read or delete attributes to their replacements."""
