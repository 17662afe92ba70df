"""Drop inputs of branches and loops that they do not read.

Before:  If(p, x, y; then x, y: -> x; else x, y: -> -x)
After:   If(p, x; then x: -> x; else x: -> -x)

Other passes leave such inputs behind, and an unread input keeps dead operations alive. Variables of
loops stay; see `carried`.

>>> import runtime as tf
>>> @tf.function(autograph=False)
... def f(p, x, y):
...     return tf.cond(p, lambda: x, lambda: (y * 2.0, -x)[1])
>>> graph = f.get_concrete_function(
...     tf.TensorSpec([], tf.bool), *[tf.TensorSpec([], tf.float32)] * 2
... ).graph
>>> [len(op.inputs) for op in prune(graph).operations if op.subgraphs()]
[3]
>>> [len(op.inputs) for op in drop_unread_captures(prune(graph)).operations if op.subgraphs()]
[2]
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.opdef import Control
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, is_flat, rebuild, rewritten

_KINDS = (Control.IF, Control.CASE, Control.WHILE)


def drop_unread_captures(graph: Graph) -> Graph:
    """Return the graph and its subgraphs; each branch and loop takes only the inputs it reads."""
    if is_flat(graph):
        return graph
    return prune(_without_unread(graph))


def _without_unread(graph: Graph) -> Graph:
    return rewritten(graph, _step, _without_unread)


def _step(rewriting: Rewriting, op: Operation) -> bool:
    if op.definition.control not in _KINDS:
        return False
    names = [name for name, value in op.attrs.items() if isinstance(value, Graph)]
    parts = [_without_unread(op.attrs[name]) for name in names]
    first = op.attrs.get("count", 0)
    read = [_read(part) for part in parts]
    wanted = [
        i
        for i in range(len(parts[0].inputs))
        if i < first
        or any(id(part.inputs[i]) in own for part, own in zip(parts, read, strict=True))
    ]
    given = rewriting.inputs(op)
    offset = len(given) - len(parts[0].inputs)
    kept = [_with_inputs(part, wanted) for part in parts]
    inputs = (*given[:offset], *(given[offset + i] for i in wanted))
    rewriting.keep_with(op, inputs, {**op.attrs, **dict(zip(names, kept, strict=True))})
    return True


def _read(part: Graph) -> set[int]:
    tensors: list[SymbolicTensor] = [t for op in part.operations for t in op.inputs]
    return set(map(id, (*tensors, *part.outputs)))


def _with_inputs(part: Graph, wanted: list[int]) -> Graph:
    """Return a branch or loop body with a subset of its inputs."""
    if len(wanted) == len(part.inputs):
        return part
    part = rebuild(part)
    kept = set(wanted)
    gone = {id(t.op) for i, t in enumerate(part.inputs) if i not in kept}
    arguments = len(part.arguments)
    part.captures = [part.captures[i - arguments] for i in wanted if i >= arguments]
    part.inputs = [part.inputs[i] for i in wanted]
    part.operations = [op for op in part.operations if id(op) not in gone]
    return part
