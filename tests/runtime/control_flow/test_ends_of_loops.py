"""What is known after a staged loop: its variable, lists that it left early, its `else`."""

import pytest

from tests.runtime.control_flow.agreement import check

NUMBERS = [(3,), (0,), (9,)]
ROWS = [((1, 3, 5),), ((1, 2),), ((5, -1),)]


def appended_after_a_break(n):
    seen = []
    i = 0
    while i < 5:
        if i == n:
            break
        seen.append(i)
        i += 1
    seen.append(100)
    return seen


def appended_after_a_break_of_a_for(n):
    seen = []
    for i in range(5):
        if i == n:
            break
        seen.append(i)
    seen.append(n)
    return seen


def variable_of_a_range(n):
    total = 0
    for i in range(n):
        total += i
    return i, total


def negated_in_else(n):
    i = 0
    while i < n:
        i += 1
        if i == 5:
            break
    else:
        i = -i
    return i


@pytest.mark.parametrize(
    "program",
    [
        appended_after_a_break,
        appended_after_a_break_of_a_for,
        variable_of_a_range,
        negated_in_else,
    ],
    ids=lambda each: each.__name__,
)
def test_ends_of_loops_agree_with_plain_python(program):
    check(program, *NUMBERS)


def appended_after_a_break_at_an_element(xs):
    seen = []
    for x in xs:
        if x < 0:
            break
        seen.append(x)
    seen.append(100)
    return seen


def variable_after_a_break(xs):
    for x in xs:
        if x > 2:
            break
    return x


def variables_of_enumerate(xs):
    for i, x in enumerate(xs):  # noqa: B007
        if x > 2:
            break
    return i, x


def found_or_not(xs):
    for x in xs:
        if x > 2:
            found = x
            break
    else:
        found = -1
    return found, x


def else_after_continue(xs):
    total = 0
    for x in xs:
        if x < 0:
            continue
        total += x
    else:
        total += 100
    return total


def sum_of_an_optional(xs):
    total = None
    for x in xs:
        if total is None:  # noqa: SIM108
            total = x
        else:
            total = total + x
    return total


def default_of_an_optional(xs):
    last = None
    for x in xs:
        if x > 2:
            last = x
    return -1 if last is None else last


@pytest.mark.parametrize(
    "program",
    [
        appended_after_a_break_at_an_element,
        variable_after_a_break,
        variables_of_enumerate,
        found_or_not,
        else_after_continue,
        sum_of_an_optional,
        default_of_an_optional,
    ],
    ids=lambda each: each.__name__,
)
def test_ends_of_loops_over_elements_agree_with_plain_python(program):
    check(program, *ROWS)
