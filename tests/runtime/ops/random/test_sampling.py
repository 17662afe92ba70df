"""Random numbers: arguments that are refused."""

import pytest

import runtime as tf


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
