"""Products of matrices, on as many threads as they gain from.

The threads of OpenBLAS wait for each other without giving up their cores. Where another program
keeps a core busy, a product whose part of the work has to wait for that core takes a time slice of
the system, some milliseconds, instead of microseconds. So a product takes one thread of OpenBLAS.
A large one is divided: the caller and its helpers take one piece after the other, so that a helper
without a core delays nothing. A number that the program sets holds for all products instead.
"""

from __future__ import annotations

import ctypes
import functools
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

MANY = 1 << 14
"""Smallest number of elements of a sum that is computed as a product with ones (measured)."""

Piece = TypeVar("Piece")

_FOLDERS = ("../numpy.libs", ".dylibs", ".libs")
_PREFIXES = ("scipy_openblas", "openblas")
_SUFFIXES = ("64_", "")

SMALL = 1 << 18
"""A product of so few multiplications takes one thread whatever the number of threads is."""

SMALL_ROW = 9 << 10
"""The same for the product of a single row or column."""

LARGE = 1 << 26
"""A product of so many multiplications is divided: that of matrices of 400 x 400."""

HUGE = 1 << 28
"""One that cannot be divided takes all threads: it takes several time slices anyway."""


class _Library(NamedTuple):
    """The two functions of OpenBLAS, and the number of threads it began with."""

    set_threads: Any
    get_threads: Any
    begun_with: int


@functools.cache
def _library() -> _Library | None:
    """The OpenBLAS that came with NumPy; None where NumPy uses another BLAS."""
    root = Path(np.__file__).parent
    for folder in _FOLDERS:
        for path in sorted((root / folder).glob("*openblas*")):
            # The two functions do so little that it does not pay to let other threads in.
            loaded = ctypes.PyDLL(str(path))
            for prefix in _PREFIXES:
                for suffix in _SUFFIXES:
                    put = getattr(loaded, f"{prefix}_set_num_threads{suffix}", None)
                    get = getattr(loaded, f"{prefix}_get_num_threads{suffix}", None)
                    if put is not None and get is not None:
                        return _Library(put, get, int(get()))
    return None


class _OneThread:
    """A context in which products take one thread, unless the program set a number.

    The number belongs to the process. So it is changed by the first that enters, in whatever
    thread, and restored by the last that leaves; a large product meanwhile is not divided.
    """

    def __init__(self) -> None:
        self._chosen = 0
        self._before = 0
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        """No thread is inside: those of a parent process are not in its child.

        A number that one of them was to restore stays known, for the first that leaves.
        """
        self._lock = threading.Lock()
        self._inside = 0

    def choose(self, count: int) -> bool:
        """Sets the number for all products; 0: as at the start, with the choice left to us."""
        library = _library()
        if library is None:
            return False
        with self._lock:
            self._chosen, self._before = count, 0
            library.set_threads(count or library.begun_with)
        return True

    def to_divide(self) -> int:
        """For how many threads a large product is divided; 1 if the program set a number."""
        library = _library()
        return 1 if library is None or self._chosen else int(library.get_threads())

    def __enter__(self) -> None:
        library = _library()
        with self._lock:
            self._inside += 1
            if self._inside == 1 and library is not None and not self._chosen:
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


_ONE_THREAD = _OneThread()


def set_blas_threads(count: int) -> bool:
    """Sets how many threads one product of matrices takes; gives whether that was possible.

    Args:
      count: the number; 0: what suits the size of the product, and at most as many as at the
        start of the program.

    >>> set_blas_threads(0) in (True, False)
    True
    """
    return _ONE_THREAD.choose(count)


def is_small(rows: int, inner: int, columns: int) -> bool:
    """Whether a product of so many rows and columns takes one thread by itself.

    >>> is_small(10, 10, 40), is_small(32, 256, 256)
    (True, False)
    """
    return rows * inner * columns <= (SMALL if rows > 1 and columns > 1 else SMALL_ROW)


def product(xp: Any, a: Any, b: Any) -> Any:
    """`xp.matmul` of arrays of two or more dimensions, on as many threads as pay.

    >>> product(np, np.eye(2), np.ones((2, 3))).shape
    (2, 3)
    """
    rows, inner = a.shape[-2:]
    columns = b.shape[-1]
    if xp is not np or is_small(rows, inner, columns):
        return xp.matmul(a, b)
    work = rows * inner * columns
    if work >= LARGE:
        threads = _ONE_THREAD.to_divide()
        if threads > 1 and a.ndim == 2 == b.ndim and a.dtype == b.dtype and a.dtype.kind in "fc":
            return _divided(a, b, threads)
        if work >= HUGE:
            return np.matmul(a, b)
    with _ONE_THREAD:
        return np.matmul(a, b)


def on_one_thread(rows: int, columns: int) -> AbstractContextManager[None]:
    """In it solutions and decompositions of matrices of this size take the threads that pay.

    They consist of many small products, at each of which threads would wait for each other.

    >>> with on_one_thread(2, 2):
    ...     float(np.linalg.det(np.eye(2)))
    1.0
    """
    return nullcontext() if rows * columns * min(rows, columns) >= HUGE else _ONE_THREAD


def _divided(a: Any, b: Any, threads: int) -> Any:
    """The product, in pieces that the caller and its helpers take one after the other."""
    rows, columns = a.shape[0], b.shape[1]
    out = np.empty((rows, columns), a.dtype)
    size = -(-max(rows, columns) // (2 * threads))

    def work(at: int) -> None:
        piece = slice(at, at + size)
        if rows >= columns:
            np.matmul(a[piece], b, out=out[piece])
        else:
            np.matmul(a, b[:, piece], out=out[:, piece])

    _share_out(work, range(0, max(rows, columns), size), threads)
    return out


def in_pieces(work: Callable[[Piece], object], pieces: Iterable[Piece], size: int) -> None:
    """Call `work` for each piece, on as many threads as a product of that size takes.

    Args:
      work: multiplies the matrices of one piece; the pieces are independent of each other.
      pieces: the arguments of the calls.
      size: number of multiplications in all pieces.

    >>> found = []
    >>> in_pieces(found.append, range(3), 100)
    >>> found
    [0, 1, 2]
    """
    _share_out(work, pieces, _ONE_THREAD.to_divide() if size >= LARGE else 1)


def _share_out(work: Callable[[Piece], object], pieces: Iterable[Piece], threads: int) -> None:
    left = deque(pieces)

    def all_left() -> None:
        while True:
            try:
                piece = left.popleft()
            except IndexError:
                return
            work(piece)

    with _ONE_THREAD:
        jobs = _helped(all_left, threads - 1)
        all_left()
        for job in jobs:
            # One that has not begun yet has nothing left to do.
            if not job.cancel():
                job.result()


@functools.cache
def _helpers(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count, "runtime products")


if hasattr(os, "register_at_fork"):
    # The threads of a parent process are not in its child.
    os.register_at_fork(after_in_child=_helpers.cache_clear)


def _helped(work: Callable[[], None], count: int) -> list[Future[None]]:
    """Has helpers begin the work; none where the interpreter is ending already."""
    if not count:
        return []
    try:
        # One errstate each: before NumPy 2 none may be entered twice at a time.
        return [_helpers(count).submit(np.errstate(all="ignore")(work)) for _ in range(count)]
    except RuntimeError:
        return []
