"""`id` is Python's own, unless the object is not known while a function is traced."""

import pytest

import runtime as tf


class Node:
    def __init__(self, value):
        self.value = value
        self.others = []


def test_objects_that_were_seen_before():
    one, other = Node(1), Node(2)
    one.others, other.others = [other], [one]

    def total(x):
        seen, waiting = set(), [one]
        while waiting:
            node = waiting.pop()
            if id(node) not in seen:
                seen.add(id(node))
                x += node.value
                waiting.extend(node.others)
        return x

    assert int(tf.function(total)(tf.constant(1))) == total(1) == 4


def test_new_lists_and_tensors_are_different_ones():
    def program(x):
        rows, other, double = [x], [x], x * 2
        numbers = {id(rows): 1, id(other): 2, id(double): 3}
        return numbers[id(rows)] + numbers[id(double)], len(numbers)

    assert tf.function(program)(tf.constant(1)) == program(1) == (4, 3)


def test_a_list_that_a_tensor_chose_is_refused():
    def program(x):
        rows = [1, 2]
        chosen = rows if x > 0 else [3, 4]
        return id(chosen) == id(rows)

    with pytest.raises(TypeError, match="`id` asks for the address of a list that a tensor"):
        tf.function(program)(tf.constant(1))


@pytest.mark.parametrize("passed", [[1], (tf.constant(1), 2), tf.constant(1)], ids=repr)
def test_an_argument_that_shares_a_graph_is_refused(passed):
    address_of = id
    for function in (lambda x: id(x) > 0, lambda x: address_of(x) > 0):
        with pytest.raises(TypeError, match="each call of the graph passes anew"):
            tf.function(function)(passed)


def test_an_argument_with_a_graph_of_its_own_has_its_address():
    node = Node(1)
    assert tf.function(lambda x: id(x) == id(node))(node)
