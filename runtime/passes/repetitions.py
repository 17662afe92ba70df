"""Eliminate common subexpressions.

Before:  a = x * y; b = x * y; c = a + b       After:  a = x * y; c = a + a

Two operations are merged if they have the same op type, inputs, attributes and control inputs, and
neither effect nor state: two random draws stay two. So do two reads of a variable, unless no effect
lies between them. Constants are compared bit for bit, so 0.0 and -0.0 are two constants.

>>> import runtime as tf
>>> f = tf.function(lambda x, y: x * y + x * y, autograph=False)
>>> graph = f.get_concrete_function(*[tf.TensorSpec([], tf.float32)] * 2).graph
>>> [op.type for op in graph.operations]
['Placeholder', 'Placeholder', 'Mul', 'Mul', 'AddV2', 'Identity']
>>> print(share_common(graph))
graph <lambda>(x: float32[], y: float32[]) -> float32[]
  mul = Mul x y : float32[]
  add = AddV2 mul mul : float32[]
  return add
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from runtime.core.graph import Graph
from runtime.core.opdef import Effect
from runtime.core.operation import Operation
from runtime.core.structural import PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, fits
from runtime.passes.safety import is_pure, reads_variable

_LARGEST = 1 << 12


def share_common(graph: Graph) -> Graph:
    """Return the graph and its subgraphs without common subexpressions."""
    return prune(_shared(graph))


def _shared(graph: Graph) -> Graph:
    rewriting = Rewriting(graph, _shared)
    first: dict[Hashable, tuple[SymbolicTensor, ...]] = {}
    effects = 0
    for op in graph.operations:
        effects += op.effect is Effect.WRITE
        key = _key(rewriting, op, effects)
        same = None if key is None else first.get(key)
        if same is not None and all(map(fits, op.outputs, same)):
            rewriting.replace(op, same)
            continue
        new = rewriting.keep(op)
        if key is not None:
            first[key] = new.outputs
    return rewriting.result()


def _key(rewriting: Rewriting, op: Operation, effects: int) -> Hashable:
    """Return a key that equal operations share; None for an operation that must not be shared."""
    reads = reads_variable(op)
    if op.definition is PLACEHOLDER or not (reads or is_pure(op)) or not op.outputs:
        return None
    attrs = tuple((name, _attr_key(value)) for name, value in op.attrs.items())
    inputs = tuple(id(rewriting.of(tensor)) for tensor in op.inputs)
    waits = tuple(map(id, op.control_inputs))
    return (op.type, op.device, inputs, attrs, waits, effects if reads else None)


def _attr_key(value: object) -> Hashable:
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype == object or value.size > _LARGEST:
            return id(value)
        return (str(value.dtype), value.shape, value.tobytes())
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, tuple):
        return tuple(map(_attr_key, value))
    try:
        hash(value)
    except TypeError:
        return id(value)
    return (type(value), value)
