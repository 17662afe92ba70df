"""The work of a conversion grows with the text: counted in calls, so that no clock decides."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from autograph.pipeline import convert_text


def _lines(head: str, line: str, count: int, tail: str = "    return y\n") -> str:
    rows = "".join(line.format(i=i) for i in range(count))
    return f"def f(x, y):\n{head}{rows}{tail}"


TEXTS: dict[str, Callable[[int], str]] = {
    "conditional expressions": lambda n: (
        "def f(x):\n    return " + "".join(f"{i} if x == {i} else " for i in range(n)) + "0\n"
    ),
    "chained comparisons": lambda n: (
        "def f(x):\n    return 0 < " + " < ".join(f"x(x[{i}])" for i in range(n)) + "\n"
    ),
    "operands": lambda n: (
        "def f(x):\n    return " + " and ".join(f"x({i})" for i in range(n)) + "\n"
    ),
    "guards": lambda n: _lines("", "    if x == {i}:\n        return {i}\n", n),
    "elif": lambda n: _lines(
        "    if x < 0:\n        y = 0\n", "    elif x == {i}:\n        y = {i}\n", n
    ),
    "loops": lambda n: _lines("", "    for i in x:\n        y += i\n", n),
    "deletions": lambda n: _lines("", "    z{i} = 1\n    if x:\n        del z{i}\n", n),
    "assigning operands": lambda n: _lines("", "    if x and (z{i} := x):\n        y = z{i}\n", n),
    "statements of operands": lambda n: _lines("", "    x and y.append({i})\n", n),
}


def calls(text: str) -> int:
    """How many Python functions a conversion calls, in all of its threads."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        convert_text(text)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return count


@pytest.mark.parametrize("kind", TEXTS)
def test_four_times_the_text_is_at_most_five_times_the_work(kind: str) -> None:
    text = TEXTS[kind]
    calls(text(2))
    assert calls(text(80)) < 5 * calls(text(20))
