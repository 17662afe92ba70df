"""Blocks of a tensor."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


CUBE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)


def test_blocks():
    np.testing.assert_array_equal(tf.slice(CUBE, [0, 1, 2], [-1, 2, 1]).numpy(), CUBE[:, 1:3, 2:3])
    np.testing.assert_array_equal(tf.constant(CUBE)[0, -1:0:-1].numpy(), CUBE[0, -1:0:-1])
    with pytest.raises(Invalid, match=r"Expected begin in \[0, 2\]"):
        tf.slice([1, 2], [3], [0])
