"""Tensors that the samples of many ops use."""

from __future__ import annotations

MATRIX = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
"""Two rows of three."""
