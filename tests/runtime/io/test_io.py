"""Files, and tensors as bytes."""

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


class TestTables:
    @pytest.mark.parametrize(
        ("records", "defaults", "options", "expected"),
        [
            ("1,2.5,a", [0, 0.0, ""], {}, [1, 2.5, b"a"]),
            (['1,"a,b"', ",x"], [[5], [""]], {}, [[1, 5], [b"a,b", b"x"]]),
            (["1,2,3"], [0], {"select_cols": [1]}, [[2]]),
            (["1;2"], [0, 0], {"field_delim": ";"}, [[1], [2]]),
            (['"a""b"'], [""], {}, [[b'a"b']]),
        ],
    )
    def test_columns(self, records, defaults, options, expected):
        columns = tf.io.decode_csv(records, defaults, **options)
        assert [np.asarray(column.numpy()).tolist() for column in columns] == expected

    @pytest.mark.parametrize(
        ("records", "defaults", "words"),
        [
            (["1"], [0, 0], "Expect 2 fields but have 1 in record 0"),
            (["1,2"], [0], "Expect 1 fields but have 2 in record 0"),
            ([""], [tf.constant([], tf.int32)], "Field 0 in record 0 is required but missing"),
            (["x"], [0], "Field 0 in record 0 is not a valid int32: x"),
            (["99999999999"], [0], "is not a valid int32"),
            (['a"b'], [""], "Unquoted fields cannot have quotes"),
            (['"a'], [""], "has to end with quote"),
            (['"a"b'], [""], "has to end with quote"),
        ],
    )
    def test_refused(self, records, defaults, words):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.decode_csv(records, defaults)

    def test_arguments_are_checked(self):
        with pytest.raises(ValueError, match="strictly increasing"):
            tf.io.decode_csv("1,2", [0, 0], select_cols=[1, 0])
        with pytest.raises(ValueError, match="do not match"):
            tf.io.decode_csv("1,2", [0, 0], select_cols=[1])
        with pytest.raises(TypeError, match="is bool"):
            tf.io.decode_csv("1", [True])


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
