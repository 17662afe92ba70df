"""Lists and dicts whose contents a staged statement has taken: the old names see the new ones."""

import pytest

import autograph
import runtime as tf
from tests.runtime.control_flow.agreement import check


def test_the_remedy_for_dicts_of_two_shapes_is_about_their_keys():
    @tf.function
    def program(x):
        d = {}
        if x > 0:
            d["a"] = object()
        return d

    @tf.function
    def remedied(x):
        d = {"a": []}
        if x > 0:
            d["a"].append(x)
        return d

    with pytest.raises(tf.errors.VariantError, match="Give the dict all its keys before"):
        program(tf.constant(1))
    assert [[int(each) for each in remedied(tf.constant(x))["a"]] for x in (1, -1)] == [[1], []]


KEYS = """
def put(d):
    {line}

def program(x):
    d, e = {{"a": 1}}, {{"a": 2}}
    f = d
    if x > 0:
        f = e
    put(f)
    try:
        return e["new"]
    except KeyError:
        return -1
"""


@pytest.mark.parametrize(
    "line", ['d["new"] = 5', "d.update(new=5)", 'd.setdefault("new", 5)', 'd |= {"new": 5}']
)
def test_a_key_that_one_of_two_dicts_gets_is_no_key_error_in_the_other(line):
    space = autograph.exec(KEYS.format(line=line))
    with pytest.raises(TypeError, match="`f` may be"):
        tf.function(space["program"])(tf.constant(-1.0))


def push(row, x):
    if x > 0:
        row.append(2)


def end_of_it(x):
    a = [1]
    push(a, x)
    return len(a[1:])


def test_the_end_of_a_list_that_a_called_function_lengthens():
    check(end_of_it, (1.0,), (-1.0,))


def text_of(program):
    return autograph.to_code(program)


def test_variables_that_are_no_lists_are_left_alone():
    def program(x, y):
        z = x
        if y > 0:
            print(x)
        return z == y

    assert "z == y" in text_of(program)
    assert "get_state" not in text_of(program)


def test_a_list_with_one_name_is_no_state():
    def program(x):
        a = [1]
        if x > 0:
            a.append(2)
        return len(a)

    assert "get_state" not in text_of(program)
