"""Op signatures: inputs, outputs and attributes of op types in a GraphDef.

The signature of an elementwise op, and of a row of a family that states one, follows from its
definition; `signature_table` has the others.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import Effect, OpDef, all_ops
from runtime.export.signature_table import TABLE
from runtime.ops.base import rules

_DTYPES = {dtype.name: dtype for dtype in dtypes.ALL}


@dataclass(frozen=True)
class Port:
    """An input or output of an op type.

    Attributes:
      name: its name.
      dtype: its dtype, if it is fixed.
      type_attr: the attribute that holds the dtype.
      number_attr: the attribute that holds the number of tensors.
      list_attr: the attribute that holds a list of dtypes, for any number of tensors.
    """

    name: str
    dtype: DType | None = None
    type_attr: str | None = None
    number_attr: str | None = None
    list_attr: str | None = None


@dataclass(frozen=True)
class Signature:
    """Inputs, outputs and attributes of an op type.

    Attributes:
      name: the op type.
      inputs, outputs: in order.
      kinds: for each attribute `int`, `type`, `list(shape)`, ....
      defaults: the values of optional attributes.
    """

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    kinds: Mapping[str, str]
    defaults: Mapping[str, Any]

    @property
    def inferred(self) -> frozenset[str]:
        """The attributes that follow from the inputs."""
        found: set[str | None] = set()
        for port in self.inputs:
            found |= {port.type_attr, port.number_attr, port.list_attr}
        return frozenset(name for name in found if name)


def _port(text: str) -> Port:
    name, kind = text.split(":")
    number, star, kind = kind.rpartition("*")
    if star and not number:
        return Port(name, list_attr=kind)
    dtype = _DTYPES.get(kind)
    return Port(name, dtype, None if dtype else kind, number or None)


def _default(kind: str, text: str) -> Any:
    if kind.startswith("list"):
        inner = text[1:-1]
        item = kind[5:-1]
        return tuple(_default(item, part) for part in inner.split(",")) if inner else ()
    if kind == "bool":
        return text == "true"
    if kind == "type":
        return _DTYPES[text]
    if kind == "shape":
        return None if text == "[...]" else tuple(ast.literal_eval(text))
    return ast.literal_eval(text)


def parsed(row: str) -> Signature:
    """Parse a row of the table."""
    name, inputs, outputs, attrs = (part.strip() for part in row.split("|"))
    kinds: dict[str, str] = {}
    defaults: dict[str, Any] = {}
    for attr in attrs.split():
        declared, equals, default = attr.partition("=")
        attr_name, kinds[attr_name] = declared.split(":")
        if equals:
            defaults[attr_name] = _default(kinds[attr_name], default)
    return Signature(
        name,
        tuple(map(_port, inputs.split())),
        tuple(map(_port, outputs.split())),
        kinds,
        defaults,
    )


def _read(table: str) -> dict[str, str]:
    rows = table.strip().replace("\n    ", " ").splitlines()
    return {row.partition(" ")[0]: row for row in rows}


_ROWS = _read(TABLE)
_READ: dict[str, Signature] = {}


def signature(op_type: str) -> Signature | None:
    """Return the signature of an op type, or None if a GraphDef cannot represent it.

    >>> signature("AddV2").inputs[1].type_attr
    'T'
    """
    if op_type not in _READ:
        row = _ROWS.get(op_type)
        found = _of_definition(op_type) if row is None else parsed(row)
        if found is None:
            return None
        _READ[op_type] = found
    return _READ[op_type]


_KINDS = {bool: "bool", int: "int", float: "float", str: "string"}
"""The kinds of attributes, by the type of their values."""


def _of_definition(op_type: str) -> Signature | None:
    definition = next((op for op in all_ops() if op.name == op_type), None)
    if definition is None:
        return None
    row = definition.node.signature
    return parsed(f"{op_type} | {row}") if row else derived(definition)


def derived(definition: OpDef) -> Signature | None:
    """Return the signature of an elementwise op with TensorFlow's names: `y = f(x)`, `z = f(x,
    y)`.
    """
    if not definition.elementwise or definition.effect is not Effect.NONE:
        return None
    (group, *others) = set(definition.inputs.values())
    attrs = {name: value for sample in definition.samples for name, value in sample.attrs.items()}
    if others or group.mixed or not all(type(value) in _KINDS for value in attrs.values()):
        return None
    only = next(iter(group.members)) if len(group.members) == 1 else None
    typed = {} if only else {"T": "type"}
    result = Port("y" if len(definition.inputs) == 1 else "z", only, None if only else "T")
    if definition.infer in (rules.boolean, rules.compared):
        result = replace(result, dtype=dtypes.bool, type_attr=None)
    elif definition.infer not in (rules.same, rules.broadcasted):
        result = replace(result, dtype=None, type_attr="Tout")
        typed["Tout"] = "type"
    return Signature(
        definition.name,
        tuple(Port(name, only, None if only else "T") for name in definition.inputs),
        (result,),
        {**typed, **{name: _KINDS[type(value)] for name, value in attrs.items()}},
        {},
    )
