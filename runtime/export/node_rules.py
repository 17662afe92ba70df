"""Import rules for op types that differ from those of the runtime by more than names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.dispatch import infer
from runtime.core.graph import Graph
from runtime.core.opdef import OpDef, all_ops, lookup
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.core.thread import STATE
from runtime.export.forms import SAME_AS, form_of
from runtime.export.node import Node, Rule, unimplemented
from runtime.export.node_functions import read_call, read_case, read_if, read_while
from runtime.ops.base.define import call

_KNOWN_ATTRS: dict[str, frozenset[str]] = {}


def _attrs_of(definition: OpDef) -> frozenset[str]:
    """Return the attributes of an op type of the runtime, from its samples."""
    if definition.name not in _KNOWN_ATTRS:
        names = {name for sample in definition.samples for name in sample.attrs}
        _KNOWN_ATTRS[definition.name] = frozenset(names)
    return _KNOWN_ATTRS[definition.name]


def read_plainly(node: Node) -> tuple[SymbolicTensor, ...]:
    """Import an op type of the runtime, except for names, and inputs that become attributes."""
    op_type = SAME_AS.get(node.message.op, node.message.op)
    definition = next((op for op in all_ops() if op.name == op_type), None)
    if definition is None:
        raise unimplemented(node.message, "the runtime has no such op type")
    form = form_of(op_type)
    inputs = list(node.inputs)
    attrs: dict[str, Any] = {**form.fixed, **form.dropped}
    for moved in form.moved:
        position = moved.position % len(node.inputs)
        others = [tensor for i, tensor in enumerate(node.inputs) if i != position]
        attrs[moved.attr] = moved.value(node.constant(position), others[0].shape.rank)
        inputs = others
    known = _attrs_of(definition)
    back = {theirs: ours for ours, theirs in form.renamed.items()}
    for name, value in node.attrs.items():
        own = back.get(name, name)
        if own in known and own not in attrs:
            decode = form.decode.get(own)
            attrs[own] = _plain_value(value) if decode is None else decode(value)
    missing = known - set(attrs)
    if missing:
        raise unimplemented(node.message, f"nothing says its {', '.join(sorted(missing))}")
    return node.add(op_type, inputs, attrs)


def _plain_value(value: object) -> Any:
    """Return an attribute value as the runtime stores it: strings as str, lists as tuples."""
    if isinstance(value, bytes):
        return value.decode()
    return tuple(value) if isinstance(value, list) else value


def _placeholder(node: Node) -> tuple[SymbolicTensor, ...]:
    spec = spec_of(node.attrs["dtype"], node.attrs["shape"])
    return node.add("Placeholder", (), {"spec": spec})


def _const(node: Node) -> tuple[SymbolicTensor, ...]:
    value, dtype = node.attrs["value"], node.attrs["dtype"]
    definition = lookup("Const")
    spec = infer(definition, (), {"value": value})[0]
    if spec.dtype is not dtype:
        raise ValueError(
            f"node '{node.message.name}' holds {spec.dtype.name}, but its dtype is {dtype.name}"
        )
    return node.add("Const", (), {"value": value})


def _split(node: Node) -> tuple[SymbolicTensor, ...]:
    attrs = {"axis": int(node.constant(0)), "parts": node.attrs["num_split"]}
    return node.add("SplitV", node.inputs[1:], attrs)


def _split_sizes(node: Node) -> tuple[SymbolicTensor, ...]:
    sizes = [int(size) for size in node.constant(1)]
    axis = int(node.constant(2))
    dims = node.inputs[0].spec.dims
    if -1 in sizes:
        length = None if dims is None else dims[axis]
        if length is None:
            raise unimplemented(node.message, "the length that is split is not known")
        sizes[sizes.index(-1)] = length - sum(sizes) - 1
    return node.add("SplitV", node.inputs[:1], {"axis": axis, "parts": tuple(sizes)})


def _transpose(node: Node) -> tuple[SymbolicTensor, ...]:
    perm = tuple(int(axis) for axis in node.constant(1))
    attrs = {"perm": perm, "conjugate": node.message.op == "ConjugateTranspose"}
    return node.add("Transpose", node.inputs[:1], attrs)


def _like(node: Node) -> tuple[SymbolicTensor, ...]:
    return node.add(node.message.op, node.inputs, {"dtype": node.inputs[0].dtype})


def _pad(node: Node) -> tuple[SymbolicTensor, ...]:
    dtype = node.inputs[0].dtype
    zero = np.array(b"" if dtype.kind == "O" else 0, dtype.numpy_dtype)
    (value,) = node.add("Const", (), {"value": zero}, "constant_values/")
    return node.add("PadV2", [*node.inputs, value], {})


def _read_variable(node: Node) -> tuple[SymbolicTensor, ...]:
    handle = node.inputs[0].op
    dims: Dims = handle.attrs["shape"] if handle.type == "VarHandleOp" else None
    return node.add("ReadVariableOp", node.inputs, {"spec": spec_of(node.attrs["dtype"], dims)})


def _var_handle(node: Node) -> tuple[SymbolicTensor, ...]:
    shared = node.attrs["shared_name"]
    name = shared if isinstance(shared, str) else shared.decode()
    attrs = {
        "shared_name": name or node.name.removesuffix("/"),
        "dtype": node.attrs["dtype"],
        "shape": node.attrs["shape"],
    }
    return node.add("VarHandleOp", (), attrs)


def _print(node: Node) -> tuple[SymbolicTensor, ...]:
    end, stream = (_plain_value(node.attrs[key]) for key in ("end", "output_stream"))
    attrs = {"template": f"\0{end}", "stream": stream, "summarize": -1}
    return node.add("PrintV2", node.inputs, attrs)


def _sum(node: Node) -> tuple[SymbolicTensor, ...]:
    """Import a sum; a sum over the axes of `BroadcastGradientArgs` becomes `UnbroadcastTo`."""
    axes = node.inputs[1]
    if axes.op.type == "BroadcastGradientArgs":
        return node.add("UnbroadcastTo", [node.inputs[0], axes.op.inputs[axes.value_index]], {})
    return read_plainly(node)


def _computed(function: Callable[..., Any]) -> Rule:
    """Return an import rule for an op type defined by a formula."""

    def rule(node: Node) -> tuple[SymbolicTensor, ...]:
        graph: Graph = STATE.graph
        with graph.name_scope(node.name):
            value = function(*node.inputs)
        return node.add("Identity", [value], {})

    return rule


_FORMULAS: dict[str, Callable[..., Any]] = {
    "InvGrad": lambda y, g: -g * y * y,
    "L2Loss": lambda x: call("Sum", x * x, axis=None, keepdims=False) / 2.0,
    "ReciprocalGrad": lambda y, g: -g * y * y,
    "ReluGrad": lambda g, x: g * call("Cast", x > 0, dtype=g.dtype),
    "RsqrtGrad": lambda y, g: g * -0.5 * y * y * y,
    "SigmoidGrad": lambda y, g: g * y * (1.0 - y),
    "SqrtGrad": lambda y, g: g * 0.5 / y,
    "TanhGrad": lambda y, g: g * (1.0 - y * y),
}
"""Gradients and similar functions that are op types in TensorFlow."""


def _band(node: Node, k: int) -> dict[str, Any]:
    bounds = np.ravel(node.constant(k))
    align = node.attrs["align"]
    return {
        "low": int(bounds[0]),
        "high": int(bounds[-1]),
        "align": align if isinstance(align, str) else align.decode(),
    }


def _diagonal(node: Node) -> tuple[SymbolicTensor, ...]:
    attrs = {
        **_band(node, 1),
        "num_rows": int(node.constant(2)),
        "num_cols": int(node.constant(3)),
        "padding": node.constant(4).item(),
    }
    return node.add("MatrixDiagV3", node.inputs[:1], attrs)


def _diagonal_part(node: Node) -> tuple[SymbolicTensor, ...]:
    attrs = {**_band(node, 1), "padding": node.constant(2).item()}
    return node.add("MatrixDiagPartV3", node.inputs[:1], attrs)


def _set_diagonal(node: Node) -> tuple[SymbolicTensor, ...]:
    return node.add("MatrixSetDiagV3", node.inputs[:2], _band(node, 2))


def _list_concat(node: Node) -> tuple[SymbolicTensor, ...]:
    return node.add("TensorListConcatV2", node.inputs[:1], {"element": _element(node, 1)})


def _list_scatter(node: Node) -> tuple[SymbolicTensor, ...]:
    handle, tensor, indices = node.inputs
    attrs = {"resize": False}
    return node.add("TensorListScatterIntoExistingList", [handle, indices, tensor], attrs)


def _list_split(node: Node) -> tuple[SymbolicTensor, ...]:
    return node.add("TensorListSplit", [node.inputs[0], node.inputs[2]], {})


def _list_reserve(node: Node) -> tuple[SymbolicTensor, ...]:
    return node.add("TensorListReserve", node.inputs[1:], {})


def _empty_list(node: Node) -> tuple[SymbolicTensor, ...]:
    (zero,) = node.add("Const", (), {"value": np.int32(0)}, "num_elements/")
    return node.add("TensorListReserve", [zero], {})


def _list_from_tensor(node: Node) -> tuple[SymbolicTensor, ...]:
    return node.add("TensorListFromTensor", node.inputs[:1], {})


def _element(node: Node, position: int) -> TensorSpec:
    value = static_value(node.inputs[position])
    dtype = node.attrs["element_dtype"]
    if value is None or np.ndim(value) == 0:
        return spec_of(dtype, None)
    return spec_of(dtype, tuple(None if dim < 0 else int(dim) for dim in value))


def _list_get(node: Node) -> tuple[SymbolicTensor, ...]:
    return node.add("TensorListGetItem", node.inputs[:2], {"element": _element(node, 2)})


def _list_stack(node: Node) -> tuple[SymbolicTensor, ...]:
    length = node.attrs["num_elements"]
    attrs = {"element": _element(node, 1), "length": None if length < 0 else length}
    return node.add("TensorListStack", node.inputs[:1], attrs)


RULES: dict[str, Rule] = {
    **{op_type: _computed(function) for op_type, function in _FORMULAS.items()},
    "Const": _const,
    "Case": read_case,
    "ConjugateTranspose": _transpose,
    "EmptyTensorList": _empty_list,
    "If": read_if,
    "MatrixDiagPartV3": _diagonal_part,
    "MatrixDiagV3": _diagonal,
    "MatrixSetDiagV3": _set_diagonal,
    "OnesLike": _like,
    "Pad": _pad,
    "PartitionedCall": read_call,
    "Placeholder": _placeholder,
    "PrintV2": _print,
    "ReadVariableOp": _read_variable,
    "Split": _split,
    "SplitV": _split_sizes,
    "StatefulPartitionedCall": read_call,
    "StatelessCase": read_case,
    "StatelessIf": read_if,
    "StatelessWhile": read_while,
    "Sum": _sum,
    "TensorListConcatV2": _list_concat,
    "TensorListFromTensor": _list_from_tensor,
    "TensorListGetItem": _list_get,
    "TensorListReserve": _list_reserve,
    "TensorListScatterIntoExistingList": _list_scatter,
    "TensorListSplit": _list_split,
    "TensorListStack": _list_stack,
    "Transpose": _transpose,
    "VarHandleOp": _var_handle,
    "While": read_while,
    "ZerosLike": _like,
}
"""The import rules, by TensorFlow's op type."""
