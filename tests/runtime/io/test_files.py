"""Files, and tensors as bytes."""

import pytest

import runtime as tf


class TestFiles:
    def test_a_file_is_read_at_each_run(self, tmp_path):
        path = tmp_path / "a"
        read = tf.function(lambda: tf.io.read_file(str(path)))
        for content in (b"", b"one\ntwo\xff"):
            path.write_bytes(content)
            assert read().numpy() == tf.io.read_file(str(path)).numpy() == content

    def test_missing(self):
        with pytest.raises(tf.errors.NotFoundError, match="/no/such; No such file or directory"):
            tf.io.read_file("/no/such")
