"""Elements that a condition selects."""

import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


def test_positions_of_what_is_true():
    assert tf.where([0, 3]).numpy().tolist() == [[1]]
    with pytest.raises(Invalid, match="Unhandled input dimensions: 0"):
        tf.where(True)
    with pytest.raises(TypeError, match="list of allowed values"):
        tf.where(["a"])
