"""Computations of many matrix products, each product on one thread.

The threads of OpenBLAS spin while they wait for each other, after each product of a decomposition
or convolution. If another program keeps a core busy, that takes a scheduler time slice
(milliseconds) each time. So these products use one OpenBLAS thread, and the pieces of a convolution
are shared among threads that do not wait for each other.
"""

from __future__ import annotations

import ctypes
import functools
import glob
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np

from autograph.forks import Lock, renew_in_child
from runtime.core.machine.threads import Piece, threads_of_loops, work_off

_FOLDERS = ("../numpy.libs", ".dylibs", ".libs")
_PREFIXES = ("scipy_openblas", "openblas")
_SUFFIXES = ("64_", "")

SMALL = 1 << 18
"""Products with at most this many multiplications use one OpenBLAS thread anyway: 64 x 64 x 64."""

LARGE = 1 << 26
"""Products with at least this many multiplications are worth several threads: 400 x 400 x 400."""

HUGE = 1 << 28
"""A decomposition with at least this many multiplications uses all OpenBLAS threads: it takes
several time slices anyway."""


class _Library(NamedTuple):
    """The two functions of OpenBLAS."""

    set_threads: Any
    get_threads: Any


@functools.cache
def _library() -> _Library | None:
    """Return the OpenBLAS bundled with NumPy; None if NumPy uses another BLAS."""
    root = os.path.dirname(np.__file__)
    for folder in _FOLDERS:
        for path in sorted(glob.glob(os.path.join(root, folder, "*openblas*"))):
            # PyDLL keeps the GIL: the two functions are too short to release it.
            loaded = ctypes.PyDLL(path)
            for prefix in _PREFIXES:
                for suffix in _SUFFIXES:
                    put = getattr(loaded, f"{prefix}_set_num_threads{suffix}", None)
                    get = getattr(loaded, f"{prefix}_get_num_threads{suffix}", None)
                    if put is not None and get is not None:
                        return _Library(put, get)
    return None


class _OneThread:
    """A context in which products use one thread.

    The setting is per process. The first thread that enters changes it, and the last one that
    leaves restores it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._before = 0
        renew_in_child(self)

    def renew(self) -> None:
        # The parent's threads do not exist in a child. The number that one of them was to restore
        # is kept for the next thread that leaves.
        self._inside = 0

    def __enter__(self) -> None:
        library = _library()
        with self._lock:
            self._inside += 1
            if self._inside == 1 and library is not None:
                threads = library.get_threads()
                if threads > 1:
                    self._before = threads
                    library.set_threads(1)

    def __exit__(self, *error: object) -> None:
        library = _library()
        with self._lock:
            self._inside -= 1
            if not self._inside and self._before and library is not None:
                library.set_threads(self._before)
                self._before = 0


ONE_THREAD = _OneThread()
"""Products use one thread while this context is active; to enter it again takes half the time."""


def on_one_thread(rows: int, columns: int) -> AbstractContextManager[None]:
    """Return a context for solvers and decompositions of a matrix of this size.

    They consist of many small products, and threads would wait for each other after each one. Below
    `HUGE` multiplications the context uses one thread.

    >>> with on_one_thread(2, 2):
    ...     float(np.linalg.det(np.eye(2)))
    1.0
    """
    return nullcontext() if rows * columns * min(rows, columns) >= HUGE else ONE_THREAD


def in_pieces(
    work: Callable[[Piece], object], pieces: Iterable[Piece], rows: int, inner: int, columns: int
) -> None:
    """Call `work` for each piece, on as many threads as a product of this size takes.

    >>> found = []
    >>> in_pieces(found.append, range(3), 2, 3, 4)
    >>> found
    [0, 1, 2]
    """
    size = rows * inner * columns
    if size <= SMALL:
        for piece in pieces:
            work(piece)
        return
    with ONE_THREAD:
        work_off(work, pieces, threads_of_loops() if size >= LARGE else 1)
