"""Putting values at positions: repeated positions, and positions out of range."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


def test_scattered_values_add_up_or_replace():
    places = [[0], [2], [0]]
    np.testing.assert_array_equal(tf.scatter_nd(places, [1, 2, 3], [4]).numpy(), [4, 0, 2, 0])
    start = tf.constant([1, 1, 1])
    for function, expected in (
        (tf.tensor_scatter_nd_add, [6, 1, 6]),
        (tf.tensor_scatter_nd_sub, [-4, 1, -4]),
        (tf.tensor_scatter_nd_min, [0, 1, 1]),
        (tf.tensor_scatter_nd_max, [5, 1, 5]),
        (tf.tensor_scatter_nd_update, [0, 1, 5]),
    ):
        np.testing.assert_array_equal(function(start, places, [5, 5, 0]).numpy(), expected)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: tf.scatter_nd([[4]], [1], [4]),
        lambda: tf.scatter_nd([[0]], [1, 2], [4]),
        lambda: tf.scatter_nd([[0, 1]], [1], [4]),
        lambda: tf.tensor_scatter_nd_update([1, 2], [[2]], [1]),
    ],
)
def test_what_cannot_be_scattered(wrong):
    with pytest.raises(Invalid):
        wrong()


def test_a_string_at_one_position_is_a_string():
    names = tf.constant(["a", "b", "c"])
    changed = tf.tensor_scatter_nd_update(names, [1], "zz")
    assert changed.numpy().tolist() == [b"a", b"zz", b"c"]
    assert tf.strings.reduce_join(changed).numpy() == b"azzc"
