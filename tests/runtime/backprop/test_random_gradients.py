"""Gradients through random numbers: known values, and means that do not need the numbers."""

import numpy as np
import pytest

import runtime as tf
from runtime.backprop.walk import gradients
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.engines import interpreter
from runtime.ops.base.define import call


def gradient(function, *arrays):
    graph = Graph("gradient")
    inputs = [graph.add_input(tf.constant(array).spec, "x") for array in arrays]
    with recording(graph):
        output = function(*inputs)
    graph.outputs = gradients([output], inputs)
    return interpreter.executable(graph)(*(np.asarray(array) for array in arrays))


@pytest.mark.parametrize(
    ("alpha", "sample", "expected"),
    [
        (0.3, 0.00032372462182343243, 0.008490840602618144),
        (0.3, 0.8848107733602442, 2.5959876109725513),
        (1.0, 0.6931471805599452, 0.9680448304420446),
        (2.5, 0.8051539934811612, 0.5727532091934064),
        (2.5, 4.618178449890558, 1.4299107264993556),
        (50.0, 41.17906790617853, 0.9091127702015039),
        (50.0, 59.24900190553107, 1.0908908780630462),
    ],
)
def test_numbers_of_equal_probability_move_as_known(alpha, sample, expected):
    found = call("RandomGammaGrad", tf.constant(alpha, tf.float64), tf.constant(sample, tf.float64))
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-9)


@pytest.mark.parametrize("sigmas", [-4.0, -1.0, 0.0, 0.5, 3.0])
def test_both_ways_to_compute_it_meet(sigmas):
    few, many = (
        call("RandomGammaGrad", tf.constant(alpha, tf.float64), alpha + sigmas * np.sqrt(alpha))
        for alpha in (0.99999e5, 1.00001e5)
    )
    np.testing.assert_allclose(few.numpy(), many.numpy(), rtol=3e-7)


@pytest.mark.parametrize("alpha", [-1.0, 0.0, np.nan])
def test_there_is_no_gradient_without_a_distribution(alpha):
    assert np.isnan(call("RandomGammaGrad", alpha, 1.0).numpy())


def test_the_mean_of_gamma_numbers_moves_as_the_shape_over_the_rate():
    alpha, beta = np.array([0.7, 3.0]), np.array([2.0, 0.5])

    def mean(a, b):
        drawn = tf.random.gamma([4000], alpha=a, beta=b, dtype=tf.float64, seed=3)
        return tf.reduce_sum(tf.reduce_mean(drawn, 0))

    by_alpha, by_beta = gradient(mean, alpha, beta)
    np.testing.assert_allclose(by_alpha, 1 / beta, rtol=0.05)
    np.testing.assert_allclose(by_beta, -alpha / beta**2, rtol=0.08)
