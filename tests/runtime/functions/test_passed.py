"""`is` on arguments has the answer of each call, or is refused."""

import collections
import dataclasses

import numpy as np
import pytest

import runtime as tf

KEPT = [1, 2]
Pair = collections.namedtuple("Pair", "x y")


@dataclasses.dataclass
class Point:
    x: object


class Plain:
    pass


def are_one(left, right):
    return left is right


REFUSED = {
    "tensors": lambda: tf.constant(1),
    "lists": lambda: [1],
    "lists of tensors": lambda: [tf.constant(1)],
    "dicts": lambda: {"a": 1},
    "sets": lambda: {1},
    "tuples": lambda: (tf.constant(1), 2),
    "named tuples": lambda: Pair(tf.constant(1), 2),
    "dataclasses": lambda: Point(tf.constant(1)),
    "arrays": lambda: np.ones(2),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_arguments_that_share_a_graph_are_refused(make):
    for right_of in (lambda left: left, lambda left: make()):
        left = make()
        with pytest.raises(TypeError, match="`is` asks whether an argument and another"):
            tf.function(are_one)(left, right_of(left))


DECIDED = {"objects": Plain, "variables": lambda: tf.Variable(1), "functions": lambda: lambda: 0}


@pytest.mark.parametrize("make", DECIDED.values(), ids=DECIDED)
def test_arguments_with_graphs_of_their_own_are_compared(make):
    one, other = make(), make()
    staged = tf.function(are_one)
    pairs = [(one, one), (one, other), (other, other), (other, one)]
    assert [bool(staged(*pair)) for pair in pairs] == [True, False, True, False]


@pytest.mark.parametrize("passed", [KEPT, [1, 2]], ids=["the list outside", "another list"])
def test_an_argument_and_a_list_outside_are_refused(passed):
    with pytest.raises(TypeError, match="an argument and another list are one object"):
        tf.function(lambda row: row is KEPT)(passed)


def test_items_of_an_argument_are_refused():
    with pytest.raises(TypeError, match="positions of items"):
        tf.function(lambda rows: rows[0] is rows[1])([tf.constant(1), tf.constant(1)])


@pytest.mark.parametrize("passed", [[1], tf.constant(1), Plain()], ids=lambda v: type(v).__name__)
def test_one_name_is_one_object(passed):
    def program(value):
        same = value
        return same is value, value is None, value is [1]  # noqa: F632

    assert [bool(each) for each in tf.function(program)(passed)] == [True, False, False]


def test_a_function_that_is_called_by_another_has_arguments_of_its_own():
    inner = tf.function(are_one)

    def program(x):
        row = [x]
        return inner(row, row)

    with pytest.raises(TypeError, match="an argument and another list are one object"):
        tf.function(program)(tf.constant(1))
