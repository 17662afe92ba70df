"""Dtypes of results are those of NumPy 2: Python numbers are weak."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import VECTOR, Program, check_refused, difference, each


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


def large_python_floats(x):
    least, largest = 1.7e308, -1.7e308
    for i in range(20):
        if x[i] < least:
            least = x[i]
        largest = max(largest, x[i])
    scale = 1e300
    while scale > 1e290:
        scale = scale / 10.0
    return least, largest, scale, scale // 1e289, 1e299 if x[0] > 2 else 2.0


def python_ints_in_a_loop(x):
    k = 1
    for i in range(20):
        k = k * 7 + int(x[i] > 2)
    return k


def the_best_of_narrow_ints(x):
    best = pair = 0
    for i in range(len(x)):
        best = max(best, x[i])
        pair = max(pair, x[i] * x[0])
    return best, best + 100, pair, min(x[1], x[0], 100), max(x[0], -1)


@each(
    (the_best_of_narrow_ints, (np.array([3, 200, 0, 100, 99], np.uint8),)),
    (the_best_of_narrow_ints, (np.array([3, -2, 0, 2**30, 1], np.int32),)),
    (dtypes_of_numpy, (VECTOR * 3,)),
    (integers_wrap_around, (np.arange(5),)),
    (python_floats_in_a_loop, (VECTOR,)),
    (python_ints_in_a_loop, (VECTOR,)),
    (large_python_floats, (VECTOR,)),
)
def test_dtypes_are_those_of_numpy(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def an_int_of_two_widths(x, narrow):
    least = x[0]
    for v in narrow:
        if v < least:
            least = v
    return least


@each((an_int_of_two_widths, (np.arange(9), np.int32([1, 2])), r"with x\.astype\(np\.int64\)", 3))
def test_a_variable_of_two_dtypes_is_refused_with_a_remedy_of_numpy(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)
