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


@pytest.mark.parametrize("dtype", [tf.float32, tf.int64, tf.complex64, tf.bool])
def test_bands_are_those_of_numpy(dtype):
    x = tf.cast(np.arange(1, 25).reshape(2, 3, 4), dtype)
    for lower, upper in ((-1, 0), (1, 1), (0, -1), (2, 3), (-1, -1), (0, 0)):
        wanted = x.numpy()
        wanted = np.triu(wanted, -lower) if lower >= 0 else wanted
        wanted = np.tril(wanted, upper) if upper >= 0 else wanted
        found = tf.linalg.band_part(x, lower, upper)
        assert found.dtype is dtype
        np.testing.assert_array_equal(found, wanted)


def test_nan_outside_of_a_band_vanishes():
    x = tf.fill([2, 2], float("nan"))
    assert tf.linalg.band_part(x, 0, 0).numpy().tolist()[1][0] == 0.0


def test_a_band_may_be_a_tensor_but_not_wider_than_the_matrix():
    @tf.function
    def lower(x, count):
        return tf.linalg.band_part(x, count, 0)

    x = tf.ones([3, 3])
    np.testing.assert_array_equal(lower(x, tf.constant(1)), np.tril(np.triu(x, -1)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_lower must be negative or less"):
        lower(x, tf.constant(4))


def test_diagonals_of_matrices_of_unknown_shape():
    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec([None])])
    def changed(x, new):
        return tf.linalg.set_diag(x, new), tf.linalg.diag_part(x, k=1), tf.linalg.diag(new)

    x = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    matrix, part, square = changed(x, tf.constant([8.0, 9.0]))
    assert matrix.numpy().tolist() == [[8.0, 1.0, 2.0], [3.0, 9.0, 5.0]]
    assert part.numpy().tolist() == [1.0, 5.0]
    assert square.numpy().tolist() == [[8.0, 0.0], [0.0, 9.0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape \[1\] does not fit"):
        changed(x, tf.constant([8.0]))
