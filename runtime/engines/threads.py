"""Threads for the blocks of a group of operations."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from autograph.forks import Lock, renew_in_child
from runtime.engines.quiet import quiet

Blocks = Callable[[int, int], None]
"""Computes the rows of a half-open interval."""


class _Pool:
    """A thread pool, started at first use."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._executor: ThreadPoolExecutor | None = None
        self.threads = 1
        renew_in_child(self)

    def renew(self) -> None:
        # A forked child has no threads of its parent.
        self._executor = None

    def resize(self, threads: int) -> None:
        with self._lock:
            # Current users keep the old executor; its threads end with its last user.
            self._executor, self.threads = None, threads

    def executor(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self.threads, "runtime blocks")
            return self._executor


_POOL = _Pool()


def use_threads(count: int) -> None:
    """Set the number of threads for blocks; 1: only the caller's thread."""
    _POOL.resize(max(1, count))


def all_rows(blocks: Blocks, count: int, rows: int) -> None:
    """Compute all rows, on several threads if the program allows it.

    Args:
      blocks: computes an interval of rows.
      count: number of rows.
      rows: rows of a block; a block is not split.
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
