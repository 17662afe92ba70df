"""Shapes, bounds and dtypes of random numbers."""

import pytest

import runtime as tf


def test_a_shape_may_be_known_to_the_running_graph_alone():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def draw(shape):
        return tf.random.uniform(shape)

    assert draw([2, 3]).shape == [2, 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Dimension -1 must be >= 0"):
        draw([2, -1])


def test_arguments_that_are_refused():
    with pytest.raises(ValueError, match="Must specify maxval for integer dtype"):
        tf.random.uniform([2], dtype=tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Need minval < maxval, got 5 >= 5"):
        tf.random.uniform([2], 5, 5, tf.int32)
    with pytest.raises(ValueError, match="invalid value"):
        tf.random.uniform([2], dtype=tf.uint8, maxval=3)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"seed must have shape \[2\]"):
        tf.random.stateless_uniform([2], [1, 2, 3])
    with pytest.raises(ValueError, match="Must specify maxval for integer dtype"):
        tf.random.stateless_uniform([2], [1, 2], dtype=tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="logits should be a matrix"):
        tf.random.categorical([1.0, 2.0], 3)
