"""Functions that state their own gradient."""

import numpy as np
import pytest

import runtime as tf

RUNS = [lambda f: f, tf.function]


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)

    def grad(upstream):
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


@pytest.mark.parametrize("run", RUNS)
def test_the_stated_gradient_counts(run):
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = log1pexp(x)
        return tape.gradient(y, x)

    assert float(run(slope)(tf.constant(100.0))) == 1.0


@pytest.mark.parametrize("run", RUNS)
def test_the_stated_gradient_counts_across_a_call(run):
    inner = tf.function(lambda x: log1pexp(x) * 2.0)

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        return tape.gradient(y, x)

    assert float(run(slope)(tf.constant(100.0))) == 2.0


@pytest.mark.parametrize("run", RUNS)
def test_a_stated_gradient_has_a_gradient(run):
    @tf.custom_gradient
    def cube(x):
        return x**3, lambda upstream: upstream * 3.0 * x * x

    def slopes(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = cube(x)
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    assert [float(each) for each in run(slopes)(tf.constant(3.0))] == [27.0, 18.0]


def slope_of(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


@pytest.mark.parametrize("inner", RUNS)
@pytest.mark.parametrize("run", RUNS)
def test_higher_orders_differentiate_the_values_that_the_gradient_function_uses(run, inner):
    f = inner(log1pexp)
    second = run(lambda x: slope_of(lambda x: slope_of(f, x), x))(tf.constant(0.5))
    third = run(lambda x: slope_of(lambda x: slope_of(lambda x: slope_of(f, x), x), x))
    s = 1.0 / (1.0 + np.exp(-0.5))
    assert float(second) == pytest.approx(s * (1 - s))
    assert float(third(tf.constant(0.5))) == pytest.approx(s * (1 - s) * (1 - 2 * s), rel=1e-5)


def test_keyword_arguments_have_no_gradient():
    @tf.custom_gradient
    def scaled(x, factor=1.0):
        return x * factor, lambda upstream: upstream * 100.0

    x = tf.constant(2.0)
    assert float(slope_of(lambda x: scaled(x, factor=x), x)) == 100.0
    assert float(slope_of(lambda x: scaled(x, factor=3.0), x)) == 100.0


@pytest.mark.parametrize("run", RUNS)
def test_the_instance_of_a_method_has_no_gradient(run):
    class Scale(tf.Module):
        def __init__(self, by):
            super().__init__()
            self.by = by

        @tf.custom_gradient
        def scaled(self, x):
            return x * self.by, lambda upstream: upstream * 100.0

    class Shifted(Scale):
        @tf.custom_gradient
        def scaled(self, x):
            return super().scaled(x) + 1.0, lambda upstream: upstream * 7.0

    x = tf.constant(2.0)
    assert float(run(lambda x: slope_of(Scale(3.0).scaled, x))(x)) == 100.0
    assert float(run(lambda x: slope_of(Shifted(3.0).scaled, x))(x)) == 7.0


@pytest.mark.parametrize("run", RUNS)
def test_several_results_and_arguments(run):
    @tf.custom_gradient
    def both(a, pair, *, factor):
        def grad(first, second):
            return 10.0 * first, [20.0 * second, None]

        return (a * factor, {"rest": pair[0] + pair[1]})[0:2], grad

    def slopes(a, b, c):
        with tf.GradientTape() as tape:
            tape.watch([a, b, c])
            first, second = both(a, [b, c], factor=3)
            y = first + second["rest"]
        return [tape.gradient(y, [a, b, c], unconnected_gradients="zero"), y]

    made, y = run(slopes)(tf.constant(1.0), tf.constant(2.0), tf.constant(4.0))
    assert [float(each) for each in made] == [10.0, 20.0, 0.0]
    assert float(y) == 9.0


@pytest.mark.parametrize("run", RUNS)
def test_variables_get_gradients_of_their_own(run):
    v = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x):
        def grad(upstream, variables):
            assert [each.ref() for each in variables] == [v.ref()]
            return upstream * 100.0, [upstream * 1000.0]

        return x * v, grad

    def slopes(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
        return tape.gradient(y, [x, v])

    assert [float(each) for each in run(slopes)(tf.constant(3.0))] == [100.0, 1000.0]


def test_a_gradient_that_does_not_take_variables_is_refused():
    v = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x):
        return x * v, lambda upstream: upstream

    with pytest.raises(TypeError, match="accept a 'variables' keyword argument"):
        scaled(tf.constant(1.0))


def test_the_wrong_number_of_gradients_is_refused():
    @tf.custom_gradient
    def product(a, b):
        return a * b, lambda upstream: upstream

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = product(x, x)
    with pytest.raises(ValueError, match="expected to return 2 gradients, but returned 1"):
        tape.gradient(y, x)


def test_a_function_without_a_gradient_function_is_refused():
    with pytest.raises(ValueError, match="has to return a pair"):
        tf.custom_gradient(lambda x: x)(tf.constant(1.0))


@pytest.mark.parametrize("run", RUNS)
def test_clipping_a_gradient_as_an_identity(run):
    @tf.custom_gradient
    def clipped(x):
        return x, lambda upstream: tf.clip_by_norm(upstream, 0.5)

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = clipped(x) * 3.0
        return tape.gradient(y, x)

    assert float(run(slope)(tf.constant(2.0))) == 0.5
