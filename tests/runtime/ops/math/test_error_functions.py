"""The error functions against Python's own."""

import math

import numpy as np
import pytest

import runtime as tf

REALS = np.concatenate([np.linspace(-5.97, 5.98, 240), [1e-9, 26.5, -26.5]])


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_agrees_with_the_function_of_python(name):
    wanted = [getattr(math, name)(x) for x in REALS]
    np.testing.assert_allclose(getattr(tf.math, name)(REALS).numpy(), wanted, rtol=2e-13)


def test_blocks_of_a_large_array_agree_with_a_small_one():
    many = np.tile(REALS, 50).reshape(25, -1)
    found = tf.math.erf(many.astype(np.float32)).numpy()
    small = tf.math.erf(REALS.astype(np.float32)).numpy()
    np.testing.assert_array_equal(found, np.tile(small, 50).reshape(25, -1))
