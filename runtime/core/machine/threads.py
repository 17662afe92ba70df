"""Threads for the parts of one long computation."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from autograph.forks import Lock, renew_in_child

Blocks = Callable[[int, int], None]
"""Computes the rows of a half-open interval."""

Piece = TypeVar("Piece")

MANY = 1 << 22
"""Fewest elementary computations worth sharing: about 1 ms of sums, 7 ms of `exp`. To hand work
to a thread and to wait for it takes 0.05 ms (measured)."""

_PIECES = 4
"""Pieces of a thread: one that waits for a core leaves the rest to the others."""


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

    def resize(self, threads: int) -> None:
        with self._lock:
            # Current users keep the old executor; its threads end with its last user.
            self._executor, self.asked = None, threads

    def start(self, work: Callable[[], None], count: int) -> list[Future[None]]:
        """Start `work` on `count` threads; none if the interpreter is shutting down."""
        if count < 1:
            return []
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(threads_of_loops(), "runtime")
            executor = self._executor
        try:
            return [executor.submit(np.errstate(all="ignore")(work)) for _ in range(count)]
        except RuntimeError:
            return []


_POOL = _Pool()


def use_threads(count: int) -> None:
    """Set the number of threads for blocks and for loops in machine code; 0: the default."""
    _POOL.resize(count)


def threads_of_loops() -> int:
    """Return the number of threads for a long loop; by default all cores."""
    return _POOL.asked or _cores()


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def all_rows(blocks: Blocks, count: int, rows: int, computations: int) -> None:
    """Compute all rows: by default on all cores if they take long, else on the calling thread.

    `blocks` computes an interval of rows, and does not split a block of `rows` rows; `computations`
    is the number of elementary computations of all rows.
    """
    threads = threads_of_loops() if _POOL.asked or computations >= MANY else 1
    if threads == 1 or count <= rows:
        blocks(0, count)
        return
    share = -(-count // (_PIECES * threads * rows)) * rows
    pieces = range(0, count, share)
    work_off(lambda first: blocks(first, min(first + share, count)), pieces, threads)


def work_off(work: Callable[[Piece], object], pieces: Iterable[Piece], threads: int) -> None:
    """Call `work` for each piece, on this thread and on others that take pieces from a queue.

    So a thread that waits for a core delays nothing.

    >>> found = []
    >>> work_off(found.append, range(3), threads=1)
    >>> found
    [0, 1, 2]
    """
    left = deque(pieces)

    def all_left() -> None:
        while True:
            try:
                piece = left.popleft()
            except IndexError:
                return
            work(piece)

    jobs = _POOL.start(all_left, min(threads, len(left)) - 1)
    all_left()
    for job in jobs:
        # A thread that has not started has nothing left to do.
        if not job.cancel():
            job.result()
