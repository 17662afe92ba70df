"""Results that are one of several values, as a staged statement decides.

Python asks no value whether it `is None`. So such a result reaches only code that was converted to
ask: a converted caller, a staged statement around, or the end of the function that is traced. For
all other code the result is the value, and the running program raises where it is None.
"""

from __future__ import annotations

from types import CodeType, FrameType
from typing import Any
from weakref import WeakSet

from autograph.names import OPERATORS
from autograph.staging import is_one_of, trace

TAKERS: WeakSet[CodeType] = WeakSet()
"""Code, besides converted code, that takes an `Alternatives` from the function that it calls."""

PASSERS: WeakSet[CodeType] = WeakSet()
"""Code that calls one function and returns what that returns."""


def takes_alternatives(frame: FrameType) -> bool:
    """Whether the caller of a frame takes an `Alternatives` as its result."""
    if _takes(frame):
        return True
    caller = frame.f_back
    while caller is not None and caller.f_code in PASSERS:
        caller = caller.f_back
    return caller is not None and (_takes(caller) or has_operators(caller.f_code))


def _takes(frame: FrameType) -> bool:
    return frame.f_code in TAKERS or frame is trace.stepping


def has_operators(code: CodeType) -> bool:
    """Whether code is converted: it mentions the operators."""
    return any(name in code.co_names or name in code.co_freevars for name in OPERATORS)


def settled(value: Any) -> Any:
    """A result for code that cannot tell whether it is None.

    >>> settled(3)
    3
    """
    return value.__autograph_settled__() if is_one_of(value) else value
