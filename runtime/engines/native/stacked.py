"""Products of the rows of an array, one in each iteration of a loop, become one before the loop.

Before:  While(i = 0, h, i < n: h = tanh(xs[i] @ w + h @ u))
After:   ys = xs @ w; While(i = 0, h, i < n: h = tanh(ys[i] + h @ u))

A product of many rows reads `w` once, and threads share a large one. It may add in another order
than the products of a few rows, see `products`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from runtime.core.graph import Graph
from runtime.core.opdef import Emit
from runtime.core.operation import Operation, is_loop
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.counting import counting
from runtime.engines.liveness import row_positions
from runtime.engines.native.lists import known_number
from runtime.passes.captures import drop_unread_captures
from runtime.passes.loops import invariant_inputs
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, holds, rewritten

_LARGEST = 1 << 24
"""Most elements of the products of a loop."""


class _Stacked(NamedTuple):
    """A product of a row of an array.

    Attributes:
      op: the product in the body.
      row: the slice that is its first operand.
      rows, other: the places of the array, and of the second operand, among the inputs.
    """

    op: Operation
    row: Operation
    rows: int
    other: int


def with_stacked_products(graph: Graph) -> Graph:
    """Return a graph with products of rows before its loops; itself if it has none."""
    moved = _moved(graph) if holds(graph, is_loop) else graph
    return graph if moved is graph else drop_unread_captures(prune(moved))


def _moved(graph: Graph) -> Graph:
    return rewritten(graph, _step, _moved)


def _step(rewriting: Rewriting, op: Operation) -> bool:
    if not is_loop(op):
        return False
    test, body = (_moved(op.attrs[part]) for part in ("cond", "body"))
    inputs = rewriting.inputs(op)
    found = _found(op, body)
    added = [_product(rewriting, inputs, each) for each in found]
    parts = {"cond": _with_rows(test, [], added), "body": _with_rows(body, found, added)}
    rewriting.keep_with(op, (*inputs, *added), {**op.attrs, **parts})
    return True


def _found(op: Operation, body: Graph) -> list[_Stacked]:
    """Return the products of row `i` in iteration `i` of a loop over all rows of an array."""
    counted = counting(op)
    if counted is None or known_number(op.inputs[counted.place]) != 0:
        return []
    same = invariant_inputs(body, body, op.attrs["count"])
    places = {id(t): i for i, t in enumerate(body.inputs) if id(t) in same}
    counter = body.inputs[counted.place]
    found = []
    for each in body.operations:
        if each.definition.emit is not Emit.PRODUCT or not _is_plain(each):
            continue
        row, other = each.inputs[0].op, places.get(id(each.inputs[1]))
        if row.definition.emit is not Emit.SLICE or other is None:
            continue
        rows = places.get(id(row.inputs[0]))
        positions = row_positions(row)
        of_iteration = positions is not None and len(positions) == 1 and positions[0] is counter
        if rows is None or not of_iteration:
            continue
        dims, columns = _lengths(row.inputs[0]), _lengths(each.outputs[0])[1]
        if len(dims) == 3 and dims[0] == counted.limit and dims[0] * dims[1] * columns <= _LARGEST:
            found.append(_Stacked(each, row, rows, other))
    return found


def _is_plain(op: Operation) -> bool:
    """Return whether a product is one of two matrices of floating-point numbers of known shape."""
    others = (value for key, value in op.attrs.items() if key != "transpose_b")
    matrices = all(len(_lengths(tensor)) == 2 for tensor in (*op.inputs, *op.outputs))
    return matrices and op.inputs[0].spec.dtype.is_floating and not any(others)


def _lengths(tensor: SymbolicTensor) -> tuple[int, ...]:
    """Return the lengths of the axes of an array; none if one of them is unknown."""
    dims = tensor.spec.dims or ()
    known = tuple(dim for dim in dims if dim is not None)
    return known if len(known) == len(dims) else ()


def _product(
    rewriting: Rewriting, inputs: Sequence[SymbolicTensor], stacked: _Stacked
) -> SymbolicTensor:
    """Add the product of all rows before the loop."""
    op, rows = stacked.op, inputs[stacked.rows]
    count, height, width = _lengths(rows)
    matrix = _reshaped(rewriting, op, rows, (count * height, width))
    product = rewriting.add(op.type, (matrix, inputs[stacked.other]), op.attrs, op).outputs[0]
    return _reshaped(rewriting, op, product, (count, height, _lengths(product)[1]))


def _reshaped(
    rewriting: Rewriting, op: Operation, tensor: SymbolicTensor, dims: Sequence[int]
) -> SymbolicTensor:
    shape = rewriting.constant(np.array(dims, np.int32), op)
    return rewriting.add("Reshape", (tensor, shape), {}, op).outputs[0]


def _with_rows(part: Graph, found: Sequence[_Stacked], added: Sequence[SymbolicTensor]) -> Graph:
    """Return the test or body of a loop that takes rows of the new inputs in place of products."""
    if not added:
        return part
    rewriting = Rewriting(part)
    own = rewriting.add_captures(added)
    rows = {id(each.op): (each.row, array) for each, array in zip(found, own, strict=False)}
    for op in part.operations:
        if id(op) not in rows:
            rewriting.keep(op)
            continue
        row, array = rows[id(op)]
        operands = (array, *map(rewriting.of, row.inputs[1:]))
        rewriting.replace(op, rewriting.add(row.type, operands, row.attrs, op).outputs)
    return rewriting.finish()
