"""`while_loop` as a program calls it."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import both


def test_while_loop_with_one_variable():
    def f(n):
        return tf.while_loop(lambda i: i < n, lambda i: i * 2, [tf.constant(1)])

    eager, traced = both(f, tf.constant(50))
    assert int(eager[0]) == int(traced[0]) == 64


@pytest.mark.parametrize("limit", [0, 3])
def test_maximum_iterations(limit):
    def f(n):
        return tf.while_loop(lambda i: i < n, lambda i: (i + 1,), (0,), maximum_iterations=limit)

    eager, traced = both(f, tf.constant(50))
    assert int(eager[0]) == int(traced[0]) == limit


def test_loop_names_the_parameter_of_the_body():
    @tf.function(autograph=False)
    def f(n):
        return tf.while_loop(
            lambda i, speed: i < n,
            lambda i, speed: (i + 1, tf.cast(speed, tf.float64)),
            (0, tf.ones([1])),
        )

    with pytest.raises(TypeError, match="`speed` is float32"):
        f(tf.constant(3))


@pytest.mark.parametrize("traced", [True, False])
def test_a_body_that_returns_too_many_values_is_refused(traced):
    def program():
        return tf.while_loop(lambda i: i < 3, lambda i: (i + 1, i), [tf.constant(0)])

    with pytest.raises(ValueError, match=r"with 1 variable returned \(.*Return one value for each"):
        (tf.function(program) if traced else program)()
