"""Running without NumPy's warnings: what is not a number shows in the result, as in graphs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np


def quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function without floating-point warnings, in any number of threads at once.

    >>> float(quiet(np.log)(np.float64(0)))
    -inf
    """
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        return np.errstate(all="ignore")(function)

    @functools.wraps(function)
    def inner(*args: Any) -> Any:
        # Before NumPy 2 one errstate must not be entered twice at a time.
        with np.errstate(all="ignore"):
            return function(*args)

    return inner
