"""Nets for images give what they give with Keras 3, with the same variables."""

import numpy as np
import pytest

from runtime import keras as own
from tests.runtime.oracle.test_keras_layers import tensorflow

__all__ = ["tensorflow"]

CASES = {
    "MobileNet": ("MobileNet", (64, 64, 3), {}),
    "MobileNet without top": ("MobileNet", (96, 64, 3), {"include_top": False}),
    "VGG19": ("VGG19", (32, 32, 3), {"include_top": False}),
}


def values(weights):
    """Numbers for variables, positive ones for factors and variances."""
    rng = np.random.default_rng(0)
    for each in weights:
        found = rng.normal(scale=0.05, size=each.shape).astype(np.float32)
        yield 1 + abs(found) if "variance" in each.path or "gamma" in each.path else found


@pytest.mark.parametrize("case", CASES)
def test_nets_agree(tensorflow, case):
    name, shape, options = CASES[case]
    theirs, ours = (
        getattr(k.applications, name)(input_shape=shape, weights=None, **options)
        for k in (tensorflow.keras, own)
    )
    arrays = list(values(theirs.weights))
    theirs.set_weights(arrays)
    ours.set_weights(arrays)
    images = np.random.default_rng(1).normal(size=(2, *shape)).astype(np.float32)
    expected = theirs.predict(images, verbose=0)
    scale = np.abs(expected).max()
    found = ours.predict(images, verbose=0)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5 * scale)
    assert (ours.name, len(ours.layers)) == (theirs.name, len(theirs.layers))


@pytest.mark.parametrize("dtype", [np.uint8, np.float64, np.float32])
def test_inputs_agree(tensorflow, dtype):
    images = np.arange(24).reshape(1, 2, 4, 3).astype(dtype)
    expected = tensorflow.keras.applications.mobilenet.preprocess_input(images.copy())
    found = own.applications.mobilenet.preprocess_input(images)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6)
