"""Borders around a tensor: results, static shapes, and what is refused."""

import re

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


ROWS = np.arange(6, dtype=np.int32).reshape(2, 3)


def shape_in_a_graph(function, *specs):
    concrete = tf.function(function, autograph=False).get_concrete_function(*specs)
    return concrete.outputs[0].shape


def test_pad_is_numpy_s():
    expected = np.pad(ROWS, [[1, 0], [2, 1]])
    np.testing.assert_array_equal(tf.pad(ROWS, [[1, 0], [2, 1]]).numpy(), expected)


def test_pad_with_amounts_that_are_known_later():
    function = tf.function(lambda n: tf.pad(ROWS, [[0, 5 - n], [0, 0]]), autograph=False)
    assert function(tf.constant(2)).shape == (5, 3)
    assert shape_in_a_graph(
        lambda x: tf.pad(x, [[1, 1], [0, 2]]), tf.TensorSpec([None, 3], tf.int32)
    ) == (None, 5)


@pytest.mark.parametrize("staged", [False, True])
def test_paddings_that_are_no_pairs_are_named(staged):
    pad = tf.function(tf.pad, autograph=False) if staged else tf.pad
    for paddings, shape in (([[1]], "[1,1]"), ([[1, 2, 3]], "[1,3]"), ([1, 2], "[2]")):
        words = re.escape(f"paddings must be a matrix with 2 columns: {shape}")
        with pytest.raises(Invalid, match=words):
            pad([1, 2], paddings)
    words = re.escape("The first dimension of paddings must be the rank of inputs[2,2] [3]")
    with pytest.raises(Invalid, match=words):
        pad([1, 2, 3], [[1, 1], [1, 1]])


def test_a_scalar_has_no_border():
    assert tf.pad(3.0, np.zeros((0, 2), np.int32)).numpy() == 3.0


def test_a_mode_that_is_no_text_is_named():
    with pytest.raises(tf.errors.UnimplementedError, match="mode=3 is not supported"):
        tf.pad([1], [[1, 1]], mode=3)
