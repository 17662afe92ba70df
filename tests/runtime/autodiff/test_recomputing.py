"""Gradients that compute a function anew."""

import math
import tracemalloc
import weakref

import numpy as np
import pytest

import runtime as tf
from runtime.engines import hot_loops

RUNS = [lambda f: f, tf.function]


def test_recomputing_keeps_no_intermediate_for_the_tape():
    kept = []

    def curve(x):
        inner = tf.exp(x)
        kept.append(weakref.ref(inner))
        return inner * inner

    x = tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.recompute_grad(curve)(x)
    assert kept[0]() is None
    assert float(tape.gradient(y, x)) == pytest.approx(2.0 * np.exp(1.0))


def peak(f, *args):
    """The most bytes that a call takes, after one that traces."""
    f(*args)
    tracemalloc.start()
    try:
        f(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_recomputing_saves_memory_in_a_graph(monkeypatch):
    # A compiler that begins during a slow run takes memory, too.
    monkeypatch.setattr(hot_loops, "THRESHOLD", math.inf)
    weights = [tf.Variable(tf.eye(100)) for _ in range(10)]

    def training(wrap):
        @tf.function
        def gradients(x):
            with tf.GradientTape() as tape:
                y = x
                for w in weights:
                    y = wrap(lambda y, w=w: tf.tanh(tf.tanh(tf.tanh(y @ w) @ w) @ w))(y)
                loss = tf.reduce_sum(y * y)
            return [tf.reduce_sum(grad) for grad in tape.gradient(loss, weights)]

        return gradients

    x = tf.ones([500, 100])
    recomputed, kept = training(tf.recompute_grad), training(lambda f: f)
    assert peak(recomputed, x) < peak(kept, x) / 2
    np.testing.assert_allclose(recomputed(x), kept(x), rtol=1e-4)


@pytest.mark.parametrize("run", RUNS)
def test_recomputing_gives_the_same_gradients(run):
    v = tf.Variable(1.5)

    def curve(x):
        return tf.where(x > 0, tf.tanh(x * v) * x, x)

    def slopes(function, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, [x, v])

    x = tf.constant(0.3)
    plain = slopes(curve, x)
    again = run(lambda x: slopes(tf.recompute_grad(curve), x))(x)
    assert [float(each) for each in again] == pytest.approx([float(each) for each in plain])


@pytest.mark.parametrize("run", RUNS)
def test_recomputing_takes_variables_numbers_and_keywords(run):
    def scaled(values, factor, *, power=1.0, by=None):
        return tf.sin(values["x"]) * factor * power * by

    x, w = tf.Variable(3.0), tf.Variable(2.0)

    def gradients(function):
        with tf.GradientTape() as tape:
            y = function({"x": x}, 2.0, power=tf.constant(3.0), by=w * 1.0)
        return tape.gradient(y, [x, w])

    expected = gradients(scaled)
    found = run(lambda _: gradients(tf.recompute_grad(scaled)))(tf.constant(0.0))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_recomputing_adds_both_uses_of_a_variable_and_has_a_second_order():
    x = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = tf.recompute_grad(lambda v: v * v * x)(x)
        slope = tape.gradient(y, x)
    assert (float(slope), float(outer.gradient(slope, x))) == (27.0, 18.0)
