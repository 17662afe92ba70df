"""Elements that are stacked and padded."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.data.shown import values

Dataset = tf.data.Dataset


def test_padding_makes_one_shape():
    rows = Dataset.range(1, 4).map(lambda n: (tf.fill([n], n), n))
    assert values(rows.padded_batch(2)) == [([[1, 0], [2, 2]], [1, 2]), ([[3, 3, 3]], [3])]
    padded = rows.padded_batch(2, ([4], []), (np.int64(-1), np.int64(0)), drop_remainder=True)
    assert values(padded) == [([[1, -1, -1, -1], [2, 2, -1, -1]], [1, 2])]
    with pytest.raises(tf.errors.InvalidArgumentError, match="smaller size"):
        values(rows.padded_batch(3, ([2], [])))


def test_elements_of_other_shapes_do_not_stack():
    rows = Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Cannot batch tensors.*padded_batch"):
        values(rows.batch(2))
