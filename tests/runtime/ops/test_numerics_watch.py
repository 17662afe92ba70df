"""A check of every number: what raises, what carries on, in eager code and in functions."""

import numpy as np
import pytest

import runtime as tf


@pytest.fixture
def watched():
    tf.debugging.enable_check_numerics()
    yield
    tf.debugging.disable_check_numerics()


REFUSED = [
    (lambda: tf.math.log(-1.0), "Log", "# of NaN elements: 1"),
    (lambda: tf.constant(1.0) / 0.0, "RealDiv", r"# of \+Inf elements: 1"),
    (lambda: tf.math.log([1.0, 0.0]), "Log", "# of -Inf elements: 1"),
    (lambda: tf.zeros([2]) * np.inf, "Mul", "# of NaN elements: 2"),
]


@pytest.mark.parametrize(("call", "name", "text"), REFUSED)
def test_eagerly(watched, call, name, text):
    words = f'Detected Infinity or NaN in output 0 of eagerly-executing op "{name}"'
    with pytest.raises(tf.errors.InvalidArgumentError, match=words) as caught:
        call()
    assert caught.match(text)


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.constant(np.inf),
        lambda: tf.identity(np.nan),
        lambda: tf.stack([np.inf, 1.0]),
        lambda: tf.reshape(np.float32([np.inf]), [1]),
        lambda: tf.math.is_nan(tf.constant(np.nan)),
        lambda: tf.cast(tf.constant(3), tf.float32),
    ],
)
def test_what_carries_numbers_on_is_not_checked(watched, call):
    call()


def test_in_functions(watched):
    @tf.function
    def logarithm(x):
        return tf.math.log(x) * 2.0

    assert logarithm(tf.constant(1.0)).numpy() == 0.0
    with pytest.raises(tf.errors.InvalidArgumentError, match='0 of graph op "Log"'):
        logarithm(tf.constant(-1.0))


def test_in_branches_that_run_only(watched):
    @tf.function
    def safe(x):
        if x > 0.0:
            return tf.math.log(x)
        return x

    assert safe(tf.constant(-1.0)).numpy() == -1.0


def test_not_without_being_asked():
    tf.debugging.enable_check_numerics()
    tf.debugging.disable_check_numerics()
    assert np.isnan(tf.math.log(-1.0).numpy())
    assert np.isnan(tf.function(tf.math.log)(tf.constant(-1.0)).numpy())
