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
