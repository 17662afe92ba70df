"""The statements that stayed Python, to be named when a staged value fails in one of them."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType


@dataclass(frozen=True)
class StaysPython:
    """A statement of the user's that stays Python although a staged value could reach it."""

    filename: str
    line: int
    end_line: int
    construct: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        """Says which statement, why, where, and what to do about it."""
        return (
            f"This `{self.construct}` stays Python: {self.reason}; {self.remedy}.\n"
            f'  File "{self.filename}", line {self.line}'
        )


_known: dict[str, set[StaysPython]] = {}


def remember(statement: StaysPython) -> None:
    """Makes a statement known."""
    _known.setdefault(statement.filename, set()).add(statement)


def statement_at(filename: str, line: int) -> StaysPython | None:
    """The innermost known statement around a line.

    >>> remember(StaysPython("a.py", 3, 5, "if", "it yields", "do not"))
    >>> print(statement_at("a.py", 4))
    This `if` stays Python: it yields; do not.
      File "a.py", line 3
    """
    around = [each for each in _known.get(filename, ()) if each.line <= line <= each.end_line]
    return min(around, key=lambda each: each.end_line - each.line, default=None)


def failed_statement(traceback: TracebackType | None) -> StaysPython | None:
    """The known statement in which an error happened.

    It is the innermost frame of the user's that counts, the first one outside of the library that
    raised the error: those around it only called it.
    """
    frames: list[tuple[str, str, int]] = []
    while traceback is not None:
        names = traceback.tb_frame.f_globals
        package = str(names.get("__name__")).partition(".")[0]
        frames.append((package, traceback.tb_frame.f_code.co_filename, traceback.tb_lineno))
        traceback = traceback.tb_next
    for package, filename, line in reversed(frames):
        if package not in ("autograph", frames[-1][0]):
            return statement_at(filename, line)
    return None
