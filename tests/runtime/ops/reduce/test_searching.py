"""Distinct elements, and positions in sorted vectors."""

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


def test_places_in_sorted_vectors():
    np.testing.assert_array_equal(tf.searchsorted([1, 3, 3], [0, 3]).numpy(), [0, 1])
    np.testing.assert_array_equal(tf.searchsorted([1, 3, 3], [0, 3], side="right").numpy(), [0, 3])
    for wrong in (([[1], [2]], [[1], [3]]), ([1, 2], 1)):
        for call in (tf.searchsorted, tf.function(tf.searchsorted)):
            with pytest.raises(Invalid, match=r"takes two vectors.*runtime\.map_fn"):
                call(*wrong)


def test_each_nan_is_distinct():
    values, places = tf.unique([np.nan, 1.0, np.nan, 1.0])
    assert values.shape == (3,)
    assert places.numpy().tolist() == [0, 1, 2, 1]


def test_positions_in_a_vector_without_elements():
    assert tf.searchsorted(tf.zeros([0]), [1.0, 2.0]).numpy().tolist() == [0, 0]


@pytest.mark.parametrize("dtype", ["int8", "uint64", "int64", "float32"])
@pytest.mark.parametrize("apart", [1, 50])
def test_distinct_elements_come_in_the_order_of_the_first(dtype, apart):
    numbers = (np.array([2, 0, 2, 1, 0, 2]) * apart).astype(dtype)
    distinct, places = tf.unique(numbers)
    np.testing.assert_array_equal(distinct, numbers[[0, 1, 3]])
    np.testing.assert_array_equal(tf.gather(distinct, places), numbers)


@pytest.mark.parametrize("ends", [[-(2**63), 2**63 - 1], [2**63 - 1, 2**63 - 2], [-(2**63)]])
def test_distinct_elements_at_the_ends_of_a_dtype(ends):
    distinct, places = tf.unique(np.array(ends))
    assert distinct.numpy().tolist() == ends
    assert places.numpy().tolist() == list(range(len(ends)))
