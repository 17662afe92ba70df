"""Errors of Python that kernels raise, with the line of the program below their text."""

from __future__ import annotations

from runtime.core.errors import Raised
from runtime.core.handlers import refuse_handled_by_name
from runtime.core.places import user_place


def raised(error: Exception, place: str) -> Raised:
    """Wrap an error of Python, with the line of the program below its text."""
    if place:
        error.add_note(f"  {place}")
    return Raised(error)


def current_place(*errors: type[Exception]) -> str:
    """Return the line of the program that is being executed, or an empty string.

    Args:
      errors: the errors that the graph may raise there; handlers of these around the line are
        refused.
    """
    for error in errors:
        refuse_handled_by_name(error(), "Test for it by an `if` in place of the handler.")
    place = user_place()
    return str(place) if place else ""
