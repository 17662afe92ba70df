"""Results that are an `Alternatives`: one of several values, chosen at run time.

`is None` cannot be overloaded. So an `Alternatives` is returned only to code that tests it by
operators: a converted caller, an enclosing staged statement, or the end of the traced function. All
other code gets the value that is not None; the program raises at run time if None was chosen.
"""

from __future__ import annotations

from types import CodeType, FrameType
from typing import Any

from autograph.operators.frames import PASSERS, Codes
from autograph.staging import is_one_of, trace
from autograph.syntax.names import OPERATORS
from autograph.values import Value

TAKERS = Codes()
"""Code, besides converted code, that accepts an `Alternatives` as a result."""


def takes_alternatives(frame: FrameType) -> bool:
    """Return whether the caller of a frame accepts an `Alternatives`."""
    if _takes(frame):
        return True
    caller = frame.f_back
    while caller is not None and caller.f_code in PASSERS:
        caller = caller.f_back
    return caller is not None and (_takes(caller) or has_operators(caller.f_code))


def _takes(frame: FrameType) -> bool:
    return frame.f_code in TAKERS or frame is trace.stepping


def has_operators(code: CodeType) -> bool:
    """Return whether code is converted: it mentions the operators."""
    return any(name in code.co_names or name in code.co_freevars for name in OPERATORS)


def settled(value: Value) -> Any:
    """Return a result for code that does not test for None by operators.

    >>> settled(3)
    3
    """
    return value.__autograph_settled__() if is_one_of(value) else value
