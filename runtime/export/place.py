"""An operation during export; the node forms of op types write its nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from runtime.core import dtypes
from runtime.core.node_form import Ref
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.export.nodes import Nodes


@dataclass
class Place:
    """One operation during export.

    Attributes:
      nodes: the nodes of the graph.
      op: the operation.
      inputs: its inputs.
      name: the name of its node.
      waits: the control dependencies of its nodes.
      elements: returns dtype and shape of the elements of a list; None if they are unknown.
    """

    nodes: Nodes
    op: Operation
    inputs: list[Ref]
    name: str
    waits: Sequence[str]
    elements: Callable[[SymbolicTensor], TensorSpec | None]

    def part(self, op_type: str, inputs: Sequence[Ref], label: str, **attrs: object) -> list[Ref]:
        """Add an auxiliary node."""
        own = self.nodes.names.unique(f"{self.name}/{label}")
        return self.nodes.add(op_type, inputs, attrs, own, waits=self.waits)

    def main(self, op_type: str, inputs: Sequence[Ref], **attrs: object) -> list[Ref]:
        """Add the node that has the name of the operation."""
        return self.nodes.add(
            op_type,
            inputs,
            attrs,
            self.name,
            waits=self.waits,
            device=self.op.device,
            outputs=[tensor.dtype for tensor in self.op.outputs],
        )

    def constant(self, array: object, label: str) -> Ref:
        """Add a constant."""
        return self.nodes.constant(array, f"{self.name}/{label}")

    def element(self, tensor: SymbolicTensor) -> TensorSpec:
        """Return dtype and shape of the elements of a list. Raises ValueError if they are
        unknown.
        """
        spec = self.elements(tensor)
        if spec is None and not tensor.consumers():
            return spec_of(dtypes.float32, None)  # nobody reads the list, so any dtype does
        if spec is None:
            raise ValueError("nothing tells the dtype of the elements of the list")
        return spec
