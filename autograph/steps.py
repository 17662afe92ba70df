"""Functions of the program that are called for a generator, whose frames do not count meanwhile.

Each level of nested staged statements takes frames of the recursion limit. What stages a statement
is therefore a generator: it yields a function, and the operator that the program called runs it.
A suspended generator takes no frame.
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
    """Surrounds the calls that a generator asks for.

        stepping = Stepping(steps)
        while stepping.goes_on:
            with stepping:
                stepping.value = stepping.function()
        return stepping.result

    What a function raises is raised in the generator, which may go on after that.

    Args:
      steps: the generator.

    Attributes:
      function: the next function.
      value: what it returned.
      goes_on: whether there is one.
      result: what the generator returned.
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

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        trace.stepping, self._outer = self._outer, None
        value, self.value = self.value, None
        if error is None:
            self._go_on(self._steps.send, value)
        else:
            self._go_on(self._steps.throw, error)
        return True

    def _go_on(self, resume: Callable[[Any], Callable[[], Any]], value: Any) -> None:
        try:
            self.function = resume(value)
        except StopIteration as end:
            self.goes_on = False
            self.result = end.value


def run(steps: Callable[[], Steps[T]]) -> T:
    """Call what a generator asks for; return what it returns.

    Args:
      steps: makes the generator.

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
    """The steps of one call.

    >>> run(calling(lambda: 3))
    3
    """

    def steps() -> Steps[T]:
        value: T = yield function
        return value

    return steps
