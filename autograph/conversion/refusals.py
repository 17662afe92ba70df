"""The statements that stayed Python, with reasons, for errors about staged values in them."""

from __future__ import annotations

import opcode
import sys
from dataclasses import dataclass
from types import CodeType, TracebackType
from weakref import WeakKeyDictionary

from autograph.code_objects import CONVERTED, code_objects
from autograph.verbosity import log


@dataclass(frozen=True)
class StaysPython:
    """A user statement that stays Python although a staged value could reach it."""

    filename: str
    line: int
    end_line: int
    construct: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        """Format construct, reason, remedy and position."""
        return (
            f"This `{self.construct}` stays Python: {self.reason}; {self.remedy}.\n"
            f'  File "{self.filename}", line {self.line}'
        )


_known: dict[str, set[StaysPython]] = {}


def remember(statement: StaysPython) -> None:
    """Record a statement."""
    _known.setdefault(statement.filename, set()).add(statement)


def statement_at(filename: str, line: int) -> StaysPython | None:
    """Return the innermost recorded statement that contains a line.

    >>> remember(StaysPython("a.py", 3, 5, "if", "it yields", "do not"))
    >>> print(statement_at("a.py", 4))
    This `if` stays Python: it yields; do not.
      File "a.py", line 3
    """
    around = [each for each in _known.get(filename, ()) if each.line <= line <= each.end_line]
    return min(around, key=lambda each: each.end_line - each.line, default=None)


_functions: WeakKeyDictionary[CodeType, str] = WeakKeyDictionary()


def remember_function(code: CodeType, reason: str) -> None:
    """Log and record that a function and its inner functions stay Python.

    Args:
      code: the code of the function.
      reason: the function, why it stays Python, and the remedy.
    """
    log(1, f"stays Python: {reason}")
    for each in code_objects(code):
        _functions[each] = reason


def function_reason(code: CodeType) -> str | None:
    """Return why a function stays Python; None if nothing is recorded."""
    return _functions.get(code)


def reason_at(traceback: TracebackType | None) -> str | None:
    """Return why the statement that raised an error stays Python; None if nothing is recorded.

    The statement is that of the innermost frame outside the library that raised the error. If a
    function stays Python, so do the functions that it calls.
    """
    entries: list[tuple[str, TracebackType]] = []
    while traceback is not None:
        package = str(traceback.tb_frame.f_globals.get("__name__")).partition(".")[0]
        entries.append((package, traceback))
        traceback = traceback.tb_next
    users = [each for package, each in entries if package not in ("autograph", entries[-1][0])]
    if not users:
        return None
    inner = users[-1]
    statement = statement_at(inner.tb_frame.f_code.co_filename, inner.tb_lineno)
    if statement is not None:
        return str(statement)
    return _BY_ITEM if _compares_items(inner) else _reason_of_function(users)


_BY_ITEM = (
    "This comparison is Python's, which asks for the truth of each item, and of what it negates. "
    "In converted code, compare displays, as in `(*a,) == (*b,)`, `[*a] == [*b]` or "
    "`{**a} == {**b}`, and write `not a == b` for objects."
)
_GIVES_TRUTH = 16
"""Flag of COMPARE_OP, from Python 3.13 on: it asks for the truth of the result, too."""


def _compares_items(entry: TracebackType) -> bool:
    """Return whether a comparison, not a test of its result, asked a staged value for its truth."""
    called = entry.tb_next
    if called is None or called.tb_frame.f_code.co_name != "__bool__":
        return False
    operation, argument = entry.tb_frame.f_code.co_code[entry.tb_lasti :][:2]
    tests = sys.version_info >= (3, 13) and argument & _GIVES_TRUTH
    return opcode.opname[operation] == "COMPARE_OP" and not tests


def _reason_of_function(entries: list[TracebackType]) -> str | None:
    for entry in reversed(entries):
        code = entry.tb_frame.f_code
        if CONVERTED in code.co_consts:
            return None
        if code in _functions:
            return _functions[code]
    return None
