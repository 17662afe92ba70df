"""Operators of tensors: reflected ones, and those of integers and floats."""

import operator

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


def test_reflected_operators():
    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal((3 - x).numpy(), [2, 1])
    np.testing.assert_array_equal((2 / x).numpy(), [2, 1])
    np.testing.assert_array_equal((np.array([1.0, 1.0]) - x).numpy(), [0, -1])
    np.testing.assert_array_equal((2**x).numpy(), [2, 4])


@pytest.mark.parametrize("reflected", [False, True])
@pytest.mark.parametrize("other", [2, 0.5, True, np.float64(0.5), np.array([1, 2])])
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"])
def test_truth_values_are_the_same_numbers_outside_of_functions(name, other, reflected):
    def f(x):
        truth = x > 0
        return getattr(operator, name)(*((other, truth) if reflected else (truth, other)))

    x = tf.constant([2.0, 1.0])
    outside, inside = f(x), tf.function(f)(x)
    assert outside.dtype is inside.dtype
    np.testing.assert_array_equal(outside, inside)


def test_an_array_of_truth_values_divides_as_numbers_of_tensors_do():
    x, numbers = tf.constant([1.0, -1.0]), tf.constant([3, 4])
    for divide in (
        lambda truth: 1 / truth,
        lambda truth: 2.5 / truth,
        lambda truth: x // truth,
        lambda truth: numbers / truth,
        lambda truth: truth / truth,
    ):
        eager = divide(x > 0)
        staged = tf.function(lambda x, divide=divide: divide(x > 0))(x)
        assert staged.dtype == eager.dtype
        np.testing.assert_array_equal(staged, eager)


def test_one_truth_value_of_a_function_divides_as_a_number_of_python():
    with pytest.raises(ZeroDivisionError):
        tf.function(lambda x: 1 / (x > 0))(tf.constant(-1.0))


def test_truth_values_are_no_numbers_for_functions_of_the_namespace():
    with pytest.raises(TypeError, match="bool"):
        tf.add(tf.constant([True]), 0.5)
