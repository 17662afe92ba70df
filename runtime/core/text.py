"""The text form of graphs.

    graph   = "graph" name "(" inputs ")" [ "captures" "(" inputs ")" ] "->" specs NEWLINE
              { indented operation } indented "return" [ tensors ]
    inputs  = [ name ":" spec { "," name ":" spec } ]
    operation = name "=" type { tensor } { attr } [ "after" names ] ":" specs NEWLINE { carried }
    tensor  = name [ ":" number ]            output 0 unless a number is given
    attr    = name "=" value                 graphs are not written here but below, as `carried`
    carried = two further indents, the attribute's name, "=", graph
    specs   = "(" [ spec { "," spec } ] ")"  without brackets if there is exactly one
    spec    = dtype "[" dims "]"             "?" for an unknown dimension, "..." for unknown dims

>>> import runtime as tf
>>> scale = tf.function(lambda x: x * 2.0, autograph=False)
>>> concrete = scale.get_concrete_function(tf.TensorSpec([None], tf.float32))
>>> print(concrete.graph)
graph <lambda>(x: float32[?]) -> float32[?]
  mul/y = Const value=2.0 : float32[]
  mul = Mul x mul/y : float32[?]
  Identity = Identity mul : float32[?]
  return Identity
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from runtime.core.graph import Graph
    from runtime.core.operation import Operation
    from runtime.core.symbolic import SymbolicTensor


def graph_text(graph: Graph) -> str:
    """Return a graph as text; equal graphs have equal text."""
    return "\n".join(_lines(graph))


def _lines(graph: Graph) -> Iterator[str]:
    captured = graph.inputs[len(graph.arguments) :]
    header = f"graph {graph.name}({_inputs(graph.arguments)})"
    if captured:
        header += f" captures ({_inputs(captured)})"
    yield f"{header} -> {_specs(graph.outputs)}"
    inputs = {id(tensor.op) for tensor in graph.inputs}
    for op in graph.operations:
        if id(op) not in inputs:
            yield from ("  " + line for line in _operation_lines(op))
    yield "  " + " ".join(["return", *map(_reference, graph.outputs)])


def _operation_lines(op: Operation) -> Iterator[str]:
    words = [op.name, "=", op.type, *map(_reference, op.inputs)]
    carried = {id(graph) for graph in op.subgraphs()}
    words += [
        f"{name}={_value(value)}" for name, value in op.attrs.items() if id(value) not in carried
    ]
    if op.control_inputs:
        words += ["after", ", ".join(other.name for other in op.control_inputs)]
    yield f"{' '.join(words)} : {_specs(op.outputs)}"
    for name, value in op.attrs.items():
        if id(value) in carried:
            first, *rest = _lines(value)
            yield f"    {name} = {first}"
            yield from (f"    {line}" for line in rest)


def _inputs(tensors: Iterable[SymbolicTensor]) -> str:
    return ", ".join(f"{tensor.op.name}: {tensor.spec}" for tensor in tensors)


def _specs(tensors: Iterable[SymbolicTensor]) -> str:
    specs = [f"{tensor.spec}" for tensor in tensors]
    return specs[0] if len(specs) == 1 else f"({', '.join(specs)})"


def _reference(tensor: SymbolicTensor) -> str:
    return tensor.op.name if tensor.value_index == 0 else tensor.name


def _value(value: object) -> str:
    if isinstance(value, (np.ndarray, np.generic)):
        return " ".join(str(value.tolist()).split())
    return repr(value)
