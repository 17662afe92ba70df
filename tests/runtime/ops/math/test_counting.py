"""Counts of integers."""

import pytest

import runtime as tf


def test_counts_of_nothing():
    assert tf.math.bincount(tf.constant([], tf.int32)).shape == (0,)
    assert tf.math.bincount(tf.constant([], tf.int32), minlength=2).numpy().tolist() == [0, 0]


def test_counts_of_all_elements():
    rows = [[1, 1, 7], [0, 3, 3]]
    assert tf.math.bincount(rows, dtype=tf.float32).numpy().tolist() == [1, 2, 0, 2, 0, 0, 0, 1]
    assert tf.math.bincount(rows, maxlength=4).numpy().tolist() == [1, 2, 0, 2]
    assert tf.math.bincount(rows, [[1, 2, 3], [4, 5, 6]], maxlength=2).numpy().tolist() == [4, 3]
    with pytest.raises(TypeError, match="axis"):
        tf.math.bincount(rows, axis=-1)
