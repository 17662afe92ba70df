"""How many threads NumPy's products of matrices take."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_FOLDERS = ("../numpy.libs", ".dylibs", ".libs")
_PREFIXES = ("scipy_openblas", "openblas")
_SUFFIXES = ("64_", "")


class _Library(NamedTuple):
    """The two functions of OpenBLAS, and the number of threads it began with."""

    set_threads: Any
    begun_with: int


@functools.cache
def _library() -> _Library | None:
    """The OpenBLAS that came with NumPy; None where NumPy uses another BLAS."""
    root = Path(np.__file__).parent
    for folder in _FOLDERS:
        for path in sorted((root / folder).glob("*openblas*")):
            loaded = ctypes.CDLL(str(path))
            for prefix in _PREFIXES:
                for suffix in _SUFFIXES:
                    put = getattr(loaded, f"{prefix}_set_num_threads{suffix}", None)
                    get = getattr(loaded, f"{prefix}_get_num_threads{suffix}", None)
                    if put is not None and get is not None:
                        return _Library(put, int(get()))
    return None


def set_blas_threads(count: int) -> bool:
    """Sets how many threads one product of matrices takes; gives whether that was possible.

    Args:
      count: the number; 0: as many as at the start of the program.

    >>> set_blas_threads(0) in (True, False)
    True
    """
    library = _library()
    if library is None:
        return False
    library.set_threads(count or library.begun_with)
    return True
