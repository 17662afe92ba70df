"""Operators on plain values take a short way; it decides as Python does, and never for others."""

import numpy as np
import pytest

import runtime as tf
from autograph import ag__ as operators
from autograph.operators.attributes import is_ordinary
from autograph.operators.moved import Moved
from autograph.operators.variables import Undefined
from autograph.staging import tracing


class Odd:
    """Equal to odd numbers; counts the questions for its truth."""

    asked = 0

    def __eq__(self, other):
        return other % 2 == 1

    __hash__ = None

    def __bool__(self):
        self.asked += 1
        return True


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


def test_and_and_or_ask_each_operand_once():
    odd = Odd()
    assert operators.and_(odd, lambda: 0, lambda: 1 / 0) == 0
    assert operators.or_(odd, lambda: 1 / 0) is odd
    assert odd.asked == 2


def test_stand_ins_are_not_ordinary():
    assert is_ordinary(int) and is_ordinary(Odd)
    assert not is_ordinary(Moved) and not is_ordinary(Undefined)


def test_a_staged_member_decides_in_a_trace():
    @tf.function
    def f(x):
        row = [x, 5]
        return 3 in row, row == [3, 5], (x, 5) == (3, 5), x is True

    assert [each.numpy() for each in f(tf.constant(3))[:3]] == [True, True, True]
    assert [each.numpy() for each in f(tf.constant(4))[:3]] == [False, False, False]


def test_a_function_written_in_c_is_looked_at_in_each_trace():
    outside = operators.converted(len)
    assert outside([1]) == 1

    @tf.function
    def f(xs):
        return len(xs) + max(xs[0], 2)

    assert f(np.array([1, 5])).numpy() == 4
    with tracing():
        assert operators.converted([].append).__name__ == "append"
    assert operators.converted(len) is outside


def test_an_attribute_path_ends_at_a_number():
    class Box:
        pass

    box = Box()
    box.rows, box.total = [[1, 2], [3]], 4
    operators.at(box).rows[0][1] += 5
    operators.at(box).rows[1] = box.total
    assert box.rows == [[1, 7], 4]
    with pytest.raises(TypeError, match="'int' object does not support item assignment"):
        operators.at(box).total[0] = 1
    with pytest.raises(TypeError, match="does not support item deletion"):
        del operators.at(box).total[0]
