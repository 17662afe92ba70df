"""Built-in functions on the values of a library."""

from __future__ import annotations

from typing import Any

import pytest

from tests.autograph.tiny_library import LIBRARY, Value, run


def test_built_in_functions_ask_the_library_first() -> None:
    text = "def f(xs, ys):\n    return len(xs), len(ys), max(ys)\n"
    assert run(text, Value([1, 2]), [3]) == (2, 1, 3)
    assert LIBRARY.staged == ["len"]


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ("any([x > 5, x > 2])", True),
        ("any((False, x > 5))", False),
        ("any([x > 5, 1])", True),
        ("all([x > 5, x > 2])", False),
        ("all([1, x > 2])", True),
        ("max([x, 2, 5, x])", 5),
        ("min((x, 2, 5))", 2),
        ("any([0, 7])", True),
        ("max([2, 9], key=lambda v: -v)", 2),
    ],
)
def test_lists_with_staged_values_are_folded(call: str, result: Any) -> None:
    assert run(f"def f(x):\n    return {call}\n", Value(3)) == result
