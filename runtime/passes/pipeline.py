"""The order of the passes, with the reason beside each."""

from __future__ import annotations

from collections.abc import Callable

from runtime.core.graph import Graph
from runtime.passes.prune import prune

PASSES: tuple[tuple[Callable[[Graph], Graph], str], ...] = (
    (prune, "what nobody needs costs time in every later pass too"),
)


def optimize(graph: Graph) -> Graph:
    """The graph after all passes; the given one stays as it is."""
    for run, _ in PASSES:
        graph = run(graph)
    return graph
