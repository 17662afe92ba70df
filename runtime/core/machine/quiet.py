"""Run without NumPy's floating-point warnings: NaN shows in the result."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np


def quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function to run without floating-point warnings; safe in concurrent threads.

    >>> float(quiet(np.log)(np.float64(0)))
    -inf
    """
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        return np.errstate(all="ignore")(function)

    @functools.wraps(function)
    def inner(*args: object) -> Any:
        # Before NumPy 2 an errstate is not reentrant.
        with np.errstate(all="ignore"):
            return function(*args)

    return inner
