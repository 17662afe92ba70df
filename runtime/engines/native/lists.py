"""Lists that loops of known length fill become arrays, one row for each iteration.

Before:  xs = While(i = 0, [], i < 3: i + 1, [*xs, f(i)]); While(j = 2, xs, j >= 0: ... xs[j] ...)
After:   xs = While(i = 0, zeros(3), i < 3: i + 1, xs[i] = f(i)); While(j = 2, ..., xs[j] ...)

Gradients of loops save what they read in such lists. Compiled code has arrays and no lists. Only
lists are replaced whose entries are all written before they are read, so no error is lost: those
that each iteration appends one entry of static shape to, and that are stacked afterwards or read by
loops that count down from their last entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, Emit
from runtime.core.operation import Operation, is_loop
from runtime.core.shapes import MASKS
from runtime.core.spec import TensorSpec
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.counting import counting, only_write, stacks
from runtime.engines.ownership import LIST_UPDATES, owned_list
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting


class _Turns(NamedTuple):
    """The iterations of a loop.

    Attributes:
      place: the index of the counter among the carried tensors.
      start: its value in the first iteration.
      rounds: the number of iterations.
      goes_up: whether it counts up to a limit, or down to 0.
    """

    place: int
    start: int
    rounds: int
    goes_up: bool


def _turns(op: Operation) -> _Turns | None:
    """Return the iterations of a loop; None unless their number is known."""
    counted = counting(op)
    if counted is None:
        return _turns_down(op)
    start = _known_number(op.inputs[counted.place])
    if start is None or not isinstance(counted.limit, int):
        return None
    return _Turns(counted.place, start, max(counted.limit - start, 0), True)


def _turns_down(op: Operation) -> _Turns | None:
    """Return the iterations of a loop that counts down to 0 by one."""
    test, body, count = op.attrs["cond"], op.attrs["body"], op.attrs["count"]
    holds = test.outputs[0].op
    others = (each for each in test.operations if each is not holds)
    if holds.definition.sign != "{} >= {}" or any(
        other.definition not in (PLACEHOLDER, CONST) for other in others
    ):
        return None
    counter, end = holds.inputs
    place = next((i for i in range(count) if test.inputs[i] is counter), None)
    if place is None or _known_number(end) != 0:
        return None
    step, start = body.outputs[place].op, _known_number(op.inputs[place])
    if start is None or step.definition.sign != "{} - {}":
        return None
    if step.inputs[0] is not body.inputs[place] or _known_number(step.inputs[1]) != 1:
        return None
    return _Turns(place, start, max(start + 1, 0), False)


def _known_number(tensor: SymbolicTensor) -> int | None:
    """Return the value of an integer that does not depend on arguments; None if it is unknown.

    It is a constant, what a loop counts, or the sum or difference of two of them.
    """
    op = tensor.op
    if tensor.spec.dims != () or tensor.spec.dtype not in (dtypes.int32, dtypes.int64):
        return None
    if op.definition is CONST:
        return int(op.attrs["value"])
    if is_loop(op):
        return _counted(op, tensor.value_index)
    if op.definition.sign not in ("{} + {}", "{} - {}"):
        return None
    one, other = map(_known_number, op.inputs)
    if one is None or other is None:
        return None
    return one + other if op.definition.sign == "{} + {}" else one - other


def _counted(op: Operation, place: int) -> int | None:
    """Return the last value of a number to which each iteration of a loop adds one."""
    step, before = op.attrs["body"].outputs[place].op, op.attrs["body"].inputs[place]
    if step.definition.sign != "{} + {}" or step.inputs[0] is not before:
        return None
    turns, start = _turns(op), _known_number(op.inputs[place])
    if turns is None or start is None or _known_number(step.inputs[1]) != 1:
        return None
    return start + turns.rounds


class _Filled(NamedTuple):
    """A list that a loop fills.

    Attributes:
      place: its index among the carried tensors.
      spec: that of the array of its entries.
    """

    place: int
    spec: TensorSpec


def _filled(op: Operation) -> tuple[_Turns, list[_Filled]] | None:
    """Return the lists of a loop that can be arrays; None if there are none."""
    turns = _turns(op) if is_loop(op) else None
    if turns is None or not turns.rounds:
        return None
    places = (place for place in range(op.attrs["count"]) if _is_empty(op.inputs[place]))
    specs = ((place, _spec_of(op, place, turns)) for place in places)
    found = [_Filled(place, spec) for place, spec in specs if spec is not None]
    return (turns, found) if found else None


def _is_empty(tensor: SymbolicTensor) -> bool:
    op = tensor.op
    return op.definition.emit is Emit.NEW_LIST and _known_number(op.inputs[0]) == 0


def _spec_of(op: Operation, place: int, turns: _Turns) -> TensorSpec | None:
    """Return the spec of the array that a list can be; None if it cannot."""
    push, made = only_write(op, place), op.outputs[place]
    if push is None or push.definition.emit is not Emit.PUSHED:
        return None
    entry = push.inputs[1]
    if not all(_only_reads(each, made, entry, turns) for each in made.consumers()):
        return None
    return entry.spec.with_dims((turns.rounds, *(entry.spec.dims or ())))


def _only_reads(op: Operation, made: SymbolicTensor, entry: SymbolicTensor, filled: _Turns) -> bool:
    """Return whether an operation stacks a list, or is a loop that reads existing entries."""
    if stacks(op, entry):
        return True
    turns = _turns(op) if is_loop(op) else None
    if turns is None or turns.goes_up or turns.rounds > filled.rounds:
        return False
    counter = op.attrs["body"].inputs[turns.place]
    return all(
        read.definition.emit is Emit.ENTRY and read.inputs[1] is counter
        for inner in _captures(op, made)
        for read in inner.consumers()
    ) and not any(tensor is made for tensor in op.inputs[: op.attrs["count"]])


def _captures(op: Operation, made: SymbolicTensor) -> Iterator[SymbolicTensor]:
    """Yield the inputs of the test and the body of a loop that are a tensor from outside."""
    for part in (op.attrs["cond"], op.attrs["body"]):
        for inner, outer in zip(part.inputs, op.inputs, strict=True):
            if outer is made:
                yield inner


def as_arrays(graph: Graph) -> Graph:
    """Return a graph in which lists of known length are arrays; itself if it has none."""
    every = {id(op): _filled(op) for op in graph.operations}
    if not any(every.values()):
        return graph
    rewriting = Rewriting(graph)
    arrays: set[int] = set()
    for op in graph.operations:
        found = every[id(op)]
        if op.definition.emit is Emit.STACK and id(op.inputs[0]) in arrays:
            rewriting.replace(op, [rewriting.of(op.inputs[0])])
        elif is_loop(op):
            turns, filled = found or (None, [])
            _keep_loop(rewriting, op, turns, filled)
            arrays.update(id(op.outputs[each.place]) for each in filled)
        else:
            _keep(rewriting, op)
    return prune(rewriting.finish())


def _keep(rewriting: Rewriting, op: Operation) -> None:
    """Keep an operation; one that reads arrays of better known shape has a better known result."""
    known = all(rewriting.of(tensor).spec == tensor.spec for tensor in op.inputs)
    if known or op.control_inputs or op.subgraphs() or op.effect is not Effect.NONE:
        rewriting.keep(op)
    else:
        rewriting.replace(op, rewriting.add(op.type, rewriting.inputs(op), op.attrs, op).outputs)


def _keep_loop(
    rewriting: Rewriting, op: Operation, turns: _Turns | None, filled: list[_Filled]
) -> None:
    """Keep a loop with arrays in place of some of its lists."""
    inputs = list(rewriting.inputs(op))
    for each in filled:
        dims = rewriting.constant(np.array(each.spec.dims, np.int32), op)
        zero = rewriting.constant(np.zeros((), each.spec.dtype.numpy_dtype), op)
        inputs[each.place] = rewriting.add("Fill", (dims, zero), {}, op).outputs[0]
    specs = {
        i: new.spec
        for i, (new, old) in enumerate(zip(inputs, op.inputs, strict=True))
        if old.spec.dtype is dtypes.variant and new.spec != old.spec
    }
    attrs = dict(op.attrs)
    if specs:
        attrs["cond"] = _with_arrays(op.attrs["cond"], specs, None)
        attrs["body"] = _with_arrays(op.attrs["body"], specs, turns)
    new = rewriting.keep_with(op, inputs, attrs)
    for each in filled:
        old = op.outputs[each.place]
        array = SymbolicTensor(new, old.value_index, each.spec, False)
        new.outputs = (*new.outputs[: each.place], array, *new.outputs[each.place + 1 :])
        rewriting.replace_tensor(old, array)


def _with_arrays(part: Graph, specs: dict[int, TensorSpec], turns: _Turns | None) -> Graph:
    """Return the test or the body of a loop in which some inputs are arrays, not lists."""
    rewriting = Rewriting(part)
    lists = {id(part.inputs[i]): spec for i, spec in specs.items()}
    for op in part.operations:
        first = op.inputs[0] if op.inputs else None
        if op.definition is PLACEHOLDER and id(op.outputs[0]) in lists:
            attrs = {**op.attrs, "spec": lists[id(op.outputs[0])]}
            rewriting.replace(op, rewriting.add("Placeholder", (), attrs, op).outputs)
        elif first is None or id(first) not in lists:
            rewriting.keep(op)
        elif op.definition.emit is Emit.ENTRY:
            row = rewriting.add("GatherV2", rewriting.inputs(op), {"axis": 0}, op)
            rewriting.replace(op, row.outputs)
        else:
            assert turns is not None
            _write(rewriting, op, part.inputs[turns.place], turns)
    return rewriting.finish()


def _write(rewriting: Rewriting, op: Operation, counter: SymbolicTensor, turns: _Turns) -> None:
    """Replace an append by a write to the row of the iteration."""
    held, item = rewriting.inputs(op)
    start = rewriting.constant(counter.spec.dtype.as_numpy_dtype(turns.start), op)
    ends = (rewriting.of(counter), start)
    (row,) = rewriting.add("Sub", ends if turns.goes_up else ends[::-1], {}, op).outputs
    (place,) = rewriting.add("Pack", (row,), {"axis": 0}, op).outputs
    ones = rewriting.constant(np.ones(1, counter.spec.dtype.numpy_dtype), op)
    attrs = {**dict.fromkeys(MASKS, 0), "shrink_axis_mask": 1}
    operands = (held, place, place, ones, item)
    new = rewriting.add("TensorStridedSliceUpdate", operands, attrs, op)
    rewriting.replace(op, new.outputs)


def with_stacked_results(graph: Graph) -> Graph:
    """Return a graph that makes the lists that it returns of arrays, as a part returns arrays."""
    found = {id(tensor): (tensor, _entry_of(tensor)) for tensor in graph.outputs}
    lists = [(tensor, entry) for tensor, entry in found.values() if entry is not None]
    if not lists:
        return graph
    rewriting = Rewriting(graph)
    for op in graph.operations:
        rewriting.keep(op)
    for tensor, entry in lists:
        attrs = {"element": entry, "length": None}
        held = [rewriting.of(tensor)]
        rows = rewriting.add("TensorListStack", held, attrs, tensor.op, "rows")
        made = rewriting.add("TensorListFromTensor", rows.outputs, {}, tensor.op, "items")
        rewriting.replace_tensor(tensor, made.outputs[0])
    return rewriting.finish()


def _entry_of(tensor: SymbolicTensor) -> TensorSpec | None:
    """Return the spec of the entries of a list that a loop owns; None for other tensors."""
    op = tensor.op
    if is_loop(op):
        owned = owned_list(op, tensor.value_index)
        return None if owned is None else owned.entry
    return _entry_of(op.inputs[0]) if op.definition.emit in LIST_UPDATES else None
