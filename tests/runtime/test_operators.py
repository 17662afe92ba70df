"""Operators of tensors: reflected ones, and those of integers and floats."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import runtime as tf

INTS = st.integers(-100, 100)


@given(INTS, INTS.filter(bool))
def test_floor_division_and_remainder_are_python_s(a, b):
    x, y = tf.constant(a), tf.constant(b)
    assert int(x // y) == a // b
    assert int(x % y) == a % b


def test_true_division_of_integers_is_float64():
    assert (tf.constant(1) / tf.constant(2)).dtype == tf.float64
    assert (tf.constant(1, tf.int8) / 2).dtype == tf.float32


def test_reflected_operators():
    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal((3 - x).numpy(), [2, 1])
    np.testing.assert_array_equal((2 / x).numpy(), [2, 1])
    np.testing.assert_array_equal((np.array([1.0, 1.0]) - x).numpy(), [0, -1])
    np.testing.assert_array_equal((2**x).numpy(), [2, 4])
