"""Files of arrays: what is written is read, and a file is replaced as a whole or not at all."""

import os
import subprocess

import numpy as np
import pytest

import runtime as tf
from runtime.io.value_file import ValueFile, replace_file, write_values

ARRAYS = {
    "scalar": np.float32(1.5),
    "number": np.array(3),
    "empty": np.zeros((0, 3), np.int8),
    "transposed": np.arange(6.0).reshape(2, 3).T,
    "strided": np.arange(10)[::3],
    "flags": np.array([True, False]),
    "half": np.array([1.5], np.float16),
    "complex": np.array([[1 + 2j], [3j]], np.complex64),
    "wide complex": np.array(-0.0 + 1j),
    "empty complex": np.zeros((2, 0), np.complex128),
    "texts": np.array([b"a\0", b"", b"\xff"], object).reshape(3, 1),
    "text": b"one",
    "no texts": np.zeros((0,), object),
    "a/b .c": np.array([1]),
}


def test_arrays_come_back_bit_by_bit(tmp_path):
    path = str(tmp_path / "values")
    write_values(path, ARRAYS, {"any": ["structure", 1, None]})
    file = ValueFile(path)
    assert file.structure == {"any": ["structure", 1, None]}
    assert set(file) == set(ARRAYS)
    for name, wanted in ARRAYS.items():
        wanted = np.asarray(wanted, object if isinstance(wanted, bytes) else None)
        found = file.array(name)
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        assert file.spec(name)[1] == wanted.shape
        if wanted.dtype == object:
            assert found.tolist() == wanted.tolist()
        else:
            assert found.tobytes() == wanted.tobytes()


def test_arrays_that_were_read_are_the_readers_own(tmp_path):
    path = str(tmp_path / "values")
    write_values(path, {"a": np.zeros(3)}, {})
    file = ValueFile(path)
    file.array("a")[0] = 5.0
    assert file.array("a").tolist() == [0.0, 0.0, 0.0]


def test_an_open_file_keeps_its_arrays_when_it_is_replaced(tmp_path):
    path = str(tmp_path / "values")
    write_values(path, {"a": np.zeros(3)}, {})
    file = ValueFile(path)
    write_values(path, {"a": np.ones(5)}, {})
    assert file.array("a").tolist() == [0.0, 0.0, 0.0]
    assert ValueFile(path).array("a").tolist() == [1.0] * 5


def test_a_refused_replacement_leaves_the_old_file_alone(tmp_path):
    path = tmp_path / "directory"
    path.mkdir()
    with pytest.raises(tf.errors.OpError):
        replace_file(str(path), b"content")
    assert os.listdir(tmp_path) == ["directory"]


def test_what_a_killed_process_left_is_removed_at_the_next_write(tmp_path):
    gone = subprocess.Popen(["true"])
    gone.wait()
    processes = [("values", gone.pid), ("values", os.getppid()), ("other", gone.pid)]
    left = [f".{name}.{process}.0.part" for name, process in processes]
    for name in left:
        (tmp_path / name).touch()
    replace_file(str(tmp_path / "values"), b"content")
    assert set(os.listdir(tmp_path)) == {"values", *left[1:]}


@pytest.mark.parametrize("name", ["missing", "missing/values"])
def test_files_that_are_not_there(tmp_path, name):
    with pytest.raises(tf.errors.NotFoundError):
        ValueFile(str(tmp_path / name))
    with pytest.raises(tf.errors.NotFoundError):
        write_values(str(tmp_path / "missing" / "values"), {}, {})


def test_only_arrays_of_the_file_are_read(tmp_path):
    path = str(tmp_path / "values")
    write_values(path, {"a": np.array([b"x"], object)}, {})
    file = ValueFile(path)
    assert "a" in file and ".lengths/a" not in file
    for read in (file.array, file.spec):
        with pytest.raises(KeyError):
            read(".lengths/a")
