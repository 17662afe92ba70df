"""Small models."""

import numpy as np

from runtime import keras

X = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)


def functional():
    inputs = keras.Input((3,), name="inputs")
    hidden = keras.layers.Dense(4, activation="relu", name="hidden")(inputs)
    return keras.Model(inputs, keras.layers.Dense(2, name="out")(hidden + 1.0), name="net")


def sequential():
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(4), keras.layers.Dense(2)])
