"""Threads for the blocks of a group of operations."""

from __future__ import annotations

import os
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
        self.asked = 0
        renew_in_child(self)

    def renew(self) -> None:
        # A forked child has no threads of its parent.
        self._executor = None

    @property
    def threads(self) -> int:
        return max(1, self.asked)

    def resize(self, threads: int) -> None:
        with self._lock:
            # Current users keep the old executor; its threads end with its last user.
            self._executor, self.asked = None, threads

    def executor(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self.threads, "runtime blocks")
            return self._executor


_POOL = _Pool()


def use_threads(count: int) -> None:
    """Set the number of threads for blocks and for loops in machine code; 0: the default."""
    _POOL.resize(count)


def threads_of_loops() -> int:
    """Return the number of threads for a loop in machine code; by default all cores."""
    return _POOL.asked or _cores()


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
