"""Tensors of one value, and unit matrices."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


def test_unit_matrices_of_later_size():
    function = tf.function(lambda n: tf.eye(n), autograph=False)
    np.testing.assert_array_equal(function(tf.constant(2)).numpy(), np.eye(2))


def test_unit_matrices_of_two_integer_dtypes():
    function = tf.function(lambda n: tf.eye(n, 2))
    for dtype in (tf.int32, tf.int64):
        np.testing.assert_array_equal(function(tf.constant(3, dtype)), np.eye(3, 2))


@pytest.mark.parametrize("shape", [(), None])
@pytest.mark.parametrize("make", [tf.zeros, tf.ones, lambda n: tf.fill(n, 5), tf.random.uniform])
def test_a_single_length_is_the_shape_of_a_vector(make, shape):
    function = tf.function(make, input_signature=[tf.TensorSpec(shape, tf.int32)])
    assert make(3).shape == make(tf.constant(3)).shape == function(tf.constant(3)).shape == [3]


def test_a_matrix_of_lengths_is_no_shape():
    function = tf.function(tf.zeros, input_signature=[tf.TensorSpec([1, 2], tf.int32)])
    with pytest.raises(Invalid, match="dims must be a vector"):
        function(tf.constant([[1, 2]]))


def test_fill_takes_one_value():
    assert tf.fill([2], 7).numpy().tolist() == [7, 7]
    for call in (tf.fill, tf.function(tf.fill, autograph=False)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="value must represent a scalar"):
            call([2], tf.constant([1, 2]))


@pytest.mark.parametrize("make", [tf.ones, tf.ones_like, tf.eye])
def test_there_are_no_ones_of_strings(make):
    with pytest.raises((TypeError, Invalid), match="dtype string"):
        make(2, dtype=tf.string)
    assert tf.zeros([1], tf.string).numpy().tolist() == [b""]


def test_shapes_are_whole_numbers():
    for make in (tf.zeros, tf.ones, tf.random.uniform):
        with pytest.raises(TypeError, match="to EagerTensor of dtype int32"):
            make([2.5])
    with pytest.raises(Invalid, match="Dimension -1 must be >= 0"):
        tf.eye(-1)


def test_shapes_that_no_tensor_has():
    for make in (tf.zeros, tf.ones, lambda dims: tf.fill(dims, 1), tf.random.uniform):
        with pytest.raises(Invalid, match="Dimension -1 must be >= 0"):
            make([-1])
        with pytest.raises(Invalid, match="Dimension 100000000000000000000 does not fit"):
            make([10**20])
        with pytest.raises(ValueError, match="partially known TensorShape"):
            make(tf.TensorShape([None, 2]))
        with pytest.raises(Invalid, match=r"dims must be a vector, got shape \[1, 2\]"):
            make([[1, 2]])
