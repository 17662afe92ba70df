"""Verification of the invariants of a graph."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.dispatch import infer
from runtime.core.errors import InternalError
from runtime.core.graph import Graph
from runtime.core.opdef import Control
from runtime.core.operation import Operation
from runtime.core.shapes import compatible
from runtime.core.spec import TensorSpec
from runtime.core.symbolic import SymbolicTensor


def verify(graph: Graph, nested: bool = True) -> None:
    """Check a graph, and with `nested` all graphs that it carries.

    Raises:
      InternalError: if an operation reads a tensor that no earlier operation of the graph produces,
        if names repeat, if specs contradict the shape rule, or if a carried graph does not fit its
        operation.

    >>> verify(Graph())
    """
    made: set[int] = set()
    names: set[str] = set()
    before: set[int] = set()
    for op in graph.operations:
        _require(op.graph is graph, op, "belongs to another graph")
        _require(op.name not in names, op, "has the name of another operation")
        for tensor in op.inputs:
            _require(id(tensor) in made, op, f"reads {tensor.name}, which is not made before it")
        for other in op.control_inputs:
            _require(id(other) in before, op, f"waits for {other.name}, which is not before it")
        _verify_outputs(op)
        _verify_carried(op, nested)
        names.add(op.name)
        before.add(id(op))
        made.update(map(id, op.outputs))
    for tensor in (*graph.inputs, *graph.outputs):
        if id(tensor) not in made:
            raise InternalError.of(f"graph {graph.name} has no tensor {tensor.name}")
    if len(graph.captures) > len(graph.inputs):
        raise InternalError.of(f"graph {graph.name} captures more than its inputs")


def _require(holds: bool, op: Operation, text: str) -> None:
    if not holds:
        raise InternalError.of(f"operation {op.name} ({op.type}) {text}", op)


def _verify_outputs(op: Operation) -> None:
    specs = infer(op.definition, op.inputs, op.attrs)
    _require(len(specs) == len(op.outputs), op, f"has {len(op.outputs)} outputs, not {len(specs)}")
    for tensor, spec in zip(op.outputs, specs, strict=True):
        fits = tensor.dtype is spec.dtype and compatible(tensor.spec.dims, spec.dims)
        _require(fits, op, f"has an output {tensor.spec}, but the shape rule returns {spec}")


def _verify_carried(op: Operation, nested: bool) -> None:
    for graph in op.subgraphs() if nested else ():
        verify(graph)
    control = op.definition.control
    if control in (Control.IF, Control.CASE):
        for branch in op.subgraphs():
            _verify_call(op, op.inputs[1:], branch)
            _verify_specs(op, branch.outputs, [tensor.spec for tensor in op.outputs])
    elif control is Control.WHILE:
        for part in op.subgraphs():
            _verify_call(op, op.inputs, part)
        carried = [tensor.spec for tensor in op.outputs]
        _verify_specs(op, op.attrs["body"].outputs, carried)
    elif control in (Control.CALL, Control.RECURSION):
        _verify_call(op, op.inputs, op.attrs["f"])


def _verify_call(op: Operation, given: Sequence[SymbolicTensor], graph: Graph) -> None:
    _verify_specs(op, given, [tensor.spec for tensor in graph.inputs])


def _verify_specs(
    op: Operation, given: Sequence[SymbolicTensor], wanted: Sequence[TensorSpec]
) -> None:
    _require(len(given) == len(wanted), op, f"passes {len(given)} tensors for {len(wanted)}")
    for tensor, spec in zip(given, wanted, strict=True):
        text = f"passes {tensor.name} ({tensor.spec}) for {spec}"
        _require(spec.includes(tensor.spec), op, text)
