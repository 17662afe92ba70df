"""`compat.v1.logging`: messages of a program, through Python's own logging."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from typing import Any

from runtime.core.logger import error as error
from runtime.core.logger import get_logger
from runtime.core.logger import info as info
from runtime.core.logger import warn as warn
from runtime.core.logger import warning as warning

DEBUG = logging.DEBUG
INFO = logging.INFO
WARN = logging.WARNING
ERROR = logging.ERROR
FATAL = logging.CRITICAL

_COUNTS: Counter[tuple[str, int]] = Counter()


def log(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs a message.

    Args:
      level: `DEBUG`, `INFO`, `WARN`, `ERROR` or `FATAL`.
      msg, args, kwargs: as for Python's own `Logger.log`.

    >>> log(DEBUG, "step %d", 3)
    """
    get_logger().log(level, msg, *args, **kwargs)


def debug(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs a message that is of use to find an error.

    >>> debug("step %d", 3)
    """
    get_logger().debug(msg, *args, **kwargs)


def fatal(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs an error that ends a program; the program goes on all the same.

    >>> set_verbosity(FATAL + 1); fatal("step %d", 3); set_verbosity(WARN)
    """
    get_logger().critical(msg, *args, **kwargs)


def vlog(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """The same as `log`.

    >>> vlog(DEBUG, "step %d", 3)
    """
    get_logger().log(level, msg, *args, **kwargs)


def log_if(level: int, msg: str, condition: Any, *args: Any) -> None:
    """Logs a message if a condition holds.

    >>> log_if(ERROR, "step %d", False, 3)
    """
    if condition:
        log(level, msg, *args)


def _count() -> int:
    """How often the program came to the line that calls a function of this module."""
    frame = sys._getframe(2)
    place = (frame.f_code.co_filename, frame.f_lineno)
    _COUNTS[place] += 1
    return _COUNTS[place]


def log_first_n(level: int, msg: str, n: int, *args: Any) -> None:
    """Logs a message the first `n` times that the program comes to this line.

    >>> log_first_n(DEBUG, "step %d", 2, 3)
    """
    log_if(level, msg, _count() <= n, *args)


def log_every_n(level: int, msg: str, n: int, *args: Any) -> None:
    """Logs a message once in `n` times that the program comes to this line, the first time too.

    >>> log_every_n(DEBUG, "step %d", 2, 3)
    """
    log_if(level, msg, (_count() - 1) % n == 0, *args)


def flush() -> None:
    """Makes the handlers write what they hold.

    >>> flush()
    """
    for handler in get_logger().handlers:
        handler.flush()


def get_verbosity() -> int:
    """The least level that is logged.

    >>> get_verbosity() == WARN
    True
    """
    return get_logger().getEffectiveLevel()


def set_verbosity(v: int | str) -> None:
    """Sets the least level that is logged.

    >>> set_verbosity(ERROR)
    >>> get_verbosity() == ERROR
    True
    >>> set_verbosity(WARN)
    """
    get_logger().setLevel(v)
