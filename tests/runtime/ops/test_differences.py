"""What one vector has and another has not."""

import numpy as np
import pytest

import runtime as tf

setdiff1d = tf.compat.v1.setdiff1d
CASES = [
    ([1, 2, 2, 3, 4], [3, 1], [2, 2, 4], [1, 2, 4]),
    (["b", "a"], ["a", "c"], [b"b"], [0]),
    ([np.nan, 1.0, 0.0], [np.nan, -0.0], [np.nan, 1.0], [0, 1]),
    ([1, 2], [2, 1], [], []),
]


@pytest.mark.parametrize(("x", "y", "left", "places"), CASES)
@pytest.mark.parametrize("staged", [False, True])
def test_what_is_left_and_where(x, y, left, places, staged):
    out, idx = (tf.function(setdiff1d) if staged else setdiff1d)(tf.constant(x), tf.constant(y))
    np.testing.assert_array_equal(out.numpy(), left)
    assert list(idx) == places
    assert idx.dtype == tf.int32


def test_positions_have_the_dtype_that_is_asked_for():
    assert setdiff1d([1, 2], [2], tf.int64).idx.dtype == tf.int64
    with pytest.raises(tf.errors.InvalidArgumentError, match="'out_idx' of float is not in"):
        setdiff1d([1, 2], [2], tf.float32)


def test_only_vectors_differ():
    with pytest.raises(tf.errors.InvalidArgumentError, match="x should be a 1D vector"):
        setdiff1d([[1]], [1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="y should be a 1D vector"):
        setdiff1d([1], 1)
    with pytest.raises(ValueError, match="Shape must be rank 1 but is rank 2"):
        tf.function(setdiff1d)(tf.constant([[1]]), tf.constant([1]))
