"""Files of the local cache, and the data sets in them."""

import gzip
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from runtime import keras


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "datasets").mkdir(parents=True)
    return tmp_path / "home" / "datasets"


def source(tmp_path, kind):
    text = tmp_path / "words.txt"
    text.write_text("hello")
    path = tmp_path / f"words{kind}"
    if kind == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.write(text, "words.txt")
    elif kind != ".txt":
        with tarfile.open(path, "w:gz") as archive:
            archive.add(text, "words.txt")
    return path


def test_a_local_address_is_copied_into_the_cache(tmp_path, home):
    path = source(tmp_path, ".txt")
    found = keras.utils.get_file("w.txt", path.as_uri())
    assert found == str(home / "w.txt")
    path.write_text("changed")
    assert Path(keras.utils.get_file("w.txt", path.as_uri())).read_text() == "hello"


@pytest.mark.parametrize(
    ("kind", "name", "folder"),
    [
        (".zip", "words.zip", "words_extracted"),
        (".tar.gz", "words.tar.gz", "words_extracted"),
        (".tar.gz", "words", "words"),
        (".tgz", None, "words.tgz"),
    ],
)
def test_archives_are_extracted_where_keras_extracts_them(tmp_path, home, kind, name, folder):
    origin = source(tmp_path, kind).as_uri()
    for _ in range(2):
        found = keras.utils.get_file(name, origin, extract=True)
        assert found == str(home / folder)
        assert Path(found, "words.txt").read_text() == "hello"


def test_a_missing_file_is_an_error_with_a_command(home):
    with pytest.raises(FileNotFoundError) as caught:
        keras.utils.get_file("far.bin", "https://example.org/far.bin")
    expected = f"curl -L --create-dirs -o '{home / 'far.bin'}' 'https://example.org/far.bin'"
    assert expected in str(caught.value)


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
