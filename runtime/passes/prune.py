"""Remove operations that no output or side effect depends on.

Before:  a = x + 1; b = x * 2; c = Identity(a); return c       After:  a = x + 1; return a

An `Identity` is another name for a tensor: recorded graphs end with one for each result, so that
each result has a name of its own. An `Identity` with a more specific shape than its input stays.
What only gradients tell apart, such as a `StopGradient`, is a name, too: they are taken before.
An operation with an effect (assigning, printing, checking, drawing random numbers) always stays.
Reading a variable is no effect. So does one that may raise as Python's operator on numbers, such as
a division by zero, and one that may fail in a NumPy program, such as the reading of an item. The
errors of other removed operations do not occur.

>>> import runtime as tf
>>> f = tf.function(lambda x: (x * 2.0, x + 1.0)[1], autograph=False)
>>> graph = f.get_concrete_function(tf.TensorSpec([], tf.float32)).graph
>>> [op.name for op in graph.operations]
['x', 'mul/y', 'mul', 'add/y', 'add', 'Identity']
>>> print(prune(graph))
graph <lambda>(x: float32[]) -> float32[]
  add/y = Const value=1.0 : float32[]
  add = AddV2 x add/y : float32[]
  return add
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.opdef import Effect, Marks
from runtime.core.operation import Operation
from runtime.core.structural import IDENTITY, PLACEHOLDER
from runtime.passes.rewriting import Rewriting, fits, is_flat


def prune(graph: Graph) -> Graph:
    """Return the graph and its subgraphs without dead operations."""
    needed = {id(tensor.op) for tensor in graph.outputs}
    for op in reversed(graph.operations):
        if id(op) in needed or must_run(op):
            needed.add(id(op))
            needed.update(id(tensor.op) for tensor in op.inputs)
    if is_flat(graph) and not any(_may_go(op, needed) for op in graph.operations):
        return graph  # without a copy: most passes leave nothing behind
    rewriting = Rewriting(graph, prune)
    for op in graph.operations:
        if op.definition is not PLACEHOLDER and id(op) not in needed:
            rewriting.drop(op)
        elif _is_name_only(rewriting, op):
            rewriting.replace(op, rewriting.inputs(op)[: len(op.outputs)])
        else:
            rewriting.keep(op)
    return rewriting.result()


def _may_go(op: Operation, needed: set[int]) -> bool:
    if _is_name(op):
        return True
    return op.definition is not PLACEHOLDER and id(op) not in needed


def must_run(op: Operation) -> bool:
    """Return whether an operation runs, or fails, even if nothing reads its outputs."""
    return op.effect is Effect.WRITE or op.must_raise


def _is_name_only(rewriting: Rewriting, op: Operation) -> bool:
    if not _is_name(op):
        return False
    given = map(rewriting.of, op.inputs)
    return all(map(fits, op.outputs, given))


def _is_name(op: Operation) -> bool:
    return op.definition is IDENTITY or op.definition.marks is Marks.GRADIENT
