"""Running sums and products."""

import runtime as tf


def test_running_results_over_nothing():
    for run in (tf.cumsum, tf.math.cumprod):
        x = tf.zeros([1, 0, 2])
        assert run(x, axis=1, exclusive=True).shape == (1, 0, 2)
        assert run(x, axis=1, exclusive=True, reverse=True).shape == (1, 0, 2)
