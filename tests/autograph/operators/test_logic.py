"""`and`, `or` and conditional expressions."""

from __future__ import annotations

import pytest

from autograph import ag__ as operators
from tests.autograph.tiny_library import LIBRARY, Value, run


class Asked:
    """True; counts the questions for its truth."""

    asked = 0

    def __bool__(self) -> bool:
        self.asked += 1
        return True


def test_logic_is_delayed() -> None:
    text = """
def f(x, y, xs):
    both = x > 0 and len(xs)
    either = x > 0 or len(xs)
    return both, either, not x > 0, 0 < x < y, x in [y]
"""
    assert run(text, Value(0), Value(1), Value([5])) == (False, 1, True, False, False)
    assert LIBRARY.staged == ["and", "or", "len", "not", "and", "in"]


@pytest.mark.parametrize("operator", ["and", "or"])
def test_an_operand_changes_what_it_changes_only_where_it_runs(operator: str) -> None:
    text = f"def f(x, log):\n    return x > 0 {operator} log.append(1)\n"
    for x, runs in ((1, operator == "and"), (0, operator == "or")):
        log = [0]
        run(text, Value(x), log)
        assert log == ([0, 1] if runs else [0])


def test_conditional_expressions() -> None:
    text = "def f(x):\n    return (1 if x > 0 else 2) + (3 if x is None else 4)\n"
    assert (run(text, Value(1)), run(text, Value(-1))) == (5, 6)


def test_and_and_or_ask_each_operand_once():
    value = Asked()
    assert operators.and_(value, lambda: 0, lambda: 1 / 0) == 0
    assert operators.or_(value, lambda: 1 / 0) is value
    assert value.asked == 2
