"""Functions on elements: results, and errors with their lines."""

import traceback

import pytest

import runtime as tf
from tests.runtime.data.shown import values

Dataset = tf.data.Dataset


def test_errors_of_functions_name_the_user_s_line():
    dataset = Dataset.range(3).map(lambda x: 6 // x)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)zero.*test_dataset.py"):
        values(dataset)


def test_a_result_of_two_structures_names_the_user_s_line_alone():
    def paired(x):
        if x > 1:
            return x, 1
        return x

    with pytest.raises(TypeError, match="`return value` is a tuple of") as info:
        Dataset.range(3).map(paired)
    assert "<frozen abc>" not in "".join(traceback.format_exception(info.value))


def test_a_list_that_a_function_returns_is_a_tuple():
    rows = tf.data.Dataset.from_tensor_slices(["1,x", "2,y"])
    parsed = rows.map(lambda line: tf.io.decode_csv(line, [0, ""]))
    assert [spec.dtype for spec in parsed.element_spec] == [tf.int32, tf.string]
    assert [(int(a), b.numpy()) for a, b in parsed] == [(1, b"x"), (2, b"y")]
    pairs = tf.data.Dataset.range(2).map(lambda x: [x, [x, x]])
    assert [spec.shape.rank for spec in pairs.element_spec] == [0, 1]


def test_a_list_inside_what_a_function_returns_is_a_tensor():
    pairs = tf.data.Dataset.range(2).map(lambda x: {"a": [x, x + 1]})
    assert pairs.element_spec["a"].shape == [2]
