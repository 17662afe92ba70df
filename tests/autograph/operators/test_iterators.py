# ruff: noqa: C417 - the programs are as people write them
"""Iterators of Python whose items a staged value may leave unread."""

import itertools

import pytest

import autograph
import runtime as tf


def noted(z, log):
    log.append(z)
    return z > 0


def any_of_a_map(x, y):
    log = []
    return any(map(lambda z: noted(z, log), [x, y])), len(log)


def all_of_a_map_of_two(x, y):
    log = []
    return all(map(lambda p, q: noted(p + q, log), [x, y], [1, 2])), len(log)


def any_of_a_generator_expression_over_a_map(x, y):
    log = []
    return any(z for z in map(lambda z: noted(z, log), [x, y])), len(log)


def membership_in_a_map(x, y):
    log = []
    return y in map(lambda z: (log.append(z), z)[1], [x, 3, 4]), len(log)


def first_of_a_map(x, y):
    log = []
    return next((z for z in map(lambda z: noted(z, log), [x, y]) if z), None) is None, len(log)


def loop_over_a_map(x, y):
    log = []
    for positive in map(lambda z: noted(z, log), [x, y]):
        if positive:
            break
    return positive, len(log)


def map_that_may_raise(x, y):
    def checked(z):
        if z < -5:
            raise ValueError("small")
        return z

    return any(z > 0 for z in map(checked, [x, y]))


def any_of_generated_truths(x, y):
    def truths():
        yield x > 0
        yield y > 0

    return any(truths()), all(truths())


CALLS = [(3, -2), (-3, 2), (-1, -2), (2, -9)]
AGREE = [
    any_of_a_map,
    all_of_a_map_of_two,
    any_of_a_generator_expression_over_a_map,
    membership_in_a_map,
    first_of_a_map,
    loop_over_a_map,
    map_that_may_raise,
    any_of_generated_truths,
]


def plain(value):
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value.numpy().item() if tf.is_tensor(value) else value


@pytest.mark.parametrize("program", AGREE)
@pytest.mark.parametrize("call", CALLS)
def test_the_function_of_a_map_runs_for_the_items_that_python_reads(program, call):
    assert plain(tf.function(program)(*map(tf.constant, call))) == program(*call)


def test_an_error_of_the_function_of_a_map_is_raised_where_python_reads_the_item():
    with pytest.raises(ValueError, match="small"):
        tf.function(map_that_may_raise)(tf.constant(-1), tf.constant(-9))


def generator_with_an_effect(x, y):
    log = []

    def items():
        yield x
        log.append(1)
        yield y

    return any(z > 0 for z in items()), len(log)


def starred_with_an_effect(x, y):
    log = []
    return any(itertools.starmap(lambda z: noted(z, log), [(x,), (y,)])), len(log)


def generator_that_may_raise(x, y):
    def items():
        yield x
        assert y > 0
        yield y

    return any(z > 0 for z in items())


def loop_over_a_generator_that_may_raise(x, y):
    def items():
        yield x
        if y < 0:
            raise ValueError
        yield y

    for z in items():
        if z > 0:
            break
    return z


def iterator_read_afterwards(x, y):
    items = iter([x, y, x])
    return any(z > 0 for z in items), len(list(items))


def map_read_afterwards(x, y):
    items = map(abs, [x, y, x])
    return any(z > 2 for z in items), sum(items)


REFUSED = {
    generator_with_an_effect: "`log` is changed by an iterator in an `any`, `all` or `in` that",
    starred_with_an_effect: "`log` is changed by an iterator in an `any`, `all` or `in` that",
    generator_that_may_raise: "an iterator may raise in an `any`, `all` or `in` that",
    loop_over_a_generator_that_may_raise: "an iterator may raise in a loop that a staged `break`",
    iterator_read_afterwards: "`items` is an iterator in an `any`, `all` or `in` that",
    map_read_afterwards: "`items` is an iterator in an `any`, `all` or `in` that",
}


@pytest.mark.parametrize("program", REFUSED)
def test_what_an_iterator_does_for_items_that_may_stay_unread_is_refused(program):
    with pytest.raises(TypeError, match=REFUSED[program]) as caught:
        tf.function(program)(tf.constant(3), tf.constant(-2))
    assert "test_iterators.py" in str(caught.value)


def above(words, n):
    words = (each + "!" for each in words)
    return any(len(each) > n for each in words), all(len(each) > n for each in words)


def in_words(word, words):
    words = (each + "!" for each in words)
    return word in words, list(words)


def loop_with_break(words, n):
    words = (each + "!" for each in words)
    for each in words:
        if len(each) > n:
            break
    return list(words)


@pytest.mark.parametrize("n", [1, 2, 9])
def test_python_reads_its_own_iterators_to_any_item(n):
    for function, args in ((above, (n,)), (loop_with_break, (n,))):
        words = ["a", "bb", "ccc"]
        assert autograph.to_graph(function)(words, *args) == function(words, *args)
    for word in ("bb!", "no"):
        converted = autograph.to_graph(in_words)
        assert converted(word, ["a", "bb"]) == in_words(word, ["a", "bb"])
