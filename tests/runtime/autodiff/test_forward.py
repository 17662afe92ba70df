"""Products with jacobians in forward mode."""

import numpy as np
import pytest

import runtime as tf


def run(function, *values):
    return tf.function(function)(*map(tf.constant, values))


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_products_with_jacobians(run):
    def program(x, tangent):
        with tf.autodiff.ForwardAccumulator(x, tangent) as accumulator:
            y = tf.tanh(x) * x[::-1]
            z = tf.constant(1.0)
        return accumulator.jvp(y), accumulator.jvp(z, "zero")

    x, tangent = tf.constant([0.5, 1.5]), tf.constant([1.0, -2.0])
    moved, still = run(program)(x, tangent)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.tanh(x) * x[::-1]
    np.testing.assert_allclose(moved, tape.jacobian(y, x).numpy() @ tangent.numpy(), rtol=1e-5)
    assert float(still) == 0.0


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_a_slope_that_ignores_the_direction_moves_by_zeros(run):
    @tf.custom_gradient
    def flat(x):
        return 2.0 * x, lambda upstream: tf.constant([3.0, 3.0])

    def program(x):
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = flat(x)
        return accumulator.jvp(y, unconnected_gradients="zero")

    assert run(program)(tf.constant([1.0, 2.0])).numpy().tolist() == [0.0, 0.0]


def test_forward_over_backward_gives_products_with_hessians():
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x**3 * x[::-1])
        slope = tape.gradient(y, x)
    assert accumulator.jvp(slope).numpy().tolist() == [12.0, 15.0]


def test_forward_over_forward():
    x = tf.constant(2.0)
    one = tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(x, one) as outer:
        with tf.autodiff.ForwardAccumulator(x, one) as inner:
            y = x**4
        first = inner.jvp(y)
    assert [float(first), float(outer.jvp(first))] == [32.0, 48.0]


def test_a_tangent_has_the_shape_of_its_primal():
    with pytest.raises(ValueError, match="has the dtype and shape"):
        tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant([1.0, 2.0]))


def test_a_primal_is_a_tensor_or_variable():
    with pytest.raises(ValueError, match=r"Passed in object 2\.0 of type 'float'"):
        tf.autodiff.ForwardAccumulator(2.0, 1.0)
