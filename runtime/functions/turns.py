"""Mutual exclusion of the traces of one function, without deadlocks."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from autograph.forks import renew_in_child


class _Queue:
    """The lock that each waiting thread waits for, and the condition that wakes it."""

    def __init__(self) -> None:
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """Reset the state: a thread that runs does not wait."""
        self.changed = threading.Condition()
        self.waiting: dict[int, Turns] = {}


_QUEUE = _Queue()


class Turns:
    """A reentrant lock that breaks deadlocks.

    If two threads trace functions that call each other, each would wait for the other forever. The
    second thread does not wait: both trace, which costs time only.
    """

    def __init__(self) -> None:
        """Start unlocked."""
        self._holders: list[int] = []
        renew_in_child(self)

    def renew(self) -> None:
        """Release the lock for all other threads."""
        me = threading.get_ident()
        self._holders = [holder for holder in self._holders if holder == me]

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold the lock."""
        me = threading.get_ident()
        with _QUEUE.changed:
            _QUEUE.waiting[me] = self
            while self._holders and me not in self._holders and not self._leads_to(me):
                _QUEUE.changed.wait()
            del _QUEUE.waiting[me]
            self._holders.append(me)
        try:
            yield
        finally:
            with _QUEUE.changed:
                self._holders.remove(me)
                _QUEUE.changed.notify_all()

    def _leads_to(self, me: int) -> bool:
        """Return whether a holder waits, directly or indirectly, for a lock that thread `me`
        holds.
        """
        seen: set[int] = set()
        pending = list(self._holders)
        while pending:
            thread = pending.pop()
            if thread == me:
                return True
            if thread in seen:
                continue
            seen.add(thread)
            waited_for = _QUEUE.waiting.get(thread)
            if waited_for is not None:
                pending += waited_for._holders
        return False
