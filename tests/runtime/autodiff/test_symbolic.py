"""`gradients` and `hessians`, in graphs, and products with jacobians."""

import numpy as np
import pytest

import runtime as tf


def run(function, *values):
    return tf.function(function)(*map(tf.constant, values))


def test_gradients_of_several_tensors_are_added():
    def program(x):
        y = x * x
        z = y * x
        return tf.gradients([y, z], [x, y])

    assert [float(each) for each in run(program, 1.5)] == [9.75, 2.5]


def test_tensors_may_count_as_constants():
    def program(x):
        y = x * x
        return tf.gradients(y * x, x, stop_gradients=[y])

    assert float(run(program, 3.0)[0]) == 9.0


def test_constants_may_be_sources_too():
    def program(a):
        b = 2.0 * a
        return tf.gradients(a + b, [a, b], stop_gradients=[a, b]), tf.gradients(a + b, [a, b])

    partial, total = run(program, 1.0)
    assert [float(each) for each in partial] == [1.0, 1.0]
    assert [float(each) for each in total] == [3.0, 1.0]


def test_gradients_may_be_weighted_and_zero():
    def program(x):
        first = tf.gradients(x * x, x, grad_ys=[tf.constant([1.0, 10.0])])
        return first + tf.gradients(tf.constant(1.0), x, unconnected_gradients="zero")

    first, none = run(program, [1.0, 2.0])
    assert first.numpy().tolist() == [2.0, 40.0]
    assert none.numpy().tolist() == [0.0, 0.0]


def test_gradients_by_variables():
    v = tf.Variable(2.0)
    assert float(run(lambda x: tf.gradients(v * x, v), 3.0)[0]) == 3.0


def test_gradients_need_a_graph():
    with pytest.raises(RuntimeError, match="GradientTape"):
        tf.gradients(tf.constant(1.0), tf.constant(1.0))


def test_hessians_are_the_jacobian_of_the_gradient():
    def program(x):
        return tf.hessians(x[0] ** 2 * x[1], x)

    assert run(program, [2.0, 3.0])[0].numpy().tolist() == [[6.0, 4.0], [4.0, 0.0]]


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
