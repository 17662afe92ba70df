"""More programs for rows of the README's tables of differences that say several things."""

from __future__ import annotations

import bisect
import collections
import contextlib
import contextvars
import heapq
import io
import itertools
import math
import os
import time
import warnings

import numpy as np
import pytest

import autograph
import runtime
from tests.test_differences import (
    CHANGED,
    INDEXED,
    INF,
    README,
    WORLD,
    Difference,
    Raises,
    check,
    collecting,
    outcome_of,
    rows,
)

PROGRAMS: list[Difference] = []
difference = collecting(PROGRAMS)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", PROGRAMS, ids=[each.program.__name__ for each in PROGRAMS])


def test_here(case: Difference) -> None:
    assert len([row for row in rows() if case.row in row]) == 1
    check(outcome_of(case.program, runtime), case.here)


def test_in_tensorflow(case: Difference) -> None:
    tensorflow = pytest.importorskip("tensorflow", exc_type=ImportError)
    check(outcome_of(case.program, tensorflow), case.there)


KEYS_AND_LISTS = "take keys and lists that hold tensors"
REFUSED_THERE = Raises("Exception")


def numbers_of(value):
    return [int(each) for each in value]


@difference(KEYS_AND_LISTS, here=[5, -4], there=REFUSED_THERE)
def largest_and_smallest_by_a_key(tf):
    f = tf.function(lambda x: (max([x, 1, 5], key=lambda v: v), min(x, 1, 5, key=lambda v: v)))
    return numbers_of(f(tf.constant(-4)))


@difference(KEYS_AND_LISTS, here=[3, 5], there=REFUSED_THERE)
def filtered_list(tf):
    return numbers_of(
        tf.function(lambda x: list(filter(lambda v: v > x, [1, 3, 5])))(tf.constant(2))
    )


@difference(KEYS_AND_LISTS, here=[2, 8], there=REFUSED_THERE)
def items_while_a_test_holds(tf):
    def f(x):
        taken = sum(itertools.takewhile(lambda v: v < x, [2, 5, 3]))
        return taken, sum(itertools.dropwhile(lambda v: v < x, [2, 5, 3]))

    return numbers_of(tf.function(f)(tf.constant(4)))


@difference(KEYS_AND_LISTS, here=[1, 2], there=REFUSED_THERE)
def position_and_count_in_a_list(tf):
    f = tf.function(lambda x: ([5, 3, 3].index(x), [5, 3, 3].count(x)))
    return numbers_of(f(tf.constant(3)))


@difference(KEYS_AND_LISTS, here=[2, 3], there=REFUSED_THERE)
def most_common_key(tf):
    def f(x):
        counts = collections.Counter({1: 2, 2: 2})
        counts[2] += x
        return counts.most_common(1)[0]

    return numbers_of(tf.function(f)(tf.constant(1)))


@difference(KEYS_AND_LISTS, here=[2, 1], there=REFUSED_THERE)
def heap_and_sorted_list(tf):
    def f(x):
        heap = [5, 9]
        heapq.heappush(heap, x)
        return heapq.heappop(heap), bisect.bisect_left([1, 5, 9], x)

    return numbers_of(tf.function(f)(tf.constant(2)))


@difference(KEYS_AND_LISTS, here=[2, 3], there=REFUSED_THERE)
def functions_of_math(tf):
    return numbers_of(tf.function(lambda x: (math.floor(x), math.gcd(12, 9)))(tf.constant(2.5)))


@difference(KEYS_AND_LISTS, here=Raises("ValueError", "math domain error"), there=REFUSED_THERE)
def error_of_math(tf):
    return float(tf.function(lambda x: math.sqrt(x))(tf.constant(-1.0)))


@difference(CHANGED, here=[1, 2], there=[9, 2])
def item_of_a_list_set_by_a_function_in_a_branch_not_taken(tf):
    def put(row):
        row[0] = 9

    def f(x):
        row = [1, 2]
        if x > 0:
            put(row)
        return tf.stack(row)

    return tf.function(f)(tf.constant(-1)).numpy().tolist()


@difference(CHANGED, here=Raises("TypeError"), there=5.0)
def array_changed_in_a_branch_not_taken(tf):
    def f(x):
        array = np.zeros(1)
        if x > 0:
            array.fill(5)
        return tf.constant(array[0])

    return float(tf.function(f)(tf.constant(-1)))


@difference(CHANGED, here=Raises("TypeError"), there=2)
def generator_advanced_in_a_branch_not_taken(tf):
    def f(x):
        numbers = iter([1, 2])
        if x > 0:
            next(numbers)
        return tf.constant(next(numbers))

    return int(tf.function(f)(tf.constant(-1)))


@difference(INDEXED, here=[6, 2], there=Raises("TypeError"))
def items_of_a_tuple_and_a_dict(tf):
    return numbers_of(tf.function(lambda i: ((5, 6)[i], {1: 2}[i]))(tf.constant(1)))


