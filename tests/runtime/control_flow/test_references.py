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


def grown_after_the_choice(x):
    a, b = [0], [1]
    chosen = a if x > 3 else b
    k = 0
    while k < x:
        a.append(k)
        k += 1
    return chosen is a, chosen is b, b is chosen


def test_a_chosen_list_that_grew_is_the_list_that_it_is():
    staged = tf.function(grown_after_the_choice)
    for x in (1, 5):
        assert tuple(map(bool, staged(tf.constant(x)))) == grown_after_the_choice(x)
