"""Fashion-MNIST: 70,000 images of clothes in 10 classes."""

import gzip
from typing import Any

import numpy as np

from runtime.keras.utils.files import get_file

ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"


def load_data() -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Return images and classes to train and to test with.

    The files are `train-images-idx3-ubyte.gz` and its like in `~/.keras/datasets/fashion-mnist`.

    Returns: (x_train, y_train), (x_test, y_test), uint8 of shapes [n, 28, 28] and [n].
    Raises: FileNotFoundError, with a command that fetches the file.
    """
    return _part("train"), _part("t10k")


def _part(name: str) -> tuple[Any, Any]:
    # Headers of IDX files: magic number and dimensions, four bytes each.
    labels = _numbers(f"{name}-labels-idx1-ubyte.gz", offset=8)
    return _numbers(f"{name}-images-idx3-ubyte.gz", offset=16).reshape(-1, 28, 28), labels


def _numbers(name: str, offset: int) -> Any:
    path = get_file(name, ORIGIN + name, cache_subdir="datasets/fashion-mnist")
    with gzip.open(path, "rb") as file:
        return np.frombuffer(file.read(), np.uint8, offset=offset)
