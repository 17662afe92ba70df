"""Graphs for TensorBoard: nodes, with names of ops, inputs and shapes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec
from runtime.core.symbolic import SymbolicTensor
from runtime.export.messages import GraphDef, Message


def drawing(graph: Graph) -> Message:
    """Return a graph for display, with every op, also those that only this runtime has.

    The `GraphDef` has op types, inputs, control inputs, dtypes and shapes; other attributes are
    left out. Graphs of branches, loops and calls are in its library.

    >>> import runtime as tf
    >>> square = tf.function(lambda x: x * x).get_concrete_function(tf.TensorSpec([], tf.int32))
    >>> [node.op for node in drawing(square.graph).node]
    ['Placeholder', 'Mul', 'Identity']
    """
    message = GraphDef()
    names: dict[int, str] = {}
    _add_nodes(message.node, graph.operations, message, names)
    message.versions.producer = 27
    return message


def _add_nodes(
    nodes: Any, operations: Iterable[Operation], message: Message, names: dict[int, str]
) -> None:
    for op in operations:
        node = nodes.add(name=op.name, op=op.type, device=op.device or "")
        node.input.extend(map(_reference, op.inputs))
        node.input.extend(f"^{before.name}" for before in op.control_inputs)
        _add_specs(node, [tensor.spec for tensor in op.outputs])
        for name, value in op.attrs.items():
            for number, inner in enumerate(_graphs_in(value)):
                key = name if number == 0 else f"{name}_{number}"
                node.attr[key].func.name = _add_function(inner, message, names)


def _reference(tensor: SymbolicTensor) -> str:
    return tensor.op.name if tensor.value_index == 0 else f"{tensor.op.name}:{tensor.value_index}"


def _add_specs(node: Message, specs: list[TensorSpec]) -> None:
    if not specs:
        return
    node.attr["T"].type = specs[0].dtype.enum
    for spec in specs:
        shape = node.attr["_output_shapes"].list.shape.add()
        if spec.dims is None or spec.dtype in (dtypes.resource, dtypes.variant):
            shape.unknown_rank = True
        else:
            for dim in spec.dims:
                shape.dim.add(size=-1 if dim is None else dim)


def _graphs_in(value: object) -> list[Graph]:
    if isinstance(value, (tuple, list)):
        return [graph for graph in value if isinstance(graph, Graph)]
    return [value] if isinstance(value, Graph) else []


def _add_function(graph: Graph, message: Message, names: dict[int, str]) -> str:
    """Add a graph to the library, once; return its name."""
    if id(graph) in names:
        return names[id(graph)]
    name = names[id(graph)] = f"{graph.name}_{len(names)}"
    function = message.library.function.add()
    function.signature.name = name
    inputs = {id(tensor.op) for tensor in graph.inputs}
    for tensor in graph.inputs:
        function.signature.input_arg.add(name=tensor.op.name, type=tensor.dtype.enum)
    inner = [op for op in graph.operations if id(op) not in inputs]
    _add_nodes(function.node_def, inner, message, names)
    for number, tensor in enumerate(graph.outputs):
        own = f"output_{number}"
        function.signature.output_arg.add(name=own, type=tensor.dtype.enum)
        function.ret[own] = f"{tensor.op.name}:output:{tensor.value_index}"
    return name
