"""Arrays that a loop updates in place."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.core.shapes import MASKS
from runtime.ops.items.indexing import STRIDED_SLICE
from tests.runtime.engines.updates import agree, is_in_place, numbers


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


def source(function, *specs):
    return tf.function(function, autograph=False).get_concrete_function(*specs).plan_source


def test_a_constant_shape_is_an_argument_of_the_method():
    matrix = tf.TensorSpec([None, 6], tf.float32)
    assert ".reshape(-1, 3)" in source(lambda x: tf.reshape(x, [-1, 3]) + 1.0, matrix)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input to reshape is a tensor with 6"):
        tf.function(lambda x: tf.reshape(x, [-1, 4]), [matrix], autograph=False)(np.ones((1, 6)))


@pytest.mark.parametrize(
    ("function", "specs"),
    [
        (tf.reshape, [tf.TensorSpec([6], tf.float32), tf.TensorSpec([2], tf.int32)]),
        (lambda x: tf.reshape(x, [1, 1]), [tf.TensorSpec([], tf.float32)]),
        (lambda x: tf.reshape(x, [2, 3]), [tf.TensorSpec([6], tf.string)]),
    ],
    ids=["computed shape", "number", "strings"],
)
def test_other_shapes_are_given_by_the_kernel(function, specs):
    text = source(function, *specs)
    assert " = Reshape" in text
    assert ".reshape(" not in text


def triangle(x):
    total = tf.zeros([])
    for i in tf.range(5):
        total += tf.reduce_sum(x[i, : i + 1]) + tf.reduce_sum(x[i::-2, 1])
    return total


def sieve(x):
    for i in tf.range(2, 4):
        x[i * i :: i] = 0.0
    return x


def columns(x):
    total = tf.zeros([5, 1])
    for i in tf.range(3):
        total += x[..., i : i + 1] * x[:, None, i]
    return total


def rows_of_halves(x):
    for i in tf.range(3):
        x[i, 1:] = x[i, :-1] + x[i + 1, 0]
    return x


@pytest.mark.parametrize("function", [triangle, sieve, columns, rows_of_halves])
def test_slices_of_computed_bounds_are_those_of_python(function):
    _, text = agree(function, numbers(5, 5) if function is not sieve else numbers(20))
    _, _, rounds = text.partition("in range(")
    assert not {"StridedSlice(", "numpy_index(", "Pack("} & set(rounds.replace("(", "( ").split())


def test_a_computed_step_of_zero_is_an_error_of_the_program():
    @tf.function
    def f(x, n):
        for i in tf.range(n, 3):
            x[::i] = 1.0
        return x

    assert np.array_equal(f(tf.zeros([3]), tf.constant(2)), [1.0, 0.0, 1.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="slice step cannot be zero"):
        f(tf.zeros([3]), tf.constant(0))


def test_an_index_of_unknown_length_is_computed_by_the_kernel():
    vector = tf.TensorSpec([None], tf.int32)

    def f(x, begin):
        return STRIDED_SLICE(x, begin, begin + 2, tf.ones_like(begin), **dict.fromkeys(MASKS, 0))

    text = source(f, tf.TensorSpec([3, 4], tf.float32), vector)
    assert "StridedSlice(" in text


def test_items_of_a_list_need_no_check_where_the_counters_are_in_range():
    def function(x):
        items = [x[i] for i in range(6)]
        for i in tf.range(6):
            for j in range(5 - i):
                if items[j] > items[j + 1]:
                    items[j], items[j + 1] = items[j + 1], items[j]
        return tf.stack(items)

    (found,), text = agree(function, np.array([3, 1, 2, 5, 0, 4]))
    assert found.tolist() == [0, 1, 2, 3, 4, 5]
    assert "raise IndexError" not in text, text
    assert is_in_place(text), text


def test_item_of_a_list_whose_index_may_be_out_of_range_is_checked():
    def function(x, n):
        items, total = [x[0], x[1]], 0
        for i in range(n):
            total += items[i]
        return total

    _, text = agree(function, np.array([3, 4]), np.int64(2))
    assert "raise IndexError" in text, text


def test_item_of_a_row_is_an_item_of_the_array():
    def function(x):
        total = 0.0
        for i in tf.range(4):
            total += tf.gather(tf.gather(x, i), i % 3)
        return total

    _, text = agree(function, np.random.default_rng(1).normal(size=(4, 3)))
    assert "x.item(loop_counter, " in text, text


def test_row_that_is_read_as_a_whole_has_a_name():
    def function(x):
        total = 0.0
        for i in tf.range(4):
            row = tf.gather(x, i)
            total += tf.gather(row, 1) * tf.reduce_sum(row)
        return total

    _, text = agree(function, np.random.default_rng(1).normal(size=(4, 3)))
    assert "[loop_counter]" in text, text


def commands(n):
    program, place, depth = "+[-]>+", 0, 0
    for _ in range(n):
        command = program[place]
        if command == "+":
            depth += 2
        elif command != "]" and command != "[":
            depth -= 1
        place = (place + 1) % 6
    return depth, program[place]


def test_strings_at_computed_places_are_read_and_compared_without_kernels():
    staged = tf.function(commands, numpy=True)
    for n in (0, 5, 40):
        assert staged(np.int64(n)) == commands(n)
    text = staged.get_concrete_function(np.int64(1)).plan_source
    assert "GatherV2" not in text, text
    assert "Equal" not in text, text
    assert "item_position" in text, text
