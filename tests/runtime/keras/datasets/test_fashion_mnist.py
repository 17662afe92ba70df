"""Images of clothes from the files of the cache."""

import gzip

import numpy as np

from runtime import keras


def test_fashion_mnist_is_read_from_its_files(home):
    folder = home / "fashion-mnist"
    folder.mkdir()
    for part, count in (("train", 3), ("t10k", 2)):
        images = np.arange(count * 784, dtype=np.uint32).astype(np.uint8)
        labels = np.arange(count, dtype=np.uint8)
        for name, header, data in (("images-idx3", 16, images), ("labels-idx1", 8, labels)):
            with gzip.open(folder / f"{part}-{name}-ubyte.gz", "wb") as file:
                file.write(bytes(header) + data.tobytes())
    (x, y), (x_test, y_test) = keras.datasets.fashion_mnist.load_data()
    assert (x.shape, y.tolist(), x_test.shape) == ((3, 28, 28), [0, 1, 2], (2, 28, 28))
    assert (x[0, 0, 1], y_test.tolist()) == (1, [0, 1])
