"""Forms of values: all ways out of a statement have one, or the part that differs is named."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import both


def other_key(x):
    held = {"k": 1.0, "j": 2}
    if x > 0:
        held["k"] = "a"
    return held["j"]


def other_item(x):
    row = [1.0, [2, 3]]
    if x > 0:
        row[0] = "a"
    return row[1][0] + x


def other_item_after_a_loop(x):
    row = [1.0, 0]
    while x > 0:
        row[0] = "a"
        row[1] += x
        x -= 1
    return row[1]


@pytest.mark.parametrize("program", [other_key, other_item, other_item_after_a_loop])
@pytest.mark.parametrize("x", [3, -3])
def test_only_the_items_without_one_type_are_refused(program, x):
    assert int(tf.function(program)(tf.constant(x))) == int(program(x))


def used_key(x):
    held = {"k": 1.0, "j": 2}
    if x > 0:
        held["k"] = "a"
    return held["k"]


def used_item(x):
    row = [1.0, 0]
    if x > 0:
        row[0] = "a"
    return row[0] + "b"


@pytest.mark.parametrize("program", [used_key, used_item])
def test_items_without_one_type_are_refused_where_they_are_used(program):
    with pytest.raises(TypeError, match=r"(?s)`(held\['k'\]|row\[0\])`.*test_forms.py"):
        tf.function(program)(tf.constant(3))


def test_results_of_cond_have_the_same_keys():
    @tf.function
    def program(x):
        return tf.cond(x > 0, lambda: {"a": x}, lambda: {"b": x})

    with pytest.raises(TypeError, match="the keys differ"):
        program(tf.constant(1))


def test_while_loop_keeps_the_structure():
    def f(n):
        return tf.while_loop(
            lambda i, state: i < n,
            lambda i, state: (i + 1, {"total": state["total"] + i, "list": [state["list"][0] * 2]}),
            (tf.constant(0), {"total": 0, "list": [1]}),
        )

    eager, traced = both(f, tf.constant(4))
    assert int(traced[1]["total"]) == int(eager[1]["total"]) == 6
    assert int(traced[1]["list"][0]) == int(eager[1]["list"][0]) == 16
