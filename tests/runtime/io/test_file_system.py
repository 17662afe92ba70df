"""Files of this computer, compressed ones, and the errors of operations."""

import gzip
import zlib

import pytest

import runtime as tf
from runtime.io import file_system

RECORDS = [b"abc", b"", b"x" * 5000]


def written(path, options=None):
    with tf.io.TFRecordWriter(path, options) as writer:
        for record in RECORDS:
            writer.write(record)
    return path


def read(path, compression=None):
    return list(tf.data.TFRecordDataset(path, compression).as_numpy_iterator())


class TestRecordFiles:
    @pytest.mark.parametrize("compression", ["GZIP", "ZLIB"])
    def test_damaged_compression_names_the_file(self, tmp_path, compression):
        path = written(tmp_path / "a.z", compression)
        path.write_bytes(path.read_bytes()[:-7])
        with pytest.raises(tf.errors.DataLossError, match=f"a.z: no readable {compression} data"):
            read(path, compression)


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_the_bytes_before_compression_come_back(tmp_path, compression):
    path = tmp_path / "a"
    data = b"line\n" * 10_000
    pack = {"": bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress}[compression]
    path.write_bytes(pack(data))
    with file_system.open_stream(path, compression) as file:
        assert file.read(7) == b"line\nli"
        assert file.read() == data[7:]


def test_compressions_have_names():
    assert [file_system.require_compression(name) for name in (None, "", "GZIP")] == [
        "",
        "",
        "GZIP",
    ]
    with pytest.raises(ValueError, match="compression_type 'LZ4' is unknown: use 'GZIP', 'ZLIB'"):
        file_system.require_compression("LZ4")


def test_errors_of_the_system_are_those_of_operations_and_name_the_path(tmp_path):
    missing = tmp_path / "none"
    with (
        pytest.raises(tf.errors.NotFoundError, match=r"none; No such file"),
        file_system.opened(missing, "rb"),
    ):
        pass
    with pytest.raises(tf.errors.FailedPreconditionError), file_system.opened(tmp_path, "rb"):
        pass
    (tmp_path / "file").touch()
    with pytest.raises(tf.errors.AlreadyExistsError):
        file_system.makedirs(tmp_path / "file")


def test_paths_that_match_are_sorted(tmp_path):
    for name in ("b.csv", "a.csv", "c.txt"):
        (tmp_path / name).touch()
    found = file_system.matching(tmp_path / "*.csv")
    assert found == [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
