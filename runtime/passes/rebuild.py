"""Copy a graph without some of its operations."""

from __future__ import annotations

from collections.abc import Callable

from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.structural import PLACEHOLDER
from runtime.passes.rewriting import Pass, Rewriting, unchanged


def rebuild(graph: Graph, keep: Callable[[Operation], bool], carried: Pass = unchanged) -> Graph:
    """Copy a graph.

    Args:
      graph: the graph; not modified.
      keep: predicate for the operations of the copy; arguments are always copied. A control
        dependency on a dropped operation becomes one on the dependencies of that operation.
      carried: applied to each subgraph.
    """
    rewriting = Rewriting(graph, carried)
    for op in graph.operations:
        if op.definition is PLACEHOLDER or keep(op):
            rewriting.keep(op)
        else:
            rewriting.drop(op)
    return rewriting.finish()
