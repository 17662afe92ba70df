"""Counted loops: detect loops that count up by one to a limit, and lists that such loops fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runtime.core import dtypes
from runtime.core.opdef import Emit
from runtime.core.operation import Operation, is_loop
from runtime.core.shapes import element_count
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.liveness import Liveness


class Counting(NamedTuple):
    """The counter of a loop.

    Attributes:
      place: index of the counter among the carried tensors.
      step: the operation of the body that increments it.
      is_read: whether the body reads the next value of the counter, too.
      limit: exclusive upper bound: an int, or an input of the loop.
    """

    place: int
    step: Operation
    is_read: bool
    limit: int | SymbolicTensor


def counting(op: Operation) -> Counting | None:
    """Return the counter of a loop; None unless the counter alone decides when the loop ends."""
    test, body, count = op.attrs["cond"], op.attrs["body"], op.attrs["count"]
    less = test.outputs[0].op
    if less.definition.sign != "{} < {}" or any(
        other.definition not in (PLACEHOLDER, CONST)
        for other in test.operations
        if other is not less
    ):
        return None
    counter, bound = less.inputs
    place = _position(counter, test.inputs[:count])
    if place is None or counter.spec.dims != () or not counter.spec.dtype.is_integer:
        return None
    limit = _limit(op, bound)
    step = body.outputs[place].op
    if limit is None or not _adds_one(step, body.inputs[place]):
        return None
    after = step.outputs[0]
    if _times(after, body.outputs) != 1:
        return None
    return Counting(place, step, Liveness(body).is_used(after), limit)


def _position(tensor: SymbolicTensor, among: Sequence[SymbolicTensor]) -> int | None:
    return next((i for i, other in enumerate(among) if other is tensor), None)


def _times(tensor: SymbolicTensor, among: Sequence[SymbolicTensor]) -> int:
    return sum(other is tensor for other in among)


def _limit(op: Operation, bound: SymbolicTensor) -> int | SymbolicTensor | None:
    """Return a loop-invariant limit."""
    test, count = op.attrs["cond"], op.attrs["count"]
    if bound.spec.dtype not in (dtypes.int32, dtypes.int64) or bound.spec.dims != ():
        return None
    place = _position(bound, test.inputs)
    if place is None:
        return _constant(bound)
    if place < count:
        return None
    known = _constant(op.inputs[place])
    return op.inputs[place] if known is None else known


def _adds_one(step: Operation, counter: SymbolicTensor) -> bool:
    if step.definition.sign != "{} + {}" or not _times(counter, step.inputs):
        return False
    others = [tensor for tensor in step.inputs if tensor is not counter]
    return len(others) == 1 and _constant(others[0]) == 1


def _constant(tensor: SymbolicTensor) -> int | None:
    """Return the value of a scalar constant."""
    held = tensor.op.attrs["value"] if tensor.op.definition is CONST else None
    return int(held) if held is not None and held.ndim == 0 else None


def filled_by(op: Operation) -> SymbolicTensor | None:
    """Return the entries of a new list that a loop writes in order, as its body computes them.

    None: the list is not only stacked after it.
    """
    made = op.outputs[0]
    readers = made.consumers()
    if len(readers) != 1 or not is_loop(readers[0]) or _times(made, op.graph.outputs):
        return None
    loop = readers[0]
    place, counted = _position(made, loop.inputs), counting(loop)
    if counted is None or place is None or place >= loop.attrs["count"]:
        return None
    length = _constant(op.inputs[0])
    starts, limit = _constant(loop.inputs[counted.place]), counted.limit
    if starts != 0 or length is None or not isinstance(limit, int) or limit != length:
        return None
    if _times(made, loop.inputs) != 1:
        return None
    put = only_write(loop, place)
    if put is None or put.definition.emit is not Emit.SET_ENTRY:
        return None
    entry, readers = put.inputs[2], loop.outputs[place].consumers()
    in_order = put.inputs[1] is loop.attrs["body"].inputs[counted.place]
    return entry if in_order and all(stacks(op, entry) for op in readers) else None


def only_write(loop: Operation, place: int) -> Operation | None:
    """Return the operation of the body of a loop that makes the next list of a carried one.

    None: the body does more with either list, the graph returns the last one, or the entries, the
    last operand, have no static shape.
    """
    body = loop.attrs["body"]
    held, after = body.inputs[place], body.outputs[place]
    put = after.op
    if put.definition.emit not in (Emit.PUSHED, Emit.SET_ENTRY) or put.inputs[0] is not held:
        return None
    if held.consumers() != [put] or _times(held, body.outputs):
        return None
    if after.consumers() or _times(after, body.outputs) != 1:
        return None
    entry = put.inputs[-1].spec
    known = element_count(entry.dims) is not None and entry.dtype.kind in "biufc"
    return put if known and not _times(loop.outputs[place], loop.graph.outputs) else None


def stacks(op: Operation, entry: SymbolicTensor) -> bool:
    """Return whether an operation stacks entries with the spec of `entry` into one array."""
    return op.definition.emit is Emit.STACK and bool(op.attrs["element"].includes(entry.spec))
