"""Tensors that the samples of many ops use."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

MATRIX = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
"""Two rows of three."""


def numbers(*shape: int) -> Any:
    """Numbers that differ, for samples."""
    count = prod(shape)
    return (np.sin(np.arange(count) * 1.7) + 0.01 * np.arange(count)).reshape(shape)
