"""Where in the user's program something happens, and what the program calls a value.

Frames of this package and of the converter are no part of the user's program.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

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
    for frame in _user_frames():
        return Place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
    return None


def user_name(value: Any) -> str | None:
    """A variable of the user's program that holds exactly this object, the innermost first."""
    for frame in _user_frames():
        for name, held in frame.f_locals.items():
            if held is value and name.isidentifier():
                return name
    return None
