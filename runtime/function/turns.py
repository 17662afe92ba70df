"""Threads take turns at recording one function, and never wait for each other crosswise."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_CHANGED = threading.Condition()
_WAITING: dict[int, Turns] = {}
"""What each waiting thread waits for."""


class Turns:
    """One thread at a time, which may come again while it is at its turn.

    Where two threads would wait for each other for ever, since each records a function that calls
    the other one, the second does not wait: then both record, which costs time and nothing else.
    """

    def __init__(self) -> None:
        """Starts free."""
        self._holders: list[int] = []

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Waits for its turn, and ends it."""
        me = threading.get_ident()
        with _CHANGED:
            _WAITING[me] = self
            while self._holders and me not in self._holders and not self._leads_to(me):
                _CHANGED.wait()
            del _WAITING[me]
            self._holders.append(me)
        try:
            yield
        finally:
            with _CHANGED:
                self._holders.remove(me)
                _CHANGED.notify_all()

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
            waited_for = _WAITING.get(thread)
            if waited_for is not None:
                pending += waited_for._holders
        return False
