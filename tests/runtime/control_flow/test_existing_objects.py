# ruff: noqa: SIM108 - the programs are as people write them
"""One of several existing objects, lists or dicts, as a tensor decides: read, but not changed."""

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import autograph
import runtime as tf

Pair = namedtuple("Pair", "key value")


@dataclass
class Point:
    x: int
    y: float = 0.5


class Account:
    rate = 3

    def __init__(self, balance):
        self.balance = balance

    def pay(self, amount):
        self.balance += amount
        return self.balance

    def after(self, amount):
        return self.balance + amount

    @property
    def double(self):
        return self.balance * 2


def attribute(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    return p.balance, p.double, p.rate, p.after(5)


def attribute_after_a_statement(x):
    a, b = Account(1), Account(2)
    if x > 0:
        p = a
    else:
        p = b
    return p.balance * 10


def dataclasses(x):
    a, b = Point(1), Point(2, 1.5)
    p = a if x > 0 else b
    return p.x, p.y, 1 if p == a else 2


def text(x):
    a, b = Point(1), Point(2)
    p = a if x > 0 else b
    return 1 if str(p) == "Point(x=1, y=0.5)" else 2


def named_tuples(x):
    a, b = Pair(1, 2), Pair(3, 4)
    p = a if x > 0 else b
    return p.key, p.value


def one_of_three(x):
    a, b, c = Account(1), Account(2), Account(3)
    if x > 1:
        p = a
    elif x > 0:
        p = b
    else:
        p = c
    return p.balance


def lists(x):
    a, b = [1, 2], [3, 4]
    p = a if x > 0 else b
    return p[1], len(p), max(p), sum(p)


def lists_of_two_lengths(x):
    a, b = [1, 5, 8], [7, 2]
    c = a if x > 0 else b
    return c[0], len(c)


def dicts(x):
    a, b = {"k": 1}, {"k": 2}
    if x > 0:
        p = a
    else:
        p = b
    return p["k"]


def best_of_a_loop(x):
    scores = [3, 9, 4]
    accounts = [Account(each) for each in scores]
    best = accounts[0]
    for account in accounts:
        if account.balance * x > best.balance * x:
            best = account
    return best.balance


def same_class(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    return 1 if isinstance(p, Account) else 2


def none_or_not(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    return 1 if p is None else 2


SAME = [
    attribute, attribute_after_a_statement, dataclasses, text, named_tuples, one_of_three, lists,
    lists_of_two_lengths, dicts, best_of_a_loop, same_class, none_or_not,
]  # fmt: skip


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return np.asarray(value).tolist()


@pytest.mark.parametrize("x", [-1, 1, 2])
@pytest.mark.parametrize("program", SAME, ids=lambda program: program.__name__)
def test_same_as_python(program, x):
    expected = plain(program(x))
    assert plain(tf.function(program)(tf.constant(x))) == expected
    assert plain(autograph.to_graph(program)(x)) == expected


def method_that_writes(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    return p.pay(5), a.balance


def write(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    p.balance = 9
    return a.balance


def write_to_the_originals(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    a.balance = 10
    return p.balance


def list_that_is_written(x):
    a, b = [1, 2], [3, 4]
    p = a if x > 0 else b
    p[0] = 9
    return a


def dict_that_is_written(x):
    a, b = {"k": 1}, {"k": 2}
    p = a if x > 0 else b
    p["k"] += 5
    return a["k"]


def looped_over_and_written(x):
    a = [1, 2]
    row = a if x > 0 else [3, 4, 5]
    out = []
    for v in row:
        out.append(v)
        a[1] = 9
    return out


def existing_ones_looped_over_and_written(x):
    a, b = [1, 2], [3, 4, 5]
    row = a if x > 0 else b
    out = []
    for i, v in enumerate(row):
        out.append(v + i)
        a[1] = 9
    return out


def identity(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    return 1 if p is a else 2


def nodes(x):
    class Node:
        def __init__(self, rest):
            self.rest = rest

    node = Node(Node(Node(None)))
    if x > 0:
        node = node.rest
    return 1 if node.rest is None else 2


def two_classes(x):
    a, b = Point(1), Account(2)
    p = a if x > 0 else b
    return isinstance(p, Point)


REFUSED = [
    method_that_writes, write, write_to_the_originals, list_that_is_written, dict_that_is_written,
    looped_over_and_written, existing_ones_looped_over_and_written, identity, nodes, two_classes,
]  # fmt: skip


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
@pytest.mark.parametrize("x", [0, 1])
def test_what_depends_on_which_object_it_is_is_refused(program, x):
    with pytest.raises(TypeError):
        tf.function(program)(tf.constant(x))


def test_a_dataclass_is_returned_as_one():
    @tf.function
    def program(x):
        a, b = Point(1), Point(2)
        return a if x > 0 else b

    result = program(tf.constant(1))
    assert type(result) is Point
    assert int(result.x) == 1
