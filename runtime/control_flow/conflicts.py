"""Conflicts: variables without one type, which raise when the program uses them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce

from autograph.operators.variables import Conflict
from autograph.staging import ProgramName
from runtime.control_flow.forms import (
    RESULT,
    Fixed,
    Form,
    Nest,
    is_singleton,
    may_be_none,
    part_path,
    refuse_conflicts,
)
from runtime.control_flow.joins import Mismatch, join
from runtime.core.errors import StagingError
from runtime.core.places import user_place

Refusal = Callable[[Mismatch], StagingError]


def join_variable(name: str, found: Sequence[Form], refusal: Refusal, statement: str) -> Form:
    """Return the form of a variable after a statement, given its forms on all ways through it.

    A variable without one type becomes a conflict.

    Args:
      name: the variable.
      found: its forms.
      refusal: returns the error of a use, for a mismatch.
      statement: the program's name of the statement.

    Raises:
      StagingError: for a result, attribute or item without one type, and for a conflict that meets
        a constant, which programs test with `is`.
    """
    meets_constant = not isinstance(name, ProgramName) and any(map(is_singleton, found))
    try:
        joined = reduce(partial(join, name), found)
    except Mismatch as mismatch:
        if meets_constant or not _is_variable(name):
            raise refusal(mismatch) from None
        return _with_conflicts(name, found, refusal)
    if meets_constant:
        refuse_conflicts(joined, f"It meets a constant in {statement}.")
    return joined


def _is_variable(path: str) -> bool:
    """Return whether a path names a variable, not a result, attribute or item."""
    return path != RESULT and "." not in path and "[" not in path


def _conflict(error: StagingError, none: bool) -> Fixed:
    """Return the form of a variable that raises an error like this one when used.

    Args:
      error: describes the possible values of the variable.
      none: whether one of them is None.
    """

    def refusal(use: str | None) -> StagingError:
        place = user_place() if use is None else None
        used = f"It is used here:\n  {place}" if place else use
        text = f"{error.message}\n{used}" if used else error.message
        return StagingError(text, public=error.public)

    return Fixed(Conflict(refusal, none))


def _with_conflicts(path: str, found: Sequence[Form], refusal: Refusal) -> Form:
    """Return the form of a variable of which only the parts without one type raise when used.

    Args:
      path: the variable, or an item of it.
      found: its forms, one for each branch.
      refusal: returns the error of a use, for a mismatch.
    """
    first = found[0]
    if isinstance(first, Nest) and first.kind in (list, dict):
        alike = (
            isinstance(form, Nest) and (form.kind, form.keys) == (first.kind, first.keys)
            for form in found
        )
        if all(alike):
            columns = enumerate(zip(*(form.parts for form in found), strict=True))  # type: ignore[union-attr]
            parts = [
                _with_conflicts(part_path(path, first, i), part, refusal) for i, part in columns
            ]
            return Nest(first.kind, first.keys, tuple(parts), first.like)
    try:
        return reduce(partial(join, path), found)
    except Mismatch as mismatch:
        return _conflict(refusal(mismatch), any(map(may_be_none, found)))
