"""Dropout, functions of a program, and shapes."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras

layers = keras.layers


def test_dropped_elements_are_zero_and_the_others_scaled():
    outputs = layers.Dropout(0.5)(np.ones([100, 100], np.float32), training=True).numpy()
    assert set(np.unique(outputs)) == {0.0, 2.0}


def test_a_training_tensor_chooses_in_a_graph():
    layer = layers.Dropout(0.5)
    call = tf.function(lambda x, training: layer(x, training=training))
    inputs = tf.ones([50, 50])
    assert np.all(call(inputs, tf.constant(False)) == 1.0)
    assert np.any(call(inputs, tf.constant(True)) == 0.0)


def test_an_index_out_of_range_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="5"):
        layers.Embedding(3, 2)(np.array([5]))


def test_masking_compares_integers_with_any_number():
    inputs = np.array([[[0, 0], [1, 0]]], np.int32)
    for value, mask in ((0.0, [False, True]), (0.5, [True, True])):
        layer = layers.Masking(value)
        np.testing.assert_array_equal(layer.compute_mask(inputs), [mask])
    assert layer(inputs).dtype == tf.int32


def test_a_reshaped_batch_keeps_its_known_size():
    assert layers.Reshape((3, 5))(keras.Input(batch_shape=(2, None))).shape == (2, 3, 5)
    assert layers.Reshape((3, 5))(keras.Input((15,))).shape.as_list() == [None, 3, 5]


@pytest.mark.parametrize("shape", [(-2, 5), (-1, -1)])
def test_sizes_of_a_reshape_are_not_negative(shape):
    with pytest.raises(ValueError, match=r"one may be -1. Received: target_shape=\(-"):
        layers.Reshape(shape)
