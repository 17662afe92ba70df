"""Rows of equally spaced numbers."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


def test_numbers_in_a_row():
    assert tf.range(tf.constant(0), tf.constant(3, tf.int64)).dtype == tf.int64
    assert tf.range(1, 5, 1.5).numpy().tolist() == [1.0, 2.5, 4.0]
    with pytest.raises(Invalid, match="Requires start <= limit when delta > 0: 5/2"):
        tf.range(5, 2)


def test_rows_of_equal_distances():
    made = tf.linspace([0.0, 1.0], [10.0, 21.0], 3, axis=-1)
    np.testing.assert_array_equal(made.numpy(), [[0, 5, 10], [1, 11, 21]])
