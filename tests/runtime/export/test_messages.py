"""Messages in bytes and in text."""

import numpy as np
from google.protobuf.message import DecodeError

import runtime as tf
from runtime.export.messages import GraphDef, NodeDef
from runtime.export.tensors import tensor_message


def example():
    graph = GraphDef()
    node = graph.node.add(name="x", op="Const", input=["a", "^b"], device="/cpu:0")
    node.attr["dtype"].type = tf.float32.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tensor_message(np.float32(1.5), tf.float32))
    node.attr["list"].list.i.extend([1, -2])
    node.attr["empty"].list.SetInParent()
    node.attr["text"].s = b'it\'s "q" \xff\n'
    node.attr["f"].func.name = "g"
    function = graph.library.function.add()
    function.signature.name = "g"
    function.ret["out"] = "n:y:0"
    graph.versions.producer = 12
    return graph


def test_bytes_come_back():
    graph = example()
    data = graph.SerializeToString()
    again = GraphDef.FromString(data)
    assert again == graph
    other = GraphDef()
    assert other.ParseFromString(data) == len(data)
    assert other == graph


def test_text_is_that_of_protocol_buffers():
    node = NodeDef(name="é", op="a\"'\n")
    node.attr["b"].list.SetInParent()
    node.attr["a"].f = 0.1
    assert str(node) == (
        'name: "é"\nop: "a\\"\\\'\\n"\n'
        'attr {\n  key: "a"\n  value {\n    f: 0.1\n  }\n}\n'
        'attr {\n  key: "b"\n  value {\n    list {\n    }\n  }\n}\n'
    )


def test_fields_that_are_not_set_are_not_written():
    node = NodeDef(name="x", op="", device="")
    node.attr.clear()
    assert str(node) == 'name: "x"\n'
    assert GraphDef().SerializeToString() == b""


def test_every_beginning_of_a_graph_is_read_or_refused():
    data = example().SerializeToString()
    for end in range(len(data)):
        try:
            GraphDef.FromString(data[:end])
        except DecodeError:
            continue
