"""Colored images from the records of the cache."""

import tarfile

import numpy as np

from runtime import keras


def test_cifar10_is_read_from_binary_records(tmp_path, home):
    record = np.arange(3073, dtype=np.uint32).astype(np.uint8)
    record[0] = 6
    with tarfile.open(home / "cifar-10-binary.tar.gz", "w:gz") as archive:
        for name in (*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"):
            path = tmp_path / f"{name}.bin"
            path.write_bytes(record.tobytes() * 2)
            archive.add(path, f"cifar-10-batches-bin/{name}.bin")
    (x, y), (x_test, _) = keras.datasets.cifar10.load_data()
    assert (x.shape, y.shape, x_test.shape) == ((10, 32, 32, 3), (10, 1), (2, 32, 32, 3))
    assert x[0, 0, 1].tolist() == [record[1 + 1], record[1 + 1024 + 1], record[1 + 2048 + 1]]
    assert y[0, 0] == 6
