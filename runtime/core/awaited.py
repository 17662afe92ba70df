"""Values that wait for variables which the program has not created yet."""

from __future__ import annotations

import threading
from collections.abc import Callable

from autograph.forks import Lock

awaited: list[Callable[[], None]] = []
"""What restores variables that did not exist when their values were read."""

_LOOKING = Lock()


def look() -> None:
    """Restore what is awaited and has been created by now."""
    if awaited and _LOOKING.owner != threading.get_ident():
        with _LOOKING:
            for callback in tuple(awaited):
                callback()
