"""Apply algebraic identities; `runtime.passes.identities` lists them.

Before:  a = -x; b = y + a; c = b * 1       After:  b = y - x

>>> import runtime as tf
>>> f = tf.function(lambda x, y: (y + -x) * 1.0, autograph=False)
>>> graph = f.get_concrete_function(*[tf.TensorSpec([], tf.float32)] * 2).graph
>>> [op.type for op in graph.operations]
['Placeholder', 'Placeholder', 'Neg', 'AddV2', 'Const', 'Mul', 'Identity']
>>> print(simplify(graph))
graph <lambda>(x: float32[], y: float32[]) -> float32[]
  add = Sub y x : float32[]
  return add
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.passes.identities import LIBRARY
from runtime.passes.pattern import Library
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting
from runtime.passes.safety import is_pure


def simplify(graph: Graph, library: Library = LIBRARY) -> Graph:
    """Return the graph and its subgraphs after rewriting by every rule that applies."""
    return prune(_simplified(graph, library))


def _simplified(graph: Graph, library: Library) -> Graph:
    rewriting = Rewriting(graph, lambda carried: _simplified(carried, library))
    for op in graph.operations:
        new = rewriting.keep(op)
        if len(op.outputs) == 1 and is_pure(op):
            _replace(rewriting, op, new, library)
    return rewriting.finish()


def _replace(rewriting: Rewriting, op: Operation, new: Operation, library: Library) -> None:
    before = len(rewriting.copy.operations)
    simpler = library.simplified(rewriting, op, new.outputs[0])
    if simpler is new.outputs[0]:
        return
    rewriting.replace(op, [simpler])
    if simpler.op in rewriting.copy.operations[before:]:
        # The replacement does the work now, so it keeps the name that the program knows.
        new.name, simpler.op.name = simpler.op.name, new.name
