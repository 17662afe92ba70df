"""Graphs as TensorBoard draws them."""

import runtime as tf
from runtime.summary.graphs import drawing


def test_a_graph_has_its_nodes():
    net = tf.function(lambda x: tf.nn.relu(x @ x))
    drawn = drawing(net.get_concrete_function(tf.TensorSpec([2, 2])).graph)
    assert {"MatMul", "Relu"} <= {node.op for node in drawn.node}
    assert not drawing(tf.Graph()).node
