"""Graphs and profiles of the calls between two points of a program."""

import pytest

import runtime as tf
from tests.runtime.summary.events import values

pytest.importorskip("tensorboard")


def test_graphs_that_run_are_traced(writer, tmp_path):
    from tensorboard.compat.proto import config_pb2

    @tf.function
    def net(x):
        tf.summary.scalar("x", x[0, 0], step=0)
        if tf.reduce_sum(x) > 0.0:
            x = tf.tanh(x)
        return tf.nn.relu(x @ x)

    net(tf.ones([2, 2]))
    with writer.as_default():
        tf.summary.trace_on(graph=True)
        net(tf.ones([2, 2]))
        net(tf.ones([2, 2]))
        tf.summary.trace_export("net", step=4)
        net(tf.ones([2, 2]))
    ((step, _, plugin, data),) = [each for each in values(tmp_path) if each[1] == "net"]
    assert (step, plugin) == (4, "graph_run_metadata_graph")
    (graphs,) = config_pb2.RunMetadata.FromString(data.item()).function_graphs
    drawn = graphs.pre_optimization_graph
    assert {"WriteSummary", "MatMul"} <= {node.op for node in drawn.node}
    shapes = [
        [dim.size for dim in shape.dim]
        for node in drawn.node
        if node.op == "MatMul"
        for shape in node.attr["_output_shapes"].list.shape
    ]
    assert shapes == [[2, 2]]
    branches = {node.op for each in drawn.library.function for node in each.node_def}
    assert "Tanh" in branches
    assert graphs.partition_graphs[0] == graphs.post_optimization_graph


def test_the_profile_of_a_trace(writer, tmp_path):
    import pstats

    double = tf.function(lambda x: x * 2.0)
    with writer.as_default():
        tf.summary.trace_on(graph=True, profiler=True)
        double(tf.constant(1.0))
        tf.summary.trace_export("double", step=0, profiler_outdir=str(tmp_path / "profile"))
    (path,) = (tmp_path / "profile").glob("plugins/profile/*/*.pstats")
    assert pstats.Stats(str(path)).total_calls > 0
    tf.summary.trace_on(profiler=True)
    with pytest.raises(ValueError, match="no `profiler_outdir`"):
        tf.summary.trace_export("double", step=0)


def test_a_trace_ends_once(writer):
    tf.summary.trace_on()
    tf.summary.trace_on()
    tf.summary.trace_off()
    with pytest.raises(ValueError, match="Must enable trace"):
        tf.summary.trace_export("a", step=0)
    tf.summary.trace_on()
    with writer.as_default(), pytest.raises(ValueError, match="'a' has no step"):
        tf.summary.trace_export("a")
