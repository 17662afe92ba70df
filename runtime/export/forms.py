"""The correspondence between op types of the runtime and of TensorFlow's graphs.

Most are equal: same type, inputs and attributes. The table holds the differences: attributes that
are inputs in TensorFlow, attributes with other names, other types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.operation import Operation
from runtime.core.shapes import Dims

Array = Any


@dataclass(frozen=True)
class Moved:
    """An attribute that is a constant input in TensorFlow.

    Attributes:
      attr: the attribute.
      position: the index among TensorFlow's inputs; -1: the last.
      name: the suffix of the constant's name after the node's name.
      array: `array(value, op)` returns the constant.
      value: `value(array, rank)` returns the attribute; `rank` is that of the first other input.
    """

    attr: str
    position: int
    name: str
    array: Callable[[Any, Operation], Array]
    value: Callable[[Array, int | None], Any]


@dataclass(frozen=True)
class Form:
    """The TensorFlow form of an op type.

    Attributes:
      type: TensorFlow's op type; None: the same.
      renamed: TensorFlow's names of attributes, where they differ.
      moved: attributes that are inputs in TensorFlow.
      fixed: attributes that TensorFlow lacks, with the only supported value.
      dropped: attributes that TensorFlow does not need, with the value for imported graphs.
      encode, decode: conversions of attribute values to and from TensorFlow's.
    """

    type: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    moved: tuple[Moved, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    dropped: Mapping[str, Any] = field(default_factory=dict)
    encode: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    decode: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)


def _axes_array(value: Sequence[int] | None, op: Operation) -> Array:
    if value is not None:
        return np.array(value, np.int32)
    rank = op.inputs[0].shape.rank
    if rank is None:
        raise ValueError("the rank of its input is not known, so `all axes` cannot be said")
    return np.arange(rank, dtype=np.int32)


def _axes(array: Array, rank: int | None) -> tuple[int, ...] | None:
    axes = tuple(int(axis) for axis in np.ravel(array))
    everything = rank is not None and sorted(axis % max(rank, 1) for axis in axes) == list(
        range(rank)
    )
    return None if everything else axes


def _index_array(value: int, op: Operation) -> Array:
    return np.array(value, np.int32)


def _index(array: Array, rank: int | None) -> int:
    return int(array)


def _tuple(array: Array, rank: int | None) -> tuple[int, ...]:
    return tuple(int(entry) for entry in np.ravel(array))


def _vector(value: Sequence[int], op: Operation) -> Array:
    return np.array(value, np.int32)


def _fft_lengths(value: Sequence[int | None], op: Operation) -> Array:
    """Return the requested lengths; missing ones follow from the shape of the input."""
    dims = op.inputs[0].spec.dims
    if None in value and (dims is None or None in dims[-len(value) :]):
        raise ValueError("the shape of its input is not known, so the lengths cannot be said")
    own = [dim or 0 for dim in (dims or ())[-len(value) :]]
    if own and op.type.startswith("I"):
        own[-1] = 2 * (own[-1] - 1)
    given = [own[i] if length is None else length for i, length in enumerate(value)]
    return np.array(given, np.int32)


def _text_array(value: str, op: Operation) -> Array:
    return np.array(value.encode(), object)


def _text(array: Array, rank: int | None) -> str:
    text: bytes = np.asarray(array, object).item()
    return text.decode()


def _reducing(name: str) -> Moved:
    return Moved("axis", 1, name, _axes_array, _axes)


def _at(position: int, name: str, attr: str = "axis") -> Moved:
    return Moved(attr, position, name, _index_array, _index)


_REDUCTION = Form(moved=(_reducing("reduction_indices"),), renamed={"keepdims": "keep_dims"})
_POSITION = Form(moved=(_at(1, "dimension"),))
_RUNNING = Form(moved=(_at(1, "axis"),))

FORMS: dict[str, Form] = {
    **dict.fromkeys(
        ("Sum", "Prod", "Mean", "Max", "Min", "Any", "All", "EuclideanNorm"), _REDUCTION
    ),
    "ArgMax": _POSITION,
    "ArgMin": _POSITION,
    "Cumsum": _RUNNING,
    "Cumprod": _RUNNING,
    "CumulativeLogsumexp": _RUNNING,
    "Cast": Form(renamed={"dtype": "DstT"}),
    **dict.fromkeys(
        (
            *("AvgPool", "AvgPool3D", "AvgPool3DGrad", "AvgPoolGrad"),
            *("Conv3D", "Conv3DBackpropFilterV2", "Conv3DBackpropInputV2"),
            *("MaxPool3D", "MaxPool3DGrad", "MaxPool3DGradGrad", "MaxPoolGradGrad"),
            "MaxPoolWithArgmax",
        ),
        Form(fixed={"explicit_paddings": ()}),
    ),
    "ConcatOffset": Form(moved=(_at(0, "concat_dim"),)),
    "ConcatV2": Form(moved=(_at(-1, "axis"),)),
    "ExpandDims": Form(moved=(_at(1, "dim"),)),
    "Fingerprint": Form(moved=(Moved("method", 1, "method", _text_array, _text),)),
    "GatherV2": Form(moved=(_at(2, "axis"),)),
    "ReduceJoin": Form(
        moved=(Moved("axis", 1, "reduction_indices", _vector, _tuple),),
        renamed={"keepdims": "keep_dims"},
    ),
    "ReverseV2": Form(moved=(Moved("axis", 1, "axis", _vector, _tuple),)),
    "Squeeze": Form(
        renamed={"axis": "squeeze_dims"},
        encode={"axis": lambda axis: axis or ()},
        decode={"axis": lambda axis: tuple(axis) or None},
    ),
    "BatchMatMulV2": Form(renamed={"transpose_a": "adj_x", "transpose_b": "adj_y"}),
    "IgammaGradA": Form(fixed={"order": 1}),
    "LinSpace": Form(fixed={"axis": 0}),
    "Assert": Form(dropped={"place": ""}),
    **{
        f"{inverse}RFFT{rank}": Form(
            moved=(Moved("fft_length", 1, "fft_length", _fft_lengths, _tuple),)
        )
        for inverse in ("", "I")
        for rank in ("", "2D", "3D")
    },
    "TensorListSetItem": Form(renamed={"resize": "resize_if_index_out_of_bounds"}),
    **{f"Checked{name}": Form(name) for name in ("AddV2", "Sub", "Mul", "Pow")},
}

SAME_AS: dict[str, str] = {
    "Add": "AddV2",
    "BatchMatMul": "BatchMatMulV2",
    "BatchMatMulV3": "BatchMatMulV2",
    "ComplexAbs": "Abs",
    "Div": "RealDiv",
    "Mod": "FloorMod",
    "Select": "SelectV2",
}
"""Op types of TensorFlow that are equivalent to another one for all inputs."""


def form_of(op_type: str) -> Form:
    """Return the form of an op type; the identity unless the table has an entry."""
    return FORMS.get(op_type, _PLAIN)


_PLAIN = Form()


def dims_array(dims: Dims) -> Array:
    """Return a shape as an input: -1 for each unknown dimension, scalar -1 for unknown rank."""
    if dims is None:
        return np.array(-1, np.int32)
    return np.array([-1 if dim is None else dim for dim in dims], np.int32)


def dtype_zero(dtype: DType) -> Array:
    """Return zero as a scalar of a dtype; an empty string for strings."""
    return np.array(b"" if dtype.kind == "O" else 0, dtype.numpy_dtype)
