"""Models of layers one after the other, built by their first call."""

import numpy as np
import pytest

from runtime import keras

X = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)


def test_the_deferred_model_is_built_by_its_first_call():
    model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(1)])
    assert model.weights == [] and not model.built
    for use in (model.save_weights, model.load_weights):
        with pytest.raises(ValueError, match=r"Weights for model .* have not yet been created"):
            use("model.weights.h5")
    assert model(X).shape == (5, 1) and model(X[:2]).shape == (2, 1)
    assert model.output_shape == (5, 1) and len(model.weights) == 4


def test_a_deferred_model_takes_other_sizes_than_the_first():
    texts = keras.Sequential(
        [keras.layers.Embedding(10, 4, mask_zero=True), keras.layers.LSTM(3, name="lstm")]
    )
    padded = texts(np.array([[1, 2, 0, 0]]))
    np.testing.assert_allclose(texts(np.array([[1, 2]])), padded, atol=1e-6)
    images = keras.Sequential(
        [keras.layers.Conv2D(4, 3), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(2)]
    )
    assert images(np.ones([1, 8, 8, 1])).shape == images(np.ones([1, 5, 6, 1])).shape == (1, 2)
