"""Tensors as the bytes of messages."""

import numpy as np
import pytest

import runtime as tf

TENSORS = [
    [1, 2], 1.5, "text", ["a", b"\xff"], [True, False], [1 + 2j], np.zeros((0, 3), np.int64),
    np.float16([1.5]), np.uint8([[1], [2]]), 3,
]  # fmt: skip


class TestTensors:
    @pytest.mark.parametrize("value", TENSORS)
    def test_there_and_back(self, value):
        tensor = tf.constant(value)
        back = tf.io.parse_tensor(tf.io.serialize_tensor(tensor), tensor.dtype)
        assert back.dtype is tensor.dtype and back.shape == tensor.shape
        np.testing.assert_array_equal(back.numpy(), tensor.numpy())

    def test_in_a_function(self):
        again = tf.function(lambda x: tf.io.parse_tensor(tf.io.serialize_tensor(x), x.dtype))
        assert again(tf.constant([1, 2])).numpy().tolist() == [1, 2]

    def test_bytes_of_tensorflow(self):
        data = b'\x08\x03\x12\x04\x12\x02\x08\x02"\x08\x01\x00\x00\x00\x02\x00\x00\x00'
        assert tf.io.parse_tensor(data, tf.int32).numpy().tolist() == [1, 2]
        assert tf.io.serialize_tensor([1, 2]).numpy() == data

    @pytest.mark.parametrize(
        ("data", "dtype", "words"),
        [
            (b"junk", "float32", "Could not parse `serialized` as TensorProto, base64: anVuaw=="),
            ([b"junk"], "float32", "to be a scalar, got shape: \\[1\\]"),
            (tf.io.serialize_tensor([1]), "float32", r"parsed tensor \(int32\) and dtype \(float"),
        ],
    )
    def test_refused(self, data, dtype, words):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.parse_tensor(data, dtype)
