"""Log messages of the converter: off by default.

Messages go to the logger named "autograph". They contain functions, files, lines and reasons, and
never a value of the user's program.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import TextIO

LOGGER = logging.getLogger("autograph")

SHOW_EVERYTHING = 3
"""The level at which tracebacks keep the frames of the converter."""

_level = 0
_stream: TextIO | None = None


def _level_from_environment() -> int:
    text = os.environ.get("AUTOGRAPH_VERBOSITY", "0")
    return int(text) if text.isdigit() else 0


def set_verbosity(
    level: int, alsologtostdout: bool = False, *, stream: TextIO | None = None
) -> None:
    """Set the verbosity of the converter.

    Args:
      level: 0: nothing; 1: what stays Python, and why; 2: also each converted function; 3: also
        the converted text, and every frame of a traceback. The environment variable
        AUTOGRAPH_VERBOSITY sets the initial level.
      alsologtostdout: whether to print the messages to standard output, too.
      stream: a stream to print the messages to, instead.

    Raises:
      ValueError: if `level` is negative.

    >>> set_verbosity(0)
    """
    global _level, _stream
    if level < 0:
        raise ValueError(f"the level is {level}; it is 0 or more")
    _level = level
    _stream = sys.stdout if alsologtostdout else stream


def verbosity() -> int:
    """Return the current level."""
    return _level


def log(level: int, message: str) -> None:
    """Log a message if the verbosity is at least `level`."""
    if level > _level:
        return
    LOGGER.log(logging.WARNING if level <= 1 else logging.INFO, message)
    if _stream is not None:
        print(f"autograph: {message}", file=_stream)


def trace(*args: object) -> None:
    """Print the arguments once, during a trace, for debugging.

    In a function that runs as plain Python it prints at every call.

    Args:
      args: as for `print`.

    >>> trace("x is", 3)
    x is 3
    """
    print(*args)


_level = _level_from_environment()
