"""Constraints hold after each step of an optimizer."""

import numpy as np

import runtime as tf
from runtime.keras import constraints, optimizers
from tests.runtime.keras.optimizers.variables import variable


def test_a_constraint_holds_after_each_step():
    w = variable(0.1, constraint=tf.nn.relu)
    optimizers.SGD(1.0).apply_gradients([(tf.constant([5.0]), w)])
    assert w.numpy() == 0.0


def test_only_columns_beyond_the_largest_norm_are_scaled_down():
    w = tf.Variable([[3.0, 0.3], [4.0, 0.4]], constraint=constraints.MaxNorm(1.0))
    optimizers.SGD(0.0).apply_gradients([(tf.zeros([2, 2]), w)])
    np.testing.assert_allclose(w.numpy(), [[0.6, 0.3], [0.8, 0.4]], rtol=1e-5)


def test_a_constraint_without_a_call_changes_nothing():
    assert constraints.Constraint()(3.0) == 3.0
