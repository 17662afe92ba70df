"""Traced scalars of NumPy: immutable, with NumPy's operators and texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import VECTOR, Program, difference, each


def python_results(x):
    return int(np.argmax(x)), float(x.max()), bool(x[0] > 0.5), round(float(x[1])), 3, None, "a"


def counts_down(n):
    found = np.zeros(8, dtype=np.int64)
    i = 0
    while n > 0:
        found[i] = n
        n //= 2
        i += 1
    return found, i


def a_text(x):
    return f"{x[0]:.3f}"


@each(
    (python_results, (VECTOR,)),
    (a_text, (VECTOR,)),
    (counts_down, (np.int64(100),)),
)
def test_scalars_compute_as_those_of_numpy(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""
