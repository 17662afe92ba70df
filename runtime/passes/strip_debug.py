"""Remove operations that check or print.

Before:  Assert(x > 0, x); a = CheckNumerics(x); PrintV2(a); return a       After:  return x

This changes the behavior of a program, so it runs only if `debug_stripper` is set.
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.passes.rewriting import Rewriting, holds

_WITHOUT_RESULT = ("Assert", "PrintV2")
_PASSES_ON = "CheckNumerics"


def strip_debug(graph: Graph) -> Graph:
    """Return the graph and its subgraphs without checks and prints."""
    if not holds(graph, (*_WITHOUT_RESULT, _PASSES_ON)):
        return graph
    rewriting = Rewriting(graph, strip_debug)
    for op in graph.operations:
        if op.type in _WITHOUT_RESULT:
            rewriting.drop(op)
        elif op.type == _PASSES_ON:
            rewriting.replace(op, rewriting.inputs(op))
        else:
            rewriting.keep(op)
    return rewriting.finish()
