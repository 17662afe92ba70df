"""Values of Python and NumPy as arrays: the dtype of each, and values that have no array."""

import numpy as np
import pytest

import runtime as tf


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, "int32"),
        (2**40, "int64"),
        (1.5, "float32"),
        (True, "bool"),
        ("text", "string"),
        ([1, 2.5], "float32"),
        ([[10, 10], [11.0, 1.0]], "float32"),
        ([], "float32"),
        (1j, "complex128"),
        (np.arange(3), "int64"),
        (np.array([1.0]), "float64"),
        (np.float64(1), "float64"),
        ([np.float64(1)], "float64"),
    ],
)
def test_natural_dtypes(value, dtype):
    assert tf.convert_to_tensor(value).dtype == dtype


@pytest.mark.parametrize("value", [[[1], [2, 3]], object(), [object()], 10**30])
def test_what_is_no_tensor_is_refused(value):
    with pytest.raises((TypeError, ValueError)):
        tf.convert_to_tensor(value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1, "a"], "mixed types"),
        (["a", 1], "mixed types"),
        ([True, 1], "mixed types"),
        ([1, 1j], "mixed types"),
        ([[1], [1, 2]], "non-rectangular"),
        ([1, [2]], "non-rectangular"),
        (2**70, "out-of-range integer"),
        ([2**63], "out-of-range integer"),
        (1e40, "out of range for a double-precision float"),
        ([1.5, -1e40], "out of range for a double-precision float"),
        (
            None,
            r"Attempt to convert a value \(None\) with an unsupported type \(<class 'NoneType'>",
        ),
        ([1, None], r"Attempt to convert a value \(None\)"),
        ({"a": 1}, "unsupported type"),
        (iter([1]), "unsupported type"),
        (np.array([1, "a"], object), "Unsupported object type int"),
        (np.datetime64("2020"), "Failed to convert a NumPy array"),
        (tf.TensorShape([1, None]), "partially known TensorShape"),
    ],
)
@pytest.mark.parametrize("traced", [False, True])
def test_words_for_what_is_no_tensor(value, words, traced):
    convert = tf.function(lambda: tf.convert_to_tensor(value)) if traced else tf.convert_to_tensor
    with pytest.raises(ValueError, match=words):
        convert() if traced else convert(value)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([np.int64(1), 2], "int32"),
        ([np.int64(2**40)], "int64"),
        ([np.float16(1), 2.5], "float16"),
        ([1.5, np.float64(1)], "float32"),
        ([np.array([1.5])], "float64"),
        ([2**40, 1.5], "float32"),
        (["a", b"b"], "string"),
        (range(3), "int32"),
        (bytearray(b"ab"), "int32"),
    ],
)
def test_the_first_element_decides(value, dtype):
    assert tf.constant(value).dtype == dtype


def test_strings_keep_all_bytes():
    assert tf.constant([b"a\0", "é"]).numpy().tolist() == [b"a\0", "é".encode()]


def test_objects_with_an_array():
    class Box:
        def __array__(self, dtype=None, copy=None):
            return np.array([1, 2], np.uint8)

    assert tf.convert_to_tensor(Box()).dtype == tf.uint8
    assert (tf.constant([1, 1]) + Box()).dtype == tf.int32
