"""Losses against their definitions."""

import numpy as np
import pytest

import runtime as tf

RANDOM = np.random.default_rng(4)


def numbers(*shape):
    return RANDOM.normal(size=shape)


def test_a_class_that_does_not_exist_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="label value of 9 which is outside"):
        tf.nn.sparse_softmax_cross_entropy_with_logits([0, 9], tf.ones([2, 3]))


def test_cross_entropies_of_one_class_agree():
    logits = numbers(4, 3)
    sparse = tf.nn.sparse_softmax_cross_entropy_with_logits([2, 0, 1, 1], logits)
    dense = tf.nn.softmax_cross_entropy_with_logits(np.eye(3)[[2, 0, 1, 1]], logits)
    np.testing.assert_allclose(sparse.numpy(), dense.numpy(), rtol=1e-12)


@pytest.mark.parametrize("axis", [2, -3])
def test_an_axis_of_classes_that_is_none(axis):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"must be in the range \[-2, 2\)"):
        tf.nn.softmax_cross_entropy_with_logits(numbers(4, 3), numbers(4, 3), axis)


@pytest.mark.parametrize("options", [None, {}, {"jit_compile": True}], ids=["eager", "plan", "jit"])
def test_the_gradient_of_a_sure_prediction_is_not_rounded_off(options):
    def gradient(labels, logits):
        with tf.GradientTape() as tape:
            tape.watch(logits)
            loss = tf.nn.sigmoid_cross_entropy_with_logits(labels, logits)
        return tape.gradient(loss, logits)

    labels = tf.constant([1.0, 0.0, 1.0, 0.5])
    logits = tf.constant([16.0, -16.0, 40.0, 0.0])
    compute = gradient if options is None else tf.function(gradient, **options)
    exact = [-np.exp(-16) / (1 + np.exp(-16)), np.exp(-16) / (1 + np.exp(-16)), -np.exp(-40), 0]
    np.testing.assert_allclose(compute(labels, logits), exact, rtol=1e-6)
