"""Activation functions by name: those of `tf.nn`, layers, and those of a program."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras


@pytest.mark.parametrize("function", [tf.nn.relu, tf.nn.elu, tf.exp, tf.tanh, tf.nn.swish])
def test_a_model_with_an_activation_of_nn_is_saved_by_its_name(function, tmp_path):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, activation=function)])
    model.save(tmp_path / "model.keras")
    loaded = keras.models.load_model(tmp_path / "model.keras")
    x = np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)
    np.testing.assert_array_equal(loaded(x), model(x))


def test_an_activation_that_is_a_layer_is_saved_as_one(tmp_path):
    layer = keras.layers.LeakyReLU(negative_slope=0.5)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, activation=layer)])
    model.save(tmp_path / "model.keras")
    loaded = keras.models.load_model(tmp_path / "model.keras")
    assert loaded.layers[0].activation.negative_slope == 0.5


def test_an_activation_of_a_program_is_not_taken_for_its_namesake(tmp_path):
    def relu(x):
        return x

    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, activation=relu)])
    model.save(tmp_path / "model.keras")
    with pytest.raises(TypeError, match="Could not locate 'relu'"):
        keras.models.load_model(tmp_path / "model.keras")
