# ruff: noqa: SIM108 - the programs are as people write them
"""Objects, lists and dicts one of which a tensor chooses: reads and writes reach that one."""

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
        self.history = [balance]

    def pay(self, amount):
        self.balance += amount
        return self.balance

    @property
    def double(self):
        return self.balance * 2

    @double.setter
    def double(self, value):
        self.balance = value // 2


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


def attribute(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    return p.balance


def attribute_after_a_statement(x):
    a, b = Account(1), Account(2)
    if x > 0:
        p = a
    else:
        p = b
    return p.balance * 10


def method(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    paid = p.pay(5)
    return paid, a.balance, b.balance


def write(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    p.balance = 9
    p.balance += 1
    return a.balance, b.balance, p.balance


def write_to_the_originals(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    a.balance = 10
    b.balance = 20
    return p.balance


def properties(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    before = p.double
    p.double = 8
    return before, a.balance, b.balance


def attribute_of_the_class(x):
    a, b = Account(1), Account(2)
    return (a if x > 0 else b).rate


def list_in_an_object(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    p.history[0] = 7
    return a.history[0], b.history[0]


def dataclasses(x):
    a, b = Point(1), Point(2, 1.5)
    p = a if x > 0 else b
    p.x += 3
    return a.x, b.x, p.y


def slots(x):
    a, b = Slotted(1), Slotted(2)
    p = a if x > 0 else b
    p.value = 5
    return a.value, b.value


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
    p.pay(10)
    return a.balance, b.balance, c.balance


def chosen_again(x):
    a, b, c = Account(1), Account(2), Account(3)
    p = a if x > 0 else b
    q = p if x > 1 else c
    q.pay(10)
    return a.balance, b.balance, c.balance


def in_a_loop(x):
    a, b = Account(1), Account(2)
    for i in range(3):
        p = a if x > i else b
        p.pay(10)
    return a.balance, b.balance


def carried_by_a_loop(x):
    a, b = Account(1), Account(2)
    p = a
    for i in range(3):
        if i >= x:
            p = b
        else:
            p = a
        p.pay(10)
    return a.balance, b.balance, p.balance


def written_in_a_branch(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    if x > 1:
        p.balance = 100
    return a.balance, b.balance


def lists(x):
    a, b = [1, 2], [3, 4]
    p = a if x > 0 else b
    p[0] = 9
    b[1] = 8
    return a, b, p[1]


def dicts(x):
    a, b = {"k": 1}, {"k": 2}
    if x > 0:
        p = a
    else:
        p = b
    p["k"] += 5
    return a["k"], b["k"]


def rows(x):
    grid = [[1, 2], [3, 4]]
    if x > 0:
        row = grid[0]
    else:
        row = grid[1]
    row[0] = 9
    return grid


def same_class(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    return 1 if isinstance(p, Account) else 2


def none_or_not(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    return 1 if p is None else 2


def passed_to_a_function(x):
    def pay(account, amount):
        account.balance += amount
        return account

    a, b = Account(1), Account(2)
    return pay(a if x > 0 else b, 4).balance, a.balance, b.balance


def returned_by_a_function(x):
    a, b = Account(1), Account(2)

    def choose(x):
        if x > 0:
            return a
        return b

    choose(x).balance = 7
    return a.balance, b.balance


def identity(x):
    a, b = Account(1), Account(2)
    p = a if x > 0 else b
    return 1 if p is a else 2


def identity_of_lists(x):
    a, b = [1], [2]
    p = a if x > 0 else b
    return 1 if b is p else 2


class Scale:
    def __init__(self, factor):
        self.factor = factor
        self.seen = []

    def __call__(self, x, *, shift=0):
        self.seen.append(x)
        if x < 0:
            return x
        return x * self.factor + shift


def called(x):
    a, b = Scale(2), Scale(3)
    p = a if x > 1 else b
    y = p(p(x), shift=1) + a(1)
    p.factor = 7
    return y, p(1), a.seen, b.seen


SAME = [
    called,
    attribute, attribute_after_a_statement, method, write, write_to_the_originals, properties,
    attribute_of_the_class, list_in_an_object, dataclasses, slots, named_tuples, one_of_three,
    chosen_again, in_a_loop, carried_by_a_loop, written_in_a_branch, lists, dicts, rows,
    same_class, none_or_not, passed_to_a_function, returned_by_a_function,
    identity, identity_of_lists,
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


def equality(x):
    a, b = Point(1), Point(2)
    p = a if x > 0 else b
    return 1 if p == a else 2


def two_classes(x):
    a, b = Point(1), Account(2)
    p = a if x > 0 else b
    return isinstance(p, Point)


def text(x):
    a, b = Point(1), Point(2)
    p = a if x > 0 else b
    return str(p)


@pytest.mark.parametrize("program", [equality, two_classes, text])
@pytest.mark.parametrize("x", [0, 1])
def test_what_depends_on_which_object_it_is_is_refused(program, x):
    with pytest.raises((TypeError, ValueError)) as caught:
        tf.function(program)(tf.constant(x))
    assert "Reference" not in str(caught.value)


def test_a_layer_that_a_tensor_chooses_is_called_and_trained():
    layers = [tf.keras.layers.Dense(1, kernel_initializer=name) for name in ("ones", "zeros")]
    for layer in layers:
        layer.build((None, 2))

    @tf.function
    def program(x):
        layer = layers[0] if tf.reduce_sum(x) > 3 else layers[1]
        return layer(x)

    assert program(tf.constant([[1.0, 2.0]])).numpy().tolist() == [[0]]
    with tf.GradientTape() as tape:
        y = program(tf.constant([[2.0, 3.0]]))
    assert y.numpy().tolist() == [[5]]
    taken, other = tape.gradient(y, [layer.kernel for layer in layers])
    assert taken.numpy().tolist() == [[2], [3]]
    assert other is None or not other.numpy().any()


def test_an_object_without_call_is_not_called():
    a, b = Point(1), Point(2)

    @tf.function
    def program(x):
        p = a if x > 0 else b
        return p(x)

    with pytest.raises(TypeError, match="not callable"):
        program(tf.constant(1))


def test_a_chosen_dataclass_is_returned_as_one():
    @tf.function
    def program(x):
        a, b = Point(1), Point(2)
        return a if x > 0 else b

    result = program(tf.constant(1))
    assert type(result) is Point
    assert int(result.x) == 1


def test_an_attribute_that_is_none_is_named_by_class_and_attribute():
    class Node:
        def __init__(self, key, rest):
            self.key, self.rest = key, rest

    @tf.function
    def f(x):
        node = Node(1, Node(2, None))
        if x > 0:
            node = node.rest
        return node.rest.key

    assert f(tf.constant(-1)).numpy() == 2
    with pytest.raises(TypeError, match=r"`Node\.rest` is None here"):
        f(tf.constant(1))


class Leaf:
    def __init__(self, key):
        self.key = key
        self.left = self.right = None


def inserted(keys):
    root = Leaf(keys[0])
    for key in keys[1:]:
        node = root
        while True:
            if key < node.key:
                if node.left is None:
                    node.left = Leaf(key)
                    break
                node = node.left
            else:
                if node.right is None:
                    node.right = Leaf(key)
                    break
                node = node.right
    return root.key


def longest_walk(n):
    root = Leaf(n)
    root.left, root.left.right = Leaf(n + 1), Leaf(n + 2)
    node, steps = root, 0
    while steps < n:
        node = node.left if node.left is not None else root
        steps += 1
    return node.key


def test_a_walk_among_objects_made_before_a_loop_is_as_in_python():
    for n in (0, 1, 2):
        assert int(tf.function(longest_walk)(tf.constant(n))) == longest_walk(n)


def test_a_choice_among_objects_made_in_a_loop_is_refused_by_its_name():
    keys = [tf.constant(key) for key in (4, 2, 7, 1)]
    with pytest.raises(TypeError, match=r"leaves a new Leaf in `node\.\w+`, or another object"):
        tf.function(inserted)(keys)


def powers(kind, n):
    found, square = kind([1, 0]), kind([0, 1])
    while n > 0:
        if n % 2 == 1:
            found = kind([found.numbers[0] + square.numbers[1], n])
        square = kind([number + 1 for number in square.numbers])
        n = n // 2
    return found.numbers


def test_new_objects_with_lists_are_carried_by_a_loop_if_they_are_dataclasses():
    @dataclass
    class Row:
        numbers: list

    class Plain:
        def __init__(self, numbers):
            self.numbers = numbers

    for n in (0, 1, 6):
        found = tf.function(powers)(Row, tf.constant(n))
        assert list(map(int, found)) == powers(Row, n)
    with pytest.raises(TypeError, match=r"`Plain\.numbers` is a list.*Make Plain a dataclass"):
        tf.function(powers)(Plain, tf.constant(3))


class Expert:
    def __init__(self, weight):
        self.weight = weight
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return self.weight * x


def called_by_index(i):
    experts = [Expert(2), Expert(3), Expert(4)]
    found = [experts[(i + k) % 3](10 + k) for k in range(4)]
    return found, [each.calls for each in experts]


def assigned_by_index(i):
    points = [Point(1), Point(2), Point(3)]
    point = points[i]
    point.x += 10
    points[2].y = 0.25
    return [each.x for each in points], points[i].x, points[i].y, 1 if point is points[0] else 0


def swapped_by_index(i):
    experts = [Expert(3), Expert(1), Expert(2)]
    first = experts[0]
    experts[0], experts[i] = experts[i], experts[0]
    experts[0].weight = 50
    first.calls = 7
    return [each.weight for each in experts], [each.calls for each in experts]


@pytest.mark.parametrize("program", [called_by_index, assigned_by_index, swapped_by_index])
def test_an_object_in_a_list_is_chosen_by_a_tensor_as_by_a_number(program):
    for i in (0, 1, 2):
        assert plain(tf.function(program)(tf.constant(i))) == plain(program(i))


def test_a_layer_in_a_list_is_chosen_by_a_tensor():
    layers = [tf.keras.layers.Dense(2, kernel_initializer="ones") for _ in range(2)]
    for number, layer in enumerate(layers):
        layer.build((None, 2))
        layer.set_weights([np.full((2, 2), number + 1.0), np.zeros(2)])
    chosen = tf.function(lambda x, i: layers[i](x))
    for i in (0, 1):
        assert chosen(tf.ones((1, 2)), tf.constant(i)).numpy().tolist() == [[2.0 + 2 * i] * 2]
