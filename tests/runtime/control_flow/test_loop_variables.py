"""Variables of loops: their dtypes and shapes hold in every iteration, or are refused."""

import pytest

import runtime as tf

I = tf.constant  # noqa: E741


def test_shape_invariants():
    @tf.function(autograph=False)
    def f(n):
        return tf.while_loop(
            lambda i, x: i < n,
            lambda i, x: (i + 1, tf.concat([x, x], 0)),
            (0, tf.ones([1])),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
        )[1]

    assert f(tf.constant(3)).shape == [8]


def test_shape_invariant_that_does_not_hold():
    @tf.function(autograph=False)
    def f(n):
        return tf.while_loop(
            lambda i, x: i < n,
            lambda i, x: (i + 1, x),
            (0, tf.ones([1])),
            shape_invariants=([], [2]),
        )

    with pytest.raises(TypeError, match="`x` has shape"):
        f(tf.constant(3))


def refused(function, *args, error=TypeError):
    with pytest.raises(error) as caught:
        tf.function(function)(*args)
    return str(caught.value)


def test_dtype_that_changes_in_a_loop():
    def f(n):
        x = tf.constant(1)
        for _ in tf.range(n):
            x = tf.cast(x, tf.float32) * 0.5
        return x

    text = refused(f, I(3))
    assert "`x` is int32[] before the loop and float32[] after an iteration" in text
