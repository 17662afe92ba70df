"""Functions that assign attributes, without what is not saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from runtime.control_flow.values.undefined import any_array
from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.functions.outside_ops import READ, WRITE
from runtime.passes.captures import drop_unread_captures
from runtime.passes.carried import drop_unread_variables
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, holds, rewritten


def assignments(graph: Graph) -> Iterator[Operation]:
    """Yield the operations of a graph and its subgraphs that assign attributes or items."""
    for op in graph.operations:
        if op.definition is WRITE:
            yield op
        for part in op.subgraphs():
            yield from assignments(part)


def without_assignments(graph: Graph, is_lost: Callable[[Operation], bool]) -> Graph:
    """Return a graph without assignments that nobody can see, and without reads for them alone.

    A graph reads what a loop or a callee assigns, too: a loop carries it, and what a callee writes,
    its caller writes again.
    """

    def without_writes(part: Graph) -> Graph:
        return rewritten(part, drop_write, without_writes)

    def drop_write(rewriting: Rewriting, op: Operation) -> bool:
        if op not in lost:
            return False
        rewriting.drop(op)
        return True

    lost = set(filter(is_lost, assignments(graph)))
    if not lost:
        return graph
    kept = without_writes(graph)
    return kept if holds(_needed(kept), _is_read) else _without_reads(kept)


def _is_read(op: Operation) -> bool:
    return op.definition is READ


def _needed(graph: Graph) -> Graph:
    """Return a graph of what the outputs and effects of a graph need."""
    before = None
    while graph is not before:
        before, graph = graph, drop_unread_variables(drop_unread_captures(prune(graph)))
    return graph


def _without_reads(graph: Graph) -> Graph:
    return rewritten(graph, _replace_read, _without_reads)


def _replace_read(rewriting: Rewriting, op: Operation) -> bool:
    if not _is_read(op):
        return False
    rewriting.replace(op, [rewriting.constant(any_array(each.spec), op) for each in op.outputs])
    return True
