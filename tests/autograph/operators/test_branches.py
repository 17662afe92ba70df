"""Branches that raise, and branches inside themselves."""

from __future__ import annotations

import pytest

from tests.autograph.tiny_library import Value, run


def test_a_branch_that_raises_raises_when_the_program_takes_it() -> None:
    text = """
def f(x):
    if x < 0:
        raise KeyError('negative')
    return x
"""
    assert run(text, Value(1)) == 1
    with pytest.raises(KeyError, match="negative"):
        run(text, Value(-1))


def test_recursion_without_end_is_refused_at_once() -> None:
    text = """
def f(n):
    if n <= 0:
        return n
    return f(n - 1) + f(n - 2)
"""
    with pytest.raises(RecursionError, match="nested 100 deep"):
        run(text, Value(3))
