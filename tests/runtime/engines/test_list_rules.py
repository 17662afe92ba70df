"""Lists that a loop owns are lists of Python in the plan."""

from __future__ import annotations

import re

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engines.list_programs import even_numbers, primes, replaced, waiting
from tests.runtime.engines.updates import agree, numbers


def sums_of_rows(x):
    sums = []
    total = tf.zeros([3])
    for row in x:
        total += row
        if total[0] > -10.0:
            sums.append(total)
    return tf.stack(sums)


def truths(x):
    signs = []
    for each in x:
        if each > -1.0:
            signs.append(each > 0.0)
    return tf.stack(signs)


N = np.int32(9)


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (even_numbers, N),
        (sums_of_rows, numbers(5, 3)),
        (waiting, N),
        (replaced, N),
        (primes, np.int32(30)),
        (truths, numbers(7)),
    ],
)
def test_list_that_only_the_loop_changes_is_a_list_of_python(function, argument):
    _, text = agree(function, argument)
    assert ".append(" in text, text
    rounds = re.split(r"\n    (?:for|while) ", text)[1]
    assert "TensorList" not in rounds, text


def both_versions(n):
    items, total = [n], 0
    for i in range(n):
        last = [i]
        longer = items + last
        items.append(i + 1)
        total += longer[-1]
    return tf.stack(items), total


def returned_in_a_round(n):
    items, kept = [n], [n]
    for i in range(n):
        items.append(i)
        if i % 2 == 0:
            kept = list(items)
    return tf.stack(items), tf.stack(kept)


@pytest.mark.parametrize("function", [both_versions, returned_in_a_round])
def test_list_of_which_an_earlier_version_is_read_stays_as_it_is(function):
    _, text = agree(function, N)
    assert "TensorListPushBack" in text, text


def test_list_of_two_loops_is_copied_once_by_each():
    def function(n):
        items = []
        for i in range(n):
            items.append(i)
        for i in range(n):
            items.append(i * i)
        return tf.stack(items)

    _, text = agree(function, N)
    assert text.count(".append(") == 2
    assert text.count(" = []") == text.count(".copy()") == 1


def test_inner_loop_does_not_copy_a_list_that_the_outer_one_cannot_own():
    def function(n):
        items, total = [n], 0
        for i in range(n):
            last = [i]
            longer = items + last
            total += longer[-1]
            for j in range(i):
                items.append(j)
        return tf.stack(items), total

    _, text = agree(function, N)
    assert ".append(" not in text, text


def test_values_that_a_gradient_needs_are_a_list_of_python():
    def function(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            product = x
            while product < 100.0:
                product = product * x
        return tape.gradient(product, x)

    _, text = agree(function, np.float32(1.5))
    assert ".append(" in text, text
    assert "TensorList" not in text, text


def test_list_that_a_later_loop_gives_to_a_kernel_is_converted_once():
    def function(n):
        items, sums = [n], 0
        for i in range(n):
            items.append(i)
        for i in range(n):
            last = [i]
            longer = items + last
            sums += longer[-1]
        return sums

    _, text = agree(function, N)
    assert text.count("ListValue.of(") == 1, text
    assert text.index("ListValue.of(") < text.rindex("in range("), text


def test_entries_that_nothing_wrote_are_zeros():
    def function(n):
        items = tf.TensorArray(tf.int32, 0, dynamic_size=True, element_shape=[])
        for i in tf.range(n):
            items = items.write(2 * i, i + 1)
        return items.stack()

    (got,), text = agree(function, np.int32(3))
    assert "+= [0] *" in text, text
    assert got.tolist() == [1, 0, 2, 0, 3]


@pytest.mark.parametrize("index", [-4, 3])
def test_index_out_of_bounds_is_the_error_of_the_kernel_at_the_line(index):
    @tf.function
    def function(n, index):
        items = tf.TensorArray(tf.int32, 0, dynamic_size=True, element_shape=[])
        total = 0
        for i in tf.range(n):
            items = items.write(i, i)
            if i == 2:
                total += items.read(index)
        return total

    with pytest.raises(tf.errors.OutOfRangeError, match=f"(?s)index {index} .*in function"):
        function(3, tf.constant(index))
    assert function(3, tf.constant(1)) == 1


def test_entries_are_removed_and_inserted_in_place():
    def function(n):
        queue, order = [n], []
        while queue:
            first = queue.pop(0)
            order.insert(0, first)
            if first > 1:
                queue.append(first - 2)
                queue.insert(len(queue) // 2, first // 2)
        return tf.stack(order), len(queue)

    _, text = agree(function, N)
    assert "del queue[0]" in text, text
    assert ".insert(0, " in text, text


@pytest.mark.parametrize("place", [-1, 3])
def test_removing_what_is_not_there_is_the_error_of_the_kernel(place):
    @tf.function
    def function(n, place):
        items = []
        for i in range(n):
            items.append(i)
            if i == 2:
                del items[place]
        return items

    if place < 0:
        assert [int(each) for each in function(tf.constant(4), place)] == [0, 1, 3]
    else:
        with pytest.raises(IndexError, match="list assignment index out of range"):
            function(tf.constant(4), tf.constant(place))
