"""One-hot vectors."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


def test_one_hot_along_any_axis():
    expected = np.eye(3, dtype=np.float32)[[0, 2]]
    np.testing.assert_array_equal(tf.one_hot([0, 2], 3).numpy(), expected)
    np.testing.assert_array_equal(tf.one_hot([0, 2], 3, axis=0).numpy(), expected.T)
    np.testing.assert_array_equal(tf.one_hot([0, 5, -1], 2).numpy(), [[1, 0], [0, 0], [0, 0]])
    assert tf.one_hot([0], 2, on_value=True, off_value=False).dtype == tf.bool
    with pytest.raises(TypeError, match="does not match dtype parameter"):
        tf.one_hot([0], 2, on_value=1, dtype=tf.bool)
    with pytest.raises(Invalid, match=r"off_value must be a scalar, but got: \[1\]"):
        tf.one_hot([1], 2, on_value=1.0, off_value=[0.0])


def test_one_entry_for_one_depth():
    with pytest.raises(ValueError, match="scalar"):
        tf.one_hot([1], [3])
    with pytest.raises(ValueError, match="scalar"):
        tf.function(lambda: tf.one_hot([1], [3]))()
