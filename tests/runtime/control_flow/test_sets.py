"""Sets in staged statements: they are read, and a change of one is refused by name."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check


def asked(x):
    numbers = {8, 1}
    if x > 0 and 8 in numbers:
        x += 1
    return [number + x for number in sorted(numbers)]


def made_in_a_branch(x):
    if x > 0:
        numbers = set()
        numbers.add(4)
        x += len(numbers)
    return x


def changed_outside_of_statements(x):
    seen = set()
    for i in range(5):
        seen.add(i % 3)
    if x > 0:
        x += len(seen)
    return x, len(seen)


@pytest.mark.parametrize("program", [asked, made_in_a_branch, changed_outside_of_statements])
def test_a_set_is_that_of_plain_python(program):
    check(program, (3,), (-3,))


def added_in_a_branch(x):
    numbers = {1}
    if x > 0:
        numbers.add(2)
    return len(numbers)


def discarded_in_a_loop(x):
    numbers = {1, 2}
    while x > 0:
        numbers.discard(2)
        x -= 1
    return len(numbers)


def changed_by_a_function(x):
    def helper(numbers, x):
        if x > 0:
            numbers.add(9)

    numbers = set()
    helper(numbers, x)
    return len(numbers)


def replaced_by_an_equal_member(x):
    numbers = {1}
    if x > 0:
        numbers.discard(1)
        numbers.add(True)
    return 2


@pytest.mark.parametrize(
    "program",
    [added_in_a_branch, discarded_in_a_loop, changed_by_a_function, replaced_by_an_equal_member],
)
def test_a_change_is_refused_by_name(program):
    with pytest.raises(TypeError, match=r"`numbers`, of type set, .* Use a dict, with a bool"):
        tf.function(program)(tf.constant(3))
