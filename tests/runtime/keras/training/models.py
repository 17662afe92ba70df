"""Small models, and data to train them on."""

import numpy as np

from runtime import keras

NUMBERS = np.random.default_rng(0)
X = NUMBERS.normal(size=(24, 4)).astype("float32")
REAL = NUMBERS.normal(size=(24, 1)).astype("float32")
CLASSES = NUMBERS.integers(0, 3, 24)
MSE = {"optimizer": "sgd", "loss": "mse"}


def model_of(units=1, activation=None, **options):
    model = keras.Sequential(
        [keras.Input((4,)), keras.layers.Dense(units, activation, name="out")], name="model"
    )
    if options:
        model.compile(**options)
    return model


def fit(model, *data, **options):
    return model.fit(*data, verbose=0, **options).history


class Regression(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)
