"""Diagonals, against NumPy."""

import numpy as np
import pytest

import runtime as tf


def test_a_diagonal_without_elements():
    assert tf.linalg.diag(tf.zeros([1, 0]), k=-2).numpy().tolist() == [[[0, 0], [0, 0]]]
    assert tf.linalg.diag(tf.zeros([0]), k=1).numpy().tolist() == [[0.0]]


@pytest.mark.parametrize(
    "call",
    [
        lambda k: tf.linalg.diag_part(tf.eye(3), k=k),
        lambda k: tf.linalg.diag([1.0, 2.0], k=k),
        lambda k: tf.linalg.set_diag(tf.eye(2), [1.0, 2.0], k=k),
    ],
)
def test_one_diagonal_at_a_time(call):
    call((0, 0))
    with pytest.raises(tf.errors.UnimplementedError, match=r"`k` is \(0, 1\): several diagonals"):
        call((0, 1))


def test_diagonals_are_those_of_numpy():
    x = np.arange(24.0).reshape(2, 3, 4)
    for k in (-2, -1, 0, 1, 3):
        part = np.diagonal(x, k, -2, -1)
        np.testing.assert_array_equal(tf.linalg.diag_part(x, k=k), part)
        changed = tf.linalg.set_diag(x, part + 100.0, k=k).numpy()
        np.testing.assert_array_equal(np.diagonal(changed, k, -2, -1), part + 100.0)
        assert np.sum(changed != x) == part.size
        np.testing.assert_array_equal(tf.linalg.diag(part[0], k=k), np.diag(part[0], k))
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be between -3 and 4"):
        tf.linalg.diag_part(x, k=4)
