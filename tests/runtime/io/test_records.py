"""Record files, and the examples that they hold."""

import gzip
import os
import struct

import pytest

import runtime as tf
from runtime.io import checksums
from runtime.io.records import frame

RECORDS = [b"abc", b"", b"x" * 5000]


def written(path, options=None):
    with tf.io.TFRecordWriter(path, options) as writer:
        for record in RECORDS:
            writer.write(record)
    return path


def read(path, compression=None):
    return list(tf.data.TFRecordDataset(path, compression).as_numpy_iterator())


class TestRecordFiles:
    @pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
    def test_there_and_back(self, tmp_path, compression):
        path = written(tmp_path / "a", compression)
        assert read(path, compression) == RECORDS

    def test_options_choose_the_compression(self, tmp_path):
        options = tf.io.TFRecordOptions(compression_type="GZIP", compression_level=9)
        path = written(tmp_path / "a", options)
        assert gzip.decompress(path.read_bytes()).startswith(frame(b"abc"))

    def test_bytes_are_those_of_the_format(self):
        assert frame(b"abc") == b"\3\0\0\0\0\0\0\0\xb0\x99I\x0eabcnW\xf1!"

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda data: data[:-3], "truncated record at byte 35: 3 bytes are missing"),
            (lambda data: data[:5], "truncated record at byte 0: its length is cut off"),
            (lambda data: data[:25], "truncated record at byte 19: its length is cut off"),
            (lambda data: b"\1" + data[1:], "corrupted record at byte 0: the checksum of its len"),
            (
                lambda data: data[:40] + b"\1" + data[41:],
                "corrupted record at byte 35: the checksum of its len",
            ),
            (
                lambda data: data[:13] + b"Z" + data[14:],
                "corrupted record at byte 0: the checksum of its data",
            ),
            (lambda data: b"no records at all", "the file is not a record file"),
            (lambda data: gzip.compress(data), "or compression_type does not fit"),
        ],
    )
    def test_damage_is_an_error_with_file_and_offset(self, tmp_path, change, words):
        path = written(tmp_path / "a.tfrecord")
        path.write_bytes(change(path.read_bytes()))
        with pytest.raises(tf.errors.DataLossError, match=f"a.tfrecord: .*{words}"):
            read(path)

    def test_a_length_beyond_the_file_allocates_nothing(self, tmp_path):
        length = struct.pack("<Q", 2**62)
        head = length + struct.pack("<I", checksums.masked_crc32c(length))
        (tmp_path / "a").write_bytes(head)
        with pytest.raises(tf.errors.DataLossError, match="bytes are missing"):
            read(tmp_path / "a")

    def test_records_before_the_damage_are_read(self, tmp_path):
        path = written(tmp_path / "a")
        path.write_bytes(path.read_bytes()[:-1])
        records = iter(tf.data.TFRecordDataset(path))
        assert next(records).numpy() == b"abc"
        assert next(records).numpy() == b""
        with pytest.raises(tf.errors.DataLossError):
            next(records)

    def test_other_arguments_are_refused(self, tmp_path):
        with pytest.raises(ValueError, match="compression_type 'LZ4' is unknown"):
            tf.io.TFRecordWriter(tmp_path / "a", "LZ4")
        with pytest.raises(ValueError, match="compression_type 'LZ4' is unknown"):
            tf.io.TFRecordOptions("LZ4")
        with pytest.raises(tf.errors.NotFoundError, match="/no/such/a; No such file"):
            tf.io.TFRecordWriter("/no/such/a")
        with pytest.raises(TypeError, match=r"expected str, bytes or os\.PathLike object, not int"):
            tf.io.TFRecordWriter(1)
        writer = tf.io.TFRecordWriter(tmp_path / "a")
        with pytest.raises(TypeError, match=r"tensor.numpy\(\)"):
            writer.write(tf.constant(b"abc"))
        writer.close()
        with pytest.raises(tf.errors.FailedPreconditionError, match="closed"):
            writer.write(b"abc")

    def test_flush_makes_records_readable(self, tmp_path):
        writer = tf.io.TFRecordWriter(tmp_path / "a")
        writer.write(b"abc")
        writer.flush()
        assert read(tmp_path / "a") == [b"abc"]
        writer.close()
        assert os.path.getsize(tmp_path / "a") == 19
