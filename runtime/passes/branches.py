"""Puts in place what runs, where it is known which branch or whether a loop runs at all.

Before:  y = If(Const True, then: a = x + 1 -> a, else: x)       After:  a = x + 1
Before:  i, s = While(Const 3, x, test: i < 2, body: ...)         After:  Const 3, x
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.opdef import Effect
from runtime.core.operation import Operation
from runtime.passes.evaluate import constant_value, only_output
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, fits, rewritten


def choose_branches(graph: Graph) -> Graph:
    """The graph, and those it carries, without branches and loops that are decided."""
    return prune(_chosen(graph))


def _chosen(graph: Graph) -> Graph:
    return rewritten(graph, _step, _chosen)


def _step(rewriting: Rewriting, op: Operation) -> bool:
    if op.type in ("If", "StatelessIf"):
        return _choose(rewriting, op)
    if op.type in ("While", "StatelessWhile"):
        return _leave_out(rewriting, op)
    return False


def _choose(rewriting: Rewriting, op: Operation) -> bool:
    pred, *inputs = rewriting.inputs(op)
    value = constant_value(pred)
    if value is None or value.ndim:
        return False
    branch = op.attrs["then_branch" if value else "else_branch"]
    if not all(map(fits, op.outputs, branch.outputs)):
        return False
    rewriting.inline(op, branch, inputs)
    return True


def _leave_out(rewriting: Rewriting, op: Operation) -> bool:
    test, count = op.attrs["cond"], op.attrs["count"]
    starts = rewriting.inputs(op)
    if test.effect is not Effect.NONE or not all(map(fits, op.outputs, starts[:count])):
        return False
    runs = only_output(test, list(map(constant_value, starts)))
    if runs is None or runs:
        return False
    rewriting.replace(op, starts[:count])
    return True
