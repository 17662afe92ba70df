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


def same(shape, dtype=None):
    return tf.eye(*shape, dtype=dtype)


def leaning(x):
    if tf.reduce_sum(x) > 0.0:
        return x
    return 0.1 * x


class Strong(keras.regularizers.Regularizer):
    def __call__(self, x):
        total = tf.reduce_sum(tf.abs(x))
        if total > 1.0:
            total = total * 2.0
        return total


def test_functions_of_a_program_are_converted_where_layers_call_them():
    chain = keras.Sequential(
        [
            keras.Input((3,)),
            layers.Dense(3, leaning, kernel_initializer=same, bias_regularizer=Strong(),
                         bias_initializer="ones"),
            layers.Lambda(lambda x: x * 2.0 if tf.reduce_max(x) > 5.0 else x),
        ]
    )  # fmt: skip
    call = tf.function(lambda x: (chain(x), chain.losses))
    for value, expected in ((1.0, 2.0), (9.0, 20.0), (-11.0, -1.0)):
        outputs, losses = call(np.full([1, 3], value, np.float32))
        np.testing.assert_allclose(outputs, np.full([1, 3], expected), rtol=1e-6)
        np.testing.assert_allclose(chain(np.full([1, 3], value)), outputs)
        np.testing.assert_allclose(losses, [6.0])


def test_an_index_out_of_range_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="5"):
        layers.Embedding(3, 2)(np.array([5]))
