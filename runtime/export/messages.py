"""The messages of TensorFlow's graph format, each from a table of fields.

>>> graph = GraphDef()
>>> node = graph.node.add(name="x", op="Placeholder")
>>> node.attr["dtype"].type = 1
>>> GraphDef.FromString(graph.SerializeToString()) == graph
True
>>> print(node, end="")
name: "x"
op: "Placeholder"
attr {
  key: "dtype"
  value {
    type: DT_FLOAT
  }
}
"""

from __future__ import annotations

from runtime.export.protobuf import Message


class VersionDef(
    Message,
    fields="""
    1 producer int32
    2 min_consumer int32
    3 bad_consumers *int32
    """,
):
    """Format versions: which programs can read a graph."""


class Dim(
    Message,
    fields="""
    1 size int64
    2 name string
    """,
):
    """One dimension; -1 if unknown."""


class TensorShapeProto(
    Message,
    fields="""
    2 dim *Dim
    3 unknown_rank bool
    """,
):
    """A shape."""


class TensorProto(
    Message,
    fields="""
    1 dtype DataType
    2 tensor_shape TensorShapeProto
    3 version_number int32
    4 tensor_content bytes
    5 float_val *float
    6 double_val *double
    7 int_val *int32
    8 string_val *bytes
    9 scomplex_val *float
    10 int64_val *int64
    11 bool_val *bool
    12 dcomplex_val *double
    13 half_val *int32
    16 uint32_val *uint32
    17 uint64_val *uint64
    """,
):
    """A tensor with a value."""


class NameAttrList(
    Message,
    fields="""
    1 name string
    2 attr string>AttrValue
    """,
):
    """A function of the library, by name."""


class ListValue(
    Message,
    fields="""
    2 s *bytes
    3 i *int64
    4 f *float
    5 b *bool
    6 type *DataType
    7 shape *TensorShapeProto
    8 tensor *TensorProto
    9 func *NameAttrList
    """,
):
    """A list-valued attribute."""


class AttrValue(
    Message,
    fields="""
    1 list ListValue?value
    2 s bytes?value
    3 i int64?value
    4 f float?value
    5 b bool?value
    6 type DataType?value
    7 shape TensorShapeProto?value
    8 tensor TensorProto?value
    9 placeholder string?value
    10 func NameAttrList?value
    """,
):
    """An attribute.

    >>> AttrValue(i=3).WhichOneof("value")
    'i'
    """

    ListValue = ListValue


class NodeDef(
    Message,
    fields="""
    1 name string
    2 op string
    3 input *string
    4 device string
    5 attr string>AttrValue
    """,
):
    """An operation; inputs are `name`, `name:1`, and `^name` for control inputs.

    >>> print(NodeDef(name="y", op="Neg", input=["x"]), end="")
    name: "y"
    op: "Neg"
    input: "x"
    """


class ArgDef(
    Message,
    fields="""
    1 name string
    3 type DataType
    """,
):
    """An input or output of a function."""


class OpDef(
    Message,
    fields="""
    1 name string
    2 input_arg *ArgDef
    3 output_arg *ArgDef
    17 is_stateful bool
    20 control_output *string
    """,
):
    """Inputs and outputs of a function.

    >>> OpDef(name="Neg").name
    'Neg'
    """


class FunctionDef(
    Message,
    fields="""
    1 signature OpDef
    3 node_def *NodeDef
    4 ret string>string
    6 control_ret string>string
    """,
):
    """A function; its nodes read arguments by name and results as `node:output:number`."""


class FunctionDefLibrary(
    Message,
    fields="""
    1 function *FunctionDef
    """,
):
    """The functions of a graph."""


class GraphDef(
    Message,
    fields="""
    1 node *NodeDef
    2 library FunctionDefLibrary
    3 version int32
    4 versions VersionDef
    """,
):
    """A graph in TensorFlow's format.

    Args:
      node: a list of `NodeDef`, one for each operation.
      library: the functions that operations of the graph call.
      version: the number that `versions` has replaced.
      versions: the versions of the format that the graph needs.

    >>> import runtime as tf
    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.constant(1.0)
    >>> [node.name for node in graph.as_graph_def().node]
    ['Const']
    """
