"""Import of nodes: those of op types, of control flow, and of types that the runtime lacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.inference import infer
from runtime.core.opdef import Control, OpDef, all_ops, lookup
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.core.thread import STATE
from runtime.export.messages import NodeDef
from runtime.export.signatures import Signature
from runtime.ops.base.aliases import Array
from runtime.ops.base.define import call

Functions = Callable[[str, Sequence[TensorSpec]], Graph]
"""Returns the function of a name, for arguments of these specs."""


_MOST_ENTRIES = 1 << 16
"""Maximum number of entries of an input that becomes an attribute."""


@dataclass(frozen=True)
class Node:
    """A node during import.

    Attributes:
      message: the node.
      name: the name of its operation, with a trailing slash.
      inputs: the input tensors.
      attrs: its attributes, including defaults.
      signature: the signature of its op type.
      functions: the functions of the library.
    """

    message: NodeDef
    name: str
    inputs: list[SymbolicTensor]
    attrs: Mapping[str, Any]
    signature: Signature
    functions: Functions

    @property
    def type(self) -> str:
        """TensorFlow's op type."""
        return str(self.message.op)

    def known(self, position: int) -> Array | None:
        """Return the value of an input; None if it is unknown."""
        return static_value(self.inputs[position])

    def refuse(self, reason: str) -> UnimplementedError:
        """Return the error for a node that cannot be imported."""
        return UnimplementedError.of(
            f"node '{self.message.name}' ({self.type}) cannot be read here: {reason}"
        )

    def constant(self, position: int) -> Array:
        """Return the value of a constant input. Raises UnimplementedError if it is unknown."""
        tensor = self.inputs[position]
        value = static_value(tensor)
        if value is None:
            raise self.refuse(f"its input {tensor.name} has to follow from constants")
        array = np.asarray(value)
        if array.size > _MOST_ENTRIES:
            raise self.refuse(f"its input {tensor.name} has {array.size} elements")
        return array

    def add(
        self,
        op_type: str,
        inputs: Sequence[SymbolicTensor],
        attrs: Mapping[str, Any],
        label: str = "",
    ) -> tuple[SymbolicTensor, ...]:
        """Add an operation with the name of the node, or the name plus a suffix."""
        graph: Graph = STATE.graph
        definition = lookup(op_type)
        specs = infer(definition, inputs, attrs)
        name = self.name + label
        return graph.add(definition, inputs, attrs, specs, name).outputs

    def plainly(self, **more: object) -> tuple[SymbolicTensor, ...]:
        """Add the operation that the form of the op type describes without a rule.

        Args:
          **more: further attributes of the operation.
        """
        definition = definition_of(self.type)
        if definition is None:
            raise self.refuse("the runtime has no such op type")
        form = definition.node
        inputs = list(self.inputs)
        attrs: dict[str, Any] = {**form.fixed, **form.dropped}
        for moved in form.moved:
            position = moved.position % len(self.inputs)
            others = [tensor for i, tensor in enumerate(self.inputs) if i != position]
            attrs[moved.attr] = moved.value(self.constant(position), others[0].shape.rank)
            inputs = others
        expected = {name for sample in definition.samples for name in sample.attrs}
        back = {theirs: ours for ours, theirs in form.renamed.items()}
        for name, value in self.attrs.items():
            own = back.get(name, name)
            if own in expected and own not in attrs:
                decode = form.decode.get(own, _plain_value)
                attrs[own] = decode(value)
        missing = expected - set(attrs)
        if missing:
            raise self.refuse(f"nothing says its {', '.join(sorted(missing))}")
        return self.add(definition.name, inputs, {**attrs, **more})


def _plain_value(value: object) -> object:
    """Return an attribute value as the runtime stores it: strings as str, lists as tuples."""
    if isinstance(value, bytes):
        return value.decode()
    return tuple(value) if isinstance(value, list) else value


def definition_of(op_type: str) -> OpDef | None:
    """Return the definition that imports an op type of TensorFlow, or None.

    >>> definition_of("ConjugateTranspose")
    <op Transpose>
    """
    try:
        return lookup(op_type)
    except KeyError:
        return next((op for op in all_ops() if op_type in op.node.also), None)


def read_if(node: Node) -> tuple[SymbolicTensor, ...]:
    """Import a branch."""
    specs = [tensor.spec for tensor in node.inputs[1:]]
    attrs = {key: node.functions(node.attrs[key], specs) for key in ("then_branch", "else_branch")}
    if not node.inputs[0].dtype.is_bool:
        raise node.refuse("its condition is not a bool")
    return node.add(node.message.op, node.inputs, attrs)


def read_while(node: Node) -> tuple[SymbolicTensor, ...]:
    """Import a loop."""
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
        raise ValueError(f"the body of '{node.message.name}' returns other dtypes than it takes")


def read_call(node: Node) -> tuple[SymbolicTensor, ...]:
    """Import a call of a function."""
    function = node.functions(node.attrs["f"], [tensor.spec for tensor in node.inputs])
    return node.add(node.message.op, node.inputs, {"f": function})


def read_case(node: Node) -> tuple[SymbolicTensor, ...]:
    """Import a choice among several branches."""
    specs = [tensor.spec for tensor in node.inputs[1:]]
    graphs = [node.functions(name, specs) for name in node.attrs["branches"]]
    attrs = {f"branch{number}": graph for number, graph in enumerate(graphs)}
    return node.add(node.message.op, node.inputs, attrs)


Rule = Callable[[Node], Sequence[SymbolicTensor]]
"""Adds the operations for a node and returns its outputs."""


def _placeholder(node: Node) -> tuple[SymbolicTensor, ...]:
    spec = spec_of(node.attrs["dtype"], node.attrs["shape"])
    return node.add("Placeholder", (), {"spec": spec})


def _const(node: Node) -> tuple[SymbolicTensor, ...]:
    value, dtype = node.attrs["value"], node.attrs["dtype"]
    spec = infer(CONST, (), {"value": value})[0]
    if spec.dtype is not dtype:
        raise ValueError(
            f"node '{node.message.name}' holds {spec.dtype.name}, but its dtype is {dtype.name}"
        )
    return node.add("Const", (), {"value": value})


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

_CONTROL: dict[Control | None, Rule] = {
    Control.IF: read_if,
    Control.CASE: read_case,
    Control.WHILE: read_while,
    Control.CALL: read_call,
}


def rule_for(op_type: str) -> Rule:
    """Return the import rule of an op type of TensorFlow."""
    definition = definition_of(op_type)
    if op_type in _FORMULAS:
        return _computed(_FORMULAS[op_type])
    if definition is CONST:
        return _const
    if definition is PLACEHOLDER:
        return _placeholder
    if definition is None:
        return Node.plainly
    return definition.node.read or _CONTROL.get(definition.control, Node.plainly)
