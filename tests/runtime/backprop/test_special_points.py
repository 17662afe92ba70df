"""Gradients where a function has a kink, a pole or a tie have TensorFlow's values."""

import numpy as np
import pytest

import runtime as tf
from runtime.backprop.walk import gradients
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.engines import interpreter

NAN, INF = np.nan, np.inf


def gradient(function, *arrays):
    graph = Graph("point")
    inputs = [graph.add_input(tf.constant(array).spec, "x") for array in arrays]
    with recording(graph):
        output = function(*inputs)
    graph.outputs = gradients([output], inputs)
    return interpreter.executable(graph)(*arrays)


CASES = {
    "the power of zero": (tf.pow, [[0, 0, -2, 0], [0, 1, 2, 2]], [[NAN, 1, -4, 0], [0, 0, 0, 0]]),
    "a quotient with zero": (tf.math.divide_no_nan, [[1, 2], [0, 4]], [[0, 0.25], [0, -0.125]]),
    "a product with zero": (tf.math.multiply_no_nan, [[1, INF], [0, 4]], [[0, 4], [1, INF]]),
    "a tie of two operands": (tf.maximum, [[1, 2], [1, 3]], [[1, 0], [0, 1]]),
    "the absolute value of zero": (tf.abs, [[0, -2]], [[0, -1]]),
    "the root of zero": (tf.sqrt, [[0, 4]], [[INF, 0.25]]),
    "a root that is not selected": (
        lambda x: tf.where(x > 0, tf.sqrt(x) + tf.math.rsqrt(x), 0.0),
        [[0, -1, 4]],
        [[0, 0, 0.1875]],
    ),
    "a reciprocal that is not selected": (
        lambda x: tf.where(x > 0, tf.math.reciprocal(x), x),
        [[0, 2]],
        [[1, -0.25]],
    ),
    "a tie of elements": (tf.reduce_max, [[1, 3, 3]], [[0, 0.5, 0.5]]),
    "a product with one zero": (tf.reduce_prod, [[2, 0, 3]], [[0, 6, 0]]),
    "a product with two zeros": (tf.reduce_prod, [[2, 0, 0]], [[0, 0, 0]]),
    "a running product with zero": (tf.math.cumprod, [[2, 0, 3]], [[1, 0, 0]]),
    "the length of nothing": (tf.norm, [[0, 0]], [[NAN, NAN]]),
    "relu": (tf.nn.relu, [[0, 1]], [[0, 1]]),
    "relu6": (tf.nn.relu6, [[0, 6, 3]], [[0, 0, 1]]),
    "elu": (tf.nn.elu, [[0, 1]], [[1, 1]]),
    "a vector of zeros, clipped": (lambda x: tf.clip_by_norm(x, 1.0), [[0, 0]], [[1, 1]]),
    "a segment with zero": (
        lambda x: tf.math.unsorted_segment_prod(x, [0, 0, 1], 2),
        [[1, 0, 2]],
        [[0, 1, 1]],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_gradient_at(name):
    function, arrays, wanted = CASES[name]
    found = gradient(function, *(np.array(array, np.float32) for array in arrays))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, np.array(other, np.float32), rtol=1e-6)


def test_gradient_of_the_absolute_value_of_a_complex_number_points_away_from_zero():
    (found,) = gradient(tf.abs, np.array([3 + 4j, 0], np.complex64))
    np.testing.assert_allclose(found, [0.6 + 0.8j, 0], rtol=1e-6)


def test_gradient_of_a_complex_product_has_the_conjugate_of_the_other_factor():
    found = gradient(tf.multiply, np.complex64(3 + 4j), np.complex64(1 - 2j))
    np.testing.assert_allclose(found, [1 + 2j, 3 - 4j])


@pytest.mark.parametrize("function", [tf.nn.elu, tf.nn.selu])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_second_gradient_of_an_exponential_unit_is_zero_where_exp_overflows(function, dtype):
    x = tf.constant(np.array([2, 1000, -1], dtype))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        slope = inner.gradient(y, x)
    found = outer.gradient(slope, x).numpy()
    assert found[:2].tolist() == [0, 0]
    assert found[2] == slope.numpy()[2]
