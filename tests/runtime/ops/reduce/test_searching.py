"""Distinct elements, and positions in sorted rows."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


def test_distinct_elements_keep_their_order():
    y, idx = tf.unique(["b", "a", "b"])
    assert y.numpy().tolist() == [b"b", b"a"]
    assert idx.numpy().tolist() == [0, 1, 0]
    with pytest.raises(Invalid, match="1D vector"):
        tf.unique([[1]])


def test_places_in_sorted_rows():
    np.testing.assert_array_equal(tf.searchsorted([1, 3, 3], [0, 3]).numpy(), [0, 1])
    np.testing.assert_array_equal(tf.searchsorted([1, 3, 3], [0, 3], side="right").numpy(), [0, 3])
    with pytest.raises(Invalid, match="Leading dim_size"):
        tf.searchsorted([[1], [2]], [[1]])


def test_each_nan_is_distinct():
    values, places = tf.unique([np.nan, 1.0, np.nan, 1.0])
    assert values.shape == (3,)
    assert places.numpy().tolist() == [0, 1, 2, 1]


@pytest.mark.parametrize("side", ["left", "right"])
def test_positions_in_many_rows(side):
    random = np.random.default_rng(3)
    rows = np.sort(random.integers(0, 9, (40, 7)), axis=-1).astype(np.int32)
    values = random.integers(-1, 10, (40, 5)).astype(np.int32)
    found = tf.searchsorted(rows, values, side=side)
    expected = [np.searchsorted(row, own, side=side) for row, own in zip(rows, values, strict=True)]
    assert found.numpy().tolist() == np.array(expected).tolist()


def test_positions_in_rows_without_elements():
    assert tf.searchsorted(tf.zeros([0]), [1.0, 2.0]).numpy().tolist() == [0, 0]
    assert tf.searchsorted(tf.zeros([2, 0]), [[1.0], [2.0]]).numpy().tolist() == [[0], [0]]
    with pytest.raises(ValueError, match="slice index -1 of dimension 0 out of bounds"):
        tf.searchsorted([1.0], 1.0)
