"""The value that a symbolic tensor has in the call for which its graph is recorded."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from runtime.core.graph import Graph
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor
from runtime.engines.engine import executable
from runtime.passes.rebuild import rebuild

_given: weakref.WeakKeyDictionary[Graph, Mapping[int, Any]] = weakref.WeakKeyDictionary()


@contextmanager
def arguments_given(graph: Graph, arrays: Mapping[int, Any]) -> Iterator[None]:
    """Says, while a graph is recorded, with which arguments it will run first.

    Args:
      graph: the graph.
      arrays: the arrays by position among its arguments; those that are not known are left out.
    """
    _given[graph] = arrays
    try:
        yield
    finally:
        del _given[graph]


def lifted_value(tensor: SymbolicTensor) -> Any:
    """The array that `tensor` stands for.

    Raises: ValueError if it depends on an argument that has no value yet, or belongs to a branch
      or a loop.
    """
    graph = tensor.graph
    needed = {id(tensor.op)}
    for op in reversed(graph.operations):
        if id(op) in needed:
            needed.update(id(operand.op) for operand in op.inputs)
    captured = [capture for capture in graph.captures if isinstance(capture, EagerTensor)]
    if len(captured) != len(graph.captures):
        raise ValueError("a variable cannot be created inside a staged branch or loop")
    arrays = _arguments(graph, needed)
    part = _only(graph, tensor, needed)
    return executable(part)(*arrays, *(capture.array for capture in captured))[0]


def _arguments(graph: Graph, needed: set[int]) -> list[Any]:
    """The arguments that are known; the others are not needed."""
    given = _given.get(graph, {})
    for position, argument in enumerate(graph.arguments):
        if id(argument.op) in needed and position not in given:
            raise ValueError(
                "the initial value of a variable depends on an argument of the function that "
                f"creates it ({argument.name}), which has no value while the function is recorded "
                "for a signature. Create the variable outside the function, call the function "
                "first, or give an initial value that does not depend on it."
            )
    return [given.get(position) for position in range(len(graph.arguments))]


def _only(graph: Graph, tensor: SymbolicTensor, needed: set[int]) -> Graph:
    part = Graph(graph.name)
    part.operations = graph.operations
    part.inputs = graph.inputs
    part.outputs = [tensor]
    part.captures = graph.captures
    return rebuild(part, lambda op: id(op) in needed)
