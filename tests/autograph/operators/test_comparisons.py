"""Operators on plain values take a short way; it decides as Python does, and never for others."""

import pytest

import runtime as tf
from autograph import ag__ as operators


class Odd:
    """Equal to odd numbers."""

    def __eq__(self, other):
        return other % 2 == 1

    __hash__ = None


@pytest.mark.parametrize("container", [[2, 3], (2, 3), [2, [3]], ["3", 3.0], {3: 1}, {3}, range(4)])
@pytest.mark.parametrize("item", [3, 2, True, "3", 3.0, None])
def test_in_decides_as_python_does(item, container):
    assert operators.in_(item, container) is (item in container)
    assert operators.not_in(item, container) is (item not in container)


def test_in_asks_the_items_and_stops_at_nan_by_identity():
    nan = float("nan")
    assert operators.in_(Odd(), [2, 3]) is True
    assert operators.in_(nan, [nan]) is True
    assert operators.in_(float("nan"), [nan]) is False


@pytest.mark.parametrize("left", [(1, 2), [1, 2], 1, "a", None, [1, [2]]])
@pytest.mark.parametrize("right", [(1, 2), [1, 2], True, "a", None, [1, [2]]])
def test_equality_and_identity_are_those_of_python(left, right):
    assert operators.eq(left, right) is (left == right)
    assert operators.ne(left, right) is (left != right)
    assert operators.is_(left, right) is (left is right)


def test_a_staged_member_decides_in_a_trace():
    @tf.function
    def f(x):
        row = [x, 5]
        return 3 in row, row == [3, 5], (x, 5) == (3, 5), x is True

    assert [each.numpy() for each in f(tf.constant(3))[:3]] == [True, True, True]
    assert [each.numpy() for each in f(tf.constant(4))[:3]] == [False, False, False]


@pytest.mark.parametrize("values", [(3, 1), (1, 2), (-3, 0)])
def test_a_pair_is_found_among_keys_and_members(values):
    def program(x, y):
        pair = (x, y)
        keys = {(3, 1): "a", (1, 2): "b"}
        return pair in keys, pair not in set(keys), pair in frozenset(keys)

    found = tf.function(program)(*map(tf.constant, values))
    assert tuple(map(bool, found)) == program(*values)
