"""Decompositions: what their parts make together."""

import numpy as np
import pytest

import runtime as tf

MATRIX = [[1.0, 2.0], [3.0, 4.5], [5.0, 7.0]]


@pytest.mark.parametrize(("dtype", "tolerance"), [("float16", 4e-3), ("float64", 1e-14)])
def test_the_parts_of_qr_make_the_matrix(dtype, tolerance):
    q, r = tf.linalg.qr(np.array(MATRIX, dtype))
    assert q.dtype == r.dtype == dtype
    np.testing.assert_allclose(q.numpy() @ r.numpy(), MATRIX, rtol=tolerance)


def test_integers_have_no_qr():
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in the list of allowed values"):
        tf.linalg.qr(tf.constant([[1, 2], [3, 4]]))


CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("a", "b", "axes"),
    [
        (CUBE, CUBE.transpose(2, 0, 1), 1),
        (CUBE, CUBE.transpose(1, 2, 0), 2),
        (CUBE, CUBE[0], 0),
        (CUBE, CUBE, [[1], [1]]),
        (CUBE, CUBE, [[2, 0], [2, 0]]),
        (CUBE, CUBE, [[-1], [-1]]),
        (CUBE, CUBE, [[-1, -3], [2, 0]]),
        (CUBE, CUBE[0, 0], [2, 0]),
        (CUBE[0, 0], CUBE[0, 0], [[0], [0]]),
        (CUBE, CUBE[0, 0], [[], []]),
        (CUBE[:0], CUBE, [[2], [2]]),
    ],
)
def test_products_over_axes_are_those_of_numpy(a, b, axes):
    expected = np.tensordot(a, b, axes)
    specs = [tf.TensorSpec([None] * x.ndim, tf.float32) for x in (a, b)]
    function = tf.function(lambda a, b: tf.tensordot(a, b, axes), input_signature=specs)
    np.testing.assert_allclose(function(a, b), expected)
    np.testing.assert_allclose(tf.tensordot(a, b, axes), expected)


def test_axes_that_do_not_fit():
    for axes in (-1, 4, [[0], [0, 1]], [0, 1, 2], [[3], [0]]):
        with pytest.raises(ValueError, match=r"ax[ei]s"):
            tf.tensordot(CUBE, CUBE, axes)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.tensordot(CUBE, CUBE, [[0], [1]])


def test_axes_of_a_tensor_of_unknown_rank_are_not_known():
    spec = tf.TensorSpec(None, tf.float32)
    with pytest.raises(ValueError, match="tensordot needs tensors of known rank"):
        tf.function(lambda a: tf.tensordot(a, a, 1), input_signature=[spec])(CUBE)


def test_a_diagonal_without_elements():
    assert tf.linalg.diag(tf.zeros([1, 0]), k=-2).numpy().tolist() == [[[0, 0], [0, 0]]]
    assert tf.linalg.diag(tf.zeros([0]), k=1, padding_value=5.0).numpy().tolist() == [[5.0]]


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
