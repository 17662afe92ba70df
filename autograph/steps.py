"""Trampolines: a generator yields user functions, and the operator calls them.

Each level of nested staged statements takes frames of the recursion limit. A suspended generator
takes none. So a statement is staged by a generator, which yields the functions to call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from types import FrameType
from typing import Any, TypeVar

from autograph.staging import trace

T = TypeVar("T")
Steps = Generator[Callable[[], Any], Any, T]
"""A generator that yields functions without arguments and is sent what they return."""


class Stepping:
    """A context manager for each function that a generator yields.

        stepping = Stepping(steps)
        while stepping.goes_on:
            with stepping:
                stepping.value = stepping.function()
        return stepping.result

    An exception of a function is raised inside the generator, which may handle it.

    Args:
      steps: the generator.

    Attributes:
      function: the next function.
      value: the result of the function.
      goes_on: whether there is a next function.
      result: the result of the generator.
    """

    __slots__ = ("_outer", "_steps", "function", "goes_on", "result", "value")

    def __init__(self, steps: Steps[Any]) -> None:
        self._steps = steps
        self._outer: FrameType | None = None
        self.function: Callable[[], Any]
        self.value: Any = None
        self.result: Any = None
        self.goes_on = True
        self._go_on(steps.send, None)

    def __enter__(self) -> None:
        self._outer, trace.stepping = trace.stepping, sys._getframe(1)

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        trace.stepping, self._outer = self._outer, None
        value, self.value = self.value, None
        if error is None:
            self._go_on(self._steps.send, value)
        else:
            self._go_on(self._steps.throw, error)
        return True

    def _go_on(self, resume: Callable[[Any], Callable[[], Any]], value: object) -> None:
        try:
            self.function = resume(value)
        except StopIteration as end:
            self.goes_on = False
            self.result = end.value


def run(steps: Callable[[], Steps[T]]) -> T:
    """Call the functions that a generator yields; return its result.

    Args:
      steps: creates the generator.

    >>> def total():
    ...     return (yield lambda: 1) + (yield lambda: 2)
    >>> run(total)
    3
    """
    stepping = Stepping(steps())
    while stepping.goes_on:
        with stepping:
            stepping.value = stepping.function()
    result: T = stepping.result
    return result


def calling(function: Callable[[], T]) -> Callable[[], Steps[T]]:
    """Return the steps of a single call.

    >>> run(calling(lambda: 3))
    3
    """

    def steps() -> Steps[T]:
        value: T = yield function
        return value

    return steps
