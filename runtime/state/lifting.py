"""Values of symbolic tensors in the call that triggered the trace."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from runtime.core.graph import Graph
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor
from runtime.engines.interpreter import executable
from runtime.passes.rewriting import rebuild

_given: weakref.WeakKeyDictionary[Graph, Mapping[int, Any]] = weakref.WeakKeyDictionary()


@contextmanager
def arguments_given(graph: Graph, arrays: Mapping[int, Any]) -> Iterator[None]:
    """Provide the arguments of the call that triggered a trace.

    Args:
      graph: the graph being recorded.
      arrays: arrays keyed by argument position; unknown arguments are missing.
    """
    _given[graph] = arrays
    try:
        yield
    finally:
        del _given[graph]


def lifted_value(tensor: SymbolicTensor) -> Any:
    """Evaluate a symbolic tensor of a graph that is being recorded.

    Raises: ValueError if it depends on an argument without a value, or on a branch or loop.
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
    """Return the arrays of the arguments; None for those that `needed` does not contain."""
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
