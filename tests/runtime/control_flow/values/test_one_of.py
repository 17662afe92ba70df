"""`type` and `isinstance` of lists, dicts and objects that a tensor has chosen or changed."""

from collections import defaultdict

import pytest

import autograph
import runtime as tf
from tests.runtime.control_flow.agreement import check


class Box:
    def __init__(self, n):
        self.n = n


OUTSIDE = Box(1), Box(2)


def chosen_object(x):
    a, b = Box(1), Box(2)
    o = a if x > 0 else b
    o.n = 7
    return [type(o) is Box, isinstance(o, Box), type(o).__name__ == "Box"]


def chosen_object_from_outside(x):
    a, b = OUTSIDE
    o = a if x > 0 else b
    return type(o) is Box and not isinstance(o, list)


def chosen_list(x):
    a, b = [1, 2], [3, 4]
    c = a if x > 0 else b
    c[0] = 5
    return [type(c) is list, isinstance(c, list), isinstance(c, (dict, tuple))]


def chosen_dict(x):
    a, b = {"k": 1}, {"k": 3}
    c = a if x > 0 else b
    c["k"] = 5
    return [type(c) is dict, isinstance(c, dict), isinstance(c, list)]


def grown_list(x):
    a = [1]
    if x > 0:
        a.append(2)
    return [type(a) is list, isinstance(a, list), isinstance(a, tuple)]


def dict_with_a_new_key(x):
    d = {}
    if x > 0:
        d["k"] = x
    return [type(d) is dict, isinstance(d, dict)]


def defaultdict_with_a_new_key(x):
    d = defaultdict(int)
    if x > 0:
        d["k"] += x
    return [type(d) is defaultdict, isinstance(d, dict), type(d) is dict]


def asked_by_another_function(x):
    def total(values):
        if isinstance(values, list):
            return len(values)
        return -1

    a = [1]
    if x > 0:
        a.append(2)
    return total(a)


@pytest.mark.parametrize(
    "program",
    [
        chosen_object,
        chosen_object_from_outside,
        chosen_list,
        chosen_dict,
        grown_list,
        dict_with_a_new_key,
        defaultdict_with_a_new_key,
        asked_by_another_function,
    ],
    ids=lambda each: each.__name__,
)
def test_the_class_is_that_of_the_python_value(program):
    check(program, (1,), (-1,))


def test_a_tensor_is_a_tensor():
    @tf.function
    def program(x):
        return isinstance(x, tf.Tensor), isinstance(x, int), isinstance(x, (list, dict))

    assert [bool(each) for each in program(tf.constant(1))] == [True, False, False]


def test_the_text_asks_for_values_of_python_only():
    def program(x, y):
        return isinstance(x, tf.Tensor) and isinstance(y, Box), type("C", (), {})

    assert "ag__.converted(isinstance)" not in autograph.to_code(program)
    assert "ag__.type_" not in autograph.to_code(program)


def test_classes_are_made_where_the_program_makes_them():
    def program(x):
        make = type
        return make("C", (), {}), x

    made, _ = autograph.to_graph(program)(1)
    assert made.__module__ == __name__
