"""Multiply all rows by a matrix before a loop that multiplies one row in each iteration.

Before:  While(i, h, xs, w; body: x = xs[i]; a = x @ w; h = h + a)
After:   all = reshape(reshape(xs, [-1, k]) @ w, [-1, n, m])
         While(i, h, all; body: a = all[i]; h = h + a)

One large product takes less time than many small ones. It sums in another order, so the results
agree within rounding only, as with another batch size. Applies if the loop counts from 0 by 1 and
ends by its counter alone (no early exit), if `xs` has three dimensions and comes from outside the
loop, and if the sizes are static.

>>> import runtime as tf
>>> @tf.function(autograph=False)
... def f(xs, w, h):
...     step = lambda i, h: (i + 1, h + tf.gather(xs, i) @ w)
...     return tf.while_loop(lambda i, h: i < 5, step, [0, h])[1]
>>> shapes = [5, 2, 3], [3, 4], [2, 4]
>>> graph = f.get_concrete_function(*(tf.TensorSpec(s, tf.float32) for s in shapes)).graph
>>> [op.type for op in graph.operations if op.type not in ("Placeholder", "Const")]
['StatelessWhile', 'Identity']
>>> wide = multiply_rows_at_once(graph)
>>> [op.type for op in wide.operations if op.type not in ("Placeholder", "Const")]
['Reshape', 'MatMul', 'Reshape', 'StatelessWhile']
"""

from __future__ import annotations

import numpy as np

from runtime.core.graph import Graph
from runtime.core.opdef import Emit
from runtime.core.operation import Operation, is_loop
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.loop_parts import counter_place, replace_loop, row_of
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, holds, rewritten


def multiply_rows_at_once(graph: Graph) -> Graph:
    """Return the graph and its subgraphs with products of rows before the loops."""
    return prune(_multiplied(graph)) if holds(graph, is_loop) else graph


def _multiplied(graph: Graph) -> Graph:
    return rewritten(graph, _step, _multiplied)


def _step(rewriting: Rewriting, op: Operation) -> bool:
    if not is_loop(op) or counter_place(rewriting, op) is None:
        return False
    test, body = (_multiplied(op.attrs[part]) for part in ("cond", "body"))
    count = op.attrs["count"]
    given = rewriting.inputs(op)[count:]
    outer = dict(zip(map(id, body.inputs[count:]), given, strict=True))
    found = [product for product in body.operations if _is_row_product(product, outer)]
    if not found:
        rewriting.keep(op, {**op.attrs, "cond": test, "body": body})
        return True
    wider, outside = _taken_from(rewriting, body, found, outer)
    replace_loop(rewriting, op, test, wider, outside)
    return True


def _is_row_product(op: Operation, outer: dict[int, SymbolicTensor]) -> bool:
    if op.definition.emit is not Emit.PRODUCT or op.attrs.get("transpose_a"):
        return False
    row, matrix = op.inputs
    taken = row_of(row)
    if taken is None or id(taken[0]) not in outer or id(matrix) not in outer:
        return False
    dims, sizes = taken[0].spec.dims, matrix.spec.dims
    if dims is None or len(dims) != 3 or not dims[1] or not dims[2]:
        return False
    return sizes is not None and len(sizes) == 2 and all(sizes) and row.spec.dtype.is_floating


def _taken_from(
    rewriting: Rewriting,
    body: Graph,
    found: list[Operation],
    outer: dict[int, SymbolicTensor],
) -> tuple[Graph, dict[int, SymbolicTensor]]:
    """Return the body with rows of the products in place of the products, and the products.

    The body reads the rows through placeholders, which `replace_loop` turns into inputs.
    """
    copy = Rewriting(body)
    outside: dict[int, SymbolicTensor] = {}
    wanted = set(map(id, found))
    for op in body.operations:
        if id(op) not in wanted:
            copy.keep(op)
            continue
        product = _whole_product(rewriting, op, outer)
        held = copy.add("Placeholder", (), {"spec": product.spec}, op).outputs[0]
        outside[id(held)] = product
        taken = row_of(op.inputs[0])
        assert taken is not None
        _, take = taken
        inputs = (held, *map(copy.of, take.inputs[1:]))
        copy.replace(op, copy.add(take.type, inputs, take.attrs, op).outputs)
    return copy.finish(), outside


def _whole_product(
    rewriting: Rewriting, op: Operation, outer: dict[int, SymbolicTensor]
) -> SymbolicTensor:
    taken = row_of(op.inputs[0])
    assert taken is not None
    rows, matrix = outer[id(taken[0])], outer[id(op.inputs[1])]
    _, height, width = taken[0].spec.dims or ()
    flat = _reshaped(rewriting, op, rows, (-1, width))
    product = rewriting.add("MatMul", (flat, matrix), op.attrs, op).outputs[0]
    return _reshaped(rewriting, op, product, (-1, height, (product.spec.dims or ())[1]))


def _reshaped(
    rewriting: Rewriting, op: Operation, tensor: SymbolicTensor, dims: tuple[int | None, ...]
) -> SymbolicTensor:
    shape = rewriting.constant(np.array(dims, np.int32), op, f"{op.name}/shape")
    return rewriting.add("Reshape", (tensor, shape), {}, op, f"{op.name}/rows").outputs[0]
