"""Hoist loop-invariant operations.

Before:  While(i, x, w; body: a = w * 2; b = x + a)
After:   a = w * 2; While(i, x, w, a; body: b = x + a)

Invariant are tensors from outside the loop, carried variables that the body returns unchanged, and
operations on these alone. An operation is hoisted if it cannot fail and has no effect, since the
loop may run zero iterations; or if the loop is known to run, and no operation before it in the body
may fail or has an effect: then it would run first anyway.

>>> import runtime as tf
>>> @tf.function(autograph=False)
... def f(x, w):
...     return tf.while_loop(lambda x: x < 9.0, lambda x: x + w * 2.0, [x])
>>> graph = f.get_concrete_function(*[tf.TensorSpec([], tf.float32)] * 2).graph
>>> [op.type for op in graph.operations]
['Placeholder', 'Placeholder', 'StatelessWhile', 'Identity']
>>> hoisted = move_out_of_loops(graph)
>>> [op.type for op in hoisted.operations]
['Placeholder', 'Placeholder', 'Const', 'Mul', 'StatelessWhile']
>>> [op.type for op in hoisted.operations[-1].attrs["body"].operations]
['Placeholder', 'Placeholder', 'Placeholder', 'AddV2']
"""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.opdef import Effect, Emit
from runtime.core.operation import Operation, is_loop
from runtime.core.static import packed
from runtime.core.structural import CONST, IDENTITY, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.evaluate import constant_value, only_output
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting, holds, rewritten
from runtime.passes.safety import cannot_fail, is_pure, reads_variable

_STAYS = (PLACEHOLDER, CONST, IDENTITY)
_SLICES = (Emit.SLICE, Emit.ASSIGN, Emit.ADD)


def move_out_of_loops(graph: Graph) -> Graph:
    """Return the graph and its subgraphs with invariant operations hoisted out of loops."""
    return prune(_moved_out(graph)) if holds(graph, is_loop) else graph


def _moved_out(graph: Graph) -> Graph:
    return rewritten(graph, _step, _moved_out)


def _step(rewriting: Rewriting, op: Operation) -> bool:
    if not is_loop(op):
        return False
    test, body = (_moved_out(op.attrs[part]) for part in ("cond", "body"))
    starts = rewriting.inputs(op)
    runs = _is_known_to_run(test, starts)
    in_test = invariant_operations(test, invariant_inputs(test, body, op.attrs["count"]), False)
    in_body = invariant_operations(body, invariant_inputs(body, body, op.attrs["count"]), runs)
    if not in_test and not in_body:
        rewriting.keep(op, {**op.attrs, "cond": test, "body": body})
        return True
    outside: dict[int, SymbolicTensor] = {}
    for part, moved in ((test, in_test), (body, in_body)):
        known = dict(zip(map(id, part.inputs), starts, strict=True))
        outside.update(_moved(rewriting, part, moved, known))
    _replace_loop(rewriting, op, test, body, outside)
    return True


def _is_known_to_run(test: Graph, starts: tuple[SymbolicTensor, ...]) -> bool:
    if test.effect is not Effect.NONE:
        return False
    return bool(only_output(test, list(map(constant_value, starts))))


def invariant_inputs(part: Graph, body: Graph, count: int) -> set[int]:
    """Return the ids of the invariant inputs of the test or body of a loop."""
    return {
        id(tensor)
        for i, tensor in enumerate(part.inputs)
        if i >= count or body.outputs[i] is body.inputs[i]
    }


def invariant_operations(
    part: Graph, same: set[int], runs: bool, reads: bool = False
) -> list[Operation]:
    """Return the invariant operations of the test or body of a loop that may run before the loop.

    `same` has the ids of its invariant inputs. `runs`: whether an operation that may fail would run
    first anyway. `reads`: whether values of variables are invariant, too: the loop changes none,
    and need not see what other threads change meanwhile.
    """
    found, first = [], runs
    indices = set(map(id, indices_of(part)))
    known = set(same)
    for op in part.operations:
        if op.definition in _STAYS:
            if op.definition is CONST or (op.definition is IDENTITY and id(op.inputs[0]) in known):
                known.update(map(id, op.outputs))
            continue
        fixed = all(id(tensor) in known for tensor in op.inputs)
        if fixed and id(op) in indices:
            known.update(map(id, op.outputs))
        elif fixed and (
            cannot_fail(op) or (first and is_pure(op)) or (reads and reads_variable(op))
        ):
            found.append(op)
            known.update(map(id, op.outputs))
        elif not cannot_fail(op):
            first = False
    return found


def indices_of(part: Graph) -> list[Operation]:
    """Return the operations that pack scalars for slices alone: plans print these in place."""
    positions: set[int] = set()
    others = set(map(id, part.outputs))
    for op in part.operations:
        first = 1 if op.definition.emit in _SLICES else len(op.inputs)
        others.update(map(id, (*op.inputs[:first], *op.inputs[4:])))
        positions.update(map(id, op.inputs[first:4]))
    positions -= others
    return [
        op
        for op in part.operations
        if len(op.outputs) == 1
        and id(op.outputs[0]) in positions
        and packed(op.outputs[0]) is not None
    ]


def _moved(
    rewriting: Rewriting, part: Graph, moved: list[Operation], known: dict[int, SymbolicTensor]
) -> dict[int, SymbolicTensor]:
    """Add operations before the loop; return the new tensors that the loop reads."""
    gone = set(map(id, moved))
    indices = set(map(id, indices_of(part)))
    for op in part.operations:
        index = id(op) in indices and all(id(tensor) in known for tensor in op.inputs)
        if id(op) in gone or op.definition in (CONST, IDENTITY) or index:
            _add_outside(rewriting, op, known)
    read = {id(t) for op in part.operations if id(op) not in gone for t in op.inputs}
    read.update(map(id, part.outputs))
    outputs = (tensor for op in moved for tensor in op.outputs)
    return {id(tensor): known[id(tensor)] for tensor in outputs if id(tensor) in read}


def _add_outside(rewriting: Rewriting, op: Operation, known: dict[int, SymbolicTensor]) -> None:
    if op.definition is IDENTITY:
        if id(op.inputs[0]) in known:
            known[id(op.outputs[0])] = known[id(op.inputs[0])]
        return
    if op.definition is CONST:
        known[id(op.outputs[0])] = rewriting.constant(op.attrs["value"], op)
        return
    inputs = [known[id(tensor)] for tensor in op.inputs]
    new = rewriting.add(op.type, inputs, op.attrs, op)
    known.update(zip(map(id, op.outputs), new.outputs, strict=True))


def _replace_loop(
    rewriting: Rewriting,
    op: Operation,
    test: Graph,
    body: Graph,
    outside: dict[int, SymbolicTensor],
) -> None:
    """Copy a loop, with tensors from outside in place of some that its new subgraphs compute.

    `outside` is the replacement of a tensor of a subgraph, by the id of the tensor.
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
