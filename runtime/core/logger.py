"""The logger of the package, and messages of a program to it."""

from __future__ import annotations

import logging
from typing import Any


def get_logger() -> logging.Logger:
    """The logger to which everything that the package has to say goes.

    >>> get_logger().name
    'runtime'
    """
    return logging.getLogger("runtime")


def info(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs a message.

    >>> info("step %d", 3)
    """
    get_logger().info(msg, *args, **kwargs)


def warning(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs a warning.

    >>> get_logger().setLevel("ERROR"); warning("step %d", 3); get_logger().setLevel("WARNING")
    """
    get_logger().warning(msg, *args, **kwargs)


def warn(msg: str, *args: Any, **kwargs: Any) -> None:
    """The same as `warning`.

    >>> get_logger().setLevel("ERROR"); warn("step %d", 3); get_logger().setLevel("WARNING")
    """
    get_logger().warning(msg, *args, **kwargs)


def error(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs an error.

    >>> get_logger().setLevel("FATAL"); error("step %d", 3); get_logger().setLevel("WARNING")
    """
    get_logger().error(msg, *args, **kwargs)
