"""Cached properties that a staged statement is the first to read."""

import functools

import pytest

import autograph
import runtime as tf

FACTOR = 2


class Box:
    def __init__(self, n):
        self.n = n
        self.rows = [[n]]
        self.seen = 0

    @functools.cached_property
    def square(self):
        return self.n * self.n

    @functools.cached_property
    def total(self):
        return sum(row[0] for row in self.rows)

    @functools.cached_property
    def scaled(self):
        return self.n * FACTOR


def read_once(x):
    box = Box(3)
    y = 0
    if x > 0:
        y = box.square
    return y


def read_again(x):
    box = Box(3)
    y = 0
    if x > 0:
        y = box.square
    return y, box.square


def read_of_a_tensor(x):
    box = Box(x)
    y = 0
    for i in range(abs(x)):
        y += box.square + i
    return y, box.square


def read_in_two_statements(x):
    box = Box(3)
    y = z = 0
    if x > 0:
        y = box.square
    if x > 1:
        z = box.square
    return y, z


def changed_and_not_read(x):
    box = Box(3)
    y = 0
    if x > 0:
        y = box.square
    box.n = 5
    return y, box.n


def read_before(x):
    box = Box(3)
    y = box.square
    if x > 0:
        y += box.square
    box.n = 5
    return y, box.square


@pytest.mark.parametrize("x", [-2, 2])
@pytest.mark.parametrize(
    "program",
    [
        read_once, read_again, read_of_a_tensor, read_in_two_statements, changed_and_not_read,
        read_before,
    ],
    ids=lambda program: program.__name__,
)  # fmt: skip
def test_a_cached_property_is_the_value_that_python_has(program, x):
    results = tf.nest.flatten(tf.function(program)(tf.constant(x)))
    assert [int(each) for each in results] == tf.nest.flatten(program(x))
    assert autograph.to_graph(program)(x) == program(x)


def attribute_changed(x):
    box = Box(3)
    y = 0
    if x > 0:
        y = box.square
    box.n = 5
    return y, box.square


def item_changed(x):
    box = Box(3)
    y = 0
    if x > 0:
        y = box.total
    box.rows[0][0] = 5
    return y, box.total


def changed_in_the_block(x):
    box = Box(3)
    y = 0
    if x > 0:
        y = box.square
        box.n = 5
    return y, box.square


def changed_in_a_branch(x):
    box = Box(3)
    y = 0
    if x > 0:
        y = box.square
    if x > 1:
        box.n = 5
    return y, box.square


def changed_between_two_statements(x):
    box = Box(3)
    y = z = 0
    if x > 0:
        y = box.square
    box.n = 5
    if x > 1:
        z = box.square
    return y, z


def global_changed(x):
    global FACTOR
    box = Box(3)
    y = 0
    if x > 0:
        y = box.scaled
    FACTOR += 1
    return y, box.scaled


@pytest.mark.parametrize("x", [-2, 2])
@pytest.mark.parametrize(
    "program",
    [
        attribute_changed, item_changed, changed_in_the_block, changed_in_a_branch,
        changed_between_two_statements, global_changed,
    ],
    ids=lambda program: program.__name__,
)  # fmt: skip
def test_a_property_that_would_be_another_one_is_refused_by_name(program, x):
    with pytest.raises(
        TypeError, match=r"`box\.\w+` is first read in a staged statement"
    ) as caught:
        tf.function(program)(tf.constant(x))
    assert __file__ in str(caught.value)


class Counting:
    def __init__(self):
        self.count = 0

    @functools.cached_property
    def seven(self):
        self.count += 1
        return 7


def computed_with_an_effect(x):
    box = Counting()
    y = 0
    if x > 0:
        y = box.seven
    return y, box.seven, box.count


def computed_before(x):
    box = Counting()
    y = box.seven
    if x > 0:
        y += box.seven
    return y, box.count


@pytest.mark.parametrize("x", [-2, 2])
def test_a_property_with_a_side_effect_is_refused_in_a_staged_statement(x):
    with pytest.raises(TypeError, match=r"`seven` caches its result, and changes `self\.count`"):
        tf.function(computed_with_an_effect)(tf.constant(x))
    y, count = tf.function(computed_before)(tf.constant(x))
    assert (int(y), int(count)) == computed_before(x)


def names_of_attributes(x):
    box = Box(3)
    y = 0
    if x > 0:
        y = box.square
    return y, "square" in vars(box)


def test_the_names_of_attributes_with_a_property_that_may_be_there_are_refused():
    with pytest.raises(TypeError, match=r"`box\.square` is first read in a staged statement"):
        tf.function(names_of_attributes)(tf.constant(2))
