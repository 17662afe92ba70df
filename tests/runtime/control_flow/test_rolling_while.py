"""`while` loops with Python counters that are traced as one, and those that must not be."""

import logging
import random
from functools import partial

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.counted_calls import calls_of

MANY = 300


def plain(value):
    return [np.float32(leaf).item() for leaf in tf.nest.flatten(value)]


def concrete(function, n):
    return tf.function(function).get_concrete_function(tf.TensorSpec([], tf.float32), n)


def loops(traced):
    return sum(op.type in ("While", "StatelessWhile") for op in traced.graph.operations)


# ---- loops that are rolled ----


def counter(x, n):
    i = 0
    while i < n:
        if x > i:
            x = x * 0.5
        i += 1
    return x, i


def counter_first(x, n):
    i = 0
    while i < n:
        i += 1
        x = x * 0.5 + i
    return x, i


def downwards(x, n):
    while n > 0:
        x = x * 0.75 + n if x < n else x - 1.0
        n -= 1
    return x, n


def with_step(x, n):
    i = 3
    while i <= 2 * n:
        x = x + i % 5
        i += 2
    return x, i


def two_counters(x, n):
    low, high = 0, n
    while low < 2 * high:
        if x > high:
            x = x - low
        elif x > 0:
            x = x + high * 0.5
        low, high = low + 1, high - 1
    return x, low, high


def dependent_counters(x, n):
    i = total = 0
    while i < n:
        i += 1
        total = total + 3
        x = x * 0.5 + total - i
    return x, i, total


def float_counter(x, n):
    t, dt = 0.0, 0.01
    while t < n * dt:
        x = x - x * dt + t
        t += dt
    return x, t


def float_counter_not_from_zero(x, n):
    t = 0.3
    while t < n * 0.1:
        x = x * 0.5 if x > t else x + t
        t += 0.1
    return x, t


def decay(x, n):
    i, rate = 0, 1.0
    while i < n:
        x = x + rate * 0.5
        rate *= 0.99
        i += 1
    return x, rate


def counter_in_tests(x, n):
    i = 0
    while i < n:
        if i % 3 == 0:
            x = x + 1.0
        elif i > 250:
            x = x - 0.5
        i += 1
    return x


def with_continue(x, n):
    i = 0
    while i < n:
        i += 1
        if x > i:
            continue
        x = x + 3.0
    return x


def with_else(x, n):
    i = 0
    while i < n:
        x = x + i
        i += 1
    else:
        x = -x
    return x


def nested(x, n):
    i = 0
    while i < n:
        j = 0
        while j < 2:
            x = x * 0.5 + j
            j += 1
        i += 1
    return x


def tensor_array(x, n):
    rows = tf.TensorArray(tf.float32, size=n)
    i = 0
    while i < n:
        x = x * 0.5 + i
        rows = rows.write(i, x)
        i += 1
    return tf.reduce_sum(rows.stack())


def called_in_test(x, n):
    def more(number):
        return number * 2 < n * 2

    i = 0
    while more(i):
        x = x * 0.5 + i
        i += 1
    return x


def counter_in_a_for(x, n):
    count = 0
    for _ in range(n):
        count += 2
        if x > count:
            x = x * 0.5
    return x, count


def static_shape_in_test(x, n):
    row = tf.ones([n])
    i = 0
    while i < row.shape[0]:
        x = x + row[i] * i
        i += 1
    return x


ROLLED = [
    counter, counter_first, downwards, with_step, two_counters, dependent_counters, float_counter,
    float_counter_not_from_zero, decay, counter_in_tests, with_continue, with_else, nested,
    tensor_array, called_in_test, counter_in_a_for, static_shape_in_test,
]  # fmt: skip


@pytest.mark.parametrize("function", ROLLED)
@pytest.mark.parametrize("n", [0, 3, 131, MANY])
def test_rolled_loop_agrees_with_python_to_the_bit(function, n):
    traced, converted = tf.function(function), autograph.to_graph(function)
    for x in (3.5, 1e4):
        expected = plain(function(tf.constant(x), n))
        assert plain(traced(tf.constant(x), n)) == expected, x
        assert plain(converted(tf.constant(x), n)) == expected, x


