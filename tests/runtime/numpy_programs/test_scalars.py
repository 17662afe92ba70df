"""Traced scalars of NumPy: immutable, with NumPy's operators and texts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import VECTOR, Program, check_refused, difference, each


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


def ints_of_narrow_scalars(k):
    state, found = k[0], 0
    for _ in range(4):
        state = np.uint32((int(state) * 1103515245 + 12345) & 0x7FFFFFFF)
        found = int(k[1]) * 10**12 + len(k) * 10**12
    return state, found


def complex_numbers(x, y, k):
    z = complex(x, y)
    return (
        z, complex(x), complex(1, x), complex(z, y), complex(imag=y), complex(k, 2),
        z.real, z.imag, z.conjugate(), abs(z), z**2, complex(-0.0 * x, -y),
    )  # fmt: skip


def iterations_until_escape(x, y):
    c, z = complex(x, y), 0j
    for i in range(50):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return i
    return 50


def complex_by_double(x):
    y, z = x[0], 1j
    for v in x:
        z = z * v + 1j
    return 1j * y, y * 1j, 2j + y, 2j - y, 1j / y, 1j**y, y**1j, z, np.exp(-2j * np.pi * y)


def attributes_of_numbers(x):
    n = int(x * 10)
    return n.imag, n.real, float(x).is_integer(), (x * 2).is_integer(), float(x).conjugate()


def bits(x):
    return int(x).bit_length()


def test_a_method_of_numbers_without_operation_is_refused_at_the_line() -> None:
    check_refused(bits, (np.float64(5.0),), "`int.bit_length`", 1)


@each(
    (python_results, (VECTOR,)),
    (a_text, (VECTOR,)),
    (counts_down, (np.int64(100),)),
    (ints_of_narrow_scalars, (np.array([12345, 7], np.uint32),)),
    (complex_numbers, (np.float64(0.7), np.float32(2.5), np.int8(3))),
    (complex_numbers, (0.7, 2.5, 3)),
    (iterations_until_escape, (np.float64(0.4), np.float64(0.5))),
    (complex_by_double, (np.array([0.5, 3.0]),)),
    (attributes_of_numbers, (np.float64(0.5),)),
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


def powers_of_scalars(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 0.5 + x[i] ** y
    return x[0] ** 0.5, x[1] ** 0.5, x[2] ** y, float(x[0]) ** y, total


def test_a_power_of_a_scalar_is_that_of_its_operator() -> None:
    x = np.array([-0.0, -np.inf, 2.3, 7.7])
    assert difference(powers_of_scalars, x, np.float64(0.5)) == ""
    assert difference(powers_of_scalars, x.astype(np.float32), np.float32(0.5)) == ""


def lengths_of_negatives(x):
    return abs(-x), abs(-x[0])


def test_the_length_of_a_negative_unsigned_number_is_wrapped() -> None:
    assert difference(lengths_of_negatives, np.array([1, 250], np.uint8)) == ""
    assert difference(lengths_of_negatives, np.array([1, -128], np.int8)) == ""


def ints_of_unsigned_scalars(x):
    total = 0
    for value in x:
        total += int(value) // 4
    return total, int(x[0]), x[1].item(), round(x[0]), -int(x[0])


def test_an_int_of_uint64_that_does_not_fit_is_an_error() -> None:
    x = np.array([7, 2**63 - 1], np.uint64)
    assert difference(ints_of_unsigned_scalars, x) == ""
    assert difference(ints_of_unsigned_scalars, np.array([2**32 - 1, 5], np.uint32)) == ""
    check_refused(lambda x: int(x[1]), (x + np.uint64(1),), "does not fit into int64", 0)


def rounded_to_digits(x):
    total = 0.0
    for value in x:
        total += round(value, 2)
    return round(x[0], 2), round(x[1], ndigits=1), round(float(x[0]), 2), total


def test_round_to_digits_is_that_of_scalars_of_numpy() -> None:
    for dtype in (np.float16, np.float32, np.float64):
        assert difference(rounded_to_digits, np.array([2.675, 1.005, 1.115], dtype)) == ""
    assert difference(rounded_to_digits, np.array([1250, -35])) == ""


def ints_of_narrow_scalars(x, n):
    return int(x[0]), round(x[0]), math.floor(x[0]), math.ceil(x[0]), math.comb(n[0], 2)


def test_an_int_of_a_narrow_scalar_has_64_bits() -> None:
    arguments = np.array([5.6e13], np.float32), np.array([70_000], np.int32)
    assert difference(ints_of_narrow_scalars, *arguments) == ""
