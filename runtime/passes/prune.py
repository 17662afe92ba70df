"""Leaves out what no output and no effect needs.

Before:  a = x + 1; b = x * 2; c = Identity(a); return c       After:  a = x + 1; return a

An `Identity` is another name for a tensor: recorded graphs end with one for each result, so that
each has a name of its own. Those that know more of the shape than the tensor stay.
An operation with an effect (assigning, printing, checking, drawing random numbers) always stays.
Reading a variable is no effect: a value that nobody uses need not be read. An operation that is
left out cannot fail, so an error in it does not occur.
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.opdef import Effect
from runtime.core.operation import Operation
from runtime.passes.rewriting import Rewriting, fits


def prune(graph: Graph) -> Graph:
    """The graph without operations that nobody needs, and so for the graphs it carries."""
    needed = {id(tensor.op) for tensor in graph.outputs}
    for op in reversed(graph.operations):
        if id(op) in needed or op.effect is Effect.WRITE:
            needed.add(id(op))
            needed.update(id(tensor.op) for tensor in op.inputs)
    rewriting = Rewriting(graph, prune)
    for op in graph.operations:
        if op.type != "Placeholder" and id(op) not in needed:
            rewriting.drop(op)
        elif _is_name_only(rewriting, op):
            rewriting.replace(op, rewriting.inputs(op))
        else:
            rewriting.keep(op)
    return rewriting.finish()


def _is_name_only(rewriting: Rewriting, op: Operation) -> bool:
    return op.type == "Identity" and fits(op.outputs[0], rewriting.of(op.inputs[0]))