@pytest.mark.parametrize("function", ROLLED)
def test_graph_of_a_long_loop_does_not_grow_with_it(function):
    few, many = (concrete(function, n) for n in (MANY, 4 * MANY))
    assert loops(few) == 1
    assert len(few.graph.operations) == len(many.graph.operations)


def test_counter_is_a_python_number_after_the_loop():
    kinds = []

    @tf.function
    def f(x):
        i, t = 0, 0.0
        while i < MANY:
            x = x * 0.5 + t
            i, t = i + 1, t + 0.5
        kinds.extend([type(i), type(t)])
        return x + [0.0] * i + t

    assert f(tf.constant(0.0)).shape == [MANY]
    assert kinds == [int, float]


def test_steps_of_a_rolled_loop_take_its_python_test_alone():
    f = partial(tf.function(counter).get_concrete_function, tf.TensorSpec([], tf.float32))
    f(150)
    calls = [calls_of(partial(f, steps)) for steps in (200, 10_000)]
    assert calls[1] - calls[0] < 25 * (10_000 - 200)  # a traced step takes hundreds


def test_gradient_is_that_of_the_unrolled_loop():
    def f(x, n):
        i = 0
        while i < n:
            x = x * 0.99 + i * x / 1000.0 if x < 5.0 else x * 0.5
            i += 1
        return x

    def gradient(function):
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, MANY)
        return tape.gradient(y, x).numpy()

    np.testing.assert_allclose(gradient(tf.function(f)), gradient(f), rtol=1e-5)


def test_log_names_the_loop(caplog):
    autograph.set_verbosity(1)
    try:
        with caplog.at_level(logging.INFO, logger="autograph"):
            concrete(counter, MANY)
    finally:
        autograph.set_verbosity(0)
    (line,) = [each.message for each in caplog.records if "staged loop" in each.message]
    assert "by `while`" in line and "test_rolling_while.py" in line


# ---- loops that must stay unrolled ----


def short(x, n):
    i = 0
    while i < n // 10:
        x = x * 0.5 + i
        i += 1
    return x


def collatz(x, n):
    k, steps = 27 * n, 0
    while k != 1:
        x = x * 0.5 + k % 3
        k = k // 2 if k % 2 == 0 else 3 * k + 1
        steps += 1
    return x, steps


def large_counter(x, n):
    i = 2**31 - n // 2
    while i < 2**31 + n // 2:
        x = x * 0.5 + i % 7
        i += 1
    return x


def step_changes_late(x, n):
    i = k = 0
    while i < n:
        k += 1 if i < 200 else 2
        x = x * 0.5 + k
        i += 1
    return x, k


def counter_jumps(x, n):
    i = 0
    while i < n:
        x = x * 0.5 + i
        i += 7 if i == 150 else 1
    return x, i


def index_of_python(x, n):
    names = [str(each) for each in range(n)]
    i = 0
    while i < n:
        x = x * 0.5 + len(names[i])
        i += 1
    return x


def growing(x, n):
    seen = []
    i = 0
    while i < n:
        x = x * 0.5 + i
        seen.append(x)
        i += 1
    return seen[-1], len(seen)


def list_changed_in_test(x, n):
    left = list(range(n))
    i = 0
    while i < n and left.pop() >= 0:
        x = x * 0.5 + i
        i += 1
    return x, len(left)


def error_in_test(x, n):
    marks = [True] * n
    i = 0
    try:
        while marks[i]:
            x = x * 0.5 + i
            i += 1
    except IndexError:
        x = -x
    return x, i


def logged(x, n):
    i = 0
    while i < n:
        logging.getLogger("steps").debug("step %d", i)
        x = x + i
        i += 1
    return x


def type_of_the_counter(x, n):
    i = 0
    while i < n:
        x = x + (1.0 if isinstance(i, int) else 100.0)
        i += 1
    return x


def change_of_type_late(x, n):
    y = i = 0
    while i < n:
        x = x + 1.0
        if i == 200:
            y = x
        i += 1
    return x, y


