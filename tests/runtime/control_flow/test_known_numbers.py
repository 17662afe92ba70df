import pytest

import runtime as tf
from autograph.staging import CannotRoll
from runtime.control_flow.known_numbers import constants, propagate
from runtime.core.graph import Graph
from runtime.ops.items.item_positions import item_position


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


def test_places_of_a_sequence_are_known_unless_python_would_raise(counter):
    assert numbers_of(counter, lambda i: item_position(i - 1, 3, "out of range")) == [2, 0, 1]
    with pytest.raises(CannotRoll):
        numbers_of(counter, lambda i: item_position(i + 1, 3, "out of range"))


def test_an_item_of_a_tensor_at_a_known_place_is_not_known(counter):
    x = counter.graph.add_input(tf.TensorSpec([3], tf.int32), "x", weak=True)
    assert numbers_of(counter, lambda i: tf.gather(x, i)) == "unknown"


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
