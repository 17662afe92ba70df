"""Copies a graph, with some operations left out."""

from __future__ import annotations

from collections.abc import Callable

from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.passes.rewriting import Pass, Rewriting, unchanged


def rebuild(graph: Graph, keep: Callable[[Operation], bool], carried: Pass = unchanged) -> Graph:
    """A copy of a graph.

    Args:
      graph: the graph; it stays as it is.
      keep: whether an operation is in the copy; arguments always are. What an operation waited for
        that is not in the copy gives way to what that waited for.
      carried: applied to each graph that an operation carries.
    """
    rewriting = Rewriting(graph, carried)
    for op in graph.operations:
        if op.type == "Placeholder" or keep(op):
            rewriting.keep(op)
        else:
            rewriting.drop(op)
    return rewriting.finish()
