"""What the converter says about its own work: nothing, unless asked.

Messages go to the logger named "autograph". They name functions, files, lines and reasons, and
never hold a value of the user's program.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Any, TextIO

LOGGER = logging.getLogger("autograph")

SHOW_EVERYTHING = 3
"""The level at which tracebacks keep the frames that are not the user's."""

_level = 0
_stream: TextIO | None = None


def _level_from_environment() -> int:
    text = os.environ.get("AUTOGRAPH_VERBOSITY", "0")
    return int(text) if text.isdigit() else 0


def set_verbosity(
    level: int, alsologtostdout: bool = False, *, stream: TextIO | None = None
) -> None:
    """Sets how much the converter says.

    Args:
      level: 0: nothing; 1: what stays Python, and why; 2: also each function that is converted;
        3: also the converted text, and every frame of a traceback. The environment variable
        AUTOGRAPH_VERBOSITY sets it too.
      alsologtostdout: print the messages on standard output besides logging them.
      stream: print the messages there besides logging them.
    Raises: ValueError if `level` is negative.

    >>> set_verbosity(0)
    """
    global _level, _stream
    if level < 0:
        raise ValueError(f"the level is {level}; it is 0 or more")
    _level = level
    _stream = sys.stdout if alsologtostdout else stream


def verbosity() -> int:
    """The level that is set."""
    return _level


def log(level: int, message: str) -> None:
    """Says something, if the verbosity is at least `level`."""
    if level > _level:
        return
    LOGGER.log(logging.WARNING if level <= 1 else logging.INFO, message)
    if _stream is not None:
        print(f"autograph: {message}", file=_stream)


def trace(*args: Any) -> None:
    """Prints its arguments while a function is being traced, for debugging.

    In a function that runs as plain Python it prints at every call.

    >>> trace("x is", 3)
    x is 3
    """
    print(*args)


_level = _level_from_environment()
