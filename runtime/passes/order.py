"""Remove the marks of what is computed anew later, once nothing can be shared any more.

Before:  y = sin(sin(x)); z = Later(x, dy); dx = dy * cos(z) * cos(sin(z))
After:   y = sin(sin(x)); dx = dy * cos(x) * cos(sin(x))

Without the mark, `sin(x)` would be computed once and kept until the gradient needs it.

>>> import runtime as tf
>>> from runtime.passes.inline import inline_calls
>>> @tf.function(autograph=False)
... def slope(x):
...     with tf.GradientTape() as tape:
...         tape.watch(x)
...         y = tf.recompute_grad(tf.sin)(x)
...     return tape.gradient(y, x)
>>> graph = inline_calls(slope.get_concrete_function(tf.TensorSpec([], tf.float32)).graph)
>>> [op.type for op in graph.operations]
['Placeholder', 'Sin', 'OnesLike', 'Later', 'Cos', 'Mul']
>>> [op.type for op in settle_order(graph).operations]
['Placeholder', 'Sin', 'OnesLike', 'Cos', 'Mul']
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.opdef import Marks
from runtime.core.operation import Operation
from runtime.passes.rewriting import Rewriting, holds, rewritten


def settle_order(graph: Graph) -> Graph:
    """Return the graph and its subgraphs without marks of what is computed later."""
    return _settled(graph) if holds(graph, _is_mark) else graph


def _is_mark(op: Operation) -> bool:
    return op.definition.marks is Marks.ORDER


def _settled(graph: Graph) -> Graph:
    return rewritten(graph, _step, _settled)


def _step(rewriting: Rewriting, op: Operation) -> bool:
    if not _is_mark(op):
        return False
    rewriting.replace(op, rewriting.inputs(op)[:1])
    return True
