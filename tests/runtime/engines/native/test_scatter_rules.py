"""Writes to index tuples: one after the other, as NumPy does them."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import runtime as tf
from tests.runtime.engines.native.loops import check

ROWS = np.arange(12.0).reshape(4, 3)
UPDATES = {"update": tf.tensor_scatter_nd_update, "add": tf.tensor_scatter_nd_add}


@pytest.fixture(params=UPDATES)
def update(request):
    return UPDATES[request.param]


@pytest.mark.parametrize("indices", [[[0, 1], [3, 2]], [[1, 1], [1, 1]], [[0, 3], [0, 0]]])
def test_elements(update, indices):
    def f(x, indices, n):
        i = 0
        while i < n:
            x = update(x, indices, x[0, :2] * 2.0)
            i += 1
        return x

    check(f, ROWS, np.array(indices, np.int32), np.int32(3))


@pytest.mark.parametrize("indices", [[[0], [3]], [[2], [2]], [[-1], [0]], [[4], [0]]])
def test_rows(update, indices):
    def f(x, indices, n):
        i = 0
        while i < n:
            x = update(x, indices, x[1:3] + 1.0)
            i += 1
        return x

    check(f, ROWS, np.array(indices, np.int64), np.int32(3))


def test_the_indices_are_read_before_the_first_write():
    def f(x, n):
        i = 0
        while i < n:
            x = tf.tensor_scatter_nd_update(x, x[:, None], x[::-1])
            i += 1
        return x

    check(f, np.array([2, 0, 3, 1]), np.int32(5))


def test_updates_of_another_shape_are_the_error_of_the_plan():
    def f(x, y, n):
        i = 0
        while i < n:
            x = tf.tensor_scatter_nd_update(x, [[0], [1]], y)
            i += 1
        return x

    compiled = tf.function(
        f, [tf.TensorSpec([None], tf.float64)] * 2 + [tf.TensorSpec([], tf.int32)], jit_compile=True
    )
    assert np.array_equal(compiled(np.zeros(3), np.ones(2), 2), [1.0, 1.0, 0.0])
    with pytest.raises(tf.errors.InvalidArgumentError):
        compiled(np.zeros(3), np.ones(3), 2)


def test_rows_of_a_numpy_program_trade_places():
    @tf.function(numpy=True, jit_compile=True)
    def pivoted(a):
        for k in range(3):
            p = k + np.argmax(np.abs(a[k:, k]))
            if p != k:
                a[[k, p]] = a[[p, k]]
        return a

    a = np.array([[0.0, 1.0, 2.0], [5.0, 1.0, 3.0], [4.0, 9.0, 1.0]])
    want = a[[1, 2, 0]]
    assert np.array_equal(pivoted(a.copy()), want)
