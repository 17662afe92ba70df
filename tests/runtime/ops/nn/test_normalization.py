"""Moments, normalization and dropout."""

import numpy as np
import pytest

import runtime as tf

X = np.random.default_rng(8).normal(3.0, 2.0, (50, 4))


def test_normalized_rows_have_mean_0_and_variance_1():
    mean, variance = tf.nn.moments(X, axes=[0])
    np.testing.assert_allclose(mean, X.mean(0))
    np.testing.assert_allclose(variance, X.var(0))
    y = tf.nn.batch_normalization(X, mean, variance, None, None, 0.0).numpy()
    np.testing.assert_allclose(y.mean(0), 0, atol=1e-12)
    np.testing.assert_allclose(y.var(0), 1)


def test_moments_of_float16_do_not_overflow():
    mean, variance = tf.nn.moments(tf.constant([200.0, 400.0], tf.float16), [0])
    assert (float(mean), float(variance)) == (300.0, 10000.0)
    assert mean.dtype is tf.float16


def test_a_weight_counts_a_row_so_many_times():
    counts = np.arange(50) % 3
    repeated = X.repeat(counts, axis=0)
    mean, variance = tf.nn.weighted_moments(X, [0], counts[:, None].astype(float))
    np.testing.assert_allclose(mean, repeated.mean(0))
    np.testing.assert_allclose(variance, repeated.var(0))


def test_dropout_keeps_a_share_and_scales_it():
    y = tf.nn.dropout(tf.ones([4000]), 0.25, seed=1).numpy()
    assert set(y.tolist()) == {0.0, np.float32(4 / 3)}
    assert abs((y == 0).mean() - 0.25) < 0.05
    rows = tf.nn.dropout(tf.ones([40, 5]), 0.5, noise_shape=[None, 1], seed=1).numpy()
    assert (rows == rows[:, :1]).all()


@pytest.mark.parametrize(("x", "rate"), [([1.0], 1), ([1.0], -0.5), ([1], 0.5)])
def test_dropout_that_leaves_nothing_or_integers_is_refused(x, rate):
    with pytest.raises(ValueError, match="must be a "):
        tf.nn.dropout(tf.constant(x), rate)


def test_no_dropout_changes_nothing():
    assert tf.nn.dropout([1.0, 2.0], 0).numpy().tolist() == [1.0, 2.0]
