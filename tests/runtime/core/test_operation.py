"""The order of effects, and what operations know."""

import pytest

import runtime as tf
from tests.runtime.core.traced import SCALAR, concrete_of


def test_effects_wait_for_what_came_before():
    variable = tf.Variable(1.0)

    def step(x):
        first = variable.read_value()
        second = variable.read_value()
        variable.assign(x)
        third = variable.read_value()
        return first + second + third

    graph = concrete_of(step, SCALAR).graph
    waits = {op.name: [other.name for other in op.control_inputs] for op in graph.operations}
    assert waits["AssignVariableOp"] == ["ReadVariableOp", "ReadVariableOp_1"]
    assert waits["ReadVariableOp"] == []
    assert waits["ReadVariableOp_2"] == ["AssignVariableOp"]


def test_consumers_and_devices():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        with graph.device("/cpu:0"):
            y = x + x
        z = y * x
    assert x.consumers() == [y.op, z.op]
    assert z.consumers() == []
    assert (x.device, y.device, z.op.device) == ("", "/cpu:0", "")
    assert y.op.values() == (y,)


def test_control_dependencies_of_a_graph_built_by_hand():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        with graph.control_dependencies([x]), tf.control_dependencies([x.op, x]):
            y = tf.constant(2.0)
            with tf.control_dependencies(None):
                z = tf.constant(3.0)
    assert y.op.control_inputs == [x.op]
    assert z.op.control_inputs == []
    with tf.Graph().as_default():
        refused = pytest.raises(ValueError, match="is not an element of this graph")
        with refused, tf.control_dependencies([x]):
            pass
        refused = pytest.raises(TypeError, match="Can not convert a int into a Tensor or Operation")
        with refused, tf.control_dependencies([3]):
            pass


def test_only_functions_keep_the_order_of_effects():
    def effects():
        tf.print("a")
        tf.print("b")

    with tf.Graph().as_default() as graph:
        effects()
    first, second = graph.get_operations()
    assert second.control_inputs == []
    first, second = concrete_of(effects).graph.get_operations()
    assert second.control_inputs == [first]
