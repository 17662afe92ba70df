"""Sums, means, extremes, positions and running sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import (
    MATRIX,
    VECTOR,
    Program,
    check_refused,
    difference,
    each,
)


def reduces(m):
    sums = m.sum(), m.sum(axis=0), np.mean(m, axis=1), np.var(m), m.prod(axis=-1)
    return sums, m.max(axis=0), np.argmin(m), np.cumsum(m, axis=1), np.count_nonzero(m > 0.5)


def averages(m):
    rows, columns = np.average(m, axis=0, weights=m[:, 0]), np.average(m, -1, m[0])
    return np.average(m), rows, columns, np.average(m, weights=m), np.average(m, 0, [1] * len(m))


def an_average_without_an_axis(m):
    return np.average(m, weights=m[0])


def an_average_by_weights_of_sum_zero(m):
    return np.average(m, axis=0, weights=m[:, 0] * 0)


def positions_with_dimensions(m):
    return np.argmax(m, keepdims=True), np.argmin(m, axis=0, keepdims=True)


def sums_of_rows(m):
    return sum(m), sum(m[:0])


@each(
    (averages, (MATRIX[:, :6],)),
    (averages, (np.array([[3, 1], [4, 2]], np.int8),)),
    (an_average_without_an_axis, (MATRIX,)),
    (an_average_by_weights_of_sum_zero, (MATRIX,)),
    (positions_with_dimensions, (MATRIX,)),
    (sums_of_rows, (MATRIX,)),
    (reduces, (MATRIX,)),
)
def test_reductions_agree(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def a_mean_along_an_axis_of_a_scalar(x):
    return np.mean(x[0], axis=0)


@each(
    (a_mean_along_an_axis_of_a_scalar, (VECTOR,), "axis 0 is out of bounds", 1),
)
def test_a_mean_takes_no_axis_of_a_scalar(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)
