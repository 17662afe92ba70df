"""Batches of images that are turned at random are those of Keras, for the same seeds."""

import numpy as np
import pytest

from runtime.keras.preprocessing.image import ImageDataGenerator
from tests.runtime.oracle.test_keras_layers import tensorflow

__all__ = ["tensorflow"]

pytest.importorskip("scipy")

IMAGES = np.random.default_rng(0).random((7, 6, 6, 3)).astype(np.float32)


@pytest.mark.parametrize("options", [{"rotation_range": 40, "rescale": 1 / 255}, {"rescale": 2.0}])
def test_batches_agree(tensorflow, options):
    other = tensorflow.keras.preprocessing.image.ImageDataGenerator(**options)
    theirs, ours = (
        each.flow(IMAGES, np.arange(7), batch_size=3, seed=11)
        for each in (other, ImageDataGenerator(**options))
    )
    for _ in range(7):
        (expected, expected_labels), (found, labels) = next(theirs), next(ours)
        np.testing.assert_array_equal(labels, expected_labels)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
        assert found.dtype == expected.dtype
