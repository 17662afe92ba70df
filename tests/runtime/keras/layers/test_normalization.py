"""Layers that normalize: statistics of batches, of data, and in 16 bits."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras

layers = keras.layers


ROWS = np.random.default_rng(0).normal(size=(4, 6)).astype(np.float32)


@pytest.mark.parametrize("compiled", [False, True])
def test_batch_normalization_learns_averages_and_uses_them(compiled):
    layer = layers.BatchNormalization(momentum=0.0)
    call = tf.function(layer) if compiled else layer
    call(ROWS, training=True)
    np.testing.assert_allclose(layer.moving_mean, ROWS.mean(0), atol=1e-5)
    np.testing.assert_allclose(layer.moving_variance, ROWS.var(0), atol=1e-5)
    expected = (ROWS - ROWS.mean(0)) / np.sqrt(ROWS.var(0) + 1e-3)
    np.testing.assert_allclose(call(ROWS, training=False), expected, atol=1e-4)


def test_a_frozen_batch_normalization_keeps_its_averages():
    layer = layers.BatchNormalization(momentum=0.0)
    layer(ROWS)
    layer.trainable = False
    layer(ROWS, training=True)
    np.testing.assert_array_equal(layer.moving_mean, np.zeros(6))
    assert layer.trainable_weights == [] and len(layer.weights) == 4


def test_layers_of_16_bits_normalize_in_32():
    inputs = np.array([[300.0, 301.0], [300.0, 299.0]])
    outputs = layers.LayerNormalization(dtype="float16")(inputs)
    assert outputs.dtype is tf.float16
    np.testing.assert_allclose(outputs, [[-1.0, 1.0], [1.0, -1.0]], atol=0.01)


def test_a_normalization_keeps_the_statistics_of_its_data():
    layer = layers.Normalization()
    layer.adapt(np.array([[1.0, 2.0], [3.0, 6.0]]))
    np.testing.assert_array_equal(layer.mean.numpy(), [[2.0, 4.0]])
    np.testing.assert_array_equal(layer.variance.numpy(), [[1.0, 4.0]])
    whole = layers.Normalization(axis=None)
    whole.adapt(np.array([[1.0, 3.0], [1.0, 3.0]]))
    np.testing.assert_array_equal(whole(np.array([[3.0, 2.0]])), [[1.0, 0.0]])


@pytest.mark.parametrize("batch", [None, 1, 7, 100])
def test_a_mean_that_is_large_beside_the_deviation_leaves_the_variance(batch):
    values = 1.6e9 + 3.0 * np.random.default_rng(0).normal(size=(100, 2))
    data = values if batch is None else tf.data.Dataset.from_tensor_slices(values).batch(batch)
    layer = layers.Normalization(dtype="float64")
    layer.adapt(data)
    np.testing.assert_allclose(layer.mean, values.mean(0, keepdims=True), rtol=1e-15)
    np.testing.assert_allclose(layer.variance, values.var(0, keepdims=True), rtol=1e-6)


def test_adapt_without_data_is_an_error():
    with pytest.raises(ValueError, match="`adapt` of layer 'n' received no data"):
        layers.Normalization(name="n").adapt(np.ones([0, 2]))


def test_several_axes_of_features_are_refused():
    with pytest.raises(TypeError, match=r"`axis` of LayerNormalization 'a' is \[-2, -1\], not one"):
        layers.LayerNormalization(axis=[-2, -1], name="a")(ROWS)
