import math

import numpy as np
import pytest

import runtime as tf


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


@pytest.mark.parametrize("dtype", [tf.float32, tf.int8, tf.uint8, tf.complex64])
def test_arrays_of_truth_values_are_numbers_beside_numbers(dtype):
    x, mask = tf.constant([3, 4], dtype), np.array([True, False])
    for result in (x * mask, mask * x, x * tf.constant(mask), tf.constant(mask) * x):
        assert result.dtype == dtype
        assert result.numpy().tolist() == [3, 0]
    with pytest.raises(TypeError):
        tf.multiply(x, tf.constant(mask))


def test_a_tensor_divided_by_zero_is_infinite_or_an_error_of_integers():
    divide = tf.function(lambda x, y: x / y)
    assert divide(tf.constant(1.0), tf.constant(0.0)).numpy() == np.inf
    assert divide(tf.constant(1.0), 0.0).numpy() == np.inf
    assert divide(1.0, tf.constant(0.0)).numpy() == np.inf
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        tf.function(lambda x, y: x // y)(tf.constant(1), tf.constant(0))


@pytest.mark.parametrize("make", [list, np.array, tf.constant, tf.Variable])
def test_the_rows_of_one_tensor_are_added(make):
    assert tf.add_n(make([[1, 2], [3, 4], [5, 6]])).numpy().tolist() == [9, 12]


def test_the_elements_of_a_list_that_grows_in_a_graph_are_added():
    @tf.function
    def program(n):
        out = []
        for i in tf.range(n):
            out.append(tf.fill([2], i))
        return tf.add_n(out)

    assert program(tf.constant(4)).numpy().tolist() == [6, 6]
    with pytest.raises(ValueError, match="the list is empty"):
        program(tf.constant(0))


@pytest.mark.parametrize("inputs", [3, [], tf.constant(3)])
def test_nothing_is_not_added(inputs):
    with pytest.raises((TypeError, ValueError)):
        tf.add_n(inputs)
