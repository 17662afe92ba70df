"""Matrix products with a number of threads that depends on the size of the product.

The threads of OpenBLAS spin while they wait for each other. If another program keeps a core busy,
the product waits a scheduler time slice (milliseconds) for the thread on that core. So one product
uses one OpenBLAS thread. A large product is split into pieces: the caller and its worker threads
take pieces from a queue, so a worker without a core delays nothing. `set_blas_threads` overrides
this for all products.
"""

from __future__ import annotations

import ctypes
import functools
import glob
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent import futures
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, TypeVar

import numpy as np

from runtime.core.aliases import Array, Namespace

MANY = 1 << 14
"""Smallest number of elements of a sum that is computed as a product with ones (measured)."""

Piece = TypeVar("Piece")

_FOLDERS = ("../numpy.libs", ".dylibs", ".libs")
_PREFIXES = ("scipy_openblas", "openblas")
_SUFFIXES = ("64_", "")

SMALL = 1 << 18
"""A product with at most this many multiplications runs on one thread in any setting: 64 x 64 x 64.
"""

SMALL_ROW = 9 << 10
"""The same limit for the product of a single row or column."""

LARGE = 1 << 26
"""A product with at least this many multiplications is split: matrices of 400 x 400."""

HUGE = 1 << 28
"""A product with at least this many multiplications that cannot be split uses all OpenBLAS threads:
it takes several time slices anyway.
"""


class _Library(NamedTuple):
    """The two functions of OpenBLAS, and its initial number of threads."""

    set_threads: Any
    get_threads: Any
    begun_with: int


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
                        return _Library(put, get, int(get()))
    return None


class _OneThread:
    """A context in which products use one thread, unless the program set a number.

    The setting is per process. The first thread that enters changes it, and the last one that
    leaves restores it.
    """

    def __init__(self) -> None:
        self._chosen = 0
        self._before = 0
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        """Reset the count of threads inside: after a fork, the parent's threads do not exist.

        The number that one of them was to restore is kept for the next thread that leaves.
        """
        self._lock = threading.Lock()
        self._inside = 0

    def choose(self, count: int) -> bool:
        """Set the number of threads for all products; 0 restores the initial policy."""
        library = _library()
        if library is None:
            return False
        with self._lock:
            self._chosen, self._before = count, 0
            library.set_threads(count or library.begun_with)
        return True

    def to_divide(self) -> int:
        """Return the number of threads for a large product; 1 if the program set a number."""
        library = _library()
        if library is None or self._chosen:
            return 1
        return self._before or int(library.get_threads())

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


ONE_THREAD = _OneThread()
"""Products use one thread while this context is active; to enter it again takes half the time."""


def set_blas_threads(count: int) -> bool:
    """Set the number of threads for one matrix product.

    Args:
      count: the number of threads. 0: chosen from the size of the product, at most the initial
        number.

    Returns: True if NumPy's BLAS is an OpenBLAS that can be configured.

    >>> set_blas_threads(0) in (True, False)
    True
    """
    return ONE_THREAD.choose(count)


def is_small(rows: int, inner: int, columns: int) -> bool:
    """Return whether a matrix product of this size runs on one thread in any setting.

    >>> is_small(10, 10, 40), is_small(32, 256, 256)
    (True, False)
    """
    return rows * inner * columns <= (SMALL if rows > 1 and columns > 1 else SMALL_ROW)


def is_medium(rows: int, inner: int, columns: int) -> bool:
    """Return whether a product of this size runs on one thread by default, and is not small.

    >>> is_medium(10, 10, 40), is_medium(32, 256, 256), is_medium(1000, 1000, 1000)
    (False, True, False)
    """
    return not is_small(rows, inner, columns) and rows * inner * columns < LARGE


def product(xp: Namespace, a: Array, b: Array) -> Any:
    """Return `xp.matmul(a, b)`, with a number of threads that depends on the size.

    >>> product(np, np.eye(2), np.ones((2, 3))).shape
    (2, 3)
    """
    if xp is not np or a.size * b.size <= SMALL_ROW:
        return xp.matmul(a, b)
    rows, inner = a.shape[-2:]
    below, columns = b.shape[-2:]
    if below != inner or is_small(rows, inner, columns):
        return np.matmul(a, b)
    work = rows * inner * columns
    if work >= LARGE:
        threads = ONE_THREAD.to_divide()
        if threads > 1 and a.ndim == 2 == b.ndim and a.dtype == b.dtype and a.dtype.kind in "fc":
            return _divided(a, b, threads)
        if work >= HUGE:
            return np.matmul(a, b)
    with ONE_THREAD:
        return np.matmul(a, b)


def on_one_thread(rows: int, columns: int) -> AbstractContextManager[None]:
    """Return a context for solvers and decompositions of a matrix of this size.

    They consist of many small products, and threads would wait for each other after each one. Below
    `HUGE` multiplications the context uses one thread.

    >>> with on_one_thread(2, 2):
    ...     float(np.linalg.det(np.eye(2)))
    1.0
    """
    return nullcontext() if rows * columns * min(rows, columns) >= HUGE else ONE_THREAD


def _divided(a: Array, b: Array, threads: int) -> Any:
    """Return the product, computed in pieces by the caller and its worker threads."""
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


def in_pieces(
    work: Callable[[Piece], object], pieces: Iterable[Piece], rows: int, inner: int, columns: int
) -> None:
    """Call `work` for each piece, on as many threads as a product of this size takes.

    >>> found = []
    >>> in_pieces(found.append, range(3), 2, 3, 4)
    >>> found
    [0, 1, 2]
    """
    if is_small(rows, inner, columns):
        for piece in pieces:
            work(piece)
        return
    size = rows * inner * columns
    _share_out(work, pieces, ONE_THREAD.to_divide() if size >= LARGE else 1)


def _share_out(work: Callable[[Piece], object], pieces: Iterable[Piece], threads: int) -> None:
    with ONE_THREAD:
        work_off(work, pieces, lambda all_left: _helped(all_left, threads - 1))


def work_off(
    work: Callable[[Piece], object],
    pieces: Iterable[Piece],
    start: Callable[[Callable[[], None]], Iterable[futures.Future[None]]],
) -> None:
    """Call `work` for each piece, here and in the threads in which `start` runs a function.

    >>> found = []
    >>> work_off(found.append, range(3), lambda all_left: [])
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

    jobs = start(all_left)
    all_left()
    for job in jobs:
        # A thread that has not started has nothing left to do.
        if not job.cancel():
            job.result()


@functools.cache
def _helpers(count: int) -> futures.ThreadPoolExecutor:
    return futures.ThreadPoolExecutor(count, "runtime products")


if hasattr(os, "register_at_fork"):
    # The threads of a parent process are not in its child.
    os.register_at_fork(after_in_child=_helpers.cache_clear)


def _helped(work: Callable[[], None], count: int) -> list[futures.Future[None]]:
    """Start `work` on `count` worker threads; none if the interpreter is shutting down."""
    if not count:
        return []
    try:
        # One errstate for each worker: before NumPy 2 an errstate cannot be entered twice at a
        # time.
        return [_helpers(count).submit(np.errstate(all="ignore")(work)) for _ in range(count)]
    except RuntimeError:
        return []
