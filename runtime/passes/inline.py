"""Inline called functions, so that the other passes see their operations.

Before:  y = PartitionedCall(x, f: a = x + 1 -> a)       After:  a = x + 1

Effects keep their order: dependents of the call wait for the effects in it, which wait for the
dependencies of the call. Calls that a program marked `_noinline` stay, and calls that would make
the graph larger than `LIMIT` operations.

>>> import runtime as tf
>>> inner = tf.function(lambda x: x + 1.0, autograph=False)
>>> f = tf.function(lambda x: inner(x) * 2.0, autograph=False)
>>> graph = f.get_concrete_function(tf.TensorSpec([], tf.float32)).graph
>>> [op.type for op in graph.operations]
['Placeholder', 'PartitionedCall', 'Const', 'Mul', 'Identity']
>>> print(inline_calls(graph))
graph <lambda>(x: float32[]) -> float32[]
  add/y = Const value=1.0 : float32[]
  add = AddV2 x add/y : float32[]
  mul/y = Const value=2.0 : float32[]
  mul = Mul add mul/y : float32[]
  return mul
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.opdef import Control
from runtime.core.operation import Operation
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, fits, holds

LIMIT = 20_000
"""Operations that a graph may have after a call was inlined."""


def inline_calls(graph: Graph) -> Graph:
    """Return the graph and its subgraphs with calls inlined."""
    return prune(_inlined(graph)) if holds(graph, is_call) else graph


def is_call(op: Operation) -> bool:
    """Return whether an operation calls a graph."""
    return op.definition.control is Control.CALL


def _inlined(graph: Graph) -> Graph:
    rewriting = Rewriting(graph, _inlined)
    for op in graph.operations:
        callee = _callee(op, len(rewriting.copy.operations))
        if callee is None:
            rewriting.keep(op)
        else:
            rewriting.inline(op, callee, rewriting.inputs(op))
    return rewriting.result()


def _callee(op: Operation, size: int) -> Graph | None:
    """Return the callee of a call that can be inlined, with its own calls inlined."""
    if not is_call(op) or op.attrs.get("_noinline") or set(op.attrs) != {"f"}:
        return None
    callee: Graph = _inlined(op.attrs["f"])
    if size + len(callee.operations) > LIMIT:
        return None
    return callee if all(map(fits, op.outputs, callee.outputs)) else None
