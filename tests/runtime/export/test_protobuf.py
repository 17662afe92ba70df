"""What fields hold and refuse, and bytes that are no messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.export.messages import AttrValue, GraphDef, NodeDef
from runtime.export.scalars import DecodeError


def test_looking_at_a_message_does_not_set_it():
    graph = GraphDef()
    assert graph.versions.producer == 0
    assert str(graph) == ""
    graph.versions.producer = 1
    assert str(graph) == "versions {\n  producer: 1\n}\n"


def test_of_a_group_one_field_is_set():
    value = AttrValue(i=3)
    assert value.WhichOneof("value") == "i"
    value.b = False
    assert value.WhichOneof("value") == "b"
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


def test_fields_of_later_versions_are_left_out():
    data = NodeDef(name="x").SerializeToString()
    assert NodeDef.FromString(data + b"\xfa\x01\x03abc\xf0\x01\x05").SerializeToString() == data


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
