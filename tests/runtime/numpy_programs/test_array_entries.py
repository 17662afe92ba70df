"""Repeated calls of a NumPy program: the arrays and numbers of each are those of plain NumPy."""

import numpy as np
import pytest

import runtime as tf


class Filter:
    def __init__(self):
        self.weights = np.ones(3)
        self.last = np.zeros(3)
        self.calls = 0

    @tf.function(numpy=True)
    def update(self, x):
        self.weights *= x
        self.last = self.weights + x
        self.calls += 1
        return self.last, self.weights[0]


def test_calls_of_one_kind_read_and_leave_the_arrays_of_the_object():
    own, weights = Filter(), np.ones(3)
    for number in range(1, 6):
        x = np.array([1.0, 2.0, 0.5]) * number
        last, first = own.update(x)
        weights *= x
        assert last is own.last
        assert (last.tolist(), own.weights.tolist()) == ((weights + x).tolist(), weights.tolist())
        assert (first, own.calls) == (weights[0], number)


def doubled(x, by):
    x *= by
    return x.sum()


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_any_order_and_of_other_shapes_and_dtypes_are_served(order):
    program = tf.function(doubled, numpy=True)
    for shape in ((2, 3), (2, 3), (3, 2), (2, 3)):
        for dtype in (np.float64, np.float32):
            x = np.ones(shape, dtype, order=order)
            assert program(x, 3) == 3.0 * x.size
            assert x.tolist() == np.full(shape, 3.0).tolist()


def test_another_number_of_python_is_not_served_by_the_code_of_the_first():
    program = tf.function(doubled, numpy=True)
    assert [program(np.ones(2), by) for by in (2, 2, 3, 2.5, 2)] == [4.0, 4.0, 6.0, 5.0, 4.0]
