"""A reduction is one row: nothing else has to know of it."""

import numpy as np
import pytest

import runtime as tf
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.passes.loops import move_out_of_loops
from runtime.passes.pipeline import optimize


def types(graph):
    return [op.type for op in graph.operations]


def test_a_reduction_runs_traced_and_eagerly(energy):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    for run in (energy, tf.function(energy)):
        assert run(x).numpy() == 30.0
        np.testing.assert_array_equal(run(x, axis=0, keepdims=True).numpy(), [[10.0, 20.0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="dimension"):
        energy(x, axis=2)
    assert tf.function(energy).get_concrete_function(x, axis=1).structured_outputs.shape == [2]


def test_a_reduction_is_folded_shared_pruned_and_hoisted(energy):
    graph = Graph("g")
    x = graph.add_input(tf.TensorSpec([2], tf.float32), "x")
    with recording(graph):
        energy(x, axis=0, keepdims=True)
        graph.outputs = [energy(x) * energy(x) + energy(tf.constant([3.0, 4.0]))]
    optimized = optimize(graph, verified=True)
    assert types(optimized).count("Energy") == 1
    assert [op.attrs["value"] for op in optimized.operations if op.type == "Const"] == [25.0]

    @tf.function
    def repeated(x):
        total = tf.constant(0.0)
        for _ in tf.range(3):
            total = total + energy(x)
        return total

    loop = repeated.get_concrete_function(tf.TensorSpec([2], tf.float32)).graph
    assert types(move_out_of_loops(loop)).count("Energy") == 1
    assert repeated(tf.constant([1.0, 2.0])).numpy() == 15.0


@pytest.mark.parametrize("traced", [False, True])
def test_a_reduction_has_derivatives_to_second_order(energy, traced):
    def second(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = energy(x, axis=1)
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    run = tf.function(second) if traced else second
    first, slope = run(tf.constant([[2.0, -3.0]]))
    np.testing.assert_allclose(first.numpy(), [[4.0, -6.0]])
    np.testing.assert_allclose(slope.numpy(), [[2.0, 2.0]])


def test_a_graph_def_holds_a_reduction(energy):
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [2, 2], "x")
        energy(x, axis=[1], name="out")
    message = graph.as_graph_def()
    (node,) = [node for node in message.node if node.op == "Energy"]
    assert list(node.input) == ["x", "out/reduction_indices"]
    assert node.attr["T"].type == tf.float32.as_datatype_enum
