"""Logic on bools, bits of integers, and comparisons."""

import numpy as np
import pytest

import runtime as tf


def test_comparison_with_none():
    assert (tf.constant(1) == None) is False  # noqa: E711
    assert (tf.constant(1) != None) is True  # noqa: E711


def test_logic_on_bools_and_bits_on_integers():
    assert bool(tf.constant(True) & tf.constant(False)) is False
    assert int(tf.constant(6) & 3) == 2
    assert bool(~tf.constant(False)) is True


def test_bits_of_integers_and_a_truth_value():
    x = tf.constant([4, 5])
    assert (x & True).numpy().tolist() == [0, 1]
    assert (True | x).numpy().tolist() == [5, 5]
    assert (x ^ np.array([True, False])).numpy().tolist() == [5, 5]
    assert (tf.constant([True, False]) & True).dtype == tf.bool
    assert (tf.constant(True) & x).numpy().tolist() == [0, 1]
    assert (x | tf.constant([False, True])).numpy().tolist() == [4, 5]
    with pytest.raises(TypeError):
        tf.constant(True) & tf.constant(2.0)


@pytest.mark.parametrize("other", [(3,), "a", 1j, [1, 2]])
def test_a_union_of_bits_with_what_has_none(other):
    with pytest.raises(TypeError, match="list of allowed values"):
        tf.constant(2.0) | other
