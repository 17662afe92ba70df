"""Threads take turns at recording one function, and never wait for each other crosswise."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from autograph.forks import renew_in_child


class _Queue:
    """What each waiting thread waits for, and how it learns that a turn has ended."""

    def __init__(self) -> None:
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """No thread waits: one that runs does not."""
        self.changed = threading.Condition()
        self.waiting: dict[int, Turns] = {}


_QUEUE = _Queue()


class Turns:
    """One thread at a time, which may come again while it is at its turn.

    Where two threads would wait for each other for ever, since each records a function that calls
    the other one, the second does not wait: then both record, which costs time and nothing else.
    """

    def __init__(self) -> None:
        """Starts free."""
        self._holders: list[int] = []
        renew_in_child(self)

    def renew(self) -> None:
        """Ends the turns of all threads but this one."""
        me = threading.get_ident()
        self._holders = [holder for holder in self._holders if holder == me]

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Waits for its turn, and ends it."""
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
        """Whether a thread that holds this waits, in the end, for what thread `me` holds."""
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
