"""Plans report no floating-point warnings, and keep the context of the program."""

import contextvars
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.core.thread import STATE

PLACE = contextvars.ContextVar("place", default="outside")


@tf.function
def logarithm(x):
    return tf.math.log(x) / 0.0


@pytest.fixture(autouse=True)
def errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_a_plan_is_quiet_alone_and_inside_another():
    assert np.isnan(logarithm(tf.constant(-1.0)).numpy())
    assert np.isnan(STATE.quiet.run(lambda: logarithm(tf.constant(-1.0)).numpy()))


def test_a_plan_that_assigns_is_quiet_and_runs_once():
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        v.assign_add(1.0)
        return x / v.read_value() * 0.0

    assert np.isnan(f(tf.constant(np.inf)).numpy())
    assert v.numpy() == 1.0
    STATE.quiet.run(lambda: f(tf.constant(1.0)))
    assert v.numpy() == 2.0


@pytest.mark.parametrize("stateful", [True, False])
def test_python_in_a_plan_has_the_context_of_the_program(stateful):
    seen = []

    def look(x):
        seen.append(PLACE.get())
        return x

    @tf.function
    def f(x):
        return tf.numpy_function(look, [x], tf.float32, stateful=stateful)

    token = PLACE.set("inside")
    try:
        f(tf.constant(1.0))
    finally:
        PLACE.reset(token)
    assert seen == ["inside"]


def test_an_error_of_a_plan_inside_another_is_its_own():
    @tf.function
    def f(x, y):
        return x // y

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?i)div.*zero"):
        STATE.quiet.run(lambda: f(tf.constant(1), tf.constant(0)))


def test_a_finalizer_may_run_a_plan():
    found = []

    class Node:
        def __del__(self):
            found.append(float(logarithm(tf.constant(0.0))))

    STATE.quiet.run(lambda: Node() and None)
    assert found == [-np.inf]
