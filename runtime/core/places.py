"""Where in the user's program something happens, and what the program calls a value.

Frames of this package and of the converter are no part of the user's program.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from runtime.core.thread import STATE

_ROOT = Path(__file__).resolve().parents[2]
_OWN = (f"{_ROOT / 'runtime'}/", f"{_ROOT / 'autograph'}/")


class Place(NamedTuple):
    """A line of the user's program."""

    filename: str
    lineno: int
    function: str

    def __str__(self) -> str:
        """Gives the form that Python's tracebacks use."""
        return f'File "{self.filename}", line {self.lineno}, in {self.function}'


def _user_frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_OWN):
            yield frame
        frame = frame.f_back


def user_place() -> Place | None:
    """The line of the user's program that is being executed."""
    if STATE.place is not None:
        return STATE.place  # type: ignore[no-any-return]
    for frame in _user_frames():
        return Place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
    return None


def place_of(error: BaseException) -> Place | None:
    """The innermost line of the user's program that the traceback of an exception shows."""
    found, traceback = None, error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not code.co_filename.startswith(_OWN):
            found = Place(code.co_filename, traceback.tb_lineno, code.co_name)
        traceback = traceback.tb_next
    return found


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


def user_name(value: Any) -> str | None:
    """A variable of the user's program that holds exactly this object, the innermost first."""
    for frame in _user_frames():
        for name, held in frame.f_locals.items():
            if held is value and name.isidentifier():
                return name
    return None
