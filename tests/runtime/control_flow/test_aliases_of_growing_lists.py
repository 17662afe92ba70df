"""Names of a list whose length a staged statement decides, which the statement does not mention."""

from dataclasses import dataclass

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check


class Box:
    pass


@dataclass
class Record:
    items: list


def push(row, x):
    if x > 0:
        row.append(2)


def same(one, other):
    return one == other


def compared(x):
    a = [1]
    b = a
    c = [1, 2]
    if x > 0:
        a.append(2)
    return b == c, b != c


def decides_a_branch(x):
    a = [1]
    b = a
    c = [1, 2]
    if x > 0:
        a.append(2)
    if b == c:
        return 2
    return 1


def measured_and_iterated(x):
    a = [1]
    b = a
    total = 0
    three = [3]
    if x > 0:
        a.append(2)
    for item in b:
        total += item
    return len(b), bool(b), total, b + three, [item + 1 for item in b], b.count(1)


def emptied(x):
    a = [1]
    b = a
    if x > 0:
        a.pop()
    return bool(b), len(b * 2)


def in_a_loop(x):
    a = [1]
    b = a
    i = 0.0
    while i < x:
        a.append(2)
        i += 1.0
    return len(b), b == [1, 2]


def in_an_attribute(x):
    box = Box()
    a = [1]
    box.items = a
    c = [1, 2]
    if x > 0:
        a.append(2)
    return box.items == c


def in_a_tuple(x):
    a = [1]
    pair = (a, 5)
    c = [1, 2]
    if x > 0:
        a.append(2)
    return pair[0] == c


def in_a_closure(x):
    a = [1]
    c = [1, 2]

    def equal():
        return a == c

    if x > 0:
        a.append(2)
    return equal()


def row_of_a_grid(x):
    grid = [[1], [2]]
    row = grid[0]
    c = [1, 2]
    if x > 0:
        grid[0].append(2)
    return row == c, len(row)


def grid_of_a_row(x):
    grid = [[1], [2]]
    row = grid[0]
    if x > 0:
        row.append(2)
    return len(grid[0]), [len(each) for each in grid]


def key_of_a_dict(x):
    d = {"a": 1}
    e = d
    if x > 0:
        d["b"] = 2
    return "b" in e, e.get("b", 0)


def of_the_caller(x):
    a = [1]
    b = a
    c = [1, 2]
    push(a, x)
    return a == c, b == c, a != c, a == c == a, same(a, c), len(a)


def attributes_of_the_caller(x):
    one, other = Box(), Box()
    one.items, other.items = [1], [1, 2]
    push(one.items, x)
    return one.items == other.items


def items_of_the_caller(x):
    one, other = {1: [1]}, {1: [1, 2]}
    push(one[1], x)
    return one[1] == other[1]


AGREEING = [
    compared,
    decides_a_branch,
    measured_and_iterated,
    emptied,
    in_a_loop,
    in_an_attribute,
    in_a_tuple,
    in_a_closure,
    row_of_a_grid,
    grid_of_a_row,
    key_of_a_dict,
    of_the_caller,
    attributes_of_the_caller,
    items_of_the_caller,
]


@pytest.mark.parametrize("program", AGREEING, ids=lambda each: each.__name__)
def test_all_names_see_the_length(program):
    check(program, (1.0,), (-1.0,))


def in_a_display(x):
    a = [1]
    b = a
    if x > 0:
        a.append(2)
    return [1, 2] in [b]


def tuples(x):
    a = [1]
    one, other = (a, 5), ([1, 2], 5)
    if x > 0:
        a.append(2)
    return one == other


def dicts_of_lists(x):
    a = [1]
    d, e = {1: a}, {1: [1, 2]}
    if x > 0:
        a.append(2)
    return d == e


def records(x):
    a = [1]
    one, other = Record(a), Record([1, 2])
    if x > 0:
        a.append(2)
    return one == other


COMPARED = [in_a_display, tuples, dicts_of_lists, records]


@pytest.mark.parametrize("program", COMPARED)
def test_a_list_inside_another_value_is_compared_by_its_items(program):
    check(program, (1.0,), (-1.0,))


class Pushing:
    def __init__(self):
        self.v = [1]

    def push(self, x):
        if x > 0:
            self.v.append(2)


def read_before_and_after(x):
    pushing = Pushing()
    v = pushing.v
    pushing.push(x)
    w = pushing.v
    return v == w, v is w, v is not w


def identity_of_names(x):
    a = [1]
    b = a
    c = [1]
    d = {"a": 1}
    e = d
    if x > 0:
        a.append(2)
        d["b"] = 2
    return a is b, b is c, b is not a, d is e, e is not d


@pytest.mark.parametrize("program", [read_before_and_after, identity_of_names])
@pytest.mark.parametrize("x", [1, -1])
def test_both_names_are_of_one_list(program, x):
    answers = tf.function(program)(tf.constant(x))
    assert tf.nest.map_structure(bool, answers) == program(x)


class Counted:
    def __init__(self, n):
        self.n = n
        self.sets = 0

    @property
    def level(self):
        return self.n * 2

    @level.setter
    def level(self, value):
        self.sets += 1
        self.n = value


def set_after_a_list_grew(x):
    a = [1]
    counted = Counted(x)
    if x > 0:
        a.append(2)
    counted.level = x + 1
    if x > 1:
        counted.level += 3
    return counted.level, counted.sets, len(a)


@pytest.mark.parametrize("x", [-1, 1, 2])
def test_setters_run_as_written_where_a_list_has_moved(x):
    answers = tf.function(set_after_a_list_grew)(tf.constant(x))
    assert tf.nest.map_structure(int, answers) == set_after_a_list_grew(x)
