"""`index` and `count` of lists and tuples of objects, which the program compares."""

from collections import namedtuple
from dataclasses import dataclass

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check

Point = namedtuple("Point", "x y")


@dataclass
class Card:
    rank: object


class Angle:
    def __init__(self, degrees):
        self.degrees = degrees

    def __eq__(self, other):
        return self.degrees % 360 == other.degrees % 360


def dataclasses(x):
    hand = [Card(5), Card(3), Card(x), Card(3)]
    return hand.count(Card(x)), hand.index(Card(x)), (*hand,).count(Card(3))


def own_comparisons(x):
    angles = [Angle(x + 360), Angle(5), Angle(x)]
    return angles.index(Angle(x)), angles.count(Angle(x)), (*angles,).index(Angle(5 - 360))


def named_tuples(x):
    points = [Point(1, x), Point(x, 3), Point(x, 1)]
    return points.count(Point(x, x)), points.index(Point(3, 3)), (*points,).count(Point(1, x))


def within_bounds(x):
    return [Card(x), Card(3), Card(x)].index(Card(x), 1)


@pytest.mark.parametrize(
    "program",
    [dataclasses, own_comparisons, named_tuples, within_bounds],
    ids=lambda each: each.__name__,
)
def test_equal_objects_are_found_when_the_graph_runs(program):
    check(program, (3,), (5,), (1,))


def test_an_object_that_is_compared_by_identity_is_found_while_tracing():
    def program(x):
        one, other = object(), object()
        return x, [one, other].index(other), (one, other, one).count(one)

    assert tf.function(program)(tf.constant(3))[1:] == (1, 2)
