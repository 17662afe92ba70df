"""Both assignments of a mismatch are shown with their lines."""

from __future__ import annotations

import inspect
import re

import pytest

import autograph
import runtime as tf
from autograph.texts import register_text
from runtime.core.assignments import assignments
from runtime.core.places import Place


class Held:
    def __init__(self, v):
        self.v = v


def if_else(x):
    if x > 0:  # noqa: SIM108
        y = 1.0  # one
    else:
        y = "a"  # two
    return y


def one_branch(x):
    y = "a"  # one
    if x > 0:
        y = 1.0  # two
    return y


def last_of_several(x):
    y = "first"
    y = "a"  # one
    if x > 0:
        y = 2
        y = 1.0  # two
    return y


def item_of_a_display(x):
    rows = {"k": tf.constant(1)}  # one
    if x > 0:
        rows["k"] = tf.constant("a")  # two
    return rows["k"]


def attribute_of_a_new_object(x):
    held = Held(1)  # one
    if x > 0:
        held.v = [1, 2]  # two
    return held.v + 1


def chain(x):
    if x > 2:
        y = 1.0  # one
    elif x > 1:
        y = 2.0  # two
    else:
        y = "a"  # three
    return y


def loop(x):
    y = 1.0  # one
    while x > 0:
        x = x - 1
        y = "a"  # two
    return y


def loop_over_parameter(x, y=1.0):  # one
    for _ in tf.range(x):
        y = "a"  # two
    return y


def attribute(x):
    class Holder:
        pass

    holder = Holder()
    holder.value = 1.0  # one
    if x > 0:
        holder.value = "a"  # two
    return holder.value


def item(x):
    held = {"k": 1.0}
    held["k"] = 2.0  # one
    if x > 0:
        held["k"] = "a"  # two
    return held["k"]


def unpacked(x):
    if x > 0:
        y, z = 1.0, 2  # one
    else:
        z, y = 3, "a"  # two
    return y, z


def walrus(x):
    if x > 0:
        z = (y := 1.0)  # one
    else:
        z = y = "a"  # two
    return y, z


def returns(x):
    if x > 0:
        return 1.0  # one
    else:
        return "a"  # two


def guard(x):
    if x > 0:
        return 1.0  # one
    x = x + 1
    return "a"  # two


def nested(x):
    y = 1.0  # one
    if x > 0:
        for _ in tf.range(3):
            if x > 1:
                y = "a"  # two
    return y


def inner_function(x):
    y = 3

    def inner(z):
        if z > 0:  # noqa: SIM108
            y = 1.0  # one
        else:
            y = "a"  # two
        return y

    return inner(x) + y


FUNCTIONS = [
    if_else, one_branch, last_of_several, chain, loop, loop_over_parameter, attribute, item,
    unpacked, walrus, returns, guard, nested, inner_function, item_of_a_display,
    attribute_of_a_new_object,
]  # fmt: skip


def marked(function):
    """The lines of the function that end with a number in words, as a message shows them."""

    lines, first = inspect.getsourcelines(function)
    found = {}
    for i, line in enumerate(lines):
        mark = re.search(r"# (one|two|three)$", line.rstrip())
        if mark:
            found[mark[1]] = (first + i, line.strip())
    return [found[word] for word in ("one", "two", "three") if word in found]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("decorate", [tf.function, autograph.to_graph])
def test_lines_of_a_mismatch(function, decorate):
    decorated = decorate(function)
    if decorate is not tf.function:
        decorated = tf.function(decorated, autograph=False)
    with pytest.raises(TypeError) as caught:
        decorated(tf.constant(1))
    text = str(caught.value)
    for line, shown in marked(function):
        assert f'test_assignments.py", line {line}, in' in text, text
        assert f"\n    {shown}\n    " in text, text


def test_carets_are_under_the_variable():
    with pytest.raises(TypeError) as caught:
        tf.function(unpacked)(tf.constant(1))
    assert '    z, y = 3, "a"  # two\n       ^\n' in str(caught.value)


def test_conditional_expression_shows_both_operands():
    with pytest.raises(TypeError) as caught:
        tf.function(lambda x: 1.0 if x > 0 else "text")(tf.constant(1))
    assert "^^^^^^\n" in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "if x:\n    y = (", "z = 1\n", "if x:\n    z = 1\n", "\0"], ids=ascii
)
def test_nothing_is_shown_where_nothing_is_found(text):
    name = register_text(text)
    assert assignments(Place(name, 1, "f"), "y") == ""


def test_columns_are_characters():
    name = register_text("if x:\n    é, y = 'ü', 1\nelse:\n    y = 2\n")
    shown = assignments(Place(name, 1, "f"), "y")
    assert "    é, y = 'ü', 1\n       ^\n" in shown
