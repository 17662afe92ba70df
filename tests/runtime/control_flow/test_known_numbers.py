import pytest

import runtime as tf
from autograph.staging import CannotRoll
from runtime.control_flow.known_numbers import constants, propagate
from runtime.core.graph import Graph


@pytest.fixture
def counter():
    """The counter of a loop, in the graph of its body."""
    graph = Graph("body")
    return graph.add_input(tf.TensorSpec([], tf.int32), "i", weak=True)


def numbers_of(counter, use):
    """What is known of `use(counter)` in three iterations."""
    graph = counter.graph
    with graph.as_default():
        result = use(counter)
    known = {id(counter): [0, 1, 2]}
    propagate(graph, known, 3)
    return known.get(id(result), "unknown")


def test_numbers_of_python_are_computed_for_each_iteration(counter):
    assert numbers_of(counter, lambda i: i * 2 + 1) == [1, 3, 5]


def test_tensors_are_no_numbers_of_python(counter):
    assert numbers_of(counter, lambda i: tf.cast(i, tf.float32)) is None


def test_tensors_that_depend_on_others_are_not_known(counter):
    x = counter.graph.add_input(tf.TensorSpec([], tf.int32), "x")
    assert numbers_of(counter, lambda i: x * i) == "unknown"


def test_numbers_that_differ_from_those_of_python_are_refused(counter):
    with pytest.raises(CannotRoll):
        numbers_of(counter, lambda i: i * 2**30 * 4)


def test_random_operations_are_refused(counter):
    with pytest.raises(CannotRoll):
        numbers_of(counter, lambda i: tf.random.uniform([]))


def test_captured_constants_are_known(counter):
    pairs = [(counter, tf.constant(7)), (counter.graph.constant(1, counter.spec), counter)]
    assert constants(pairs, 2) == {id(counter): [7, 7]}
    assert constants([(counter, tf.constant([1, 2]))], 2) == {id(counter): None}
