"""Import of one node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.core.dtypes import DType
from runtime.core.errors import NotFoundError
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor
from runtime.core.thread import STATE
from runtime.export.attributes import attr_value, kind_of
from runtime.export.messages import NodeDef
from runtime.export.node import Functions, Node, rule_for
from runtime.export.nodes import port_dtypes
from runtime.export.signatures import Signature, signature


@dataclass(frozen=True)
class Read:
    """An imported node.

    Attributes:
      operation: the operation with its name.
      tensors: its outputs.
      named: its outputs by TensorFlow's names.
    """

    operation: Operation
    tensors: list[SymbolicTensor]
    named: Mapping[str, list[SymbolicTensor]]


def written_signature(wanted: Signature) -> str:
    """Return a signature as in messages: `Op<name=Neg; signature=x:T -> y:T; attr=T:type>`."""

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
    """Add the operations for a node to the graph being recorded.

    Raises:
      ValueError: if inputs or attributes do not fit.
      NotFoundError: for an op type that does not exist.
      UnimplementedError: for an op type that the runtime does not support.
    """
    wanted = signature(message.op)
    if wanted is None:
        raise NotFoundError.of(
            f"Op type not registered '{message.op}' in binary running here (node "
            f"'{message.name}'). Make sure the Op and Kernel are registered in the binary running "
            "in this process.",
        )
    attrs = _attributes(message, wanted, name)
    _check_inputs(message, wanted, attrs, inputs, name)
    node = Node(message, name, inputs, attrs, wanted, functions)
    try:
        tensors = list(rule_for(message.op)(node))
    except (TypeError, LookupError, ArithmeticError, UnicodeError) as error:
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
"""Maximum number of tensors in one named input or output of a node."""


def _check_counts(message: NodeDef, wanted: Signature, values: Mapping[str, Any]) -> None:
    for port in (*wanted.inputs, *wanted.outputs):
        count = 0 if port.number_attr is None else values[port.number_attr]
        if not isinstance(count, int) or not 0 <= count <= _MOST:
            raise ValueError(
                f"Node '{message.name}': attr '{port.number_attr}' is {count!r}, which is not "
                f"a number from 0 to {_MOST}"
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
