"""A node during import."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.dispatch import infer
from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.opdef import lookup
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.core.thread import STATE
from runtime.export.messages import NodeDef
from runtime.export.signatures import Signature

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

    def constant(self, position: int) -> Any:
        """Return the value of a constant input. Raises UnimplementedError if it is unknown."""
        tensor = self.inputs[position]
        value = static_value(tensor)
        if value is None:
            raise unimplemented(
                self.message, f"its input {tensor.name} has to follow from constants"
            )
        array = np.asarray(value)
        if array.size > _MOST_ENTRIES:
            raise unimplemented(self.message, f"its input {tensor.name} has {array.size} elements")
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


Rule = Callable[[Node], Sequence[SymbolicTensor]]
"""Adds the operations for a node and returns its outputs."""


def unimplemented(message: NodeDef, reason: str) -> UnimplementedError:
    """Return the error for a node that cannot be imported."""
    return UnimplementedError.of(
        f"node '{message.name}' ({message.op}) cannot be read here: {reason}"
    )
