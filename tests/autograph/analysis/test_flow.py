"""Liveness and definite assignment: which variables become the state of a statement."""

import re

import pytest

import autograph


def state(body):
    """Return the variables of the first staged statement of a function of `x` and `xs`."""
    text = "def f(x, xs):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    converted = autograph.convert_source(text)
    found = re.search(r"nonlocal ([\w, ]+)", converted)
    return set(re.findall(r"\w+", found.group(1))) if found else set()


@pytest.mark.parametrize(
    ("body", "variables"),
    [
        ("if x:\n    y = 1\nelse:\n    y = 2\nreturn y", {"y"}),
        ("if x:\n    y = 1\n    x = y\nreturn x", {"x"}),
        ("y = 0\nif x:\n    y = 1\nz = 1\nreturn z", set()),
        ("t = 0\nfor i in xs:\n    t = t + i\n    u = i\nreturn t", {"t"}),
        ("t = 0\nfor i in xs:\n    t = t + i\nreturn t, i", {"i", "t"}),
        ("while x:\n    y = x\n    x = x - y\nreturn x", {"x"}),
    ],
)
def test_what_is_read_after_a_statement_is_its_state(body, variables):
    assert state(body) == variables


def test_a_variable_that_may_be_unassigned_is_read_through_a_check():
    one = "def f(x):\n    if x:\n        y = 1\n    return y\n"
    both = "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n"
    assert re.search(r"ag__\.ld\w*\(", autograph.convert_source(one))
    assert not re.search(r"ag__\.ld\w*\(", autograph.convert_source(both))
