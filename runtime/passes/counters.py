"""Use the counter of a loop in place of the element of a range at that index.

Before:  While(i, range(n); body: k = range(n)[i]; f(k))      After:  While(i; body: f(i))

Applies to constant arithmetic ranges and to `Range` from 0 with step 1. The loop counts from 0 by
1. An index beyond the end would be an error, so the limit must be known to be the length.

>>> import runtime as tf
>>> @tf.function(autograph=False)
... def f(x):
...     numbers = tf.constant([0, 1, 2, 3])
...     step = lambda i, x: (i + 1, x + tf.gather(numbers, i))
...     return tf.while_loop(lambda i, x: i < 4, step, [0, x])
>>> graph = f.get_concrete_function(tf.TensorSpec([], tf.int32)).graph
>>> body = next(op for op in graph.operations if is_loop(op)).attrs["body"]
>>> [op.type for op in body.operations if op.type not in ("Placeholder", "Const")]
['AddV2', 'GatherV2', 'AddV2']
>>> counted = use_counters(graph)
>>> body = next(op for op in counted.operations if is_loop(op)).attrs["body"]
>>> [op.type for op in body.operations if op.type not in ("Placeholder", "Const")]
['AddV2', 'AddV2']
"""

from __future__ import annotations

import numpy as np

from runtime.core.graph import Graph
from runtime.core.opdef import Emit
from runtime.core.operation import Operation, is_loop
from runtime.core.static import packed
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.evaluate import constant_value
from runtime.passes.loop_parts import counter_place, row_of
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, holds, rewritten


def use_counters(graph: Graph) -> Graph:
    """Return the graph and its subgraphs with loop counters in place of elements of ranges."""
    return prune(_counted(graph)) if holds(graph, is_loop) else graph


def _counted(graph: Graph) -> Graph:
    return rewritten(graph, _step, _counted)


def _step(rewriting: Rewriting, op: Operation) -> bool:
    if not is_loop(op):
        return False
    place = counter_place(rewriting, op)
    if place is None:
        return False
    test, body = (_counted(op.attrs[part]) for part in ("cond", "body"))
    outer = dict(zip(map(id, body.inputs), rewriting.inputs(op), strict=True))
    limits = dict(zip(map(id, test.inputs), rewriting.inputs(op), strict=True))
    bound = test.outputs[0].op.inputs[1]
    limit = limits.get(id(bound), bound)
    copy, counter = Rewriting(body), body.inputs[place]
    for inner in body.operations:
        start = _first_number(inner, counter, outer, limit)
        if start is None or inner.outputs[0].spec != counter.spec:
            copy.keep(inner)
        else:
            copy.replace(inner, [_plus(copy, inner, copy.of(counter), start)])
    rewriting.keep(op, {**op.attrs, "cond": test, "body": copy.finish()})
    return True


def _plus(copy: Rewriting, op: Operation, counter: SymbolicTensor, start: int) -> SymbolicTensor:
    if start == 0:
        return counter
    first = copy.constant(np.asarray(start, counter.spec.dtype.numpy_dtype), op)
    return copy.add("AddV2", (counter, first), {}, op).outputs[0]


def _first_number(
    op: Operation,
    counter: SymbolicTensor,
    outer: dict[int, SymbolicTensor],
    limit: SymbolicTensor,
) -> int | None:
    """Return the start of the range with step 1 that an operation indexes by the counter."""
    taken = row_of(op.outputs[0]) if len(op.outputs) == 1 else None
    if taken is None or taken[0].spec.dims is None or len(taken[0].spec.dims) != 1:
        return None
    position = op.inputs[1]
    if op.definition.emit is Emit.SLICE:
        (position,) = packed(position) or (position,)
    source = outer.get(id(taken[0]), taken[0])
    return _begin(source, limit) if position is counter else None


def _begin(numbers: SymbolicTensor, limit: SymbolicTensor) -> int | None:
    """Return the first element of a range with step 1 and the length of the loop."""
    held, rounds = constant_value(numbers), constant_value(limit)
    if held is not None:
        long = rounds is not None and 0 < len(held) >= int(rounds) and any(held.strides)
        by_one = long and held.dtype.kind == "i" and bool((np.diff(held) == 1).all())
        return int(held[0]) if by_one else None
    if numbers.op.type != "Range":
        return None
    start, _, step = map(constant_value, numbers.op.inputs)
    return 0 if start == 0 and step == 1 and _is_length(limit, numbers) else None


def _is_length(tensor: SymbolicTensor, of: SymbolicTensor) -> bool:
    taken = row_of(tensor)
    if taken is None or taken[0].op.type != "Shape" or taken[0].op.inputs[0] is not of:
        return False
    position = constant_value(tensor.op.inputs[1])
    return position is not None and bool((position == 0).all())
