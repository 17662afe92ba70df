"""Random numbers: bounds, locations and scales."""

import numpy as np

import runtime as tf


def test_bounds_are_inclusive_below_and_exclusive_above():
    whole = tf.random.uniform([2000], 3, 6, tf.int64, seed=1)
    assert set(whole.numpy().tolist()) == {3, 4, 5}
    real = tf.random.uniform([2000], -2.0, -1.0, seed=1).numpy()
    assert real.min() >= -2 and real.max() < -1


def test_bounds_and_means_broadcast_to_the_shape():
    low = tf.random.uniform([4, 2], [0.0, 10.0], [1.0, 11.0]).numpy()
    np.testing.assert_array_equal(np.floor(low), [[0, 10]] * 4)
    assert tf.random.normal([3, 2], [1.0, 2.0], 0.0).numpy().tolist() == [[1, 2]] * 3
