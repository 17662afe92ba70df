"""Where in the user's program something happens, and what the program calls a value.

Frames of this package and of the converter are no part of the user's program. A frame of Python's
standard library, or of a method that it generates, is shown only where no other is left.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import getblock
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from autograph.errors import StagingError
from runtime.core.thread import STATE

_ROOT = Path(__file__).resolve().parents[2]
_OWN = (f"{_ROOT / 'runtime'}/", f"{_ROOT / 'autograph'}/")
_STANDARD = f"{os.path.dirname(os.__file__)}{os.sep}"
_INSTALLED = f"{os.sep}site-packages{os.sep}"


class Place(NamedTuple):
    """A line of the user's program."""

    filename: str
    lineno: int
    function: str

    def __str__(self) -> str:
        """Gives the form that Python's tracebacks use."""
        return f'File "{self.filename}", line {self.lineno}, in {self.function}'


def is_own(code: CodeType) -> bool:
    """Whether code belongs to this package or to the converter."""
    return code.co_filename.startswith(_OWN)


def _is_of_library(code: CodeType) -> bool:
    """Whether code belongs to the standard library, or is a method that `dataclasses` made."""
    name = code.co_filename
    if name.startswith(_STANDARD):
        return _INSTALLED not in name
    return name == "<string>" and code.co_name.startswith("__")


def _user_frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if not is_own(frame.f_code):
            yield frame
        frame = frame.f_back


def user_place() -> Place | None:
    """The line of the user's program that is being executed."""
    if STATE.place is not None:
        return STATE.place  # type: ignore[no-any-return]
    innermost = None
    for frame in _user_frames():
        if not _is_of_library(frame.f_code):
            return _place(frame.f_code, frame.f_lineno)
        innermost = innermost or frame
    return None if innermost is None else _place(innermost.f_code, innermost.f_lineno)


def place_of(error: BaseException) -> Place | None:
    """The innermost line of the user's program that the traceback of an exception shows."""
    found, traceback = None, error.__traceback__
    of_library = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if is_own(code):
            pass
        elif _is_of_library(code):
            of_library = _place(code, traceback.tb_lineno)
        else:
            found = _place(code, traceback.tb_lineno)
        traceback = traceback.tb_next
    return found or of_library


def _place(code: CodeType, line: int) -> Place:
    return Place(code.co_filename, line, code.co_name)


def name_line(error: StagingError, line: str) -> None:
    """Add a line of the program to the text of an error that shows none."""
    if line and "  File " not in error.message:
        end = "" if error.remedy is None else "\n"
        error.message = f"{error.message}\n  {line}{end}"


def return_place(function: Callable[..., Any]) -> Place | None:
    """The only `return` of a function; its first line if it has several, or none."""
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    first = code.co_firstlineno
    lines = getblock(linecache.getlines(code.co_filename)[first - 1 :])
    try:
        body = ast.parse(textwrap.dedent("".join(lines))).body
    except SyntaxError:  # a lambda, or text that is not the file's
        body = []
    found = [] if not body else [each.lineno for each in _returns(body[0])]
    line = first + found[0] - 1 if len(found) == 1 else first
    return _place(code, line)


def _returns(function: ast.AST) -> Iterator[ast.Return]:
    for each in ast.iter_child_nodes(function):
        if isinstance(each, ast.Return):
            yield each
        elif not isinstance(each, _SCOPES):
            yield from _returns(each)


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@contextmanager
def after_return(function: Callable[..., Any]) -> Iterator[None]:
    """Name the function, not its caller, as the place of what is done with what it returned."""
    code = getattr(function, "__code__", None)
    before = STATE.place
    if code is not None:
        STATE.place = Place(code.co_filename, code.co_firstlineno, code.co_name)
    try:
        yield
    finally:
        STATE.place = before


@contextmanager
def instead_of_return(place: Place | None) -> Iterator[None]:
    """Within `after_return`, name another place: that of the statement that made a value."""
    before = STATE.place
    if before is not None:
        STATE.place = place
    try:
        yield
    finally:
        STATE.place = before


def user_name(value: Any) -> str | None:
    """A variable of the user's program that holds exactly this object, the innermost first."""
    for frame in _user_frames():
        for name, held in frame.f_locals.items():
            if held is value and name.isidentifier():
                return name
    return None
