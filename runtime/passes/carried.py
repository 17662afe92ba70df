"""Drop variables of loops that nothing but they themselves reads.

Before:  x, n = While(x, 0; x < 9; x = x * 2, n = n + 1); return x
After:   x = While(x; x < 9; x = x * 2); return x

A gradient that is not requested leaves such variables behind: lists of what it would read. What may
raise stays, read or not.

>>> import runtime as tf
>>> @tf.function(autograph=False)
... def f(x):
...     return tf.while_loop(lambda x, n: x < 9.0, lambda x, n: (x * 2.0, n + 1), [x, 0])[0]
>>> graph = f.get_concrete_function(tf.TensorSpec([], tf.float32)).graph
>>> [len(op.outputs) for op in prune(graph).operations if op.subgraphs()]
[2]
>>> [len(op.outputs) for op in drop_unread_variables(prune(graph)).operations if op.subgraphs()]
[1]
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.graph import Graph
from runtime.core.operation import Operation, is_loop
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.prune import must_run, prune
from runtime.passes.rewriting import Rewriting, holds, rebuild, rewritten
from runtime.passes.safety import cannot_fail


def drop_unread_variables(graph: Graph) -> Graph:
    """Return the graph and its subgraphs; loops carry only variables that something else reads."""
    return prune(_dropped(graph)) if holds(graph, is_loop) else graph


def _dropped(graph: Graph) -> Graph:
    read = {id(tensor) for op in graph.operations for tensor in op.inputs}
    read.update(map(id, graph.outputs))
    return rewritten(graph, lambda rewriting, op: _step(rewriting, op, read), _dropped)


def _step(rewriting: Rewriting, op: Operation, read: set[int]) -> bool:
    if not is_loop(op):
        return False
    count = op.attrs["count"]
    test, body = (prune(_dropped(op.attrs[part])) for part in ("cond", "body"))
    wanted = _wanted(test, body, [id(tensor) in read for tensor in op.outputs])
    if len(wanted) == count:
        rewriting.keep(op, {**op.attrs, "cond": test, "body": body})
        return True
    inputs = _of(rewriting.inputs(op), wanted, count)
    attrs = {
        **op.attrs,
        "cond": _with_inputs(test, wanted, count),
        "body": _with_inputs(body, wanted, count, wanted),
        "count": len(wanted),
    }
    rewriting.keep_with(op, inputs, attrs, [op.outputs[i] for i in wanted])
    return True


def _wanted(test: Graph, body: Graph, is_read: Sequence[bool]) -> list[int]:
    """Return the positions of variables that the program after the loop needs, or its effects."""
    wanted = {i for i, flag in enumerate(is_read) if flag} | _positions(test, test.outputs)
    while True:
        outputs = [body.outputs[i] for i in wanted if i < len(is_read)]
        more = wanted | _positions(body, outputs)
        if more == wanted:
            return sorted(i for i in wanted if i < len(is_read))
        wanted = more


def _positions(part: Graph, outputs: Sequence[SymbolicTensor]) -> set[int]:
    """Return the positions of the inputs on which outputs depend, or effects and errors."""
    needed = {id(tensor) for tensor in outputs}
    for op in reversed(part.operations):
        if must_run(op) or _may_fail(op) or any(id(tensor) in needed for tensor in op.outputs):
            needed.update(map(id, op.inputs))
    return {i for i, tensor in enumerate(part.inputs) if id(tensor) in needed}


def _may_fail(op: Operation) -> bool:
    return not cannot_fail(op) if op.subgraphs() else op.can_fail


def _of(items: Sequence[SymbolicTensor], wanted: Sequence[int], count: int) -> list[SymbolicTensor]:
    return [*(items[i] for i in wanted), *items[count:]]


def _with_inputs(
    part: Graph, wanted: Sequence[int], count: int, outputs: Sequence[int] | None = None
) -> Graph:
    """Return a test or body with the wanted variables alone."""
    part = rebuild(part)
    gone = {id(part.inputs[i].op) for i in range(count) if i not in wanted}
    part.inputs = _of(part.inputs, wanted, count)
    if outputs is not None:
        part.outputs = [part.outputs[i] for i in outputs]
        part = prune(part)
    part.operations = [op for op in part.operations if id(op) not in gone]
    return part
