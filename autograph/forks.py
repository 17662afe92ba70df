"""Locks and state of threads in the child of a fork, in which only the forking thread goes on.

A thread that held a lock in the parent never releases it in the child, and one that was counted
there never leaves. So locks and counts here know which thread they belong to, and the child keeps
those of its one thread.
"""

from __future__ import annotations

import os
import threading
import weakref
from types import TracebackType
from typing import Protocol


class _Renewed(Protocol):
    def renew(self) -> None:
        """Forgets all threads but the one that runs."""


_RENEWED: weakref.WeakSet[_Renewed] = weakref.WeakSet()


def renew_in_child(state: _Renewed) -> None:
    """Call `state.renew()` in the child after each fork, as long as `state` lives."""
    _RENEWED.add(state)


class Lock:
    """A mutex that is free in the child of a fork, unless the forking thread holds it.

    >>> with Lock() as _:
    ...     print("alone")
    alone
    """

    __slots__ = ("__weakref__", "_lock", "owner")

    def __init__(self) -> None:
        """Starts free."""
        self._lock = threading.Lock()
        self.owner: int | None = None
        renew_in_child(self)

    def __enter__(self) -> None:
        """Waits until no other thread holds it."""
        self._lock.acquire()
        self.owner = threading.get_ident()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Releases it."""
        self.owner = None
        self._lock.release()

    def renew(self) -> None:
        """Free again, unless this thread holds it."""
        if self.owner != threading.get_ident():
            self._lock = threading.Lock()
            self.owner = None


def _renew_all() -> None:
    for state in list(_RENEWED):
        state.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
