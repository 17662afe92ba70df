"""Nodes: references to tensors, and attributes that follow from inputs and outputs."""

import pytest

import runtime as tf
from runtime.core.node_form import Ref
from runtime.export.nodes import Nodes, inferred, port_dtypes, results
from runtime.export.signatures import signature

X, Y = Ref("x", tf.float32), Ref("y", tf.float32)


def test_tensors_of_a_graph_and_of_a_function_are_named_otherwise():
    split = Ref("s", tf.float32, flat=1, port="output", index=1)
    assert [Nodes(False).reference(ref) for ref in (X, split)] == ["x", "s:1"]
    assert [Nodes(True).reference(ref) for ref in (X, split)] == ["x", "s:output:1"]


def test_attributes_follow_from_the_inputs():
    nodes = Nodes(False)
    (result,) = nodes.add("AddV2", [X, Y], {}, "add", waits=["w"], device="/cpu:0")
    (node,) = nodes.found
    assert list(node.input) == ["x", "y", "^w"]
    assert node.attr["T"].type == tf.float32.as_datatype_enum
    assert node.device == "/cpu:0"
    assert (result.node, result.dtype, result.port) == ("add", tf.float32, "z")


def test_each_output_has_its_dtype():
    nodes = Nodes(False)
    values, indices = nodes.add("TopKV2", [X, Ref("k", tf.int32)], {}, "top")
    assert [(ref.dtype, ref.port, ref.flat) for ref in (values, indices)] == [
        (tf.float32, "values", 0),
        (tf.int32, "indices", 1),
    ]


@pytest.mark.parametrize(
    ("op_type", "inputs", "attrs", "words"),
    [
        ("NoSuchOp", [], {}, "the op type NoSuchOp has no signature"),
        ("Neg", [X], {"axis": 1}, "the op type Neg has no attribute 'axis'"),
        ("Cast", [X], {}, "the op type Cast needs the attribute 'DstT'"),
    ],
)
def test_what_does_not_fit_a_signature_is_refused(op_type, inputs, attrs, words):
    with pytest.raises(ValueError, match=words):
        Nodes(False).add(op_type, inputs, attrs, "n")


def test_numbers_of_inputs_and_lists_of_dtypes_are_inferred():
    concat, call = signature("ConcatV2"), signature("PartitionedCall")
    given = [tf.float32, tf.float32, tf.int32]
    assert inferred(concat.inputs, given) == {"N": 2, "T": tf.float32, "Tidx": tf.int32}
    assert inferred(call.inputs, given) == {"Tin": tuple(given)}
    assert port_dtypes(call.outputs[0], {"Tout": (tf.bool,)}) == [tf.bool]
    unpacked = results(signature("Unpack"), {"num": 2, "T": tf.int8})
    assert [(port.name, index, dtype) for port, index, dtype in unpacked] == [
        ("output", 0, tf.int8),
        ("output", 1, tf.int8),
    ]


def test_constants_get_names_of_their_own():
    nodes = Nodes(False)
    assert [nodes.constant(1.0, "c").node for _ in range(2)] == ["c", "c_1"]
