"""Messages in bytes and in text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as tf
from runtime.export.messages import AttrValue, GraphDef, NodeDef, TensorProto, TensorShapeProto
from runtime.export.scalars import DecodeError
from runtime.export.tensors import array_of, dims_of, shape_message, tensor_message


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
    assert again.SerializeToString() == data
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


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1, "0.1"),
        (1.0, "1"),
        (1e10, "1e+10"),
        (123456789.0, "123456792"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (float("nan"), "nan"),
        (-0.0, "-0"),
    ],
)
def test_text_of_floats(number, text):
    assert str(AttrValue(f=number)) == f"f: {text}\n"


def test_fields_that_are_not_set_are_not_written():
    node = NodeDef(name="x", op="", device="")
    node.attr.clear()
    assert str(node) == 'name: "x"\n'
    assert GraphDef().SerializeToString() == b""
    assert not GraphDef().HasField("versions")


def test_looking_at_a_message_does_not_set_it():
    graph = GraphDef()
    assert graph.versions.producer == 0
    assert not graph.HasField("versions")
    graph.versions.producer = 1
    assert graph.HasField("versions")


def test_of_a_group_one_field_is_set():
    value = AttrValue(i=3)
    assert value.WhichOneof("value") == "i"
    value.b = False
    assert value.WhichOneof("value") == "b"
    assert not value.HasField("i")
    assert str(value) == "b: false\n"


def test_lists_hold_copies():
    graph, node = GraphDef(), NodeDef(name="x")
    graph.node.extend([node])
    node.name = "y"
    assert graph.node[0].name == "x"


def test_what_a_field_refuses():
    node = NodeDef()
    with pytest.raises(TypeError, match="takes a string, not 3"):
        node.name = 3
    with pytest.raises(AttributeError, match='has no "color" field'):
        node.color = 1
    with pytest.raises(AttributeError):
        print(node.color)
    with pytest.raises(ValueError, match='has no "color" field'):
        NodeDef(color=1)
    with pytest.raises(AttributeError, match="Assignment not allowed to message field"):
        GraphDef().versions = 3
    with pytest.raises(ValueError, match="out of range"):
        AttrValue(i=2**63)
    with pytest.raises(TypeError, match="same class"):
        node.CopyFrom(GraphDef())
    with pytest.raises(ValueError, match="CopyFrom"):
        node.attr["x"] = AttrValue(i=1)
    with pytest.raises(ValueError, match="oneof"):
        node.WhichOneof("value")


def test_fields_of_later_versions_are_kept():
    data = NodeDef(name="x").SerializeToString() + b"\xfa\x01\x03abc\xf0\x01\x05"
    node = NodeDef.FromString(data)
    assert node.name == "x"
    assert node.SerializeToString() == data


@pytest.mark.parametrize(
    "data",
    [
        b"\x0a\xff",
        b"\x0a\x05\x0a",
        b"hello world",
        b"\x0a\x03\x0a\x01\xff",
        b"\x0a" + b"\xff" * 9 + b"\x01",
        b"\xff" * 20,
        b"\x00",
        b"\x0a\x80\x80\x80\x80\x80\x80\x80\x80\x7f",
    ],
)
def test_bytes_that_are_no_graph(data):
    with pytest.raises(DecodeError, match="Error parsing message"):
        GraphDef.FromString(data)


def test_every_beginning_of_a_graph_is_read_or_refused():
    data = example().SerializeToString()
    for end in range(len(data)):
        try:
            GraphDef.FromString(data[:end])
        except DecodeError:
            continue


def test_messages_that_are_nested_too_deep():
    attr = b""
    for _ in range(400):
        # func { attr { key: "" value { ... } } }
        entry = b"\x12" + _length(attr) + attr
        attr = b"\x12" + _length(entry) + entry
        attr = b"\x52" + _length(attr) + attr
    with pytest.raises(DecodeError, match="nested"):
        AttrValue.FromString(attr)


def _length(data):
    from runtime.export.scalars import varint

    return varint(len(data))


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data):
    try:
        graph = GraphDef.FromString(data)
    except DecodeError:
        return
    assert GraphDef.FromString(graph.SerializeToString()) == graph


ARRAYS = [
    np.float32(1.5),
    np.arange(6, dtype=np.int64).reshape(2, 3),
    np.array([], np.float64),
    np.array([True, False]),
    np.array([1 + 2j, 3], np.complex64),
    np.array([1.5, -2], np.float16),
    np.float16(-0.5),
    np.array(7, np.uint8),
    np.array(2**63 + 1, np.uint64),
    np.array([b"a", b"\xff"], object),
    np.array(float("nan"), np.float32),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{np.asarray(array).dtype}")
def test_tensors_come_back(array):
    dtype = tf.as_dtype(np.asarray(array).dtype)
    message = TensorProto.FromString(tensor_message(array, dtype).SerializeToString())
    back = array_of(message)
    assert back.dtype == np.asarray(array).dtype
    np.testing.assert_array_equal(back, array)


def test_elements_that_are_left_out_are_like_the_last():
    message = TensorProto(dtype=1, float_val=[1.0, 2.0])
    message.tensor_shape.CopyFrom(shape_message((2, 2)))
    np.testing.assert_array_equal(array_of(message), [[1, 2], [2, 2]])


@pytest.mark.parametrize(
    ("fields", "dims", "text"),
    [
        ({"dtype": 1, "tensor_content": b"123"}, (1,), "has 3 bytes"),
        ({"dtype": 1, "float_val": [1.0, 2.0]}, (1,), "2 elements do not fit"),
        ({"dtype": 1, "float_val": [1.0, 2.0]}, (10**9, 10**9), "at most 1048576"),
        ({"dtype": 1, "float_val": [1.0]}, (None,), "has no value"),
        ({"dtype": 999}, (), "not known"),
        ({"dtype": 20}, (), "has no value"),
    ],
)
def test_tensors_that_are_none(fields, dims, text):
    message = TensorProto(**fields)
    message.tensor_shape.CopyFrom(shape_message(dims))
    with pytest.raises(ValueError, match=text):
        array_of(message)


def test_shapes_come_back():
    for dims in ((), (2, None), None):
        assert dims_of(TensorShapeProto.FromString(shape_message(dims).SerializeToString())) == dims
    message = TensorShapeProto()
    message.dim.add(size=-2)
    with pytest.raises(ValueError, match="size -2"):
        dims_of(message)
