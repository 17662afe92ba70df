"""Loops that Python leaves by `break` or `return`: those traced as one, and those that must not."""

import pytest

import runtime as tf
from tests.counted_calls import calls_of

MANY = 300


def at_the_end(x, n):
    i = 0
    while True:
        if x > i:
            x = x * 0.5
        i += 1
        if i >= n:
            break
    return x, i


def at_the_beginning(x, n):
    i = 0
    while True:
        if i >= n:
            break
        if x > i:
            x = x * 0.5
        i += 1
    return x, i


def with_continue(x, n):
    i = 0
    while True:
        i += 1
        if i == n:
            break
        if x < i:
            continue
        x = x - 1.0
    return x, i


def with_return(x, n):
    i = 0
    while True:
        x = x * 0.5 + i
        i += 1
        if i * 2 > n:
            return x * 3.0, i


def work_before_the_break(x, n):
    i = 0
    while True:
        x = x * 0.5 + i
        i += 1
        if i >= n:
            x = x + 7.0
            i = i + 100
            break
    return x, i


def float_counter(x, n):
    t = 0.0
    while True:
        x = x * 0.5 + t
        t += 0.25
        if t > n:
            break
    return x, t


def counter_and_break(x, n):
    i = 0
    while i < 10 * n:
        x = x * 0.5 + i
        i += 1
        if i == n:
            break
    return x, i


def range_and_break(x, n):
    i = -1
    for i in range(10 * n):
        x = x * 0.5 + i
        if i >= n:
            break
    return x, i


def list_and_break(x, n):
    for i in list(range(2 * n)):
        x = x * 0.5 + i
        if i >= n:
            break
    return x, i


def range_and_else(x, n):
    for i in range(n):
        x = x * 0.5 + i
        if i > 10 * n:
            break
    else:
        x = x + 100.0
    return x


ROLLED = [
    at_the_end, at_the_beginning, with_continue, with_return, work_before_the_break,
    float_counter, counter_and_break, range_and_break, list_and_break, range_and_else,
]  # fmt: skip


def number_changes_at_one_iteration(x, n):
    i, scale = 0, 1.0
    while True:
        if i == 50:
            scale = scale * 0.5
        x = x * 0.5 + scale
        i += 1
        if i >= n:
            break
    return x, scale


def list_grows(x, n):
    i, kept = 0, []
    while True:
        kept.append(x)
        x = x * 0.5
        i += 1
        if i >= n:
            break
    return x, len(kept)


def break_by_a_list(x, n):
    left = list(range(n))
    while True:
        x = x * 0.5 + left.pop()
        if not left:
            break
    return x


UNROLLED = [number_changes_at_one_iteration, list_grows, break_by_a_list]


def operations(function, n):
    return tf.function(function).get_concrete_function(tf.TensorSpec([], tf.float32), n).graph


def loops(function):
    return sum(
        op.type in ("While", "StatelessWhile") for op in operations(function, MANY).operations
    )


def plain(value):
    return [leaf if type(leaf) is int else float(leaf) for leaf in tf.nest.flatten(value)]


@pytest.mark.parametrize("n", [1, 5, 20, MANY])
@pytest.mark.parametrize("function", [*ROLLED, *UNROLLED])
def test_results_are_those_of_python(function, n):
    x = tf.constant(150.5)
    assert plain(tf.function(function)(x, n)) == plain(function(x, n))


@pytest.mark.parametrize("function", ROLLED)
def test_iterations_before_the_break_are_one_loop(function):
    assert loops(function) == 1


@pytest.mark.parametrize("function", UNROLLED)
def test_a_loop_that_changes_something_else_is_unrolled(function):
    assert loops(function) == 0


@pytest.mark.parametrize("function", [at_the_end, at_the_beginning, range_and_break])
def test_each_of_ten_thousand_iterations_costs_at_most_fifty_calls_to_trace(function):
    operations(function, MANY)
    few, many = (calls_of(lambda n=n: operations(function, n)) for n in (MANY, 10_000))
    assert many - few < 50 * (10_000 - MANY)


def test_numbers_after_the_loop_are_those_of_python():
    def f(x):
        i = 0
        while True:
            x = x * 0.5 + i
            i += 1
            if i >= MANY:
                break
        return x, [x] * (i - MANY + 2), type(i) is int

    _, repeated, is_int = tf.function(f)(tf.constant(1.0))
    assert len(repeated) == 2
    assert bool(is_int)
