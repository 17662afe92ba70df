"""Blocks of a tensor."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


CUBE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)


def test_blocks():
    np.testing.assert_array_equal(tf.slice(CUBE, [0, 1, 2], [-1, 2, 1]).numpy(), CUBE[:, 1:3, 2:3])


@pytest.mark.parametrize(("begin", "size"), [(1, [1]), ([1], 1)])
def test_begin_and_size_are_vectors(begin, size):
    unknown = [tf.TensorSpec(None, tf.int32)] * 2
    for cut in (
        lambda begin, size: tf.slice(tf.range(3), begin, size),
        tf.function(lambda begin, size: tf.slice(tf.range(3), begin, size)),
        tf.function(lambda begin, size: tf.slice(tf.range(3), begin, size), unknown),
    ):
        with pytest.raises(ValueError, match="begin and size arguments to be 1-D"):
            cut(tf.constant(begin), tf.constant(size))
    np.testing.assert_array_equal(tf.constant(CUBE)[0, -1:0:-1].numpy(), CUBE[0, -1:0:-1])
    with pytest.raises(Invalid, match=r"Expected begin in \[0, 2\]"):
        tf.slice([1, 2], [3], [0])
