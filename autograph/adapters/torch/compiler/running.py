"""The functions that a trace runs: all that decides what it computes is read by one of them.

What code could read of everything that it reaches is much more: a model of a large package reaches
most of the package, and calls a hundred of its functions.
"""

from __future__ import annotations

import cProfile
import queue
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import CodeType, FunctionType

from autograph.syntax.stack import CONVERTING

_OF_OTHER_THREADS = {ThreadPoolExecutor.submit.__code__, queue.Queue.get.__code__}
"""Code that waits for what threads run that began before."""


class Running:
    """The functions that ran; all of them if another profiler observes the program.

    All of them count also if other threads compute for the program: a profiler sees its own only.

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
        of_threads = threading.getprofile()
        threading.setprofile(self._began)
        enabled = False
        try:
            # A second profiler would end the first one, or is an error of Python 3.12.
            if sys.getprofile() is None:
                profile.enable()
                enabled = True
        except ValueError:
            pass
        self._known = self._known and enabled
        try:
            yield
        finally:
            threading.setprofile(of_threads)
            if enabled:
                profile.disable()
                self._add(profile)

    def _began(self, *_: object) -> None:
        """Note a thread, at its first call, unless it converts for this one."""
        if threading.current_thread().name != CONVERTING:
            self._known = False
        sys.setprofile(None)

    def _add(self, profile: cProfile.Profile) -> None:
        codes = {each.code for each in profile.getstats()}
        self._known = self._known and _OF_OTHER_THREADS.isdisjoint(codes)
        self._names |= {_name_of(code) for code in codes if isinstance(code, CodeType)}

    def has_run(self, function: FunctionType) -> bool:
        """Return whether a function ran, or one in its file of its name and arguments.

        Converted code has the file, name and arguments of what the user wrote.
        """
        return not self._known or _name_of(function.__code__) in self._names


def _name_of(code: CodeType) -> tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    return code.co_filename, code.co_name, *code.co_varnames[:count]
