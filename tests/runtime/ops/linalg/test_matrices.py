"""Checks of matrices: of their rank, of square ones, and of those without an inverse."""

import pytest

import runtime as tf
from runtime.ops.linalg.matrices import check_matrices, check_square

InvalidArgumentError = tf.errors.InvalidArgumentError


def test_a_shape_is_refused_only_for_what_is_known_of_it():
    for dims in (None, (2, 2), (None, 2), (5, None, None)):
        assert check_square(dims) == dims
    with pytest.raises(ValueError, match=r"rank >= 2, got shape \[2\]"):
        check_matrices((2,))
    with pytest.raises(ValueError, match="must be square"):
        check_square((4, 2, 3))


@pytest.mark.parametrize("stage", [lambda f: f, tf.function], ids=["eager", "traced"])
def test_a_singular_matrix_has_no_inverse_but_a_determinant(stage):
    singular = tf.constant([[1.0, 2.0], [2.0, 4.0]])
    assert stage(tf.linalg.det)(singular) == 0
    with pytest.raises(InvalidArgumentError, match=r"Input is not invertible\."):
        stage(tf.linalg.inv)(singular)
    with pytest.raises(InvalidArgumentError, match=r"Input matrix is not invertible\."):
        stage(tf.linalg.solve)(singular, [[1.0], [1.0]])
