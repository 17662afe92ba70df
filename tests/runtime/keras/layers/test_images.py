"""Layers of images and sequences."""

import runtime as tf
from runtime import keras

layers = keras.layers


def same(shape, dtype=None):
    return tf.eye(*shape, dtype=dtype)


def test_padding_is_read_in_upper_case_too():
    assert layers.Conv2D(1, 2, padding="SAME").padding == "same"
    assert layers.MaxPool2D(padding="VALID").padding == "valid"
