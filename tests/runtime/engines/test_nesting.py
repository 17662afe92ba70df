"""Arrays that a loop updates in place: how that looks, and what stays as it was."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engines import interpreter, plan

ROWS = tf.TensorSpec([5, 3], tf.float32)
VECTOR = tf.TensorSpec([6], tf.int32)


def agree(function, *arrays):
    """The outputs and the plan; the outputs are those of the interpreter before the passes."""
    specs = [tf.TensorSpec(np.shape(a), np.asarray(a).dtype) for a in arrays]
    concrete = tf.function(function).get_concrete_function(*specs)
    before = [np.array(array) for array in arrays]
    wanted = interpreter.executable(concrete.graph)(*arrays)
    got = plan.executable(concrete.optimized_graph)(*arrays)
    for one, two in zip(wanted, got, strict=True):
        assert np.asarray(one).dtype == np.asarray(two).dtype
        np.testing.assert_array_equal(one, two)
    for array, same in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, same)
    return got, concrete.plan_source


def is_in_place(text):
    """Whether no round copies an array."""
    _, _, rounds = text.partition("in range(")
    return bool(rounds) and ".copy()" not in rounds


def numbers(*shape):
    return np.random.default_rng(3).normal(size=shape).astype(np.float32)


def running_sums(x):
    for i in tf.range(1, 6):
        x[i] = x[i] + x[i - 1]
    return x


def running_rows(x):
    for i in tf.range(1, 5):
        row = x[i - 1] * 2.0
        x[i] = row + x[i]
    return x


def reversed_rows(x):
    y = tf.zeros_like(x)
    for i in tf.range(5):
        y[i] = x[4 - i]
    return y


def two_updates(x):
    for i in tf.range(1, 5):
        x[i] = x[i - 1] + 1.0
        x[i, 0] = x[i, 1] * x[0, 2]
    return x


def blocks(x):
    for i in tf.range(3):
        x[i : i + 2] = x[i : i + 2] * 2.0
    return x


@pytest.mark.parametrize(
    ("function", "array"),
    [
        (running_sums, np.arange(6, dtype=np.int32)),
        (running_rows, numbers(5, 3)),
        (reversed_rows, numbers(5, 3)),
        (two_updates, numbers(5, 3)),
        (blocks, numbers(5, 3)),
    ],
)
def test_array_that_only_the_loop_updates_is_not_copied_by_its_rounds(function, array):
    _, text = agree(function, array)
    assert is_in_place(text), text


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
        x[i] = x[i] + 1.0
        y = x * 2.0
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


def test_inner_loop_updates_in_place_what_the_outer_one_carries():
    def f(x):
        for i in tf.range(3):
            for j in tf.range(1, 5):
                x[j] = x[j] + x[j - 1] * tf.cast(i, tf.float32)
        return x

    agree(f, numbers(5, 3))


def test_index_out_of_range_is_an_error_of_the_program():
    @tf.function
    def f(x, n):
        for i in tf.range(n):
            x[i] = 1.0
        return x

    with pytest.raises(tf.errors.InvalidArgumentError, match="out of bounds"):
        f(tf.zeros([3, 2]), tf.constant(4))


def test_gradient_of_rows_in_a_loop_adds_to_rows():
    def f(x, w):
        h = tf.zeros([3])
        for i in tf.range(5):
            h = tf.tanh(x[i] * w + h)
        return tf.gradients(tf.reduce_sum(h), [x, w])

    (to_x, to_w), text = agree(f, numbers(5, 3), numbers(3))
    assert "] += " in text
    step = 1e-2

    def value(x, w):
        h = np.zeros(3)
        for row in x:
            h = np.tanh(row * w + h)
        return h.sum()

    x, w = numbers(5, 3).astype(float), numbers(3).astype(float)
    for i, j in np.ndindex(5, 3):
        change = np.zeros((5, 3))
        change[i, j] = step
        slope = (value(x + change, w) - value(x - change, w)) / (2 * step)
        np.testing.assert_allclose(to_x[i, j], slope, atol=1e-3)
    assert to_w.shape == (3,)


def test_gradient_of_a_row_that_is_read_twice_adds_up():
    def f(x):
        total = tf.constant(0.0)
        for i in tf.range(3):
            total += tf.reduce_sum(x[i] * x[i + 1] * x[0])
        return tf.gradients(total, x)

    agree(f, numbers(5, 3))
