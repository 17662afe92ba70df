"""`except` clauses of the program around the traced line.

A function is traced once, so its `except` clauses cannot handle what only the running graph finds
out. A program that asks for a key or an attribute and handles the error expects it to be missing.

>>> sorted(_names_at(_handled_in("try:\\n    d[k]\\nexcept KeyError:\\n    pass"), 2))
['KeyError']
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from runtime.core.errors import StagingError
from runtime.core.places import is_own, user_place
from runtime.core.thread import STATE

_ROOT = Path(__file__).parents[2]
_TRACE = str(_ROOT / "runtime" / "functions" / "tracing.py")
_CALL = str(_ROOT / "autograph" / "conversions.py")


class Raises(NamedTuple):
    """An error that a graph may raise when it runs.

    Attributes:
      kind: its class.
      broad: whether handlers of `Exception` are refused, too.
      remedy: what to write instead of a handler.
    """

    kind: type[BaseException]
    broad: bool
    remedy: str


def refuse_handled(error: BaseException, remedy: str) -> None:
    """Raise StagingError if the program would catch this error of the running graph.

    Args:
      error: the error that the graph would raise.
      remedy: what to write instead of the handler.
    """
    _refuse(Raises(type(error), True, remedy))


def refuse_handled_by_name(error: BaseException, remedy: str) -> None:
    """Raise StagingError if a handler that names a class of this error encloses the traced lines.

    Handlers of `Exception` may exist for other errors.

    Args:
      error: the error that the graph would raise.
      remedy: what to write instead of the handler.
    """
    _refuse(Raises(type(error), False, remedy))


def refuse_handled_in_call(raises: Iterable[Raises]) -> None:
    """Raise StagingError if a handler around the call of a graph would catch one of its errors."""
    for each in raises:
        _refuse(each)


def _refuse(raises: Raises) -> None:
    graph = STATE.graph
    if graph is None:
        return
    kinds = {kind.__name__ for kind in raises.kind.__mro__}
    if not raises.broad:
        kinds -= _OF_MANY_ERRORS
    if any(kinds & _caught(*line) for line in _traced_lines()):
        raise _refusal(raises)
    while graph is not None:
        graph.raises.add(raises)
        graph = graph.outer


_OF_MANY_ERRORS = {"Exception", "BaseException", "object"}


def _refusal(raises: Raises) -> StagingError:
    return StagingError(
        f"a staged statement decides whether {raises.kind.__name__} is raised here, and an "
        "`except` clause handles it: it would have to wait for the running graph.\n"
        f"  {user_place()}\n{raises.remedy}"
    )


def _traced_lines() -> list[tuple[str, int]]:
    """Return the current lines of the call stack, from the innermost to the traced function.

    Handlers around a trace, or around the outermost call of converted code, run after the trace.
    """
    place = STATE.place
    lines: list[tuple[str, int]] = [] if place is None else [(place.filename, place.lineno)]
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


class _Handled(NamedTuple):
    """A range of lines whose exceptions are handled, and the names of these exceptions."""

    first: int
    last: int
    names: frozenset[str]


_MOST_FILES = 64
_known: dict[str, tuple[list[str], list[_Handled]]] = {}
"""Handled ranges of each file, with the `linecache` lines they were computed from."""


def _caught(filename: str, line: int) -> frozenset[str]:
    lines = linecache.getlines(filename)
    known = _known.get(filename)
    if known is None or known[0] is not lines:
        if len(_known) >= _MOST_FILES:
            _known.clear()
        known = _known[filename] = lines, _handled_in("".join(lines))
    return _names_at(known[1], line)


def _handled_in(text: str) -> list[_Handled]:
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a cell of a notebook with magics
        return []
    return list(_handled(tree))


def _handled(tree: ast.Module) -> Iterator[_Handled]:
    for each in ast.walk(tree):
        if isinstance(each, ast.Try):
            kinds = [handler.type for handler in each.handlers if not _passes_on(handler)]
        elif isinstance(each, ast.With):
            kinds = [kind for item in each.items for kind in _suppressed(item.context_expr)]
        else:
            continue
        names = frozenset(name for kind in kinds for name in _names(kind))
        if names:
            yield _Handled(each.body[0].lineno, _end(each.body[-1]), names)


def _passes_on(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler of many errors ends with a bare `raise`."""
    last = handler.body[-1]
    raises = isinstance(last, ast.Raise) and last.exc is None
    return raises and _OF_MANY_ERRORS.issuperset(_names(handler.type))


def _suppressed(manager: ast.expr) -> list[ast.expr]:
    """Return the exception classes passed to `contextlib.suppress`."""
    if not isinstance(manager, ast.Call) or _names(manager.func) != ["suppress"]:
        return []
    return manager.args


def _names_at(handled: list[_Handled], line: int) -> frozenset[str]:
    """Return the names of the exceptions that handlers around a line catch."""
    return frozenset(
        name for each in handled if each.first <= line <= each.last for name in each.names
    )


def _end(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _names(kind: ast.expr | None) -> list[str]:
    if kind is None:
        return ["BaseException"]
    if isinstance(kind, ast.Tuple):
        return [name for each in kind.elts for name in _names(each)]
    return [kind.attr if isinstance(kind, ast.Attribute) else getattr(kind, "id", "")]
