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


def classes_of_values(x, i, m):
    one, count, total = x[0], i[1], x.sum()
    return (
        isinstance(x, np.ndarray), isinstance(one, np.ndarray), isinstance(one, float),
        isinstance(one, np.floating), isinstance(count, (int, np.integer)), isinstance(count, int),
        isinstance(total, np.generic), isinstance(m[0], np.float32), type(m[0]) is np.float32,
        type(total) is np.float64, isinstance(x[0] > 0, (bool, np.bool_)), type(len(x)) is int,
    )  # fmt: skip


def truths_that_python_computes(x):
    return (
        not x[0],
        2.5 in x,
        any(v > 8 for v in x),
        all(v > 8 for v in x),
        x[0] > 0,
        x[0] in (1, 2),
    )


def branches_on_a_class(x):
    if isinstance(x, np.ndarray):
        return x * 2
    return x


@each(
    (classes_of_values, (VECTOR, np.arange(3), VECTOR.astype(np.float32))),
    (truths_that_python_computes, (VECTOR,)),
    (branches_on_a_class, (VECTOR,)),
    (branches_on_a_class, (np.float64(2),)),
)
def test_values_are_of_numpys_and_pythons_classes(
    program: Program, arguments: tuple[Any, ...]
) -> None:
    assert difference(program, *arguments) == ""
