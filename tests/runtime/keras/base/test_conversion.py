"""What a program overrides or passes is converted while a function is traced."""

import numpy as np

import runtime as tf
from runtime import keras

layers = keras.layers


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
