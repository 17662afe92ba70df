"""Ufuncs and operators on traced arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.numpy_programs.comparison import VECTOR, Program, check_refused, difference, each


def operators(x):
    return x * 2, x + 1.5, x > 0, -x, abs(x), x**2, x // 2, x % 2, 1 - x, divmod(x, 2)


def writes_with_out(x):
    y = np.zeros_like(x)
    np.add(x, 1, out=y)
    np.sin(x, out=x)
    np.multiply(y, 2, y)
    np.sqrt(x[1:], y[1:])
    return y, x


def functions_and_methods_with_out(x):
    sums, pairs, row = np.empty_like(x), np.zeros((6, 6)), np.zeros(6)
    same = np.add.accumulate(x, out=sums)
    np.add.outer(x, x, out=pairs)
    np.add.reduce(pairs, axis=0, out=pairs[1])
    np.clip(x, 0.2, 0.8, out=x)
    np.max(pairs, axis=1, out=row)
    np.dot(pairs, x, out=pairs[2])
    row[:3].cumsum(out=row[3:])
    return same is sums, sums, pairs, x, row


def complex_numbers(x):
    z = x + 1j * x
    z[0] = 2
    return z, abs(z), z.real, z.imag, z.conj(), np.exp(1j * x)


def of_numpy_alone(x, y):
    few = np.hypot(x, y), np.copysign(x, -y), np.fmod(x, y), np.fmin(x, 0.5), np.float_power(x, 2)
    return *few, np.cbrt(x), np.exp2(x), np.signbit(-x), np.logaddexp(x, x[0]), np.modf(x)


def of_integers(x):
    return np.gcd(x, 6), np.lcm(x, x[0]), np.frexp(x), np.heaviside(x, 0.5), np.hypot(x[1], 2)


def extremes_so_far(x):
    peaks = np.maximum.accumulate(x)
    return peaks, np.minimum.accumulate(x, axis=-1), np.subtract.accumulate(x), (peaks - x).max()


def in_a_staged_loop(x):
    total, peaks = 0.0, np.zeros_like(x)
    for i in range(len(x)):
        if np.hypot(x[i], total) > 0.2:
            total += np.cbrt(x[i])
        np.maximum.accumulate(x[: i + 1], out=peaks[: i + 1])
    return total, peaks


def powers(x):
    return x**2, x**0.5, x**3, x**-1, 2**x, x**x


def whole_powers(x):
    return x**2, x**0.5, x**3, 2**x, x**x


@each(
    (operators, (VECTOR,)),
    (operators, (np.float64(2.5),)),
    (operators, (np.int32(-7),)),
    (operators, (np.arange(1, 5, dtype=np.uint8),)),
    (writes_with_out, (VECTOR,)),
    (functions_and_methods_with_out, (np.arange(6) / 5,)),
    (of_numpy_alone, (VECTOR, VECTOR[::-1].copy())),
    (of_numpy_alone, (VECTOR.astype(np.float32), VECTOR[:1].astype(np.float32))),
    (of_integers, (np.array([4, 6, -9, 0]),)),
    (extremes_so_far, (VECTOR,)),
    (extremes_so_far, (np.array([[3, 1], [2, 5]]),)),
    (in_a_staged_loop, (VECTOR,)),
    (complex_numbers, (VECTOR,)),
    (powers, (VECTOR,)),
    (powers, (np.arange(1, 5),)),
    (whole_powers, (np.arange(1, 5),)),
)
def test_ufuncs_compute_what_numpy_computes(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def compares_with_a_text(x):
    return x == "a"


def sums_into_ints(x):
    np.sum(np.ones((6, 2)), axis=1, out=x)
    return x


def sums_into_fewer(x):
    np.add.accumulate(x, out=x[1:])
    return x


@each(
    (sums_into_ints, (np.arange(6),), "`np.sum` gets `out=` an array that may have another", 1),
    (sums_into_fewer, (VECTOR,), "`np.add` gets `out=` an array that may have another", 1),
    (compares_with_a_text, (VECTOR,), "is compared with a str", 1),
)
def test_an_operand_that_is_no_number_is_refused(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)


@pytest.mark.parametrize("jit_compile", [False, True])
def test_a_negative_power_of_integers_is_a_value_error(jit_compile: bool) -> None:
    if jit_compile:
        pytest.importorskip("llvmlite")
    program = tf.function(lambda x, n: x**n, numpy=True, jit_compile=jit_compile)
    with pytest.raises(ValueError, match="Integers to negative integer powers are not allowed"):
        program(np.arange(3), np.int64(-1))


def changes_parts(x):
    x.real[0] = 5
    y = x.imag
    y += 1
    np.imag(x)[1:] *= 2
    return x, x.real, y[::-1], np.real(x).sum()


def test_parts_of_complex_numbers_are_views() -> None:
    assert difference(changes_parts, np.array([1 + 2j, 3 - 1j, 0.5j])) == ""
    assert difference(changes_parts, np.array([1 + 2j, 3 - 1j], np.complex64)) == ""
