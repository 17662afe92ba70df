"""Multiplies all rows by a matrix before a loop that multiplies one row in each round.

Before:  While(i, h, xs, w; body: x = xs[i]; a = x @ w; h = h + a)
After:   all = reshape(reshape(xs, [-1, k]) @ w, [-1, n, m])
         While(i, h, all; body: a = all[i]; h = h + a)

One large product takes less time than many small ones. It adds up in another order, so the result
agrees within rounding only, as any change of the batch size does. Applies where the loop counts
from 0 by 1 and ends by its counter alone, so that it does not stop early; where `xs[i]` are the
matrices of a tensor of three dimensions from outside the loop, and the sizes are known.
"""

from __future__ import annotations

import numpy as np

from runtime.core.graph import Graph, Operation, SymbolicTensor
from runtime.passes.evaluate import constant_value
from runtime.passes.loops import LOOPS, replace_loop
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, rewritten


def multiply_rows_at_once(graph: Graph) -> Graph:
    """The graph, and those it carries, with products of rows before the loops."""
    return prune(_multiplied(graph))


def _multiplied(graph: Graph) -> Graph:
    return rewritten(graph, _step, _multiplied)


def _step(rewriting: Rewriting, op: Operation) -> bool:
    if op.type not in LOOPS or not _counts_up(rewriting, op):
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


def _counts_up(rewriting: Rewriting, op: Operation) -> bool:
    """Whether the loop is `for i in range(n)` with an `n` that makes the effort worth it."""
    test, body = op.attrs["cond"], op.attrs["body"]
    less = test.outputs[0].op
    places = [
        i for i, t in enumerate(test.inputs[: op.attrs["count"]]) if t is (*less.inputs, None)[0]
    ]
    if less.type != "Less" or not places:
        return False
    place = places[0]
    counter, after = body.inputs[place], body.outputs[place].op
    steps = [constant_value(tensor) for tensor in after.inputs if tensor is not counter]
    adds = after.type in ("AddV2", "CheckedAddV2") and len(steps) == 1
    start = constant_value(rewriting.inputs(op)[place])
    return bool(adds and steps[0] == 1 and start == 0)


def _row(tensor: SymbolicTensor) -> tuple[SymbolicTensor, Operation] | None:
    """The tensor of which another is one row, and the operation that takes it."""
    op = tensor.op
    if op.type == "GatherV2" and op.attrs.get("axis") == 0 and op.inputs[1].spec.dims == ():
        return op.inputs[0], op
    if op.type == "StridedSlice" and op.inputs[1].spec.dims == (1,):
        masks = {name: value for name, value in op.attrs.items() if value}
        if masks == {"shrink_axis_mask": 1}:
            return op.inputs[0], op
    return None


def _is_row_product(op: Operation, outer: dict[int, SymbolicTensor]) -> bool:
    if op.type != "MatMul" or op.attrs.get("transpose_a"):
        return False
    row, matrix = op.inputs
    taken = _row(row)
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
    """The body with rows of the products in place of the products, and the products.

    The body reads them through placeholders, which `replace_loop` makes inputs.
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
        taken = _row(op.inputs[0])
        assert taken is not None
        _, take = taken
        inputs = (held, *map(copy.of, take.inputs[1:]))
        copy.replace(op, copy.add(take.type, inputs, take.attrs, op).outputs)
    return copy.finish(), outside


def _whole_product(
    rewriting: Rewriting, op: Operation, outer: dict[int, SymbolicTensor]
) -> SymbolicTensor:
    taken = _row(op.inputs[0])
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
