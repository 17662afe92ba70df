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
