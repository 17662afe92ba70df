"""The statements that stayed Python, with reasons, for errors about staged values in them."""

from __future__ import annotations

from dataclasses import dataclass
from types import CodeType, TracebackType
from weakref import WeakKeyDictionary, WeakSet

from autograph.code_objects import CONVERTED, code_objects
from autograph.errors import named_file
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
            f"  {named_file(self.filename)}, line {self.line}"
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


_as_written: WeakSet[CodeType] = WeakSet()


def remember_as_written(code: CodeType) -> None:
    """Record that a function and its inner functions have nothing to convert."""
    _as_written.update(code_objects(code))


def function_reason(code: CodeType) -> str | None:
    """Return why a function stays Python; None if nothing is recorded."""
    return _functions.get(code)


def reason_at(traceback: TracebackType | None) -> str | None:
    """Return why the statement that raised an error stays Python; None if nothing is recorded.

    The statement is that of the innermost frame outside the library that raised the error. If a
    function stays Python, so do the functions that it calls.
    """
    entries: list[TracebackType] = []
    while traceback is not None:
        entries.append(traceback)
        traceback = traceback.tb_next
    users = [each for each in entries if _package(each) not in ("autograph", _package(entries[-1]))]
    if not users:
        return None
    inner = users[-1]
    statement = statement_at(inner.tb_frame.f_code.co_filename, inner.tb_lineno)
    if statement is not None:
        return str(statement)
    return asked_by_python(inner) or _reason_of_function(users)


def _package(entry: TracebackType) -> str:
    return str(entry.tb_frame.f_globals.get("__name__")).partition(".")[0]


_BY_PYTHON = (
    "What is compared or called here is Python's own, and asks for the truth of a comparison. Give "
    "a sort of objects a `key` that returns numbers or tuples of them, write a loop in place of "
    "another function, or of a comprehension with `:=`, of a set or of a dict, compare displays in "
    "converted code, as in `(*a,) == (*b,)`, `[*a] == [*b]` or `{**a} == {**b}`, and write "
    "`not a == b` for objects."
)


def asked_by_python(entry: TracebackType) -> str | None:
    """Return the remedy where code in C, which converted code runs, asked for the truth of a value.

    None where unconverted code tests the value itself. Code without a statement or expression to
    convert is converted code, too.
    """
    asked = entry.tb_next
    while asked is not None and _package(asked) == "autograph":
        asked = asked.tb_next
    if asked is None or asked.tb_frame.f_code.co_name != "__bool__":
        return None
    code = entry.tb_frame.f_code
    return _BY_PYTHON if CONVERTED in code.co_consts or code in _as_written else None


def _reason_of_function(entries: list[TracebackType]) -> str | None:
    for entry in reversed(entries):
        code = entry.tb_frame.f_code
        if CONVERTED in code.co_consts:
            return None
        if code in _functions:
            return _functions[code]
    return None
