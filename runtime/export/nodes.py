"""Export of operations: inputs by reference, attributes completed from the op signature.

The node forms of op types write the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.naming import Names
from runtime.core.node_form import Ref
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec, spec_of, spec_of_array
from runtime.core.symbolic import SymbolicTensor
from runtime.export.attributes import attr_message
from runtime.export.messages import Message, NodeDef
from runtime.export.signatures import Port, Signature, signature


class Nodes:
    """The nodes of a graph or of a function body.

    Attributes:
      found: the nodes.
      names: the names in use.
    """

    def __init__(self, in_function: bool) -> None:
        """Start without nodes."""
        self.found: list[Message] = []
        self.names = Names()
        self._in_function = in_function

    def reference(self, ref: Ref) -> str:
        """Return the input string that refers to a tensor."""
        if self._in_function:
            return ref.node if ref.port is None else f"{ref.node}:{ref.port}:{ref.index}"
        return f"{ref.node}:{ref.flat}" if ref.flat else ref.node

    def add(
        self,
        op_type: str,
        inputs: Sequence[Ref],
        attrs: Mapping[str, Any],
        name: str,
        *,
        waits: Iterable[str] = (),
        device: str = "",
        outputs: Sequence[DType] = (),
    ) -> list[Ref]:
        """Add a node of an op type with a signature, and return its outputs.

        `waits` are names of control inputs. `outputs` are the dtypes of the outputs, if they do not
        follow from the attributes.

        Raises: ValueError if an attribute is missing or unknown.
        """
        wanted = signature(op_type)
        if wanted is None:
            raise ValueError(f"the op type {op_type} has no signature")
        complete = _completed(wanted, [ref.dtype for ref in inputs], attrs, outputs)
        node = NodeDef(name=name, op=op_type, device=device)
        node.input.extend(self.reference(ref) for ref in inputs)
        node.input.extend(f"^{other}" for other in waits)
        for key, (kind, value) in complete.items():
            node.attr[key].CopyFrom(attr_message(kind, value))
        self.found.append(node)
        values = {key: value for key, (_, value) in complete.items()}
        return [
            Ref(name, dtype, flat, port.name, index)
            for flat, (port, index, dtype) in enumerate(results(wanted, values))
        ]

    def constant(self, array: object, name: str) -> Ref:
        """Add a constant; the name is made unique."""
        value = np.asarray(array)
        dtype = spec_of_array(value).dtype
        own = self.names.unique(name)
        return self.add("Const", (), {"value": value, "dtype": dtype}, own)[0]


def results(wanted: Signature, attrs: Mapping[str, Any]) -> Iterator[tuple[Port, int, DType]]:
    """Yield for each output of a node: the named output, the index in it, the dtype."""
    for port in wanted.outputs:
        for index, dtype in enumerate(port_dtypes(port, attrs)):
            yield port, index, dtype


def port_dtypes(port: Port, attrs: Mapping[str, Any]) -> list[DType]:
    """Return the dtypes of the tensors of one named input or output."""
    if port.list_attr is not None:
        return list(attrs[port.list_attr])
    dtype: Any = attrs[port.type_attr] if port.type_attr is not None else port.dtype
    return [dtype] * (1 if port.number_attr is None else int(attrs[port.number_attr]))


def _completed(
    wanted: Signature, given: Sequence[DType], attrs: Mapping[str, Any], outputs: Sequence[DType]
) -> dict[str, tuple[str, Any]]:
    own = [key for key in attrs if not key.startswith("_")]
    unknown = [key for key in own if key not in wanted.kinds]
    if unknown:
        raise ValueError(f"the op type {wanted.name} has no attribute {unknown[0]!r}")
    results_tell = inferred(wanted.outputs, outputs) if outputs else {}
    values = {**wanted.defaults, **results_tell, **inferred(wanted.inputs, given)}
    values |= {key: attrs[key] for key in own}
    missing = [key for key in wanted.kinds if key not in values]
    if missing:
        raise ValueError(f"the op type {wanted.name} needs the attribute {missing[0]!r}")
    complete = {key: (wanted.kinds[key], value) for key, value in values.items()}
    complete |= {key: attrs[key] for key in attrs if key.startswith("_")}
    return complete


def inferred(ports: Sequence[Port], given: Sequence[DType]) -> dict[str, Any]:
    """Return the attributes that follow from the dtypes of the inputs or outputs."""
    values: dict[str, Any] = {}
    several = [port for port in ports if port.list_attr or port.number_attr]
    spare = max(0, len(given) - (len(ports) - len(several)))
    at = 0
    for port in ports:
        count = spare // len(several) if port in several else min(1, len(given) - at)
        own = given[at : at + count]
        at += count
        if port.list_attr is not None:
            values[port.list_attr] = tuple(own)
        if port.number_attr is not None:
            values[port.number_attr] = count
        if port.type_attr is not None and own:
            values[port.type_attr] = own[0]
    return values


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
