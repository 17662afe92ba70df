"""Locks and per-thread state that survive a fork.

Only the forking thread exists in the child. A lock held by another thread would never be released,
and a count of threads would never reach zero. These objects record the owning thread, and the
child keeps the entries of its one thread.
"""

from __future__ import annotations

import os
import threading
import weakref
from types import TracebackType
from typing import Protocol


class _Renewed(Protocol):
    def renew(self) -> None:
        """Drop the state of all threads but the current one."""


_RENEWED: weakref.WeakSet[_Renewed] = weakref.WeakSet()


def renew_in_child(state: _Renewed) -> None:
    """Call `state.renew()` in the child after each fork, as long as `state` lives.

    Args:
      state: an object with a method `renew`, which takes no arguments.

    >>> class Counter:
    ...     def renew(self):
    ...         self.count = 0
    >>> counter = Counter()
    >>> renew_in_child(counter)
    """
    _RENEWED.add(state)


class Lock:
    """A mutex that is free in the child of a fork, unless the forking thread holds it.

    >>> with Lock() as _:
    ...     print("alone")
    alone
    """

    __slots__ = ("__weakref__", "_lock", "owner")

    def __init__(self) -> None:
        """Start unlocked."""
        self._lock = threading.Lock()
        self.owner: int | None = None
        renew_in_child(self)

    def __enter__(self) -> None:
        """Acquire the lock."""
        self._lock.acquire()
        self.owner = threading.get_ident()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the lock."""
        self.owner = None
        self._lock.release()

    def renew(self) -> None:
        """Unlock after a fork, unless the current thread holds the lock."""
        if self.owner != threading.get_ident():
            self._lock = threading.Lock()
            self.owner = None


def _renew_all() -> None:
    for state in list(_RENEWED):
        state.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
