"""Inverses, determinants and systems of linear equations."""

import numpy as np
import pytest

import runtime as tf

RANDOM = np.random.default_rng(6)
MATRICES = RANDOM.normal(size=(3, 4, 4)) + 1j * RANDOM.normal(size=(3, 4, 4))


@pytest.mark.parametrize("adjoint", [False, True])
def test_solutions_and_inverses_undo_the_matrices(adjoint):
    rhs = RANDOM.normal(size=(3, 4, 2)) + 0j
    undone = MATRICES.conj().swapaxes(1, 2) if adjoint else MATRICES
    np.testing.assert_allclose(undone @ tf.linalg.solve(MATRICES, rhs, adjoint).numpy(), rhs)
    inverse = tf.linalg.inv(MATRICES, adjoint).numpy()
    np.testing.assert_allclose(undone @ inverse, np.broadcast_to(np.eye(4), (3, 4, 4)), atol=1e-12)


def test_determinants_multiply():
    one, other = MATRICES[0], MATRICES[1]
    product = tf.linalg.det(one @ other).numpy()
    np.testing.assert_allclose(product, tf.linalg.det(one) * tf.linalg.det(other))


@pytest.mark.parametrize(
    ("rhs", "text"),
    [
        ([1.0, 2.0], "rank >= 2"),
        ([[[1.0], [2.0]]], "must have the same rank"),
        ([[1.0], [2.0], [3.0]], "incompatible: 2 and 3"),
    ],
)
def test_right_hand_sides_that_do_not_fit_are_refused(rhs, text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        tf.linalg.solve([[2.0, 1.0], [0.0, 4.0]], rhs)
    with pytest.raises(ValueError, match=text):
        tf.function(lambda rhs: tf.linalg.solve([[2.0, 1.0], [0.0, 4.0]], rhs))(tf.constant(rhs))
