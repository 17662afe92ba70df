"""Replace a branch or loop whose condition is constant by the operations that run.

Before:  y = If(Const True, then: a = x + 1 -> a, else: x)       After:  a = x + 1
Before:  y = Case(Const 1, branches: x, x + 1)                    After:  a = x + 1
Before:  i, s = While(Const 3, x, test: i < 2, body: ...)         After:  Const 3, x

>>> import runtime as tf
>>> from runtime.passes.inline import inline_calls
>>> f = tf.function(lambda p, x: tf.cond(p, lambda: x + 1.0, lambda: x), autograph=False)
>>> g = tf.function(lambda x: f(tf.constant(True), x), autograph=False)
>>> graph = g.get_concrete_function(tf.TensorSpec([], tf.float32)).graph
>>> called = inline_calls(graph)
>>> [op.type for op in called.operations]
['Placeholder', 'Const', 'StatelessIf']
>>> print(choose_branches(called))
graph <lambda>(x: float32[]) -> float32[]
  add/y = Const value=1.0 : float32[]
  add = AddV2 x add/y : float32[]
  return add
"""

from __future__ import annotations

import numpy as np

from runtime.core.graph import Graph
from runtime.core.opdef import Control, Effect
from runtime.core.operation import Operation
from runtime.passes.evaluate import constant_value, only_output
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, fits, holds, rewritten


def choose_branches(graph: Graph) -> Graph:
    """Return the graph and its subgraphs without branches and loops of constant condition."""
    return prune(_chosen(graph)) if holds(graph, _is_conditional) else graph


def _is_conditional(op: Operation) -> bool:
    return op.definition.control in _STEPS


def _chosen(graph: Graph) -> Graph:
    return rewritten(graph, _step, _chosen)


def _step(rewriting: Rewriting, op: Operation) -> bool:
    control = op.definition.control
    return control in _STEPS and _STEPS[control](rewriting, op)


def _choose(rewriting: Rewriting, op: Operation) -> bool:
    value = constant_value(rewriting.inputs(op)[0])
    if value is None or value.ndim:
        return False
    return _inline(rewriting, op, op.attrs["then_branch" if value else "else_branch"])


def _choose_by_number(rewriting: Rewriting, op: Operation) -> bool:
    """Return the branch with this index; the last one if the index is out of range."""
    graphs, value = op.subgraphs(), constant_value(rewriting.inputs(op)[0])
    index = 0 if len(graphs) == 1 and op.inputs[0].spec.dims == () else value
    if index is None or np.ndim(index):
        return False
    return _inline(rewriting, op, graphs[int(index) if 0 <= index < len(graphs) else -1])


def _inline(rewriting: Rewriting, op: Operation, branch: Graph) -> bool:
    if not all(map(fits, op.outputs, branch.outputs)):
        return False
    rewriting.inline(op, branch, rewriting.inputs(op)[1:])
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


_STEPS = {Control.IF: _choose, Control.CASE: _choose_by_number, Control.WHILE: _leave_out}
