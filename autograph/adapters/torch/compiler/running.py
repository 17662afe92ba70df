"""The functions that a trace runs: all that decides what it computes is read by one of them.

What code could read of everything that it reaches is much more: a model of a large package reaches
most of the package, and calls a hundred of its functions.
"""

from __future__ import annotations

import cProfile
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType


class Running:
    """The functions that ran; all of them if another profiler observes the program.

    >>> running = Running()
    >>> with running.noted():
    ...     text = (lambda: "")()
    >>> running.has_run(running.noted)
    False
    """

    def __init__(self) -> None:
        self._known = True
        self._names: set[tuple[str, ...]] = set()

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Surround code whose functions count."""
        profile = cProfile.Profile(subcalls=False, builtins=False)
        try:
            # A second profiler would end the first one, or is an error of Python 3.12.
            self._known = self._known and sys.getprofile() is None
            if self._known:
                profile.enable()
        except ValueError:
            self._known = False
        try:
            yield
        finally:
            if self._known:
                profile.disable()
                self._add(profile)

    def _add(self, profile: cProfile.Profile) -> None:
        codes = (each.code for each in profile.getstats())
        self._names |= {_name_of(code) for code in codes if isinstance(code, CodeType)}

    def has_run(self, function: FunctionType) -> bool:
        """Return whether a function ran, or one in its file of its name and arguments.

        Converted code has the file, name and arguments of what the user wrote.
        """
        return not self._known or _name_of(function.__code__) in self._names


def _name_of(code: CodeType) -> tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    return code.co_filename, code.co_name, *code.co_varnames[:count]
