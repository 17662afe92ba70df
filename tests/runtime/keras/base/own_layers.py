"""Layers of a program."""

import runtime as tf
from runtime import keras


class Affine(keras.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.kernel = self.add_weight(
            shape=(input_shape[-1], self.units), regularizer="l2", name="kernel"
        )
        self.steps = self.add_weight(shape=(), initializer="zeros", trainable=False, name="steps")
        self.bias = self.add_weight(shape=(self.units,), initializer="ones", name="bias")

    def call(self, inputs):
        return inputs @ self.kernel + self.bias


class Branching(keras.Layer):
    def call(self, inputs, training=False):
        if tf.reduce_sum(inputs) > 0.0:
            inputs = -inputs
        return inputs + 1.0 if training else inputs


class Counts(keras.Layer):
    def call(self, inputs, mask=None):
        return tf.zeros([]) if mask is None else tf.reduce_sum(tf.cast(mask, tf.float32))
