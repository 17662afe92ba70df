"""MNIST: 70,000 handwritten digits."""

import os
from typing import Any

import numpy as np

from runtime.keras.utils.files import get_file

ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz"


def load_data(path: Any = "mnist.npz") -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Return images and digits to train and to test with.

    Args:
      path: path of the file, or its name in `~/.keras/datasets`.

    Returns: (x_train, y_train), (x_test, y_test), uint8 of shapes [n, 28, 28] and [n].
    Raises: FileNotFoundError, with a command that fetches the file.
    """
    name = os.fspath(path)
    with np.load(name if os.path.exists(name) else get_file(name, ORIGIN)) as file:
        return (file["x_train"], file["y_train"]), (file["x_test"], file["y_test"])
