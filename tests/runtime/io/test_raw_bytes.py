"""Strings of bytes as numbers."""

import numpy as np
import pytest

import runtime as tf


class TestRawBytes:
    @pytest.mark.parametrize(
        ("data", "dtype", "expected"),
        [
            (b"\1\0\2\0", "int16", [1, 2]),
            ([b"\1\0\2\0"], "int16", [[1, 2]]),
            ([b"\1"], "bool", [[True]]),
            (np.float32([1.5, 2.5]).tobytes(), "float32", [1.5, 2.5]),
            (["", ""], "int32", np.zeros((2, 0))),
            (tf.constant([], tf.string), "int16", np.zeros((0, 0))),
        ],
    )
    def test_numbers(self, data, dtype, expected):
        found = tf.io.decode_raw(data, dtype)
        assert found.dtype is tf.as_dtype(dtype)
        np.testing.assert_array_equal(found.numpy(), expected)

    def test_the_other_order_of_bytes(self):
        assert tf.io.decode_raw(b"\0\1", "int16", little_endian=False).numpy().tolist() == [1]
        assert tf.io.decode_raw(b"\0\1", "uint8", little_endian=False).numpy().tolist() == [0, 1]

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (([b"\1", b"\1\2"], "uint8"), "to all be the same size, but element 1 has size 2"),
            ((b"\1\2\3", "int16"), "has length 3 that is not a multiple of 2"),
            ((b"\1\2", "string"), "not in the list of allowed values"),
        ],
    )
    def test_refused(self, arguments, words):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.decode_raw(*arguments)

    def test_in_a_function(self):
        decode = tf.function(lambda x: tf.io.decode_raw(x, "int16"))
        assert decode(tf.constant([b"\1\0"])).numpy().tolist() == [[1]]
