"""Memory of arrays in machine code: arguments stay as they are, and copies are copies."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from tests.runtime.engines.native.loops import check

ROW = np.array([3.0, -1.0, 4.0, 1.0, -5.0])


def test_item_writes_leave_the_array_of_the_caller():
    def f(x, n):
        i = 1
        while i < n:
            x[i] = x[i] + x[i - 1]
            i += 1
        return x

    given = ROW.copy()
    np.testing.assert_array_equal(check(f, given, np.int32(5))[0], np.cumsum(ROW))
    np.testing.assert_array_equal(given, ROW)


def test_failure_after_writes_runs_the_loop_again_from_its_start():
    def f(x, n):
        i = 0
        while i <= n:
            x[i] += 1.0
            i += 1
        return x

    assert isinstance(check(f, ROW, np.int32(5)), str)


def test_arrays_that_are_not_contiguous():
    def f(x, n):
        total, i = 0.0, 0
        while i < n:
            total += x[i, 0]
            i += 1
        return total

    check(f, np.arange(12.0).reshape(3, 4).T, np.int32(4))


def test_array_that_is_read_after_a_write_to_a_copy():
    def f(x, n):
        i, total = 0, 0.0
        while i < n:
            y = tf.identity(x)
            x[i] = 2.0
            total += y[i]
            i += 1
        return x, total

    check(f, ROW, np.int32(3))
