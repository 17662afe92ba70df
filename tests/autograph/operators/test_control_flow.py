"""`if`, `while`, `for` and `assert` on the values of a library."""

from __future__ import annotations

import pytest

from tests.autograph.tiny_library import LIBRARY, Value, run


def test_the_branches_of_an_if_start_from_the_same_variables() -> None:
    text = """
def f(x, y):
    if x > 0:
        y = y + 1
        z = y
    else:
        z = y
    return y, z
"""
    assert run(text, Value(1), Value(10)) == (11, 11)
    assert run(text, Value(-1), Value(10)) == (10, 10)
    assert LIBRARY.staged == ["cond y, z, return value"] * 2


def test_branches_that_return_give_one_more_output() -> None:
    text = """
def f(x):
    if x > 0:
        return x
    return 0
"""
    assert (run(text, Value(3)), run(text, Value(-3))) == (3, 0)
    assert LIBRARY.staged == ["cond return value"] * 2


def test_a_chain_is_staged_from_the_first_staged_test_on() -> None:
    text = """
def f(n, x):
    if n == 0:
        y = 0
    elif x > 5:
        y = 1
    elif x > 2:
        y = 2
    else:
        y = 3
    return y
"""
    assert [run(text, 1, Value(v)) for v in (6, 3, 1)] == [1, 2, 3]
    LIBRARY.staged.clear()
    assert run(text, 0, Value(6)) == 0
    assert LIBRARY.staged == []


def test_a_loop_is_staged_from_the_iteration_on_in_which_its_test_is() -> None:
    text = """
def f(x, limit):
    n = 0
    while n < limit:
        limit = x
        n += 1
    return n
"""
    assert run(text, Value(5), 2) == 5
    assert LIBRARY.staged == ["while limit, n"]


def test_a_test_that_assigns_is_evaluated_as_often_as_in_python() -> None:
    text = """
def f(x, log):
    n = 0
    while (x := x // 2) > 0:
        log.append(n)
        n = n + 1
    return n, x
"""
    log: list[int] = []
    assert run(text, Value(20), log) == (4, 0)
    assert LIBRARY.staged[-1].startswith("while loop test, ")


def test_a_for_loop_over_staged_items_breaks() -> None:
    text = """
def f(xs):
    total = 0
    for x in xs:
        if x > 3:
            break
        total = total + x
    return total
"""
    assert run(text, Value([1, 2, 9, 4])) == 3
    assert LIBRARY.staged[0] == "for total, do_break"


def test_python_items_with_a_staged_break_run_the_rest_under_a_condition() -> None:
    text = """
def f(x):
    n = 0
    for i in range(5):
        if x > i:
            n += i
        else:
            break
    return n
"""
    assert run(text, Value(3)) == 3


def test_a_return_in_a_staged_loop_leaves_it() -> None:
    text = """
def f(xs):
    for x in xs:
        if x > 2:
            return x
    return -1
"""
    assert run(text, Value([1, 5, 9])) == 5
    assert run(text, Value([1])) == -1


def test_assertions_fail_when_the_program_runs() -> None:
    text = "def f(x):\n    assert x > 0, 'not positive'\n    return x\n"
    assert run(text, Value(1)) == 1
    with pytest.raises(AssertionError, match="when it ran: not positive"):
        run(text, Value(-1))


def test_options_reach_the_loop() -> None:
    text = """
from autograph.experimental import set_loop_options
def f(x):
    while x > 0:
        set_loop_options(maximum_iterations=3)
        x = x - 1
    return x
"""
    assert run(text, Value(2)) == 0
    assert LIBRARY.staged == ["while x {'maximum_iterations': 3}"]


def test_plain_values_stage_nothing() -> None:
    text = """
def f(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best
"""
    assert run(text, [3, 9, 4]) == 9
    assert LIBRARY.staged == []
