"""Dtypes of results are those of NumPy 2: Python numbers are weak."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import VECTOR, Program, difference, each


def dtypes_of_numpy(a):
    small = a.astype(np.int8)
    single = a.astype(np.float32)
    return single * 2, small + 1, np.sum(a.astype(np.int32)), single.mean(), (a > 1).sum(), a.dtype


def integers_wrap_around(a):
    b = a.astype(np.int8)
    b += np.int8(100)
    return b * 2


def python_floats_in_a_loop(x):
    s = 0.1
    for i in range(20):
        s = s * 1.1 + x[i] * 0
    return s


def python_ints_in_a_loop(x):
    k = 1
    for i in range(20):
        k = k * 7 + int(x[i] > 2)
    return k


@each(
    (dtypes_of_numpy, (VECTOR * 3,)),
    (integers_wrap_around, (np.arange(5),)),
    (python_floats_in_a_loop, (VECTOR,)),
    (python_ints_in_a_loop, (VECTOR,)),
)
def test_dtypes_are_those_of_numpy(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""
