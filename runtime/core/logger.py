"""The logger of the package."""

from __future__ import annotations

import logging


def get_logger() -> logging.Logger:
    """The logger to which everything that the package has to say goes.

    >>> get_logger().name
    'runtime'
    """
    return logging.getLogger("runtime")