def bool_flag(x, n):
    i, odd = 0, False
    while i < n:
        x = x + 1.0 if odd else x * 0.5
        odd = not odd
        i += 1
    return x, odd


def caught_error(x, n):
    i = 0
    while i < n:
        try:
            x = x * 0.5 + 1.0 / (200 - i)
        except ZeroDivisionError:
            x = x - 0.5
        i += 1
    return x


STAYING = [
    short, collatz, large_counter, step_changes_late, counter_jumps, index_of_python, growing,
    list_changed_in_test, error_in_test, logged, type_of_the_counter, change_of_type_late,
    bool_flag, caught_error,
]  # fmt: skip


@pytest.mark.parametrize("function", STAYING)
def test_what_python_alone_can_do_is_unrolled_and_agrees(function):
    traced = concrete(function, MANY)
    assert plain(traced(tf.constant(1.5))) == plain(function(tf.constant(1.5), MANY))
    assert loops(traced) == 0


def test_loop_without_tensors_is_python():
    @tf.function
    def f(x):
        numbers, i = [], 0
        while i < MANY:
            numbers.append(i % 3)
            i += 1
        return x + sum(numbers)

    assert f(tf.constant(0)).numpy() == sum(k % 3 for k in range(MANY))


def test_random_numbers_of_python_are_drawn_as_often_as_without_staging():
    def f(x):
        i = 0
        while i < MANY and random.random() < 2:
            x = x + i
            i += 1
        return x, random.random()

    random.seed(5)
    expected = plain(f(tf.constant(0.0)))
    random.seed(5)
    assert plain(tf.function(f)(tf.constant(0.0))) == expected


def test_prints_happen_in_each_iteration_while_tracing(capsys):
    @tf.function
    def f(x):
        i = 0
        while i < MANY:
            print("tracing", i)
            x = x + 1.0
            i += 1
        return x

    assert f(tf.constant(0.0)).numpy() == MANY
    assert capsys.readouterr().out.splitlines() == [f"tracing {i}" for i in range(MANY)]


# ---- random loops ----

_UPDATES = [
    "x = x * 0.5 + {a}",
    "x = x - {a} if x > {b} else x + {b} * 0.25",
    "y = y * 0.75 + x - {a}",
    "x, y = y * 0.5, x + {b}",
    "if x > {a}:\n            y = y * 0.5 + {b}",
    "if {a} % 3 == 0:\n            x = x + {b}",
    "if {a} > {b}:\n            x = x - 1.0\n        else:\n            y = y + 0.5",
    "k += 3",
    "k = k - 1",
    "k = k + (i % 2)",
    "k = i * 2",
    "k, m = m + 1, k + 1",
    "t += 0.1",
    "t = t * 0.98",
    "t = i * 0.5",
    "m = k",
    "x = x + {a} // 3 - {b} % 5",
    "x = x * 0.5 + {a} * t",
    "x = x * 0.5 + {a} / (i + 1000)",
]
_TESTS = ["i < n", "n > i", "i + 1 <= n", "i != n", "not i >= n", "i < n and k < 100_000"]


def random_loop(seed):
    """Text of a function with a loop that takes `n` iterations."""
    source = random.Random(seed)

    def operand():
        return source.choice(["i", "k", "m", "n", "7", "2.5"])

    updates = [
        source.choice(_UPDATES).format(a=operand(), b=operand())
        for _ in range(source.randint(1, 5))
    ]
    updates.insert(source.randint(0, len(updates)), "i += 1")
    body = "\n        ".join(updates)
    return (
        "def f(x, n):\n    y = x * 0.5\n    i, k, m, t = 0, 1, 2, 0.5\n"
        f"    while {source.choice(_TESTS)}:\n        {body}\n    return x, y, i, k, m, t\n"
    )


SEEDS = [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 60))]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_loop_agrees_with_python_to_the_bit(seed):
    text = random_loop(seed)
    function = autograph.exec(text)["f"]
    for x in (2.5, 400.0):
        expected = plain(function(tf.constant(x), 140))
        assert plain(tf.function(function)(tf.constant(x), 140)) == expected, text
