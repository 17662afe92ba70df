"""A dataset that counts."""

import pytest

import runtime as tf

Counter = tf.data.experimental.Counter


def test_it_counts_without_end_from_any_number_by_any_step():
    assert [int(x) for x in Counter(10, -3).take(4)] == [10, 7, 4, 1]
    assert Counter().cardinality() == tf.data.INFINITE_CARDINALITY
    assert Counter(dtype=tf.int32).element_spec == tf.TensorSpec([], tf.int32)


def test_it_counts_whole_numbers_only():
    with pytest.raises((TypeError, ValueError)):
        Counter(0.5)
