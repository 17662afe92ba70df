"""Fold constants: evaluate operations whose inputs are constant before the graph runs.

Before:  a = Const 2.0; b = Const 3.0; c = a * b; d = x + c       After:  c = Const 6.0; d = x + c

The op's kernel computes the value, so value and dtype are those of a run. Static shapes count as
constants. Operations stay that have an effect, draw random numbers, fail (they have to fail when
they run), or make a large tensor of small ones.

>>> import runtime as tf
>>> f = tf.function(lambda x: x + tf.constant(2.0) * 3.0, autograph=False)
>>> graph = f.get_concrete_function(tf.TensorSpec([], tf.float32)).graph
>>> [op.type for op in graph.operations]
['Placeholder', 'Const', 'Const', 'Mul', 'AddV2', 'Identity']
>>> print(fold(graph))
graph <lambda>(x: float32[]) -> float32[]
  mul = Const value=6.0 : float32[]
  add = AddV2 x mul : float32[]
  return add
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.graph import Graph
from runtime.core.opdef import Reads
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.spec import spec_of_array
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.evaluate import constant_value, results
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, rewritten


def fold(graph: Graph) -> Graph:
    """Return the graph and its subgraphs after constant folding."""
    return prune(_folded(graph))


def _folded(graph: Graph) -> Graph:
    return rewritten(graph, _step, _folded)


def _step(rewriting: Rewriting, op: Operation) -> bool:
    found = _of_shapes(op) if op.definition.reads is not Reads.VALUES else None
    if found is None:
        arrays = [_known(op, tensor) for tensor in rewriting.inputs(op)]
        known_all = bool(arrays) and all(array is not None for array in arrays)
        found = results(op, arrays) if known_all else None
    if found is None:
        return False
    specs = [spec_of_array(array) for array in found]
    if not all(t.spec.includes(s) for t, s in zip(op.outputs, specs, strict=True)):
        return False
    rewriting.replace(op, [rewriting.constant(array, op) for array in found])
    return True


def _of_shapes(op: Operation) -> tuple[Any, ...] | None:
    known = static_value(op.outputs[0])
    return None if known is None else (np.asarray(known),)


def _known(op: Operation, tensor: SymbolicTensor) -> Any:
    """Return the array of an input, or one of its shape if only that counts; None if unknown."""
    dims, dtype = tensor.spec.dims, tensor.spec.dtype
    if op.definition.reads is not Reads.VALUES and element_count(dims) is not None:
        return np.broadcast_to(np.zeros((), dtype.numpy_dtype), [dim or 0 for dim in dims or ()])
    return constant_value(tensor)
