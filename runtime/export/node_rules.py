"""Import rules: of the forms of op types, of control flow, and of types that the runtime lacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.core.graph import Graph
from runtime.core.inference import infer
from runtime.core.opdef import Control
from runtime.core.spec import spec_of
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.core.thread import STATE
from runtime.export.node import Node, definition_of
from runtime.export.node_functions import read_call, read_case, read_if, read_while
from runtime.ops.base.define import call

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
