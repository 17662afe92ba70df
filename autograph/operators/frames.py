"""Remove the frames of the converter from tracebacks.

Every statement that became a function call adds frames between the user's own.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType, TracebackType
from weakref import WeakValueDictionary

from autograph.errors import named_file
from autograph.verbosity import SHOW_EVERYTHING, verbosity


class Codes:
    """A weak set of code objects by identity: equal ones may belong to two functions.

    >>> codes, one, same = Codes(), compile("1", "", "eval"), compile("1", "", "eval")
    >>> codes.add(one)
    >>> one == same, one in codes, same in codes
    (True, True, False)
    """

    def __init__(self) -> None:
        """Start empty."""
        self._held: WeakValueDictionary[int, CodeType] = WeakValueDictionary()

    def add(self, code: CodeType) -> None:
        """Add a code object."""
        self._held[id(code)] = code

    def __contains__(self, code: CodeType) -> bool:
        """Return whether this very object was added."""
        return self._held.get(id(code)) is code


PASSERS = Codes()
"""Code that returns the result of the function that it calls."""


def leave_out(error: BaseException) -> None:
    """Remove the current frame from the traceback of an exception, and those of operators below it.

    The caller re-raises with a bare `raise`, which does not add the frame again.
    """
    if error.__traceback__ is None:
        return
    rest = error.__traceback__.tb_next
    while rest is not None and rest.tb_frame.f_globals.get("__package__") == __package__:
        rest = rest.tb_next
    error.__traceback__ = rest


def user_line() -> str:
    """Return the current line of the user's program, formatted as in a traceback."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_hidden(frame):
        frame = frame.f_back
    if frame is None:
        return ""
    code = frame.f_code
    return f"{named_file(code.co_filename)}, line {frame.f_lineno}, in {code.co_name}"


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


_hidden = {"autograph", "abc"}
"""Packages. `isinstance` and an abstract class ask a value for its class in a frame of `abc`."""
_hidden_inside = {"contextlib"}


def hide_frames_of(package: str, inside: str | None = None) -> None:
    """Register a tensor library whose frames `without_converter` removes, too.

    Args:
      package: the library.
      inside: a package that it calls. Its frames are removed only if a removed frame called them.

    >>> hide_frames_of("mylib")
    """
    _hidden.add(package)
    if inside is not None:
        _hidden_inside.add(inside)


def is_hidden(frame: FrameType) -> bool:
    """Return whether a frame runs the converter or a library that `hide_frames_of` registered."""
    return _package(frame) in _hidden


def without_converter(traceback: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of the converter and of registered libraries.

    A converted function may have been entered through its guarded original; one of the two frames
    is kept. At verbosity 3 all frames are kept.
    """
    if verbosity() >= SHOW_EVERYTHING:
        return traceback
    kept: list[TracebackType] = []
    package = ""
    while traceback is not None:
        outer, package = package, _package(traceback.tb_frame)
        if package in _hidden_inside and outer in _hidden:
            package = outer
        if package not in _hidden:
            if kept and is_entered(kept[-1].tb_frame.f_code, traceback.tb_frame.f_code):
                kept.pop()
            kept.append(traceback)
        traceback = traceback.tb_next
    result = None
    for each in reversed(kept):
        result = TracebackType(result, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return result


def is_entered(outer: CodeType, inner: CodeType) -> bool:
    """Return whether two code objects are the original and converted form of one function."""
    return outer is not inner and all(
        getattr(outer, each) == getattr(inner, each)
        for each in ("co_filename", "co_firstlineno", "co_qualname")
    )
