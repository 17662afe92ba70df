"""Activation functions where exponentials would overflow, and of dtypes that they do not take."""

import numpy as np
import pytest

import runtime as tf


@pytest.mark.parametrize(
    ("function", "x", "y"),
    [
        (tf.nn.softplus, [-1e4, 0.0, 1e4], [0.0, np.log(2), 1e4]),
        (tf.math.log_sigmoid, [-1e4, 0.0, 1e4], [-1e4, -np.log(2), 0.0]),
        (tf.nn.elu, [-1e4, 0.0, 1e4], [-1.0, 0.0, 1e4]),
        (tf.nn.softmax, [1e4, 0.0, -1e4], [1.0, 0.0, 0.0]),
        (tf.nn.log_softmax, [1e4, 0.0], [0.0, -1e4]),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_large_numbers_do_not_overflow(function, x, y):
    np.testing.assert_allclose(function(tf.constant(x)), y, rtol=1e-6)


def test_softmax_along_any_axis_adds_up_to_one():
    x = np.random.default_rng(7).normal(size=(2, 3, 4))
    for axis in (0, 1, -1):
        y = tf.nn.softmax(x, axis).numpy()
        np.testing.assert_allclose(y.sum(axis), 1.0)
        np.testing.assert_allclose(tf.nn.log_softmax(x, axis), np.log(y))


def test_integers_have_no_gelu_but_a_leaky_rectifier():
    with pytest.raises(ValueError, match="must be a floating point tensor"):
        tf.nn.gelu(tf.constant([1, 2]))
    found = tf.nn.leaky_relu(tf.constant([-10, 2]))
    assert (found.dtype, found.numpy().tolist()) == (tf.float32, [-2.0, 2.0])


def test_a_gelu_by_tanh_is_near_the_exact_one():
    x = np.linspace(-4, 4, 33).astype(np.float32)
    exact, near = tf.nn.gelu(x), tf.nn.gelu(x, approximate=True)
    np.testing.assert_allclose(near, exact, atol=1e-3)
    assert not np.array_equal(near, exact)
