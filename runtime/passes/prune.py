"""Leaves out what no output and no effect needs.

Before:  a = x + 1; b = x * 2; return a       After:  a = x + 1; return a

An operation with an effect (assigning, printing, checking, drawing random numbers) always stays.
Reading a variable is no effect: a value that nobody uses need not be read. An operation that is
left out cannot fail, so an error in it does not occur.
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.opdef import Effect
from runtime.passes.rebuild import rebuild


def prune(graph: Graph) -> Graph:
    """The graph without operations that nobody needs, and so for the graphs it carries."""
    needed = {id(tensor.op) for tensor in graph.outputs}
    for op in reversed(graph.operations):
        if id(op) in needed or op.effect is Effect.WRITE:
            needed.add(id(op))
            needed.update(id(tensor.op) for tensor in op.inputs)
    return rebuild(graph, lambda op: id(op) in needed, prune)
