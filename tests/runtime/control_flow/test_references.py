"""References to one of several objects: the names of the objects are theirs alone."""

import pytest

import runtime as tf
from runtime.control_flow.references import Candidates
from tests.runtime.control_flow.agreement import check


class Particle:
    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity
        self.objects = [position, velocity]
        self._refuse = position + velocity

    def _copied_attributes(self):
        return self.position * 10


def read(x):
    a, b = Particle(1, 2), Particle(3, 4)
    p = a if x > 0 else b
    return p.position, p.velocity, p.objects[0], p._refuse, p._copied_attributes()


def written(x):
    a, b = Particle(1, 2), Particle(3, 4)
    p = a if x > 0 else b
    p.position += p.velocity
    p._refuse = 7
    return a.position, b.position, p.position, a._refuse


def one_object_twice(x):
    a, b = Particle(1, 2), Particle(3, 4)
    p = a if x > 0 else b
    q = p if x > 1 else a
    q.position = 9
    return a.position, b.position, 1 if q is a else 2, 1 if p is q else 2


@pytest.mark.parametrize("program", [read, written, one_object_twice])
def test_attributes_of_any_name_are_those_of_the_selected_object(program):
    check(program, (1,), (-1,), (2,))


def test_candidates_are_equal_for_the_same_objects():
    a, b = [1], [1]
    assert Candidates((a, b)) == Candidates((a, b)) != Candidates((b, a))
    assert hash(Candidates((a, b))) == hash(Candidates((a, b)))
    assert int(Candidates((a, b)).position_of(b)) == 1


def test_a_reference_that_is_another_object_is_false_at_once():
    @tf.function
    def program(x):
        a, b, c = [1], [2], [3]
        p = a if x > 0 else b
        return p is c

    assert program(tf.constant(1)) == tf.constant(False)
