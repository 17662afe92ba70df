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

from google.protobuf.message import Message as Message

from runtime.core import dtypes
from runtime.export.protobuf import message_classes

_TYPE_WORDS = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}
_DATA_TYPES = {"DT_INVALID": 0} | {
    f"DT_{_TYPE_WORDS.get(dtype.name, dtype.name.upper())}": dtype.enum for dtype in dtypes.ALL
}

_CLASSES = message_classes(
    __name__,
    {
        "VersionDef": """
            1 producer int32
            2 min_consumer int32
            3 bad_consumers *int32
        """,
        "TensorShapeProto": """
            2 dim *TensorShapeProto.Dim
            3 unknown_rank bool
        """,
        "TensorShapeProto.Dim": """
            1 size int64
            2 name string
        """,
        "TensorProto": """
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
        "NameAttrList": """
            1 name string
            2 attr string>AttrValue
        """,
        "AttrValue": """
            1 list AttrValue.ListValue?value
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
        "AttrValue.ListValue": """
            2 s *bytes
            3 i *int64
            4 f *float
            5 b *bool
            6 type *DataType
            7 shape *TensorShapeProto
            8 tensor *TensorProto
            9 func *NameAttrList
        """,
        "NodeDef": """
            1 name string
            2 op string
            3 input *string
            4 device string
            5 attr string>AttrValue
        """,
        "OpDef": """
            1 name string
            2 input_arg *OpDef.ArgDef
            3 output_arg *OpDef.ArgDef
            17 is_stateful bool
            20 control_output *string
        """,
        "OpDef.ArgDef": """
            1 name string
            3 type DataType
        """,
        "FunctionDef": """
            1 signature OpDef
            3 node_def *NodeDef
            4 ret string>string
            6 control_ret string>string
        """,
        "FunctionDefLibrary": """
            1 function *FunctionDef
        """,
        "GraphDef": """
            1 node *NodeDef
            2 library FunctionDefLibrary
            3 version int32
            4 versions VersionDef
        """,
    },
    {"DataType": _DATA_TYPES},
)

for _kind in _CLASSES.values():
    _kind.__doc__ = __doc__

VersionDef, TensorShapeProto = _CLASSES["VersionDef"], _CLASSES["TensorShapeProto"]
TensorProto, AttrValue = _CLASSES["TensorProto"], _CLASSES["AttrValue"]
NameAttrList, NodeDef = _CLASSES["NameAttrList"], _CLASSES["NodeDef"]
FunctionDef, GraphDef = _CLASSES["FunctionDef"], _CLASSES["GraphDef"]
