"""The value of a symbolic tensor that depends on nothing but constants."""

from __future__ import annotations

from typing import Any

from runtime.core.graph import Graph, SymbolicTensor
from runtime.core.tensor import EagerTensor
from runtime.engines.engine import executable
from runtime.passes.rebuild import rebuild


def lifted_value(tensor: SymbolicTensor) -> Any:
    """The array that `tensor` stands for, whatever the arguments of the function are.

    Raises: ValueError if it depends on an argument, or belongs to a branch or a loop.
    """
    graph = tensor.graph
    needed = {id(tensor.op)}
    for op in reversed(graph.operations):
        if id(op) in needed:
            needed.update(id(operand.op) for operand in op.inputs)
    if any(id(argument.op) in needed for argument in graph.arguments):
        raise ValueError(
            "the initial value of a variable depends on an argument of the function that creates "
            "it. Create the variable outside the function, or give an initial value that does not."
        )
    captured = [capture for capture in graph.captures if isinstance(capture, EagerTensor)]
    if len(captured) != len(graph.captures):
        raise ValueError("a variable cannot be created inside a staged branch or loop")
    return executable(_only(graph, tensor, needed))(*(capture.array for capture in captured))[0]


def _only(graph: Graph, tensor: SymbolicTensor, needed: set[int]) -> Graph:
    part = Graph(graph.name)
    part.operations = graph.operations
    part.inputs = graph.inputs[len(graph.arguments) :]
    part.outputs = [tensor]
    part.captures = graph.captures
    return rebuild(part, lambda op: id(op) in needed)
