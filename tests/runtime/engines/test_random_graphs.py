"""Random programs give the same eagerly, traced, and traced without pruning."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as tf
from runtime.core.verify import verify
from runtime.engines import interpreter

UNARY = [tf.negative, tf.square, tf.sin, tf.tanh, tf.abs, tf.sign]
BINARY = [tf.add, tf.subtract, tf.multiply, tf.maximum, tf.minimum]
FLOATS = st.floats(-4, 4, width=32)


@st.composite
def programs(draw):
    """A list of steps; each makes a value from earlier ones."""
    steps = []
    for count in range(2, 2 + draw(st.integers(1, 8))):
        operand = st.integers(0, count - 1)
        kind = draw(st.sampled_from(["unary", "binary", "cond", "loop", "reduce"]))
        steps.append((kind, draw(st.integers(0, 99)), draw(operand), draw(operand)))
    return steps


def run(steps, x, y):
    values = [x, y]
    for kind, choice, i, j in steps:
        values.append(STEPS[kind](choice, values[i], values[j]))
    return values


def unary(choice, a, b):
    return UNARY[choice % len(UNARY)](a)


def binary(choice, a, b):
    return BINARY[choice % len(BINARY)](a, b)


def branch(choice, a, b):
    return tf.cond(tf.reduce_sum(a) > choice - 50.0, lambda: a + b, lambda: a - b)


def loop(choice, a, b):
    return tf.while_loop(
        lambda i, value: i < choice % 5,
        lambda i, value: (i + 1, tf.tanh(value + b)),
        (0, a),
    )[1]


def reduce(choice, a, b):
    return a - tf.reduce_mean(b, axis=choice % 2, keepdims=True)


STEPS = {"unary": unary, "binary": binary, "cond": branch, "loop": loop, "reduce": reduce}
MATRIX = st.lists(FLOATS, min_size=4, max_size=4)


@settings(max_examples=60, deadline=None)
@given(programs(), MATRIX, MATRIX)
def test_agreement(steps, first, second):
    x = tf.reshape(tf.constant(first, tf.float32), [2, 2])
    y = tf.reshape(tf.constant(second, tf.float32), [2, 2])
    eager = run(steps, x, y)
    function = tf.function(lambda x, y: run(steps, x, y), autograph=False)
    concrete = function.get_concrete_function(x, y)
    verify(concrete.graph)
    verify(concrete.optimized_graph)
    traced = function(x, y)
    plain = interpreter.executable(concrete.graph)(x.array, y.array)
    for one, two, three in zip(eager, traced, plain, strict=True):
        np.testing.assert_array_equal(one.numpy(), two.numpy())
        np.testing.assert_array_equal(one.numpy(), three)
