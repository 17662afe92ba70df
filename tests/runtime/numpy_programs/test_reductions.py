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


@each(
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
