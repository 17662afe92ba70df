"""Applies the identities of arithmetic; `runtime.passes.identities` lists them.

Before:  a = -x; b = y + a; c = b * 1       After:  b = y - x
"""

from __future__ import annotations

from runtime.core.graph import Graph, Operation
from runtime.passes.identities import LIBRARY
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting
from runtime.passes.safety import is_pure


def simplify(graph: Graph) -> Graph:
    """The graph, and those it carries, after all rules that apply."""
    rewriting = Rewriting(graph, simplify)
    for op in graph.operations:
        new = rewriting.keep(op)
        if len(op.outputs) == 1 and is_pure(op):
            _replace(rewriting, op, new)
    return prune(rewriting.finish())


def _replace(rewriting: Rewriting, op: Operation, new: Operation) -> None:
    simpler = LIBRARY.simplified(rewriting, op, new.outputs[0])
    if simpler is not new.outputs[0]:
        rewriting.replace(op, [simpler])
