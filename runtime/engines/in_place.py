"""In-place updates of arrays that a loop carries.

Before:  while ...: y = x.copy(); y[i] = v; x = y       After:  x = x.copy(); while ...: x[i] = v

The loop copies the array once, so the updates are not visible elsewhere. An array is updated in
place if each iteration only updates parts of it, in sequence, and if every other reader creates new
arrays from it before the next update.
"""

from __future__ import annotations

from collections.abc import Mapping

from runtime.core.graph import Graph
from runtime.core.opdef import Storage
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.liveness import UPDATES, makes_new


def updates_in_place(body: Graph, count: int) -> dict[int, list[Operation]]:
    """Return the updates of an iteration, keyed by the index of the carried array."""
    order = {id(op): number for number, op in enumerate(body.operations)}
    found = {place: _updates(body, place, order) for place in range(count)}
    return {place: updates for place, updates in found.items() if updates}


def _updates(body: Graph, place: int, order: Mapping[int, int]) -> list[Operation]:
    start, end = body.inputs[place], body.outputs[place]
    chain: list[Operation] = []
    while end is not start and end.op.definition.emit in UPDATES:
        chain.insert(0, end.op)
        end = end.op.inputs[0]
    if end is not start or not start.spec.dims or start.spec.dtype.kind not in "biufc":
        return []
    before = [start, *(op.outputs[0] for op in chain[:-1])]
    last = chain[-1].outputs[0] if chain else start
    alone = not last.consumers() and sum(last is tensor for tensor in body.outputs) == 1
    kept = set(map(id, body.outputs))
    safe = all(
        id(tensor) not in kept
        and not any(tensor is other for other in update.inputs[1:])
        and _is_read_before(tensor, update, order, kept)
        for tensor, update in zip(before, chain, strict=False)
    )
    return chain if alone and safe else []


def _is_read_before(
    tensor: SymbolicTensor, update: Operation, order: Mapping[int, int], kept: set[int]
) -> bool:
    """Return whether every reader of an array and its views precedes the update and creates new
    arrays.
    """
    for reader in tensor.consumers():
        if reader is update:
            continue
        if order.get(id(reader), len(order)) > order[id(update)]:
            return False
        if reader.definition.storage is Storage.VIEW:
            views = reader.outputs
            if any(id(v) in kept or not _is_read_before(v, update, order, kept) for v in views):
                return False
        elif not makes_new(reader):
            return False
    return True
