"""Sums of products by letters, against NumPy."""

import numpy as np
import pytest

import runtime as tf

RANDOM = np.random.default_rng(4)


def numbers(*shape):
    return RANDOM.normal(size=shape)


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk", [(2, 3), (3, 4)]),
        ("abc,cd,db->a", [(2, 3, 4), (4, 5), (5, 3)]),
        ("...ij,...jk->...ik", [(5, 1, 2, 3), (4, 3, 4)]),
        ("ijj->i", [(3, 4, 4)]),
        ("i...,i...->...", [(2, 1, 3), (2, 4, 1)]),
    ],
)
def test_einsum_agrees_with_numpy(equation, shapes):
    arrays = [numbers(*shape) for shape in shapes]
    found = tf.einsum(equation, *arrays).numpy()
    np.testing.assert_allclose(found, np.einsum(equation, *arrays), rtol=1e-12)


@pytest.mark.parametrize(
    ("equation", "words"),
    [
        ("ij->ik", "label k not present"),
        ("i->ii", "more than once"),
        ("i;j", "incorrect format"),
        ("ij,jk", "Got 1 inputs"),
    ],
)
def test_einsum_refuses_what_does_not_fit(equation, words):
    with pytest.raises(ValueError, match=words):
        tf.einsum(equation, numbers(2, 2))


def test_letters_do_not_broadcast():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected dimension 1 at axis 0"):
        tf.einsum("ij,jk->ik", numbers(1, 1), numbers(2, 1))


def test_arguments_of_other_types_are_named():
    with pytest.raises(TypeError, match="`equation` has to be a string; got 3"):
        tf.einsum(3, [1])
    with pytest.raises(TypeError, match="`axes` has to be an integer; got inf"):
        tf.tensordot([1.0], [1.0], float("inf"))
