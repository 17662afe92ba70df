"""Graphs as GraphDef."""

import numpy as np
import pytest

import runtime as tf
import runtime.saved_model.op_types
from runtime.core.errors import UnimplementedError
from runtime.export.tensors import array_of

SCALAR = tf.TensorSpec([], tf.float32)
COUNT = tf.TensorSpec([], tf.int32)
VECTOR = tf.TensorSpec([None], tf.float32)
BOXED = (tf.resource, tf.variant)


def exported(function, *specs):
    return tf.function(function).get_concrete_function(*specs).graph.as_graph_def()


def pick(x):
    if x > 0.0:
        y = x + 1.0
        z = y
    else:
        y = x * 2.0
        z = x
    return y + z


def numbered(n):
    def inside():
        return tf.switch_case(n - 5, [lambda: n * 3, lambda: n * 4], name="inner")

    return tf.switch_case(n, [lambda: 10, lambda: n + 1, inside])


def test_names_in_the_library_stand_behind_that_of_the_operation():
    message = exported(numbered, COUNT)
    names = {node.name for function in message.library.function for node in function.node_def}
    assert "switch_case/indexed_case/add" in names
    assert "switch_case/indexed_case/inner/indexed_case/mul" in names


def test_a_branch_without_results():
    variable = tf.Variable(0.0)

    def f(x):
        if x > 0.0:
            variable.assign(x)
        return variable + 1.0

    choice = exported(f, SCALAR)
    (node,) = [node for node in choice.node if node.op == "If"]
    assert not node.attr["Tout"].list.type


def test_results_wait_for_effects():
    def f(x):
        tf.print(x)
        return x, x

    nodes = {node.name: list(node.input) for node in exported(f, SCALAR).node}
    assert nodes["Identity"] == ["x", "^NoOp"] == nodes["Identity_1"]
    assert nodes["NoOp"] == ["^PrintV2"]


def test_text_of_a_branch():
    def relu(x):
        if tf.greater(x, 0):
            return x
        else:
            return 0

    text = str(exported(relu, COUNT))
    for part in (
        'name: "x"\n  op: "Placeholder"',
        'key: "_user_specified_name"\n    value {\n      s: "x"',
        'name: "Greater/y"\n  op: "Const"',
        'name: "Greater"\n  op: "Greater"\n  input: "x"\n  input: "Greater/y"\n'
        '  attr {\n    key: "T"\n    value {\n      type: DT_INT32',
        'name: "cond"\n  op: "StatelessIf"\n  input: "Greater"\n  input: "x"',
        'key: "_lower_using_switch_merge"\n    value {\n      b: true',
        'key: "else_branch"\n    value {\n      func {\n        name: "cond_false_',
        'name: "cond/Identity"\n  op: "Identity"\n  input: "cond"',
        'output_arg {\n        name: "cond_identity"\n        type: DT_INT32',
        'ret {\n      key: "cond_identity"\n      value: "cond/Identity:output:0"',
        'name: "Identity"\n  op: "Identity"\n  input: "cond/Identity"',
        'library {\n  function {\n    signature {\n      name: "cond_true_',
        "versions {\n  producer: 1882\n  min_consumer: 12\n}",
    ):
        assert part in text


def test_attributes_that_are_inputs_there():
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [2, 3])
        tf.reduce_sum(x, axis=1)
        tf.transpose(x)
    nodes = {node.name: node for node in graph.as_graph_def().node}
    assert nodes["Sum"].input == ["Placeholder", "Sum/reduction_indices"]
    assert nodes["Sum"].attr["keep_dims"].b is False
    assert nodes["Sum"].attr["Tidx"].type == tf.int32.as_datatype_enum
    assert nodes["Sum/reduction_indices"].op == "Const"
    assert nodes["transpose"].input[1] == "transpose/perm"


def test_control_inputs_devices_and_shapes():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0, name="x")
        with tf.control_dependencies([x]), graph.device("/cpu:0"):
            tf.constant([2.0], name="y")
    _, y = graph.as_graph_def(add_shapes=True).node
    assert y.input == ["^x"]
    assert y.device == "/cpu:0"
    assert y.attr["_output_shapes"].list.shape[0].dim[0].size == 1
    assert [node.name for node in graph.as_graph_def(from_version=1).node] == ["y"]


def test_large_values_that_a_function_captures_are_written():
    large = tf.constant(np.arange(300, dtype=np.float32))
    message = exported(lambda x: tf.reduce_sum(large * x), SCALAR)
    values = [array_of(node.attr["value"].tensor) for node in message.node if node.op == "Const"]
    (found,) = [value for value in values if value.size == 300]
    np.testing.assert_array_equal(found, large.numpy())


def test_what_has_no_form_is_named():
    def fails(x):
        return tf.numpy_function(lambda value: value, [x], tf.float32)

    with pytest.raises(UnimplementedError, match=r"PyFunc.* cannot be written") as caught:
        exported(fails, SCALAR)
    assert "test_graphdef.py" in caught.value.message


def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def fact_in_loop(n):
    total = 0
    while n > 0:
        total += fact(n)
        n -= 1
    return total


@pytest.mark.parametrize("function", [fact, is_even, fact_in_loop])
def test_recursion_is_refused_with_its_line_and_a_remedy(function):
    with pytest.raises(UnimplementedError, match="calls itself on tensors") as caught:
        exported(function, tf.TensorSpec([], tf.int32))
    assert "write the recursion as a loop" in caught.value.message
    assert "test_graphdef.py" in caught.value.message
