"""References to one of several objects: the names of the objects are theirs alone."""

import copy
import dataclasses
from typing import Any

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


def rows_of(numbers):
    return [[number, number * 10] for number in numbers]


def swapped(i, j):
    rows = rows_of([1, 2, 3])
    first = rows[0]
    rows[i], rows[j] = rows[j], rows[i]
    rows[0][0] = 7
    rows[i][1] += 1
    return [list(row) for row in rows], list(first)


def two_names(i, j):
    rows = rows_of([1, 2, 3])
    rows[i] = rows[j]
    rows[j][0] = 7
    rows[1][1] = 8
    same = 1 if rows[i] is rows[j] else 0
    return [list(row) for row in rows], same, 1 if rows[0] is rows[1] else 0


def a_new_row(i, j):
    rows = rows_of([1, 2, 3])
    old, new = rows[i], [0, 0]
    rows[i] = new
    new[0] = i
    rows[j][1] = 5
    return [list(row) for row in rows], list(old), list(new)


def dicts(i, j):
    found = [{"a": 1}, {"a": 2}, {"a": 3}]
    found[i], found[j] = found[j], found[i]
    found[0]["a"] += 10
    return [each["a"] for each in found]


@pytest.mark.parametrize("program", [swapped, two_names, a_new_row, dicts])
def test_lists_that_move_to_a_computed_place_stay_the_same_objects(program):
    check(program, (0, 2), (1, 1), (2, 0), (1, 0))


def smallest_first(rows, column):
    rows = [list(row) for row in rows]
    for start in range(len(rows)):
        best = start
        for place in range(start + 1, len(rows)):
            if rows[place][column] < rows[best][column]:
                best = place
        rows[start], rows[best] = rows[best], rows[start]
    return rows


def solved(matrix, values):
    """Gaussian elimination with the rows swapped to the largest pivots."""
    rows = [[*row, value] for row, value in zip(matrix, values, strict=True)]
    n = len(rows)
    for column in range(n):
        pivot = column
        for place in range(column + 1, n):
            if abs(rows[place][column]) > abs(rows[pivot][column]):
                pivot = place
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in rows[column + 1 :]:
            factor = row[column] / rows[column][column]
            for k in range(column, n + 1):
                row[k] -= factor * rows[column][k]
    result = [0.0] * n
    for place in reversed(range(n)):
        known = sum(rows[place][k] * result[k] for k in range(place + 1, n))
        result[place] = (rows[place][n] - known) / rows[place][place]
    return result


def test_rows_are_sorted_by_a_column():
    rows = [[3, 1], [1, 2], [2, 0]]
    for column in (0, 1):
        found = tf.function(smallest_first)(tf.constant(rows), column)
        assert [list(map(int, row)) for row in found] == smallest_first(rows, column)


def test_rows_are_swapped_to_the_largest_pivots():
    matrix = [[0.0, 1.0, -1.0], [-3.0, -1.0, 2.0], [-2.0, 1.0, 2.0]]
    values = [8.0, -11.0, -3.0]
    found = tf.function(solved)(tf.constant(matrix, tf.float64), tf.constant(values, tf.float64))
    assert [float(each) for each in found] == pytest.approx(solved(matrix, values))


@dataclasses.dataclass
class Account:
    balance: Any


@pytest.mark.parametrize("make", [lambda x: {"balance": x}, lambda x: [x], Account])
def test_a_copy_of_one_of_several_may_be_changed(make):
    def write(value):
        if isinstance(value, Account):
            value.balance = 5.0
        else:
            value[next(iter(value)) if isinstance(value, dict) else 0] = 5.0

    def changed(x):
        first = chosen = make(x)
        if x > 0:
            chosen = make(1.0)
        write(chosen)
        return first

    def copied(x):
        first = chosen = make(x)
        if x > 0:
            chosen = make(1.0)
        chosen = copy.copy(chosen)
        write(chosen)
        return first

    with pytest.raises(TypeError, match=r"for instance copy\.copy\(chosen\)"):
        tf.function(changed)(tf.constant(3.0))
    for number in (3.0, -3.0):
        found = tf.function(copied)(tf.constant(number))
        assert tf.nest.flatten(vars(found) if make is Account else found)[0] == number
