"""`"key" in d` where a staged statement decides which keys `d` has."""

import pytest

from tests.runtime.control_flow.agreement import check

SIGNS = [(3,), (-3,), (0,)]
ROWS = [((1, 2),), ((-1,),), ((-1, 4),)]


def after_a_key_of_a_branch(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = 2
    return "b" in d, "a" in d, "c" not in d


def key_asked_for_after_a_deletion(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        del d["a"]
    if "a" in d:
        return d["a"]
    return 0


def after_popitem_in_a_branch(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        d.pop("b")
    return len(d), "b" in d


def in_a_list_of_strings(x):
    row = ["a", "b"]
    row[0] = "c"
    return "a" in row, x


def in_text_under_a_key(x):
    texts = {}
    texts["k"] = "text"
    return "te" in texts["k"], "k" in texts, x


@pytest.mark.parametrize(
    "program",
    [
        after_a_key_of_a_branch,
        key_asked_for_after_a_deletion,
        after_popitem_in_a_branch,
        in_a_list_of_strings,
        in_text_under_a_key,
    ],
    ids=lambda each: each.__name__,
)
def test_membership_agrees_with_plain_python(program):
    check(program, *SIGNS)


def counted(xs):
    d = {}
    for x in xs:
        if x > 0:
            if "n" in d:
                d["n"] += 1
            else:
                d["n"] = 1
    return d


def made_once(xs):
    d = {}
    for x in xs:
        if "sum" not in d:
            d["sum"] = 0
        d["sum"] += x
    return d["sum"]


@pytest.mark.parametrize("program", [counted, made_once])
def test_membership_decides_in_loops(program):
    check(program, *ROWS)
