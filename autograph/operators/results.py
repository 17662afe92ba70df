"""Results that are None on one way through a staged statement, and a value on another.

Python asks no value whether it `is None`. So such a result reaches only code that was converted to
ask: a variable of the caller that the caller tests for None, a staged statement around, or the end
of the function that is traced. For all other code the result is a value, and the running program
raises where it is None.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any
from weakref import WeakSet

from autograph.staging import Possible, ongoing, trace

TAKERS: WeakSet[CodeType] = WeakSet()
"""Code that takes a `Possible` from the function that it calls."""

PASSERS: WeakSet[CodeType] = WeakSet()
"""Code that calls one function and returns what that returns."""


def takes_none(frame: FrameType) -> bool:
    """Whether the caller of a frame takes a `Possible` as its result."""
    if _takes(frame):
        return True
    caller = frame.f_back
    while caller is not None and caller.f_code in PASSERS:
        caller = caller.f_back
    return caller is not None and _takes(caller)


def _takes(frame: FrameType) -> bool:
    return frame.f_code in TAKERS or frame is trace.stepping


def settled(value: Any) -> Any:
    """A result for code that cannot tell whether it is None.

    >>> settled(3)
    3
    """
    return value.value() if issubclass(type(value), Possible) else value


def optional_calls(converted: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The operator `optional`: `ag__.optional(f)(x)` for `y = f(x)` where `y` is tested for None.

    Args:
      converted: the operator that decides what is called in place of a function.
    """

    def optional(f: Any) -> Any:
        target = converted(f)
        return taking(target) if ongoing else target

    return optional


def taking(target: Callable[..., Any]) -> Callable[..., Any]:
    """A function that may return a `Possible`."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return target(*args, **kwargs)

    TAKERS.add(call.__code__)
    return call
