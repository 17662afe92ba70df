"""`is` and tests for None, on objects that may be chosen at run time."""

from __future__ import annotations

from collections import deque
from typing import Any

from autograph.errors import StagingError
from autograph.operators import alternatives
from autograph.operators.aliases import alternatives_of, may_be
from autograph.operators.alternatives import not_
from autograph.operators.attributes import is_ordinary
from autograph.operators.moved import Moved, resolve
from autograph.operators.variables import Conflict, Undefined, conflict_error, conflict_is_none, ld
from autograph.reach.classes import program_class
from autograph.staging import ATOMS, is_one_of, library_of, ongoing, optional, trace
from autograph.values import Value


def is_(left: object, right: object) -> Any:
    """Return `left is right`; staged if a staged truth value is compared with True or False.

    Raises:
      StagingError: if identity depends on an object chosen at run time.

    >>> is_(None, None)
    True
    """
    if type(left) is type and type(right) is type and not ongoing:
        return left is right or program_class(left) is program_class(right)
    if _is_decided_by_python(type(left), type(right)):
        return left is right
    left, right = _assigned(left), _assigned(right)
    if ongoing:
        _note_comparison(left, right)
    if left is right:
        return True
    for value, other in ((left, right), (right, left)):
        if other is None:
            return is_none(value)
        if is_one_of(value):
            return _is_alternative(value, other)
    if issubclass(type(left), type) and issubclass(type(right), type):
        return program_class(left) is program_class(right)
    if _may_have_moved(left) and _may_have_moved(right):
        left, right = resolve(left), resolve(right)
    return left is right or _is_selected(left, right)


def _note_comparison(left: object, right: object) -> None:
    """Note containers that a trace compares. Raises StagingError if the caller decides."""
    if trace.callers.may_pass_one(left, right):
        raise _passed_identity(left)
    if _may_have_moved(left) and _may_have_moved(right):
        trace.compared += left, right


def _is_selected(left: object, right: object) -> Any:
    """Return `left is right` where one of them may represent a value of the running program."""
    for value, other in ((left, right), (right, left)):
        if type(value) is Conflict:
            raise conflict_error(value)
        if hasattr(type(value), "__autograph_refers__"):
            return _refers_to(value, other)
        if type(other) is bool and type(value) is not bool:
            return _is_truth(value, other)
    if ongoing and (
        any(each is right for each in may_be(left))
        or _may_be_one(left, right)
        or _may_be_one_tuple(left, right)
    ):
        raise _unknown_identity()
    return False


def _is_decided_by_python(left: type, right: type) -> bool:
    """Return whether Python alone decides `is` between values of two classes, by a cheap test."""
    if left in ATOMS and right in ATOMS:
        return True
    if ongoing or trace.moved or left in _STAGED or right in _STAGED:
        return False
    return is_ordinary(left) and is_ordinary(right)


_STAGED = (bool, type)
"""Classes whose values may be compared with staged truth values, or with adopted classes."""


def _may_be_one(left: object, right: object) -> bool:
    """Return whether the identity of two staged values is decided at run time."""
    library = library_of(left)
    return library is not None and getattr(library, "may_be_one", _never)(left, right)


def _may_be_one_tuple(left: Value, right: Value) -> bool:
    """Return whether two tuples may be one: a tensor that chooses a tuple chooses its items."""
    if not issubclass(type(left), tuple) or type(left) is not type(right):
        return False
    return len(left) == len(right) and (_holds_staged(left) or _holds_staged(right))


def _holds_staged(value: Value) -> bool:
    if issubclass(type(value), tuple):
        return any(map(_holds_staged, value))
    return library_of(value) is not None or is_one_of(value)


def _assigned(value: Any) -> Any:
    """Return the value of an attribute or item that may be missing; raise at run time if it is.

    Raises:
      StagingError: if only the truth of the value is known, or nothing of it.
    """
    if is_ordinary(type(value)):
        return value
    if hasattr(type(value), "__autograph_truth_only__"):
        raise value.__autograph_truth_only__
    if issubclass(type(value), Moved):
        value.refuse()
    return ld(value) if hasattr(type(value), "__autograph_defined__") else value


def _is_alternative(value: object, other: object) -> Any:
    """Return whether an `Alternatives` is the other value.

    Raises:
      StagingError: if the other value is an `Alternatives`, too.
    """
    if is_one_of(other):
        raise _unknown_identity()
    return alternatives.split(value, lambda each: is_(each, other))


def _may_have_moved(value: object) -> bool:
    """Return whether a value is a container, whose items may have moved."""
    kind: Any = type(value)
    return issubclass(kind, (list, dict, deque, set)) or hasattr(kind, "__autograph_carried__")


def _is_truth(value: object, truth: bool) -> Any:
    """Return whether a value is the bool `truth`."""
    library = library_of(value)
    if library is None:
        return False
    represents = optional(library, "represents_bool", _never)(value)
    if represents is False:
        return False
    if represents is None:
        raise StagingError(
            f"`is {truth}` asks for the identity of a truth value that is known only when the "
            "program runs.",
            remedy="Test the value itself, or `not` of it, by an `if`.",
        )
    return value if truth else library.not_(value)


def _never(*_: object) -> bool:
    return False


def _refers_to(reference: Value, other: object) -> Any:
    """Return whether a reference selects an object at run time.

    Raises:
      StagingError: if what it selects is one of several objects, too.
    """
    others = [id(each) for each in alternatives_of(other)]
    known = [each for own in alternatives_of(reference) for each in may_be(own)]
    if any(id(each) in others for each in known):
        raise _unknown_identity()
    return reference.__autograph_is__(other)


def _unknown_identity() -> StagingError:
    return StagingError(
        "`is` asks for the identity of an object that a tensor has chosen, which is known only "
        "when the program runs.",
        remedy="Compare an attribute or an item instead.",
    )


def _passed_identity(value: object) -> StagingError:
    kind = type(value).__name__
    return StagingError(
        f"`is` asks whether an argument and another {kind} are one object, which the caller "
        "decides anew at each call of the graph.",
        remedy="Compare contents with `==`, or positions of items; or pass a bool that says so.",
    )


def is_not(left: object, right: object) -> Any:
    """Return `left is not right`."""
    if type(left) in ATOMS and type(right) in ATOMS:
        return left is not right
    return not_(is_(left, right))


def is_traced(left: object, right: object) -> Any:
    """Return `left is right` in a library that is written for traced values: none is a bool."""
    if type(left) is bool or type(right) is bool:
        return left is right
    return is_(left, right)


def is_not_traced(left: object, right: object) -> Any:
    """Return `left is not right` there."""
    return not_(is_traced(left, right))


def is_none(value: Value) -> Any:
    """Return `value is None`; staged if it is decided at run time.

    >>> is_none(None), is_none(0)
    (True, False)
    """
    if type(value) in ATOMS or is_ordinary(type(value)):
        return value is None
    if type(value) is Conflict:
        return conflict_is_none(value)
    if type(value) is Undefined:
        raise value.error()
    if hasattr(type(value), "__autograph_is_none__"):
        return value.__autograph_is_none__()
    return alternatives.is_none(value) if is_one_of(value) else _assigned(value) is None


def not_none(value: object) -> Any:
    """Return `value is not None`; staged if it is decided at run time."""
    if type(value) in ATOMS or is_ordinary(type(value)):
        return value is not None
    return not_(is_none(value))
