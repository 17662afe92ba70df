"""Positions of items in lists and dicts, with Python's errors."""

import pytest

import runtime as tf
from runtime.ops.items.item_positions import HOLE, as_index, item_position, key_position

KEYS = {"first": 0, 2: 1, (3, "b"): 2}


def test_a_negative_index_counts_from_the_end():
    for index in range(-3, 3):
        assert item_position(tf.constant(index), 3, "out of range") == range(3)[index]
    for index in (3, -4):
        with pytest.raises(IndexError, match="list index out of range"):
            item_position(tf.constant(index), 3, "list index out of range")


def test_an_index_of_64_bits_stays_wide_and_a_bool_is_a_number():
    assert item_position(tf.constant(-1, tf.int64), 3, "").dtype is tf.int64
    assert as_index(tf.constant(True)).dtype is tf.int32


def position(parts, pattern=HOLE, missing="mark"):
    return int(key_position([tf.constant(part) for part in parts], (*KEYS,), pattern, missing))


def test_a_key_is_compared_as_python_compares_it():
    assert position(["first"]) == 0
    assert position([2]) == position([2.0]) == 1
    assert position(["b"], (3, HOLE)) == position([3, "b"], (HOLE, HOLE)) == 2


def test_a_key_that_is_not_there_is_marked_raised_or_refused():
    assert position([7]) == -1
    with pytest.raises(KeyError, match="7"):
        position([7], missing="raise")
    with pytest.raises(tf.errors.UnimplementedError, match="a dict gets the key 7"):
        position([7], missing="refuse")
