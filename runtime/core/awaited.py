"""Values restored from a checkpoint before their variables exist."""

from __future__ import annotations

import threading
from collections.abc import Callable

from autograph.forks import Lock

awaited: list[Callable[[], None]] = []
"""Callbacks that restore values whose variables did not exist when the values were read."""

_LOOKING = Lock()


def look() -> None:
    """Run the callbacks; each restores the values whose variables exist by now."""
    if awaited and _LOOKING.owner != threading.get_ident():
        with _LOOKING:
            for callback in tuple(awaited):
                callback()
