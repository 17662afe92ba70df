"""Layers of several inputs."""

import runtime as tf
from runtime import keras

layers = keras.layers


def test_merged_inputs_of_several_dtypes_get_the_widest():
    floats, whole = tf.constant([[0.5]]), tf.constant([[2]], tf.int64)
    joined = layers.Concatenate()([floats, whole, tf.constant([[1]])])
    assert (joined.dtype, joined.numpy().tolist()) == (tf.float32, [[0.5, 2.0, 1.0]])
    assert layers.Add()([whole, tf.constant([[1]])]).dtype == tf.int64
    inputs = [keras.Input((1,)), keras.Input((1,), dtype="int64")]
    model = keras.Model(inputs, layers.concatenate(inputs))
    assert model([floats, whole]).numpy().tolist() == [[0.5, 2.0]]
