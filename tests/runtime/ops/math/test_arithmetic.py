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


@pytest.mark.parametrize("dtype", [tf.float32, tf.int8, tf.uint8, tf.complex64])
def test_arrays_of_truth_values_are_numbers_beside_numbers(dtype):
    x, mask = tf.constant([3, 4], dtype), np.array([True, False])
    for result in (x * mask, mask * x):
        assert result.dtype == dtype
        assert result.numpy().tolist() == [3, 0]
    with pytest.raises(TypeError):
        x * tf.constant(mask)


def test_nan_is_neither_the_largest_nor_the_least():
    x = [[np.nan, 1.0, 2.0], [np.nan, np.nan, np.nan], [np.inf, np.nan, -np.inf]]
    assert tf.argmax(x, axis=1).numpy().tolist() == [2, 0, 0]
    assert tf.argmin(x, axis=1).numpy().tolist() == [1, 0, 2]


def test_counts_of_nothing():
    assert tf.math.bincount(tf.constant([], tf.int32)).shape == (0,)
    assert tf.math.bincount(tf.constant([], tf.int32), minlength=2).numpy().tolist() == [0, 0]
    assert tf.linalg.global_norm([]).numpy() == 0.0


def test_counts_of_all_elements():
    rows = [[1, 1, 7], [0, 3, 3]]
    assert tf.math.bincount(rows, dtype=tf.float32).numpy().tolist() == [1, 2, 0, 2, 0, 0, 0, 1]
    assert tf.math.bincount(rows, maxlength=4).numpy().tolist() == [1, 2, 0, 2]
    assert tf.math.bincount(rows, [[1, 2, 3], [4, 5, 6]], maxlength=2).numpy().tolist() == [4, 3]
    with pytest.raises(TypeError, match="axis"):
        tf.math.bincount(rows, axis=-1)


def test_a_tensor_divided_by_zero_is_infinite_or_an_error_of_integers():
    divide = tf.function(lambda x, y: x / y)
    assert divide(tf.constant(1.0), tf.constant(0.0)).numpy() == np.inf
    assert divide(tf.constant(1.0), 0.0).numpy() == np.inf
    assert divide(1.0, tf.constant(0.0)).numpy() == np.inf
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        tf.function(lambda x, y: x // y)(tf.constant(1), tf.constant(0))
