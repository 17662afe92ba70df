"""MobileNet: shapes, names and inputs; its numbers are compared in `tests/runtime/oracle`."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras.applications import mobilenet


def test_the_whole_net_classifies_images():
    model = keras.applications.MobileNet((32, 32, 3), weights=None)
    found = model.predict(np.zeros((2, 32, 32, 3), np.float32), verbose=0)
    np.testing.assert_allclose(found.sum(1), 1.0, rtol=1e-5)
    assert (model.name, len(model.layers)) == ("mobilenet_1.00_32", 91)


def test_the_net_is_part_of_another_one_and_trains():
    base = keras.applications.MobileNet((32, 32, 3), include_top=False, weights=None)
    model = keras.Sequential([base, keras.layers.Flatten(), keras.layers.Dense(2)])
    model.compile("sgd", "mse")
    before = [weight.copy() for weight in base.get_weights()]
    model.fit(np.ones((4, 32, 32, 3), np.float32), np.ones((4, 2)), epochs=1, verbose=0)
    assert any((a != b).any() for a, b in zip(base.get_weights(), before, strict=True))


@pytest.mark.parametrize("make", [np.asarray, tf.constant])
def test_inputs_are_from_minus_one_to_one(make):
    found = mobilenet.preprocess_input(make(np.array([0, 51, 255], np.uint8)))
    assert isinstance(found, type(make([0.0])))
    np.testing.assert_allclose(np.asarray(found), [-1.0, -0.6, 1.0], rtol=1e-6)
