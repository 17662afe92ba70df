"""Arrays that a loop updates in place: how that looks, and what stays as it was."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engines.updates import agree, is_in_place, numbers


def old_value_leaves(x):
    before = x
    for i in tf.range(5):
        before = x
        x[i] = x[i] * 2.0
    return before, x


def view_outlives_the_update(x):
    total = tf.zeros([3])
    for i in tf.range(5):
        row = x[i]
        x[i] = tf.ones([3])
        total += row
    return total, x


def rows_are_saved(x):
    rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(5):
        rows = rows.write(i, x)
        x[i] = x[i] + 1.0
    return rows.stack(), x


def two_names(x):
    y = x
    for i in tf.range(5):
        y = x
        x[i] = x[i] + 1.0
    return x, y


@pytest.mark.parametrize(
    "function", [old_value_leaves, view_outlives_the_update, rows_are_saved, two_names]
)
def test_array_that_something_else_holds_is_copied(function):
    _, text = agree(function, numbers(5, 3))
    assert not is_in_place(text), text


def test_loop_without_rounds_leaves_the_array():
    def f(x, n):
        for i in tf.range(n):
            x[i] = 0.0
        return x

    x = numbers(5, 3)
    (result,), _ = agree(f, x, np.int32(0))
    assert np.array_equal(result, x)


def test_gradient_of_a_row_that_is_read_twice_adds_up():
    def f(x):
        total = tf.constant(0.0)
        for i in tf.range(3):
            total += tf.reduce_sum(x[i] * x[i + 1] * x[0])
        return tf.gradients(total, x)

    agree(f, numbers(5, 3))


def test_inner_loop_updates_in_place_what_the_outer_one_carries():
    def f(x):
        for i in tf.range(3):
            for j in tf.range(1, 5):
                x[j] = x[j] + x[j - 1] * tf.cast(i, tf.float32)
        return x

    agree(f, numbers(5, 3))


def test_condition_that_is_read_again_is_computed_before_the_branch():
    def f(x, n):
        is_odd = n % 2 == 1
        if is_odd:
            x = x * 2.0
        if is_odd:
            x = x + 1.0
        while n > 0:
            if is_odd:
                x = x - 1.0
            n -= 1
        return x, is_odd

    for n in (0, 1, 4, 5):
        agree(f, numbers(2), np.int32(n))
