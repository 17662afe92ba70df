"""Digits from the file of the cache."""

import numpy as np
import pytest

from runtime import keras


def test_mnist_is_read_from_its_file(home):
    arrays = {
        "x_train": np.zeros((5, 28, 28), np.uint8),
        "y_train": np.arange(5, dtype=np.uint8),
        "x_test": np.ones((2, 28, 28), np.uint8),
        "y_test": np.array([7, 8], np.uint8),
    }
    with pytest.raises(FileNotFoundError, match=r"mnist\.npz'.*\n.*curl"):
        keras.datasets.mnist.load_data()
    np.savez(home / "mnist.npz", **arrays)
    (x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
    for here, there in zip((x, y, x_test, y_test), arrays.values(), strict=True):
        np.testing.assert_array_equal(here, there)
