"""Positions of extremes, and orders, along an axis."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


@pytest.mark.parametrize(
    "call", [tf.argmax, tf.argmin, tf.cumsum, tf.math.cumprod, tf.sort, tf.argsort]
)
def test_one_axis_is_one_number(call):
    with pytest.raises(Invalid, match="must be a scalar"):
        call([[1.0]], axis=[0, 1])
    with pytest.raises(TypeError, match="has to be an integer"):
        call([[1.0]], axis=0.5)


@pytest.mark.parametrize("length", [20, 300])
@pytest.mark.parametrize("count", [0, 1, 3, 20])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_the_largest_come_in_order_and_of_equal_ones_the_first(dtype, count, length):
    rows = np.random.default_rng(1).integers(0, 9, (2, 3, length)).astype(dtype)
    values, indices = tf.math.top_k(rows, count)
    order = np.argsort(-rows.astype(np.int64), axis=-1, kind="stable")[..., :count]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(rows, order, axis=-1))


def test_what_is_no_number_counts_as_the_largest():
    row = np.arange(300, dtype=np.float32)
    row[[7, 9]] = np.nan
    assert tf.math.top_k(row, 4).indices.numpy().tolist() == [7, 9, 299, 298]


def test_nan_is_neither_the_largest_nor_the_least():
    x = [[np.nan, 1.0, 2.0], [np.nan, np.nan, np.nan], [np.inf, np.nan, -np.inf]]
    assert tf.argmax(x, axis=1).numpy().tolist() == [2, 0, 0]
    assert tf.argmin(x, axis=1).numpy().tolist() == [1, 0, 2]


@pytest.mark.parametrize(
    "function", [tf.sort, tf.argsort, tf.function(tf.sort), tf.function(tf.argsort)]
)
def test_a_scalar_has_no_order(function):
    with pytest.raises(tf.errors.InvalidArgumentError):
        function(tf.constant(3))
