"""The logger of the package."""

from __future__ import annotations

import logging


def get_logger() -> logging.Logger:
    """Return the logger of the package.

    >>> get_logger().name
    'runtime'
    """
    return logging.getLogger("runtime")
