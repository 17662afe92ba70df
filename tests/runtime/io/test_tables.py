"""Lines of tables as columns."""

import numpy as np
import pytest

import runtime as tf


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
