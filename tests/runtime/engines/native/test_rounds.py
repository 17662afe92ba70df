"""The end of an iteration: arrays are carried, exchanged or copied."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

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
