"""Traces of NumPy programs, which find the arrays outside of a program that it changes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograph.errors import StagingError
from autograph.reach.places import Place
from autograph.reach.walk import Reach
from runtime.core.errors import OperatorNotAllowedInGraphError


class Attempt:
    """One trace of a program.

    Attributes:
      places: where the arrays are that the program is known to change.
      changed: further arrays that it changes.
      values: the program and its arguments by name, from the begin of the call on.
      reach: what they reach, before the call.
      has_views: whether statements or growing lists may hold copies of views.
    """

    def __init__(self, places: tuple[Place, ...] = ()) -> None:
        """Start without findings."""
        self.places = places
        self.changed: list[Any] = []
        self.values: dict[str, Any] = {}
        self.reach: Reach | None = None
        self.has_views = False
        self._was_refused = False

    @contextmanager
    def running(self) -> Iterator[None]:
        """Note what changes inside."""
        outer, _RUNNING.attempt = _RUNNING.attempt, self
        try:
            yield
        except BaseException as error:
            # NumPy raises another error from the one that it gets for a number of the graph.
            both = (error, error.__cause__)
            self._was_refused = any(isinstance(each, StagingError) for each in both)
            raise
        finally:
            _RUNNING.attempt = outer
            if outer is not None:
                outer.has_views |= self.has_views

    def is_refused(self, error: Exception) -> bool:
        """Return whether the error of a trace says what a graph cannot do, and is not the
        program's.
        """
        return self._was_refused or isinstance(error, OperatorNotAllowedInGraphError)


class _Running(threading.local):
    attempt: Attempt | None = None


_RUNNING = _Running()


def note_view() -> None:
    """Note that a statement or a growing list of the program that is traced gets a view."""
    if _RUNNING.attempt is not None:
        _RUNNING.attempt.has_views = True


def may_have_views() -> bool:
    """Return whether an array of the program that is traced may be the copy of a view."""
    return _RUNNING.attempt is None or _RUNNING.attempt.has_views


def note_changed(array: object) -> None:
    """Note that the program that is traced changes an array outside of it."""
    if _RUNNING.attempt is not None:
        _RUNNING.attempt.changed.append(array)
