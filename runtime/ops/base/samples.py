"""Arguments that the samples of several op types share."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

MATRIX = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def numbers(*shape: int) -> Any:
    """Return different numbers, as an array of a shape.

    >>> numbers(2, 1).round(2).tolist()
    [[0.0], [1.0]]
    """
    count = prod(shape)
    return (np.sin(np.arange(count) * 1.7) + 0.01 * np.arange(count)).reshape(shape)
