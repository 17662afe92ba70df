"""Functions that tell iterations of a loop apart: a trace of one for all cannot serve them."""

from __future__ import annotations

from types import CellType, FunctionType, MethodType

from autograph.code_objects import names_in
from autograph.conversion.libraries import is_known_library
from autograph.staging import CannotRoll, trace


def tells_apart(function: object) -> bool:
    """Return whether a function can tell a staged value from a number, or logs messages.

    Checks the function, functions in its variables, and functions that it names.
    """
    seen: set[int] = set()
    waiting = [function]
    while waiting:
        each = waiting.pop()
        if type(each) is MethodType:
            each = each.__func__
        if type(each) is not FunctionType or id(each) in seen or is_known_library(each.__globals__):
            continue
        seen.add(id(each))
        mentioned = names_in(each.__code__)
        if not (_TYPE_TESTS | _LOGS).isdisjoint(mentioned):
            return True
        waiting += [each.__globals__[name] for name in mentioned if name in each.__globals__]
        waiting += [cell.cell_contents for cell in each.__closure__ or () if is_filled(cell)]
    return False


_TYPE_TESTS = frozenset({"isinstance", "issubclass", "type", "__class__", "hasattr", "id"})
_LOGS = frozenset({"logging", "debug", "info", "warn", "warning", "warnings", "critical"})
"""Names of logging functions: a trace calls them once for each iteration."""


def is_filled(cell: CellType) -> bool:
    """Return whether a cell of a closure has a value."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def end_attempt(function: FunctionType) -> None:
    """Abort an attempt that reaches a function that can tell iterations apart."""
    if trace.rolling and tells_apart(function):
        raise CannotRoll
