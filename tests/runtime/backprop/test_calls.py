"""Calls of graphs on values: they run once, and once more for each gradient."""

import pytest

import runtime as tf
from runtime.backprop.calls import call_graph, compiled


def square():
    return tf.function(lambda x: x * x).get_concrete_function(tf.TensorSpec([])).graph


def test_a_graph_is_compiled_once():
    graph = square()
    assert compiled(graph) is compiled(graph)
    assert compiled(graph)(tf.constant(3.0).numpy()) == (9.0,)


def test_a_call_runs_on_values_and_is_recorded_in_a_graph():
    graph, x = square(), tf.constant(3.0)
    assert float(call_graph(graph, [x])[0]) == 9.0
    outer = tf.function(lambda x: call_graph(graph, [x])[0])
    assert float(outer(x)) == 9.0
    recorded = outer.get_concrete_function(tf.TensorSpec([])).graph
    assert [op.type for op in recorded.operations] == [
        "Placeholder", "PartitionedCall", "Identity"
    ]  # fmt: skip


def test_a_tape_that_follows_no_input_does_not_note_the_call():
    graph = square()
    with tf.GradientTape() as tape:
        y = call_graph(graph, [tf.constant(3.0)])[0]
    assert tape.gradient(y, tf.constant(3.0)) is None


@pytest.mark.parametrize(("order", "expected"), [(1, 12.0), (2, 12.0), (3, 6.0)])
def test_gradients_of_a_call_have_as_many_orders_as_tapes(order, expected):
    cube, x = tf.function(lambda x: x * x * x), tf.constant(2.0)

    def slope(level):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = cube(x) if level == 1 else slope(level - 1)
        return tape.gradient(y, x)

    assert float(slope(order)) == expected


def test_effects_of_a_call_happen_once():
    v = tf.Variable(1.0)

    @tf.function
    def scaled(x):
        v.assign_add(1.0)
        return x * v

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = scaled(x)
    assert (float(tape.gradient(y, x)), float(v)) == (2.0, 2.0)
