"""A node of a GraphDef that is being read."""

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
"""The function of that name, for arguments of these specs."""


_MOST_ENTRIES = 1 << 16
"""Maximum number of entries of an input that becomes an attribute."""


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
    return UnimplementedError.of(
        f"node '{message.name}' ({message.op}) cannot be read here: {reason}"
    )
