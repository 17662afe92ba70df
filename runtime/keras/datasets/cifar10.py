"""CIFAR-10: 60,000 color images in 10 classes."""

import os
import tarfile
from typing import Any

import numpy as np

from runtime.keras.utils.files import get_file

# The archive of binary records: the usual one holds pickles, which can run code when they are read.
ORIGIN = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz"
_RECORD = 1 + 3 * 32 * 32


def load_data() -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Return images and classes to train and to test with.

    The file is `cifar-10-binary.tar.gz` in `~/.keras/datasets`.

    Returns: (x_train, y_train), (x_test, y_test), uint8 of shapes [n, 32, 32, 3] and [n, 1].
    Raises: FileNotFoundError, with a command that fetches the file.
    """
    with tarfile.open(get_file("cifar-10-binary.tar.gz", ORIGIN)) as archive:
        members = {os.path.basename(member.name): member for member in archive}
        parts = [
            np.frombuffer(archive.extractfile(members[name]).read(), np.uint8)  # type: ignore[union-attr]
            for name in (*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin")
        ]
    return _images(np.concatenate(parts[:-1])), _images(parts[-1])


def _images(data: Any) -> tuple[Any, Any]:
    """Split records of a class and three planes of colors."""
    records = data.reshape(-1, _RECORD)
    images = records[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return images, records[:, :1]
