"""How operations correspond to nodes of TensorFlow's graphs."""

import numpy as np

import runtime as tf
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import PLAIN, lookup


def nodes_of(build):
    with tf.Graph().as_default() as graph:
        build()
    return {node.op: node for node in graph.as_graph_def().node}


def test_most_op_types_are_equal():
    form = NodeForm()
    assert (form.type, form.moved, form.fixed, form.write) == (None, (), {}, None)
    assert lookup("Sin").node is PLAIN


def test_a_reference_to_the_first_output_of_an_argument():
    ref = Ref("x", tf.float32)
    assert (ref.flat, ref.port, ref.index) == (0, None, 0)


def test_an_attribute_that_is_an_input_there_becomes_a_constant():
    form = lookup("ExpandDims").node
    assert [moved.attr for moved in form.moved] == ["axis"]
    nodes = nodes_of(lambda: tf.expand_dims(tf.constant(np.ones((2, 3))), 1))
    constant = list(nodes["ExpandDims"].input)[1]
    assert constant == "ExpandDims/dim"
    assert "axis" not in nodes["ExpandDims"].attr
