"""What a staged statement changes is its state, and is put back before each branch."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import autograph
from tests.autograph.tiny_library import LIBRARY, Value, run


def test_lists_and_dicts_are_put_back_before_each_branch() -> None:
    text = """
def f(x, items, table):
    if x > 0:
        items.append(1)
        table['k'] = 'if'
    else:
        items.append(2)
        items.append(3)
        table['k'] = 'else'
    return items, table['k']
"""
    items: list[int] = []
    assert run(text, Value(-1), items, {"k": 0}) == ([2, 3], "else")
    assert items == [2, 3]


def test_attributes_are_state() -> None:
    text = """
def f(x, point):
    if x > 0:
        point.y = point.y + x
    return point.y
"""
    assert run(text, Value(-2), SimpleNamespace(y=1)) == 1
    assert run(text, Value(2), SimpleNamespace(y=1)) == 3
    traced_to_find_it = ["cond return value"]
    assert LIBRARY.staged == [*traced_to_find_it, "cond point.y, return value"] * 2


def test_an_error_while_staging_puts_the_variables_back() -> None:
    text = """
def f(x, point):
    if x > 0:
        point.y = 5
        stop()
"""
    point = SimpleNamespace(y=1)
    space = autograph.exec(text)

    def stop() -> None:
        raise autograph.StagingError("no")

    space["stop"] = stop
    with pytest.raises(TypeError, match="no"):
        autograph.to_graph(space["f"])(Value(1), point)
    assert point.y == 1
