"""The statements that stayed Python, with reasons, for errors about staged values in them."""

from __future__ import annotations

from dataclasses import dataclass
from types import CodeType, FrameType, TracebackType
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
    frames: list[tuple[str, FrameType, int]] = []
    while traceback is not None:
        frame = traceback.tb_frame
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        frames.append((package, frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    users = [each for each in frames if each[0] not in ("autograph", frames[-1][0])]
    if not users:
        return None
    _, frame, line = users[-1]
    statement = statement_at(frame.f_code.co_filename, line)
    return _reason_of_function(users) if statement is None else str(statement)


def _reason_of_function(frames: list[tuple[str, FrameType, int]]) -> str | None:
    for _, frame, _ in reversed(frames):
        if CONVERTED in frame.f_code.co_consts:
            return None
        if frame.f_code in _functions:
            return _functions[frame.f_code]
    return None
