"""A node during import."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.inference import infer
from runtime.core.opdef import OpDef, all_ops, lookup
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.core.thread import STATE
from runtime.export.messages import NodeDef
from runtime.export.signatures import Signature
from runtime.ops.base.aliases import Array

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
