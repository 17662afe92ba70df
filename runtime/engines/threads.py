"""Threads for the blocks of one group of operations."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from autograph.forks import Lock, renew_in_child
from runtime.engines.quiet import quiet

Blocks = Callable[[int, int], None]
"""Computes the rows from the first number up to the second."""


class _Pool:
    """So many threads as the program allows, started when they are first needed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._executor: ThreadPoolExecutor | None = None
        self.threads = 1
        renew_in_child(self)

    def renew(self) -> None:
        # The threads of a parent process are not in its child.
        self._executor = None

    def resize(self, threads: int) -> None:
        with self._lock:
            # Who uses the old executor goes on with it; its threads end when no one does.
            self._executor, self.threads = None, threads

    def executor(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self.threads, "runtime blocks")
            return self._executor


_POOL = _Pool()


def use_threads(count: int) -> None:
    """Lets blocks run on so many threads; 1: on that of the caller alone."""
    _POOL.resize(max(1, count))


def all_rows(blocks: Blocks, count: int, rows: int) -> None:
    """Has all rows computed, on several threads if the program allows it.

    Args:
      blocks: computes a range of rows.
      count: how many rows there are.
      rows: how many are a block; no block is divided.
    """
    shares = min(_POOL.threads, count // rows)
    if shares <= 1:
        blocks(0, count)
        return
    share = -(-count // (shares * rows)) * rows
    starts = range(0, count, share)
    executor = _POOL.executor()
    jobs = [executor.submit(quiet(blocks), at, min(at + share, count)) for at in starts]
    for job in jobs:
        job.result()