@difference(INDEXED, here=b"b", there=Raises("TypeError"))
def character_of_a_string(tf):
    return tf.function(lambda i: tf.constant("abc"[i]))(tf.constant(1)).numpy()


@difference(INDEXED, here=Raises("IndexError"), there=Raises("TypeError"))
def missing_item(tf):
    return int(tf.function(lambda i: [1, 2][i])(tf.constant(5)))


@difference(WORLD, here=Raises("FrozenValueWarning", "time.time"), there=True)
def clock(tf):
    return float(tf.function(lambda x: x + time.time())(tf.constant(0.0))) > 0


@difference(WORLD, here=Raises("FrozenValueWarning", "rand"), there=True)
def random_number_of_numpy(tf):
    return float(tf.function(lambda x: x + np.random.rand())(tf.constant(0.0))) >= 0


@difference(WORLD, here=Raises("FrozenValueWarning", "open"), there=True)
def file_that_is_read(tf):
    def f(x):
        with open(README, encoding="utf-8") as file:
            return x + len(file.readline())

    return int(tf.function(f)(tf.constant(0))) > 0


@difference(WORLD, here=Raises("FrozenValueWarning", "environ"), there=True)
def environment(tf):
    return int(tf.function(lambda x: x + len(os.environ.get("PATH", "")))(tf.constant(0))) > 0


@difference(WORLD, here=Raises("TypeError", "ContextVar.set"), there=0)
def context_variable_set_in_a_branch(tf):
    variable = contextvars.ContextVar("variable")

    def f(x):
        if x > 0:
            variable.set(1)
        return x

    return int(tf.function(f)(tf.constant(0)))


TEXT = "text made of a tensor"


@difference(TEXT, here=[b"1", b"1", b"1", b"1"], there=lambda o: b"Tensor" in b"".join(o))
def texts_of_a_tensor(tf):
    f = tf.function(lambda x: [str(x), format(x), "%s" % x, "".join([str(x)])])  # noqa: UP031
    return [tf.constant(each).numpy() for each in map(plain_text, f(tf.constant(1)))]


def plain_text(value):
    return value.numpy() if hasattr(value, "numpy") else value


@difference(TEXT, here=Raises("ValueError", "no 1"), there=lambda o: "Tensor(" in str(o))
def text_in_a_raise(tf):
    def f(x):
        if x > 0:
            raise ValueError(f"no {x}")
        return x

    try:
        return tf.function(f)(tf.constant(1))
    except ValueError as error:
        if tf is runtime:
            raise
        return str(error)


@difference("`print` in a staged statement", here=1, there=1)
def print_outside_of_statements(tf):
    @tf.function
    def f(x):
        print("traced")
        return x

    with contextlib.redirect_stdout(io.StringIO()) as shown:
        f(tf.constant(1))
        f(tf.constant(2))
    return shown.getvalue().count("traced")


@difference("`[7] * n`", here=b"abab", there=Raises("Exception"))
def repeated_string(tf):
    return tf.function(lambda n: tf.constant("ab" * n))(tf.constant(2)).numpy()


@difference(
    "a number of Python that a staged statement computes, or that is one",
    here=Raises("DivisionByZeroError"),
    there=INF,
)
def quotient_by_a_number_on_one_way(tf):
    def f(n):
        y = 0.0
        if n > 0:
            y = tf.constant(2.0)
        return 1.0 / y

    return float(tf.function(f)(tf.constant(0)))


@difference("a function may call itself", here=8, there=Raises("Exception"))
def decorated_recursion(tf):
    @tf.function
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    return int(fib(tf.constant(6)))


@difference("changes a Python value outside itself", here=(1, True), there=(1, False))
def iterator_outside(tf):
    numbers = iter(range(5))
    counted = tf.function(lambda x: x + next(numbers))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            counted(tf.constant(1))
    return next(numbers), any(each.category is autograph.SideEffectWarning for each in caught)


@difference("read from outside that changes", here=[10000.0, 10009.0], there=[10000.0, 10000.0])
def large_array_from_outside(tf):
    array = np.ones(10_000)
    total = tf.function(lambda: tf.reduce_sum(array))
    before = float(total())
    array[0] = 10
    return [before, float(total())]


@difference("an int and a float in two branches", here=2.5, there=Raises("TypeError"))
def int_and_float_in_statements(tf):
    def f(x):
        if x > 0:  # noqa: SIM108
            y = 1
        else:
            y = 2.5
        return y

    return float(tf.function(f)(tf.constant(-1)))


@difference("a truth value in arithmetic is the number 0 or 1", here=[2, 2], there=REFUSED_THERE)
def counted_truth_values(tf):
    def f(xs):
        n = 0
        for x in xs:
            n += x > 0
        return n, sum(x > 0 for x in xs)

    return numbers_of(tf.function(f)(tf.constant([1, -1, 2])))
