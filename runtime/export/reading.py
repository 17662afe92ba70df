"""Reading one node: what it stands for among the op types of the runtime."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.context import recording
from runtime.core.dispatch import infer
from runtime.core.dtypes import DType
from runtime.core.errors import NotFoundError, UnimplementedError
from runtime.core.graph import Graph, Operation, SymbolicTensor
from runtime.core.opdef import Effect, OpDef, all_ops, lookup
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.thread import STATE
from runtime.export.attributes import attr_value, kind_of
from runtime.export.forms import SAME_AS, form_of
from runtime.export.messages import NodeDef
from runtime.export.nodes import port_dtypes
from runtime.export.signatures import Signature, signature
from runtime.ops.define import call

Functions = Callable[[str, Sequence[TensorSpec]], Graph]
"""The function of that name, for arguments of these specs."""


@dataclass(frozen=True)
class Read:
    """What a node has become.

    Attributes:
      operation: the operation that has its name.
      tensors: its outputs.
      named: its outputs by the names that TensorFlow gives them.
    """

    operation: Operation
    tensors: list[SymbolicTensor]
    named: Mapping[str, list[SymbolicTensor]]


@dataclass(frozen=True)
class Node:
    """A node that is being read.

    Attributes:
      message: the node.
      name: the name of its operation, with a slash behind it.
      inputs: what it reads.
      attrs: its attributes, with those that are left out.
      signature: that of its op type.
      functions: the functions of the library.
    """

    message: NodeDef
    name: str
    inputs: list[SymbolicTensor]
    attrs: Mapping[str, Any]
    signature: Signature
    functions: Functions

    def constant(self, position: int) -> Any:
        """The value of an input that has to be known. Raises UnimplementedError if it is not."""
        tensor = self.inputs[position]
        value = static_value(tensor)
        if value is None:
            raise unimplemented(
                self.message, f"its input {tensor.name} has to follow from constants"
            )
        return np.asarray(value)

    def add(
        self,
        op_type: str,
        inputs: Sequence[SymbolicTensor],
        attrs: Mapping[str, Any],
        label: str = "",
    ) -> tuple[SymbolicTensor, ...]:
        """Adds an operation; it gets the name of the node, or a name behind it."""
        graph: Graph = STATE.graph
        definition = lookup(op_type)
        specs = infer(definition, inputs, attrs)
        name = self.name + label
        return graph.add(definition, inputs, attrs, specs, name).outputs


Rule = Callable[[Node], Sequence[SymbolicTensor]]
"""Adds what a node stands for; gives its outputs."""


def unimplemented(message: NodeDef, reason: str) -> UnimplementedError:
    """The error for a node that the runtime cannot take up."""
    return UnimplementedError(
        None, None, f"node '{message.name}' ({message.op}) cannot be read here: {reason}"
    )


def written_signature(wanted: Signature) -> str:
    """A signature as errors show it: `Op<name=Neg; signature=x:T -> y:T; attr=T:type>`."""

    def ports(some: Sequence[Any]) -> str:
        shown = []
        for port in some:
            kind = port.list_attr or port.type_attr or (port.dtype.name if port.dtype else "")
            number = f"{port.number_attr}*" if port.number_attr else ""
            shown.append(f"{port.name}:{number}{kind}")
        return ", ".join(shown)

    attrs = "".join(f"; attr={name}:{kind}" for name, kind in wanted.kinds.items())
    shown = f"{ports(wanted.inputs)} -> {ports(wanted.outputs)}"
    return f"Op<name={wanted.name}; signature={shown}{attrs}>"


def read_node(
    message: NodeDef, inputs: list[SymbolicTensor], name: str, functions: Functions
) -> Read:
    """Adds what a node stands for to the graph that is being recorded.

    Raises: ValueError if inputs or attributes do not fit; NotFoundError for an op type that does
      not exist; UnimplementedError for one that exists only in TensorFlow.
    """
    wanted = signature(message.op)
    if wanted is None:
        raise NotFoundError(
            None,
            None,
            f"Op type not registered '{message.op}' in binary running here (node "
            f"'{message.name}'). Make sure the Op and Kernel are registered in the binary running "
            "in this process.",
        )
    attrs = _attributes(message, wanted, name)
    _check_inputs(message, wanted, attrs, inputs, name)
    node = Node(message, name, inputs, attrs, wanted, functions)
    rule = RULES.get(message.op, _plain)
    try:
        tensors = list(rule(node))
    except (TypeError, LookupError, ArithmeticError) as error:
        raise ValueError(f"Node '{message.name}' ({message.op}): {error}") from error
    operation = tensors[0].op if tensors else STATE.graph.operations[-1]
    operation.device = message.device
    return Read(operation, tensors, _named(wanted, attrs, tensors))


def _attributes(message: NodeDef, wanted: Signature, name: str) -> dict[str, Any]:
    values = dict(wanted.defaults)
    for key, kind in wanted.kinds.items():
        if key in message.attr:
            found = kind_of(message.attr[key])
            if found not in (kind, kind.partition("(")[0]):
                raise ValueError(
                    f"AttrValue had value with type '{found}' when '{kind}' expected\n\t for attr "
                    f"'{key}'\n\t; NodeDef: {{{{node {name.removesuffix('/')}}}}}; "
                    f"{written_signature(wanted)}"
                )
            values[key] = attr_value(message.attr[key])
        elif key not in values:
            raise ValueError(
                f"NodeDef missing attr '{key}' from {written_signature(wanted)}; NodeDef: "
                f"{{{{node {name.removesuffix('/')}}}}}"
            )
    _check_counts(message, wanted, values)
    return values


_MOST = 1 << 16
"""No node has more inputs or outputs of one name than this."""


def _check_counts(message: NodeDef, wanted: Signature, values: Mapping[str, Any]) -> None:
    for port in (*wanted.inputs, *wanted.outputs):
        count = 0 if port.number_attr is None else values[port.number_attr]
        if not isinstance(count, int) or not 0 <= count <= _MOST:
            raise ValueError(
                f"Node '{message.name}': attr '{port.number_attr}' is {count!r}, which is no "
                f"number from 0 to {_MOST}"
            )


def _check_inputs(
    message: NodeDef,
    wanted: Signature,
    attrs: Mapping[str, Any],
    inputs: Sequence[SymbolicTensor],
    name: str,
) -> None:
    expected = [dtype for port in wanted.inputs for dtype in port_dtypes(port, attrs)]
    place = name.removesuffix("/")
    if len(expected) != len(inputs):
        raise ValueError(
            f"NodeDef expected inputs '{', '.join(map(_word, expected))}' do not match "
            f"{len(inputs)} inputs specified; {written_signature(wanted)}; NodeDef: "
            f"{{{{node {place}}}}}"
        )
    for number, (dtype, tensor) in enumerate(zip(expected, inputs, strict=True)):
        if tensor.dtype is not dtype:
            raise ValueError(
                f"Input {number} of node {place} was passed {_word(tensor.dtype)} from "
                f"{tensor.name} incompatible with expected {_word(dtype)}."
            )


def _word(dtype: DType) -> str:
    return {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name)


def _named(
    wanted: Signature, attrs: Mapping[str, Any], tensors: Sequence[SymbolicTensor]
) -> dict[str, list[SymbolicTensor]]:
    found: dict[str, list[SymbolicTensor]] = {}
    at = 0
    for port in wanted.outputs:
        count = len(port_dtypes(port, attrs))
        found[port.name] = list(tensors[at : at + count])
        at += count
    return found


_KNOWN_ATTRS: dict[str, frozenset[str]] = {}


def _attrs_of(definition: OpDef) -> frozenset[str]:
    """The attributes of an op type of the runtime: its samples have them all."""
    if definition.name not in _KNOWN_ATTRS:
        names = {name for sample in definition.samples for name in sample.attrs}
        _KNOWN_ATTRS[definition.name] = frozenset(names)
    return _KNOWN_ATTRS[definition.name]


def _plain(node: Node) -> tuple[SymbolicTensor, ...]:
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


def _plain_value(value: Any) -> Any:
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


def _if(node: Node) -> tuple[SymbolicTensor, ...]:
    specs = [tensor.spec for tensor in node.inputs[1:]]
    attrs = {key: node.functions(node.attrs[key], specs) for key in ("then_branch", "else_branch")}
    if not node.inputs[0].dtype.is_bool:
        raise unimplemented(node.message, "its condition is no bool")
    return node.add(node.message.op, node.inputs, attrs)


def _while(node: Node) -> tuple[SymbolicTensor, ...]:
    shapes = node.attrs["output_shapes"] or [None] * len(node.inputs)
    if len(shapes) != len(node.inputs):
        raise ValueError(
            f"node '{node.message.name}' has {len(node.inputs)} inputs and {len(shapes)} "
            "output_shapes"
        )
    specs = [spec_of(tensor.dtype, dims) for tensor, dims in zip(node.inputs, shapes, strict=True)]
    attrs = {key: node.functions(node.attrs[key], specs) for key in ("cond", "body")}
    _check_loop(node, attrs["body"])
    return node.add(node.message.op, node.inputs, {**attrs, "count": len(node.inputs)})


def _check_loop(node: Node, body: Graph) -> None:
    before = [tensor.dtype for tensor in node.inputs]
    if [tensor.dtype for tensor in body.outputs] != before:
        raise ValueError(f"the body of '{node.message.name}' gives other dtypes than it takes")


def _call(node: Node) -> tuple[SymbolicTensor, ...]:
    function = node.functions(node.attrs["f"], [tensor.spec for tensor in node.inputs])
    return node.add(node.message.op, node.inputs, {"f": function})


def _case(node: Node) -> tuple[SymbolicTensor, ...]:
    """Branches by number become branches by tests; another number means the last."""
    specs = [tensor.spec for tensor in node.inputs[1:]]
    branches = [node.functions(name, specs) for name in node.attrs["branches"]]
    stateless = node.message.op == "StatelessCase"
    chosen = branches[-1]
    for number in reversed(range(len(branches) - 1)):
        chosen = _either(node.inputs, number, branches[number], chosen, stateless)
    kind = "PartitionedCall" if stateless else "StatefulPartitionedCall"
    inputs = node.inputs if len(branches) > 1 else node.inputs[1:]
    return node.add(kind, inputs, {"f": chosen})


def _either(
    inputs: Sequence[SymbolicTensor], number: int, then: Graph, otherwise: Graph, stateless: bool
) -> Graph:
    """A function of all inputs: `then` if the first equals `number`, else `otherwise`."""
    graph = Graph(f"case_{number}")
    with recording(graph):
        index, *rest = [graph.add_input(tensor.spec, tensor.op.name) for tensor in inputs]
        takes_index = len(otherwise.inputs) == len(inputs)
        last = otherwise if takes_index else _ignoring(inputs[0].spec, otherwise)
        first = _ignoring(inputs[0].spec, then)
        test = call("Equal", index, np.array(number, np.int32))
        attrs = {"then_branch": first, "else_branch": last}
        operands = (test, index, *rest)
        kind = lookup("StatelessIf" if stateless else "If")
        outputs = graph.add(kind, operands, attrs, infer(kind, operands, attrs)).outputs
        graph.outputs = list(outputs)
    return graph


def _ignoring(index: TensorSpec, function: Graph) -> Graph:
    """The function with another argument before its own."""
    graph = Graph(function.name)
    with recording(graph):
        graph.add_input(index, "index")
        inputs = [graph.add_input(tensor.spec, tensor.op.name) for tensor in function.inputs]
        stateless = function.effect is Effect.NONE
        kind = lookup("PartitionedCall" if stateless else "StatefulPartitionedCall")
        attrs = {"f": function}
        graph.outputs = list(graph.add(kind, inputs, attrs, infer(kind, inputs, attrs)).outputs)
    return graph


def _sum(node: Node) -> tuple[SymbolicTensor, ...]:
    """A sum over what broadcasting has added undoes it, whatever the shapes are."""
    axes = node.inputs[1]
    if axes.op.type == "BroadcastGradientArgs":
        return node.add("UnbroadcastTo", [node.inputs[0], axes.op.inputs[axes.value_index]], {})
    return _plain(node)


def _computed(function: Callable[..., Any]) -> Rule:
    """Reads an op type that is a formula of others."""

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
"""Gradients that TensorFlow has as op types of their own, and the like."""


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
    "Case": _case,
    "ConjugateTranspose": _transpose,
    "EmptyTensorList": _empty_list,
    "If": _if,
    "MatrixDiagPartV3": _diagonal_part,
    "MatrixDiagV3": _diagonal,
    "MatrixSetDiagV3": _set_diagonal,
    "OnesLike": _like,
    "Pad": _pad,
    "PartitionedCall": _call,
    "Placeholder": _placeholder,
    "PrintV2": _print,
    "ReadVariableOp": _read_variable,
    "Split": _split,
    "SplitV": _split_sizes,
    "StatefulPartitionedCall": _call,
    "StatelessCase": _case,
    "StatelessIf": _if,
    "StatelessWhile": _while,
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
    "While": _while,
    "ZerosLike": _like,
}
"""How each of these op types of TensorFlow is read."""
