# ruff: noqa: SIM108, F841, C416 - the programs are as people write them
"""Variables without one value after a staged statement: each use is refused at its line."""

import numpy as np
import pytest

import autograph
import runtime as tf


class Node:
    def __init__(self, value):
        self.value = value


def recursive_function_after_an_early_return(x):
    if x < 0:
        return 0

    def factorial(n):
        return 1 if n <= 1 else n * factorial(n - 1)

    return x * factorial(4)


def recursive_functions_after_two_early_returns(x):
    if x < 0:
        return 0

    def even(n):
        return True if n == 0 else odd(n - 1)

    if x > 5:
        return 1

    def odd(n):
        return False if n == 0 else even(n - 1)

    return x + (2 if even(4) else 0)


def function_or_number_assigned_over(x):
    f = abs if x > 0 else 3
    f = x + 1
    return f


def string_or_number_passed_on(x):
    if x > 0:
        y = "a"
    else:
        y = 2
    z = y
    kept = [y, z]
    return x + len(kept)


def object_or_tensor_in_a_loop(x):
    last = Node(x)
    total = 0
    for i in range(abs(x)):
        last = x + i
        total += last
    return total


def string_before_each_iteration(x):
    part = "none"
    total = 0
    while x > 0:
        part = x * 2
        total += part
        x -= 1
    return total


def lists_of_two_lengths_of_functions(x):
    if x > 0:
        steps = [abs]
    else:
        steps = [abs, min]
    steps = [abs]
    return steps[0](x)


def through_branches_and_loops(x):
    if x > 0:
        f = abs
    else:
        f = "a"
    for i in range(abs(x)):
        if i > 1:
            x += 1
            f = min
    while x > 2:
        x -= 1
    return x


def dtypes_assigned_over(x):
    y = tf.constant(1)
    if x > 0:
        y = tf.constant(1.5)
    y = x
    return y


def function_of_one_branch_tested_for_none(x):
    if x > 0:
        f = abs
    else:
        f = min
    return 0 if f is None else 1


SAME = [
    recursive_function_after_an_early_return, recursive_functions_after_two_early_returns,
    function_or_number_assigned_over, string_or_number_passed_on, object_or_tensor_in_a_loop,
    string_before_each_iteration, lists_of_two_lengths_of_functions, through_branches_and_loops,
    dtypes_assigned_over, function_of_one_branch_tested_for_none,
]  # fmt: skip


@pytest.mark.parametrize("x", [-2, 0, 1, 3])
@pytest.mark.parametrize("program", SAME, ids=lambda program: program.__name__)
def test_a_conflict_that_nothing_uses_is_no_error(program, x):
    expected = program(x)
    assert np.asarray(tf.function(program)(tf.constant(x))) == expected
    assert autograph.to_graph(program)(x) == expected


USES = [
    lambda y: y(1), lambda y: y.name, lambda y: y[0], lambda y: y + 1, lambda y: 1 - y,
    lambda y: y == 1, lambda y: y < 1, lambda y: -y, lambda y: list(y), lambda y: len(y),
    lambda y: 1 if y else 2, lambda y: not y, lambda y: y and 1, lambda y: 1 in y,
    lambda y: f"{y}", lambda y: str(y), lambda y: isinstance(y, str), lambda y: hasattr(y, "x"),
    lambda y: {y: 1}, lambda y: tf.constant(1) + y, lambda y: tf.convert_to_tensor(y),
    lambda y: tf.stack([y, y]), lambda y: y is abs, lambda y: y is not abs, lambda y: y,
    lambda y: (1, y), lambda y: {"k": [y]}, lambda y: sorted(y), lambda y: [a for a in y],
    lambda y: callable(y),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(USES)))
def test_each_use_of_a_conflict_is_refused_at_its_line(number):
    use = USES[number]

    def program(x):
        if x > 0:
            y = [1]
        else:
            y = "a"
        return use(y)

    line = program.__code__.co_firstlineno + 1
    with pytest.raises((TypeError, ValueError)) as caught:
        tf.function(program)(tf.constant(1))
    text = str(caught.value)
    assert "`y` is a list" in text and f"line {line}" in text
    assert "Conflict" not in text


def conflict_or_none(x):
    if x > 0:
        y = "a"
    else:
        y = [1]
    if x > 1:
        y = None
    return 1 if y is None else 2


def function_of_one_branch_only(x):
    if x > 0:
        y = abs
    return 1 if y is None else 2


def conflict_among_tensors_of_a_loop(x):
    y = "a"
    for i in range(abs(x)):
        y = y + i
    return x


@pytest.mark.parametrize(
    "program",
    [
        conflict_or_none, function_of_one_branch_only, conflict_among_tensors_of_a_loop,
    ],
)  # fmt: skip
@pytest.mark.parametrize("x", [-1, 1])
def test_what_identity_would_answer_wrongly_is_refused(program, x):
    with pytest.raises((TypeError, ValueError)):
        tf.function(program)(tf.constant(x))
