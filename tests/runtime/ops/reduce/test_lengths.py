"""Norms of vectors."""

import numpy as np
import pytest

import runtime as tf


@pytest.mark.parametrize("ord", [1, 2, 3, np.inf, np.int64(1), np.float32(3)])
def test_norms_of_vectors_along_an_axis_are_those_of_numpy(ord):
    x = np.array([[3.0, -4.0], [0.0, 2.0]])
    np.testing.assert_allclose(tf.norm(x, ord, axis=1), np.linalg.norm(x, ord, axis=1))


def test_a_norm_of_complex_numbers_is_real_in_value():
    assert tf.norm([3 + 4j]).numpy() == 5


def test_other_norms_are_refused():
    for ord in (0, -1, "nuc"):
        with pytest.raises(ValueError, match="'ord' must be 'euclidean', or a positive number"):
            tf.norm([3.0, 4.0], ord)
    with pytest.raises(ValueError, match="for vectors along one axis"):
        tf.norm([[3.0, 4.0]], 1, axis=(0, 1))


def test_a_global_norm_counts_each_tensor_but_none():
    assert tf.linalg.global_norm([[3.0], None, [[4.0]]]).numpy() == 5.0
    assert tf.linalg.global_norm([]).numpy() == 0.0
    with pytest.raises(TypeError, match="should be a sequence of tensors"):
        tf.linalg.global_norm(tf.constant([1.0]))
