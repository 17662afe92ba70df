"""Attributes as messages, and the element types of tensor lists."""

import numpy as np
import pytest

import runtime as tf
from runtime.export.attributes import Elements, attr_message


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("int", 3, "i: 3"),
        ("float", 0.5, "f: 0.5"),
        ("bool", True, "b: true"),
        ("string", "é", 's: "\\303\\251"'),
        ("type", tf.int64, "type: DT_INT64"),
        ("func", "f_1", 'func { name: "f_1" }'),
        ("shape", None, "shape { unknown_rank: true }"),
        ("list(shape)", [(), None], "list { shape { } shape { unknown_rank: true } }"),
        ("list(type)", [tf.int32, tf.bool], "list { type: DT_INT32 type: DT_BOOL }"),
        ("list(int)", [], "list { }"),
    ],
)  # fmt: skip
def test_messages(kind, value, text):
    assert " ".join(str(attr_message(kind, value)).split()) == text


def test_a_tensor_has_its_dtype_and_shape():
    message = attr_message("tensor", np.ones((1, 2), np.float32)).tensor
    assert message.dtype == tf.float32.as_datatype_enum
    assert [dim.size for dim in message.tensor_shape.dim] == [1, 2]


def test_a_list_that_a_loop_carries_has_one_element_type():
    @tf.function
    def fill(n):
        array = tf.TensorArray(tf.float32, 3)
        for i in range(n):
            array = array.write(i, tf.cast([i, i], tf.float32))
        return array.stack()

    graph = fill.get_concrete_function(tf.TensorSpec([], tf.int32)).graph
    elements = Elements(graph)
    reserve = next(op for op in graph.operations if op.type == "TensorListReserve")
    assert f"{elements.of(reserve.outputs[0])}" == "float32[2]"


def test_nothing_is_known_of_a_list_without_elements():
    graph = tf.function(lambda: tf.TensorArray(tf.int32, 3).size()).get_concrete_function().graph
    reserve = next(op for op in graph.operations if op.type == "TensorListReserve")
    assert Elements(graph).of(reserve.outputs[0]) is None
