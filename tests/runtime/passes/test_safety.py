"""Passes keep a reshape that fails for values known only when the graph runs."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf


def to_length(x, n):
    return tf.reshape(x, [n])


def twice(x, n):
    return tf.reshape(tf.reshape(x, [n]), [2, 3])


def with_known_dimension(x, n):
    return tf.reshape(x, [n, 3])


def in_branch(x, n):
    if n > 0:
        x = tf.reshape(x, [n])
    return x


X = np.arange(6, dtype=np.float32)


@pytest.mark.parametrize("function", [to_length, twice, in_branch])
@pytest.mark.parametrize("n", [3, 7, 2**31 - 1])
def test_wrong_size_is_an_error(function, n):
    with pytest.raises(tf.errors.InvalidArgumentError, match="6 values"):
        tf.function(function)(tf.constant(X), tf.constant(n))


@pytest.mark.parametrize("function", [to_length, twice, in_branch])
@pytest.mark.parametrize("n", [6, -1])
def test_right_size_is_the_same_as_eagerly(function, n):
    if function is in_branch:
        n = 6
    wanted = function(tf.constant(X), tf.constant(n))
    np.testing.assert_array_equal(tf.function(function)(tf.constant(X), tf.constant(n)), wanted)


@pytest.mark.parametrize(("n", "fits"), [(2, True), (3, False), (-1, True)])
def test_one_unknown_dimension_is_compared(n, fits):
    decorated = tf.function(with_known_dimension)
    if fits:
        assert decorated(tf.constant(X), tf.constant(n)).shape == (2, 3)
    else:
        with pytest.raises(tf.errors.InvalidArgumentError):
            decorated(tf.constant(X), tf.constant(n))
