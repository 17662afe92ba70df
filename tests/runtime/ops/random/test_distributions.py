"""Random numbers have the distribution that they claim."""

import numpy as np

import runtime as tf


def test_a_truncated_normal_number_is_never_far_out():
    drawn = tf.random.stateless_truncated_normal([20000], [1, 2]).numpy()
    assert np.abs(drawn).max() < 2
    assert np.abs(tf.random.stateless_normal([20000], [1, 2]).numpy()).max() > 3


def test_categorical_follows_the_logits():
    logits = np.log([[0.2, 0.8]])
    drawn = tf.random.categorical(logits, 20000, seed=2).numpy()
    assert abs(drawn.mean() - 0.8) < 0.02
    impossible = tf.random.categorical([[-np.inf, 0.0]], 100, seed=2).numpy()
    assert (impossible == 1).all()


def test_shuffle_moves_rows_and_loses_none():
    rows = np.arange(40).reshape(20, 2)
    shuffled = tf.random.shuffle(rows)
    np.testing.assert_array_equal(np.sort(shuffled.numpy(), axis=0), rows)
