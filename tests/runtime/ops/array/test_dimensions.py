"""A number of things that does not fit into int32 is an error, never another number."""

from __future__ import annotations

import pytest

import runtime as tf

CALLS = {
    "one_hot": lambda n: tf.one_hot([1], n),
    "linspace": lambda n: tf.linspace(0.0, 1.0, n),
    "repeat": lambda n: tf.repeat([1, 2], n),
    "repeat each": lambda n: tf.repeat([1, 2], tf.stack([n, n])),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("number", [2**32 + 2, 2**31, -(2**31) - 1])
@pytest.mark.parametrize("traced", [False, True])
def test_number_that_does_not_fit_is_refused(name, number, traced):
    call = tf.function(CALLS[name]) if traced else CALLS[name]
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit into int32"):
        call(tf.constant(number, tf.int64))


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", [tf.int64, tf.int32, tf.uint8, tf.uint64])
def test_number_that_fits_is_taken_in_any_dtype(name, dtype):
    wanted = CALLS[name](tf.constant(3)).numpy().tolist()
    assert CALLS[name](tf.constant(3, dtype)).numpy().tolist() == wanted
    assert tf.function(CALLS[name])(tf.constant(3, dtype)).numpy().tolist() == wanted
