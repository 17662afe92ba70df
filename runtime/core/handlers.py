"""`except` clauses of the program around the line that is being traced.

A function is traced once, so its `except` clauses cannot handle what only the running graph finds
out. A program that asks for a key or an attribute and handles the error expects it to be missing.

>>> "KeyError" in _caught_at(ast.parse("try:\\n    d[k]\\nexcept KeyError:\\n    pass"), 2)
True
"""

from __future__ import annotations

import ast
import functools
import linecache
import sys
from pathlib import Path
from types import FrameType

from runtime.core.errors import StagingError
from runtime.core.places import is_own, user_place

_ROOT = Path(__file__).parents[2]
_TRACE = str(_ROOT / "runtime" / "function" / "tracing.py")
_CALL = str(_ROOT / "autograph" / "conversions.py")


def refuse_handled(error: Exception, remedy: str) -> None:
    """Raise StagingError if the program would handle this error of the running graph.

    Args:
      error: what the graph would raise.
      remedy: what to write instead of the handler.
    """
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if any(kinds & _caught(*line) for line in _traced_lines()):
        raise StagingError(
            f"a staged statement decides whether {type(error).__name__} is raised here, and an "
            "`except` clause handles it: it would have to wait for the running graph.\n"
            f"  {user_place()}\n{remedy}"
        )


def _traced_lines() -> list[tuple[str, int]]:
    """The lines that the program is at, from the innermost to the function that is traced.

    Handlers around a trace, or around the outermost call of converted code, wait for the run.
    """
    lines: list[tuple[str, int]] = []
    traced = 0
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if code.co_filename == _TRACE:
            return lines
        if code.co_filename == _CALL:
            traced = len(lines)
        if not is_own(code):
            lines.append((code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return lines[:traced]


def _caught(filename: str, line: int) -> frozenset[str]:
    tree = _parsed(filename, "".join(linecache.getlines(filename)))
    return frozenset() if tree is None else _caught_at(tree, line)


@functools.lru_cache(maxsize=16)
def _parsed(filename: str, text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except SyntaxError:  # a cell of a notebook with magics
        return None


def _caught_at(tree: ast.Module, line: int) -> frozenset[str]:
    """The names of the exceptions that handlers around a line catch."""
    return frozenset(
        name
        for each in ast.walk(tree)
        if isinstance(each, ast.Try) and each.body[0].lineno <= line <= _end(each.body[-1])
        for handler in each.handlers
        for name in _names(handler.type)
    )


def _end(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _names(kind: ast.expr | None) -> list[str]:
    if kind is None:
        return ["BaseException"]
    if isinstance(kind, ast.Tuple):
        return [name for each in kind.elts for name in _names(each)]
    return [kind.attr if isinstance(kind, ast.Attribute) else getattr(kind, "id", "")]
