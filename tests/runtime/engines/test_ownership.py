"""Arrays that a loop updates in place, in branches and inner loops, and where it must not."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engines import interpreter, plan
from runtime.passes.pipeline import OPTIONS, optimize
from tests.runtime.engines.updates import agree, is_in_place, numbers


def copies_in_loop(text):
    """Return whether a line inside of a loop copies an array."""
    return any(line.startswith("        ") and ".copy()" in line for line in text.splitlines())


def in_one_branch(x):
    for i in tf.range(5):
        if x[i, 0] > 2.0:
            x[i, 0] = x[i, 1] + 1.0
    return x


def in_both_branches(x):
    for i in tf.range(5):
        if x[i, 0] > 2.0:
            x[i, 0] = 0.0
        else:
            x[i, 1] = x[i, 0]
    return x


def in_a_branch_of_a_branch(x):
    for i in tf.range(5):
        if x[i, 0] > 2.0:
            x[i, 2] = 1.0
            if x[i, 1] > 3.0:
                x[i, 1] = x[i, 0] - x[i, 1]
            x[i, 0] = 2.0 * x[i, 1]
    return x


def in_an_inner_loop(x):
    for i in tf.range(5):
        for j in tf.range(3):
            x[i, j] = x[i, j] + 1.0
        x[i, 0] = 0.0
    return x


def in_an_inner_loop_of_a_branch(x):
    for i in tf.range(5):
        if x[i, 0] > 2.0:
            j = 0
            while x[i, j] > 1.0 and j < 2:
                x[i, j] = x[i, j] / 2.0
                j += 1
    return x


def read_after_the_update(x):
    best = tf.constant(0.0)
    for i in tf.range(5):
        x[i, 0] = x[i, 1] * x[i, 2]
        if x[i, 0] > best:
            best = x[i, 0]
        best += tf.reduce_sum(x * 0.5)
    return x, best


def chosen_item(x):
    for i in tf.range(5):
        smaller = tf.where(x[i, 0] < x[i, 1], x[i, 0], x[i, 1])
        x[i, 2] = smaller
    return x


def part_of_a_row(x):
    for i in tf.range(1, 5):
        x[i, 1:] -= x[i, 0] * x[0, 1:]
    return x


IN_PLACE = [
    part_of_a_row,
    in_one_branch,
    in_both_branches,
    in_a_branch_of_a_branch,
    in_an_inner_loop,
    in_an_inner_loop_of_a_branch,
    read_after_the_update,
    chosen_item,
]


@pytest.mark.parametrize("function", IN_PLACE)
def test_array_is_copied_once(function):
    x = numbers(5, 3)
    before = x.copy()
    _, text = agree(function, x)
    assert is_in_place(text) and not copies_in_loop(text), text
    assert np.array_equal(x, before)


def other_array_in_a_branch(x):
    y = x * 2.0
    for i in tf.range(5):
        if x[i, 0] > 2.0:
            x = y
        else:
            x[i, 0] = 0.0
    return x, y


def old_array_leaves_a_branch(x):
    held = x
    for i in tf.range(5):
        if x[i, 0] > 2.0:
            held = x
            x[i, 0] = 0.0
    return x, held


def view_in_a_branch_is_read_later(x):
    total = tf.zeros([3])
    for i in tf.range(5):
        row = x[i]
        if x[i, 0] > 2.0:
            x[i, 0] = 0.0
        total += row
    return x, total


def inner_loop_starts_from_the_array(x):
    other = x
    for i in tf.range(5):
        other = x
        for j in tf.range(3):
            other[i, j] = other[i, j] + 1.0
        x = x + other[i]
    return x, other


def two_arrays_trade_places(x):
    y = x + 1.0
    for i in tf.range(5):
        x[i, 0] = y[i, 1]
        x, y = y, x
    return x, y


def part_of_a_row_is_read_later(x):
    total = tf.zeros([2])
    for i in tf.range(1, 5):
        rest = x[i, 1:]
        x[i, 1:] -= x[0, 1:]
        total += rest
    return x, total


MUST_COPY = [
    part_of_a_row_is_read_later,
    other_array_in_a_branch,
    old_array_leaves_a_branch,
    view_in_a_branch_is_read_later,
    inner_loop_starts_from_the_array,
    two_arrays_trade_places,
]


@pytest.mark.parametrize("function", MUST_COPY)
def test_array_that_is_read_later_is_copied(function):
    agree(function, numbers(5, 3))


@tf.function
def halved(x, i):
    if x[i, 0] > 0.0:
        x[i, 0] = x[i, 1] / 2.0
    return x


@pytest.mark.parametrize("only", OPTIONS)
def test_branches_that_two_calls_share_update_the_one_array_and_copy_the_other(only):
    def f(x, y):
        total = tf.zeros([3])
        for i in tf.range(5):
            held = halved(y, i)
            x = halved(x, i)
            total += tf.reduce_sum(held, axis=0) + tf.reduce_sum(y, axis=0)
        return x, y, total

    arrays = numbers(5, 3), -numbers(5, 3)
    specs = [tf.TensorSpec([5, 3], tf.float32)] * 2
    graph = tf.function(f).get_concrete_function(*specs).graph
    wanted = interpreter.executable(graph)(*arrays)
    options = {name: name == only for name in OPTIONS}
    got = plan.executable(optimize(graph, options))(*arrays)
    for one, two in zip(wanted, got, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-6)
    assert np.array_equal(arrays[1], -numbers(5, 3))


def test_item_set_under_a_condition_in_a_numpy_program():
    def counted(x, bins):
        counts = np.zeros(bins, dtype=np.int64)
        for value in x:
            k = int(value * bins)
            if 0 <= k < bins:
                counts[k] += 1
        return counts

    x = np.linspace(-0.5, 1.5, 40)
    staged = tf.function(counted, numpy=True)
    assert staged(x, 8).tolist() == counted(x, 8).tolist()
    assert not copies_in_loop(staged.get_concrete_function(x, 8).plan_source)
