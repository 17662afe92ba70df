"""The end of an iteration: arrays are carried, exchanged or copied."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import runtime as tf
from tests.runtime.engines.native.loops import check

ROW = np.array([3.0, -1.0, 4.0, 1.0, -5.0])


def test_array_written_in_a_branch():
    def f(x, n):
        i = 0
        while i < n:
            if x[i] > 0:
                x[i] = -x[i]
            i += 1
        return x

    check(f, ROW, np.int32(5))


def test_loop_that_swaps_arrays():
    def f(x, y, n):
        i = 0
        while i < n:
            x, y = y, x
            x[i] = 1.0
            i += 1
        return x, y

    check(f, ROW, ROW + 1, np.int32(3))
    check(f, ROW, ROW + 1, np.int32(4))


def test_arithmetic_on_arrays():
    def f(x, n):
        i = 0
        while i < n:
            x = x * 2.0 + x[::-1]
            i += 1
        return x

    for n in range(4):
        check(f, ROW, np.int32(n))


def shrinking(x, n):
    i = 0
    while i < n:
        x = 0.5 * (x[1:] + x[:-1])
        i += 1
    return x


def growing(x, n):
    i = 0
    while i < n:
        x = tf.concat([x, x[i:] * 2.0], 0)
        i += 1
    return x, tf.reduce_sum(x)


def views_of_itself(x, n):
    i = 0
    while i < n:
        x = x[1:]
        i += 1
    return x, x[0] + x[-1]


def trading_places(x, y, n):
    i = 0
    while i < n:
        x, y = y[1:], x
        i += 1
    return x, y


def rows(m, n):
    i = 0
    while i < n:
        m = m[1:] - m[0]
        i += 1
    return m


def updated(x, n):
    i = 0
    while i < n:
        x = x[:-1]
        x[0] = x[1] + 1.0
        x[1:] += x[0]
        i += 1
    return x


def in_an_inner_loop(x, n):
    total = 0.0
    i = 0
    while i < n:
        y = x
        while len(y) > 2:
            y = y[1:] * y[:-1]
        total = total + y[0]
        x = x[:-1]
        i += 1
    return x, total


def in_a_branch(x, n):
    i = 0
    while i < n:
        if x[0] > 0.0:
            y = x
            while len(y) > 2:
                y = y[1:] - y[:-1]
            x = x[1:] + y[0]
        else:
            x = x[:-1] * 2.0
        i += 1
    return x


def of_a_branch(x, n):
    i = 0
    while i < n:
        y = x[:2] * 2.0 if x[i] > 0.0 else tf.concat([x, x], 0)
        x = tf.concat([x, y], 0)
        i += 1
    return x


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("function", "arrays"),
    [
        (shrinking, (ROW,)),
        (growing, (ROW,)),
        (views_of_itself, (ROW,)),
        (trading_places, (ROW, ROW[:4] + 1)),
        (rows, (np.outer(ROW, ROW[:3]),)),
        (updated, (ROW,)),
        (in_an_inner_loop, (ROW,)),
        (in_a_branch, (ROW,)),
        (of_a_branch, (ROW,)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_arrays_whose_lengths_change(function, arrays, n):
    check(function, *arrays, np.int32(n))
