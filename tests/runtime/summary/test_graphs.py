"""Graphs in event files."""

import pytest

import runtime as tf
from tests.runtime.summary.events import events

pytest.importorskip("tensorboard")


def test_a_graph_is_written(writer, tmp_path):
    from tensorboard.compat.proto import graph_pb2

    net = tf.function(lambda x: tf.nn.relu(x @ x))
    concrete = net.get_concrete_function(tf.TensorSpec([2, 2]))
    with writer.as_default():
        assert tf.summary.graph(concrete.graph)
        assert tf.summary.graph(tf.Graph().as_graph_def())
        with tf.summary.record_if(False):
            assert not tf.summary.graph(concrete.graph)
        with pytest.raises(TypeError, match="not Function"):
            tf.summary.graph(net)
    assert not tf.summary.graph(concrete.graph)
    drawn = [event.graph_def for event in events(tmp_path) if event.graph_def]
    first, second = map(graph_pb2.GraphDef.FromString, drawn)
    assert {"MatMul", "Relu"} <= {node.op for node in first.node}
    assert not second.node
