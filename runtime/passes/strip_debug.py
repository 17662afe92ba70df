"""Remove operations that check or print.

Before:  Assert(x > 0, x); a = CheckNumerics(x); PrintV2(a); return a       After:  return x

This changes the behavior of a program, so it runs only if `debug_stripper` is set.

>>> import runtime as tf
>>> f = tf.function(lambda x: tf.debugging.check_numerics(x * 2.0, "scaled"), autograph=False)
>>> graph = f.get_concrete_function(tf.TensorSpec([], tf.float32)).graph
>>> [op.type for op in graph.operations]
['Placeholder', 'Const', 'Mul', 'CheckNumerics', 'NoOp', 'Identity']
>>> [op.type for op in strip_debug(graph).operations]
['Placeholder', 'Const', 'Mul', 'NoOp', 'Identity']
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.passes.rewriting import Rewriting, holds


def _is_debug(op: Operation) -> bool:
    return op.definition.debug


def strip_debug(graph: Graph) -> Graph:
    """Return the graph and its subgraphs without checks and prints."""
    if not holds(graph, _is_debug):
        return graph
    rewriting = Rewriting(graph, strip_debug)
    for op in graph.operations:
        if _is_debug(op):
            rewriting.replace(op, rewriting.inputs(op)[: len(op.outputs)])
        else:
            rewriting.keep(op)
    return rewriting.result()
