"""What Python asks of tensors while it traces: their type, and where their items end."""

import pytest

import autograph
import runtime as tf


def kind(x):
    match x:
        case int():
            return 1
        case float():
            return 2
    return 3


def is_int(x):
    return isinstance(x, int)


def test_a_tensor_is_no_number_of_python():
    assert (kind(3), kind(3.0), is_int(3)) == (1, 2, True)
    for convert in (tf.function, autograph.to_graph):
        assert convert(kind)(tf.constant(3)) == 3
        assert not convert(is_int)(tf.constant(3))


def kind_of_a_possible_tensor(x):
    total = 0
    if x > 0:
        total = x
    return kind(total)


def type_of_a_possible_tensor(x):
    total = 0
    if x > 0:
        total = x
    return type(total) is int


def no_container(x):
    total = 0
    if x > 0:
        total = x
    return isinstance(total, (list, tuple))


@pytest.mark.parametrize("program", [kind_of_a_possible_tensor, type_of_a_possible_tensor])
def test_the_type_of_a_number_or_tensor_by_a_branch_is_refused(program):
    with pytest.raises(TypeError, match="is a tensor or Python's int") as caught:
        tf.function(program)(tf.constant(3))
    assert any(str(entry.path) == __file__ for entry in caught.traceback)
    assert tf.function(program)(3) == program(3)
    assert not tf.function(no_container)(tf.constant(3))


class Multiples:
    def __init__(self, x, count):
        self.x = x
        self.count = count

    def __getitem__(self, index):
        if index >= self.count:
            raise IndexError
        return self.x * index


def loop(x, count):
    total = 0
    for item in Multiples(x, count):
        total += item
    return total


def listed(x, count):
    return len(list(Multiples(x, count)))


def asked(x, count):
    return Multiples(x, count)[2]


@pytest.mark.parametrize("program", [loop, listed])
def test_items_that_a_tensor_ends_are_refused(program):
    with pytest.raises(TypeError, match="`__getitem__` raises `IndexError`") as caught:
        tf.function(program)(tf.constant(3), tf.constant(4))
    assert any(str(entry.path) == __file__ for entry in caught.traceback)
    assert tf.function(program)(tf.constant(3), 4) == program(3, 4)


def test_one_item_that_a_tensor_may_refuse():
    assert tf.function(asked)(tf.constant(3), tf.constant(4)) == 6
    with pytest.raises(IndexError):
        tf.function(asked)(tf.constant(3), tf.constant(1))
