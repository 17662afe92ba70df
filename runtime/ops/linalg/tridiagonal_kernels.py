"""Systems and products of matrices with elements near the diagonal only, on arrays.

A system is solved by elimination from the first row on, of all systems at a time. The rows are
exchanged where that is asked for: of a row and the next the one with the larger first element
comes first, so that rows of three elements arise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np


class _Row(NamedTuple):
    """A row of each system: its elements from the diagonal on, and its right-hand sides."""

    first: Any
    second: Any
    third: Any
    right: Any


def check_system(diagonals: Sequence[int | None], rhs: Sequence[int | None]) -> None:
    """Raises ValueError where the shapes of the diagonals and right-hand sides do not fit."""
    if len(diagonals) != len(rhs):
        raise ValueError("All input tensors must have the same rank.")
    _check_matrices(rhs)
    if diagonals[-2] not in (3, None):
        raise ValueError(f"Expected diagonals to have 3 rows, got {diagonals[-2]}")
    _check_equal(diagonals[:-2], rhs[:-2], "All input tensors must have the same outer dimensions.")
    _check_equal(diagonals[-1:], rhs[-2:-1], "The length of diagonals must be the number of rows.")


def check_product(shapes: Sequence[Any]) -> None:
    """Raises ValueError where the shapes of three diagonals and a matrix do not fit."""
    rhs = shapes[-1]
    if any(len(dims) != len(rhs) for dims in shapes):
        raise ValueError("All input tensors must have the same rank.")
    _check_matrices(rhs)
    for kind, dims in zip(("superdiagonal", "maindiagonal", "subdiagonal"), shapes, strict=False):
        _check_equal(dims[:-2], rhs[:-2], "All input tensors must have the same outer dimensions.")
        _check_equal(dims[-2:], (1, rhs[-2]), f"Invalid {kind} shape.")


def _check_matrices(dims: Sequence[int | None]) -> None:
    if len(dims) < 2:
        raise ValueError(f"Input must have rank >= 2, got shape {list(dims)}")


def _check_equal(one: Sequence[int | None], other: Sequence[int | None], message: str) -> None:
    for a, b in zip(one, other, strict=True):
        if None not in (a, b) and a != b:
            raise ValueError(message)


def multiply(xp: Any, above: Any, main: Any, below: Any, rhs: Any) -> Any:
    """The products."""
    check_product([x.shape for x in (above, main, below, rhs)])
    a, b, c = (xp.swapaxes(x, -1, -2) for x in (above, main, below))
    result = b * rhs
    none = xp.zeros_like(rhs[..., :1, :])
    upper = xp.concatenate([a[..., :-1, :] * rhs[..., 1:, :], none], axis=-2)
    lower = xp.concatenate([none, c[..., 1:, :] * rhs[..., :-1, :]], axis=-2)
    return result + upper + lower


def solve(xp: Any, diagonals: Any, rhs: Any, partial_pivoting: bool, perturb_singular: bool) -> Any:
    """The solutions; NaN for systems with a pivot that is zero."""
    check_system(diagonals.shape, rhs.shape)
    if not rhs.size:
        return xp.zeros_like(rhs)
    wide = np.result_type(rhs.dtype, np.float64)
    size, columns = rhs.shape[-2:]
    bands = np.asarray(diagonals).astype(wide).reshape(-1, 3, size)
    right = np.asarray(rhs).astype(wide).reshape(-1, size, columns)
    least = _least_pivots(bands, rhs.dtype) if perturb_singular else None
    solution = _substituted(_eliminated(*_by_row(bands, right), partial_pivoting, least))
    if len(bands) > 1:
        solution = np.moveaxis(solution, 0, -2)
    return xp.asarray(solution.reshape(rhs.shape).astype(rhs.dtype))


def _least_pivots(bands: Any, dtype: Any) -> Any:
    """What a pivot is at least: the precision of the dtype times the largest element."""
    least = np.finfo(dtype).eps * np.max(np.abs(bands), axis=(-1, -2))
    return least[:, None] if len(bands) > 1 else least[0]


def _by_row(bands: Any, right: Any) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """The elements of the diagonals and the right-hand sides of each row.

    Those of several systems are columns of numbers; of a single one they are numbers, with which
    Python is faster than with arrays of one element.
    """
    if len(bands) > 1:
        above, main, below = (list(bands[:, i, :].T[..., None]) for i in range(3))
        return above, main, below, list(np.swapaxes(right, 0, 1))
    above, main, below = (list(band) for band in bands[0])
    return above, main, below, list(right[0, :, 0] if right.shape[-1] == 1 else right[0])


def _chosen(condition: Any, x: Any, otherwise: Any) -> Any:
    if isinstance(condition, np.ndarray):
        return np.where(condition, x, otherwise)
    return x if condition else otherwise


def _eliminated(
    above: list[Any],
    main: list[Any],
    below: list[Any],
    right: list[Any],
    exchanging: bool,
    least: Any,
) -> list[_Row]:
    """The rows of the triangular systems."""
    rows = []
    row = _Row(main[0], above[0], 0.0 * main[0], right[0])
    for i in range(1, len(main)):
        lower = _Row(below[i], main[i], above[i], right[i])
        row, lower = _exchanged(row, lower) if exchanging else (row, lower)
        row = _at_least(row, least)
        rows.append(row)
        factor = lower.first / row.first
        row = _Row(
            lower.second - factor * row.second,
            lower.third - factor * row.third,
            row.third * 0.0,
            lower.right - factor * row.right,
        )
    rows.append(_at_least(row, least))
    return rows


def _exchanged(row: _Row, lower: _Row) -> tuple[_Row, _Row]:
    """Both rows, the one with the larger first element in front."""
    swap = abs(lower.first) > abs(row.first)
    if not isinstance(swap, np.ndarray):
        return (lower, row) if swap else (row, lower)
    pairs = [(np.where(swap, b, a), np.where(swap, a, b)) for a, b in zip(row, lower, strict=True)]
    return _Row(*(pair[0] for pair in pairs)), _Row(*(pair[1] for pair in pairs))


def _at_least(row: _Row, least: Any) -> _Row:
    """The row with a pivot that is not next to nothing."""
    if least is None:
        return row
    pivot = row.first
    return row._replace(first=_chosen(abs(pivot) < least, np.copysign(least, pivot.real), pivot))


def _substituted(rows: list[_Row]) -> Any:
    """The solutions of the triangular systems, one row after the other from the last on."""
    solutions = []
    after = beyond = 0.0 * rows[-1].right
    singular: Any = False
    for row in reversed(rows):
        value = (row.right - row.second * after - row.third * beyond) / row.first
        solutions.append(value)
        after, beyond = value, after
        singular = singular | (row.first == 0)
    return np.where(singular, np.nan, np.stack(solutions[::-1]))
