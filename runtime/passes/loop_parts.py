"""Loops and their parts: counters, rows, and copies that read other tensors."""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.evaluate import constant_value
from runtime.passes.rewriting import Rewriting


def counter_place(rewriting: Rewriting, op: Operation) -> int | None:
    """Return the index of the carried counter of `for i in range(n)`; None for other loops."""
    test, body = op.attrs["cond"], op.attrs["body"]
    less = test.outputs[0].op
    places = [
        i for i, t in enumerate(test.inputs[: op.attrs["count"]]) if t is (*less.inputs, None)[0]
    ]
    if less.definition.sign != "{} < {}" or not places:
        return None
    place = places[0]
    counter, after = body.inputs[place], body.outputs[place].op
    steps = [constant_value(tensor) for tensor in after.inputs if tensor is not counter]
    adds = after.definition.sign == "{} + {}" and len(steps) == 1
    start = constant_value(rewriting.inputs(op)[place])
    return place if adds and steps[0] == 1 and start == 0 else None


def row_of(tensor: SymbolicTensor) -> tuple[SymbolicTensor, Operation] | None:
    """Return the tensor that a row is taken from, and the operation that takes it."""
    op, emit = tensor.op, tensor.op.definition.emit
    if emit is Emit.ROW and op.attrs.get("axis") == 0 and op.inputs[1].spec.dims == ():
        return op.inputs[0], op
    if emit is Emit.SLICE and op.inputs[1].spec.dims == (1,):
        masks = {name: value for name, value in op.attrs.items() if value}
        if masks == {"shrink_axis_mask": 1}:
            return op.inputs[0], op
    return None


def replace_loop(
    rewriting: Rewriting,
    op: Operation,
    test: Graph,
    body: Graph,
    outside: dict[int, SymbolicTensor],
) -> None:
    """Copy a loop, with tensors from outside in place of some that it computes.

    Args:
      rewriting: the copy of the graph around the loop.
      op: the loop.
      test, body: its subgraphs, already processed; not modified.
      outside: the replacement of a tensor of a subgraph, by the id of the tensor.
    """
    added = list(outside.values())
    parts = [_with_captures(part, outside, added) for part in (test, body)]
    attrs = {**op.attrs, "cond": parts[0], "body": parts[1]}
    rewriting.keep_with(op, (*rewriting.inputs(op), *added), attrs)


def _with_captures(
    part: Graph, outside: dict[int, SymbolicTensor], added: list[SymbolicTensor]
) -> Graph:
    rewriting = Rewriting(part)
    own = dict(zip(outside, rewriting.add_captures(added), strict=True))
    for op in part.operations:
        if op.outputs and all(id(tensor) in own for tensor in op.outputs):
            rewriting.replace(op, [own[id(tensor)] for tensor in op.outputs])
        else:
            rewriting.keep(op)
    return rewriting.finish()
