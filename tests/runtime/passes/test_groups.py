"""What can be in a group, and what is one."""

import runtime as tf
from runtime.passes.groups import group_dims, is_fusable
from runtime.passes.prune import prune


def graph_of(function, *dims):
    spec = tf.TensorSpec(dims, tf.float32)
    return tf.function(function, autograph=False).get_concrete_function(spec).graph


def operations(graph):
    return {op.type: op for op in graph.operations}


def test_elementwise_operations_on_arrays_can_be_in_a_group():
    found = operations(graph_of(lambda x: tf.reduce_sum(tf.exp(x) @ x), 3, 3))
    assert [is_fusable(found[name]) for name in ("Exp", "MatMul", "Sum")] == [True, False, False]


def test_operations_on_scalars_cannot():
    assert not is_fusable(operations(graph_of(tf.exp))["Exp"])


def test_a_graph_is_a_group_if_its_operations_are_fusable_and_have_one_shape():
    pruned = prune(graph_of(lambda x: tf.exp(x) * x, 3, 3))
    assert group_dims(pruned.operations) == (3, 3)
    assert group_dims(prune(graph_of(lambda x: tf.exp(x) @ x, 3, 3)).operations) is None
    assert group_dims(prune(graph_of(lambda x: x, 3, 3)).operations) is None
