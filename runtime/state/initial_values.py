"""Initial values of variables: conversion, checks, and values of symbolic tensors.

A function that creates a variable may compute its value from arguments: the call that triggered the
trace has them.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from runtime.core.context import get_default_graph, init_scope
from runtime.core.dtypes import DType
from runtime.core.graph import Graph
from runtime.core.shapes import TensorShape, as_dims
from runtime.core.spec import TensorSpec
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.engines.interpreter import executable
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.passes.rewriting import rebuild

_given: weakref.WeakKeyDictionary[Graph, Mapping[int, Any]] = weakref.WeakKeyDictionary()


@contextmanager
def arguments_given(graph: Graph, arrays: Mapping[int, Any]) -> Iterator[None]:
    """Provide the arguments of the call that triggered a trace, by position, as far as known."""
    _given[graph] = arrays
    try:
        yield
    finally:
        del _given[graph]


def _lifted(tensor: SymbolicTensor) -> Any:
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


def require_initial_value(value: object) -> None:
    """Raise ValueError if the initial value of a variable is None."""
    if value is None:
        raise ValueError(
            "The `initial_value` arg to `tf.Variable` must be specified: a Variable needs an "
            "initial value."
        )


def known_spec(spec: TensorSpec, shape: object) -> TensorSpec:
    """Return the spec with the `shape` argument. Raise ValueError if the value does not fit it."""
    if shape is None:
        return spec
    wanted = TensorShape(shape)
    if not wanted.is_compatible_with(spec.dims):
        raise ValueError(
            f"In this `tf.Variable` creation, the initial value's shape ({spec.shape}) is not "
            f"compatible with the explicitly supplied `shape` argument ({wanted})."
        )
    return spec.with_dims(as_dims(wanted))


def initial(value: object, dtype: DType | None) -> EagerTensor:
    """Return the initial value of a variable outside of graphs built by hand."""
    if callable(value):
        with init_scope():
            value = value()
    if hasattr(type(value), "__tf_tensor__"):
        with init_scope():
            value = convert_to_tensor(value)
    if isinstance(value, SymbolicTensor):
        value = EagerTensor(_lifted(value))
    with init_scope():
        tensor = convert_to_tensor(value, dtype)
        tensor = tensor if dtype is None else cast_to(tensor, dtype)
    assert isinstance(tensor, EagerTensor)
    return tensor


def initial_in_graph(value: object, dtype: DType | None) -> Tensor:
    """Return the initial value of a variable of a graph built by hand."""
    graph = get_default_graph()
    if isinstance(value, SymbolicTensor):
        return convert_to_tensor(value, dtype)
    with graph.name_scope("Initializer"):
        given = value() if callable(value) else value
        return convert_to_tensor(given, dtype, name="initial_value")
