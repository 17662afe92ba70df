"""What a library carries in place of an object that a staged statement must not copy."""

from collections import deque
from enum import Enum

import pytest

import runtime as tf
from autograph.operators.stand_ins import Ref, Twin, has_identity


class Color(Enum):
    RED = 1


class Own:
    pass


def test_two_stand_ins_of_one_object_are_the_same():
    one, other = [1], [1]
    assert Ref(one).is_same(Ref(one))
    assert not Ref(one).is_same(Ref(other))
    assert Twin(2).is_same(Twin(2, [1]))
    assert not Twin(2).is_same(Twin(3))
    assert not Ref(2).is_same(Twin(2)) and not Twin(2).is_same(Ref(2))
    assert (repr(Ref(one)), repr(Twin(0, [5]))) == ("[1]", "[5]")


@pytest.mark.parametrize("value", [[], {}, set(), deque(), Own()])
def test_a_program_can_tell_objects_that_change_from_equal_ones(value):
    assert has_identity(value)


@pytest.mark.parametrize("value", [1, "a", (1,), None, Color.RED, tf.constant(1.0)])
def test_a_program_does_not_tell_values_from_equal_ones(value):
    assert not has_identity(value)
