import math

import numpy as np
import pytest
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


@pytest.mark.parametrize("operation", [lambda x, y: x // y, lambda x, y: x % y])
def test_integers_cannot_be_divided_by_zero(operation):
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        operation(tf.constant(1), tf.constant(0))


def test_floats_divided_by_zero_are_infinite_without_a_warning(recwarn):
    assert math.isinf(float(tf.constant(1.0) / 0.0))
    assert int(tf.constant(2**31 - 1) + 1) == -(2**31)
    assert not recwarn.list


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="float32"):
        tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])


def test_mean_of_integers_is_an_integer():
    assert int(tf.reduce_mean(tf.constant([1, 9, 25, 0, 21]))) == 11
    assert int(tf.reduce_mean(tf.constant([-3, 0]))) == -1


def test_reflected_operators():
    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal((3 - x).numpy(), [2, 1])
    np.testing.assert_array_equal((2 / x).numpy(), [2, 1])
    np.testing.assert_array_equal((np.array([1.0, 1.0]) - x).numpy(), [0, -1])
    np.testing.assert_array_equal((2**x).numpy(), [2, 4])


def test_comparison_with_none():
    assert (tf.constant(1) == None) is False  # noqa: E711
    assert (tf.constant(1) != None) is True  # noqa: E711


def test_logic_on_bools_and_bits_on_integers():
    assert bool(tf.constant(True) & tf.constant(False)) is False
    assert int(tf.constant(6) & 3) == 2
    assert bool(~tf.constant(False)) is True
