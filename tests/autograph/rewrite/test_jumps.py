"""Rows of early jumps, longer than nesting goes, beside plain Python."""

import itertools
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph


def guards_around_loops(x, xs, ys, a, b, c, e):
    if a == x:
        return "a"
    p = 1
    if b == x:
        return "b"
    q = 1
    if c == x:
        return "c"
    for v in xs:
        if v == x:
            return "xs"
    r = p + q
    if e == x:
        return r
    for v in ys:
        if v == x:
            return "ys"
    return "end"


def test_a_return_in_a_loop_is_kept_where_guards_before_it_nest_deep():
    converted = autograph.to_graph(guards_around_loops)
    lists = ([], [1], [2, 1])
    for xs, ys, *guards in itertools.product(lists, lists, *[(0, 1)] * 4):
        arguments = (1, xs, ys, *guards)
        assert converted(*arguments) == guards_around_loops(*arguments)


ROWS = {
    "guard": "if a[{0}] == x:\n    return {0}",
    "assignment": "x = x + a[{0}]",
    "loop": "for v in (0, a[{0}]):\n    if v > x:\n        return 'loop', {0}",
    "inner loop": "for v in (1, 2):\n    if a[{0}] > v:\n        for w in a:\n"
    "            if w == x:\n                return 'inner', {0}",
    "search": "for v in a:\n    if v == x:\n        break\nelse:\n    return 'none', {0}",
    "try": "try:\n    return 10 // a[{0}]\nexcept ZeroDivisionError:\n    pass",
    "with": "with suppress(ZeroDivisionError):\n    x = x + 1 // a[{0}]\n    if x == 2:\n"
    "        return 'with', {0}",
    "while": "while x < 2:\n    x = x + 1\n    if a[{0}] == x:\n        return 'while', {0}",
    "both": "if x == {0}:\n    if a[{0}] == 2:\n        return 'both', {0}\nelse:\n    x = x - 1",
}


def program_of(kinds):
    rows = "\n".join(ROWS[kind].format(place) for place, kind in enumerate(kinds))
    body = "\n".join(f"    {line}" for line in rows.splitlines())
    return f"def program(x, a):\n{body}\n    return 'end', x\n"


@given(
    st.lists(st.sampled_from(sorted(ROWS)), min_size=6, max_size=14),
    st.lists(st.lists(st.integers(0, 2), min_size=14, max_size=14), min_size=8, max_size=8),
)
@pytest.mark.parametrize("x", [0, 3])
def test_a_random_row_of_statements_that_jump(x, kinds, lists):
    text = program_of(kinds)
    space = {"suppress": suppress}
    exec(text, space)
    converted = autograph.to_graph(space["program"], source=text)
    for a in lists:
        assert converted(x, a) == space["program"](x, a)
