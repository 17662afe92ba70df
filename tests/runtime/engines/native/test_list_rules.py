"""Lists that a loop owns are memory that grows."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import runtime as tf
from tests.runtime.engines.list_programs import even_numbers, primes, replaced, waiting
from tests.runtime.engines.native.loops import check, refused

N = np.int32(40)


def rows(n):
    found = []
    row = tf.constant([1.0, 2.0, -3.0])
    for i in range(n):
        row = row * 0.9 + 1.0
        if i % 3 != 0:
            found.append(row)
    return tf.stack(found), len(found)


def truths(n):
    found = []
    for i in range(n):
        found.append(i % 3 == 0)
        found.append(found[i])
    return tf.stack(found)


def lists_of_each_round(n):
    total = 0
    for i in range(n):
        squares = []
        for j in range(i):
            squares.append(j * j)
        for square in squares:
            total += square % 7
    return total


def two_loops(n):
    items = []
    for i in range(n):
        items.append(i)
    for i in range(n):
        items.append(items[i] - 1)
    return tf.stack(items)


def begun_in_a_branch(n):
    items = [n]
    if n > 10:
        items.append(n * 2)
    for i in range(n):
        items.append(i)
    return tf.stack(items)


PROGRAMS = [
    even_numbers, rows, truths, waiting, primes, replaced, lists_of_each_round, two_loops,
    begun_in_a_branch,
]  # fmt: skip


@pytest.mark.parametrize("n", [N, np.int32(1), np.int32(5)])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_loop_is_compiled(program, n):
    check(program, n)


def test_array_of_entries_that_change_later_keeps_its_elements():
    def f(n):
        items, total = [n], 0
        for i in range(n):
            before = tf.stack(items)
            items[0] = i + 5
            items.append(i)
            total += before[0]
        return total, tf.stack(items)

    check(f, N)


@pytest.mark.parametrize("size", [0, 3])
def test_entries_that_were_not_written_are_zeros(size):
    def f(n, size):
        items = tf.TensorArray(tf.int32, size, dynamic_size=True, element_shape=[])
        for i in tf.range(n):
            items = items.write(i, i + 1)
        return items.stack()

    check(f, np.int32(2), np.int32(size))
    check(f, np.int32(5), np.int32(size))


def test_list_of_which_another_version_is_needed_stays_in_the_plan():
    def f(n):
        items, total = [n], 0
        for i in range(n):
            last = [i]
            longer = items + last
            items.append(i + 1)
            total += longer[-1]
        return tf.stack(items), total

    refused(f, N, reason="needs several versions")


@pytest.mark.parametrize("index", [-9, 7])
def test_index_out_of_bounds_is_the_error_of_the_plan(index):
    @tf.function(jit_compile=True)
    def f(n, index):
        items = []
        total = 0
        for i in range(n):
            items.append(i)
            if i == 5:
                total += items[index]
        return total

    with pytest.raises(IndexError, match="list index out of range"):
        f(tf.constant(9), tf.constant(index))
    assert f(tf.constant(9), tf.constant(-1)) == 5


def sieve(n):
    is_prime = [True] * n
    for i in range(2, n):
        if is_prime[i]:
            for j in range(i * i, n, i):
                is_prime[j] = False
    return tf.stack(is_prime)


def changed_before_the_loop(n):
    items = [7] * n
    items[0] = 1
    items.append(n)
    for i in range(n):
        items[i + 1] += items[i]
    return tf.stack(items)


@pytest.mark.parametrize("program", [sieve, changed_before_the_loop])
def test_list_of_a_computed_length_is_compiled(program):
    check(program, N)


def test_list_of_which_the_loop_reads_the_content_before_is_copied():
    def f(n):
        items = [7] * n
        before = list(items)
        total = 0
        for i in range(n):
            items[i] = i
            total += before[i] + items[i]
        return total, tf.stack(items), tf.stack(before)

    check(f, N)
