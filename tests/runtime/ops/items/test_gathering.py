"""Reading at positions, and positions out of range."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


CUBE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_gather_takes_along_an_axis(axis):
    places = [[1, 0], [0, 1]]
    np.testing.assert_array_equal(
        tf.gather(CUBE, places, axis=axis).numpy(), np.take(CUBE, places, axis)
    )


def test_positions_out_of_range_are_named():
    with pytest.raises(Invalid, match=r"indices\[0\] = 3 is not in \[0, 3\)"):
        tf.gather([5, 6, 7], [3])
    with pytest.raises(Invalid, match=r"indices\[0\] = \[2, 0\] does not index into param shape"):
        tf.gather_nd([[1, 2], [3, 4]], [[2, 0]])


def test_empty_index_tuples_stand_for_the_whole():
    whole = tf.gather_nd([[1, 2], [3, 4]], tf.zeros([3, 0], tf.int32))
    assert whole.numpy().tolist() == [[[1, 2], [3, 4]]] * 3
    none = tf.gather_nd([1, 2], tf.zeros([0, 0], tf.int32))
    assert none.shape == (0, 2)
