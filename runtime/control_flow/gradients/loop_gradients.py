"""Gradients of loops: a backward loop over the iterations in reverse order.

Before:  x = While(x, w: x = f(a(x), w))
After:   x, n, as = While(x, 0, [], w: x = f(a(x), w), n = n + 1, as = [*as, a(x)])
         i, dx, dw = While(n - 1, dx, 0, w, as: dx, step = back through f and a with as[i],
                                                dw = dw + step, i = i - 1)

The body saves only the tensors that its gradients read, in lists. Loop-invariant tensors are
computed before the loop instead, if their operations cannot fail.

The gradient of a matrix w of `x @ w` is a sum of products over the iterations. The backward loop
lists their operands, and one product of all rows follows it:

Before:  dw = While(..., 0: ..., dw + transpose(x) @ dy)
After:   xs, dys = While(..., [], []: ..., [*xs, x], [*dys, dy])
         dw = transpose(concat(xs)) @ concat(dys)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import or_
from typing import NamedTuple

from runtime.backprop.derivative import Derivative, add_outputs, derivative, flags_of, record_call
from runtime.backprop.walk import Step, carries_gradient, dense, or_zeros, plus
from runtime.control_flow.gradients.saving import inserted_before, zero_gradient
from runtime.control_flow.tracing import inner_graph, share_captures
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, Emit, OpDef
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.spec import TensorSpec
from runtime.core.structural import CONST, IDENTITY
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.array.lists import list_get, list_push, list_reserve, list_stack
from runtime.ops.array.shaping import reshape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.linalg.products import matmul
from runtime.ops.math.arithmetic import add, subtract
from runtime.ops.math.logic import greater_equal
from runtime.passes.loops import invariant_inputs, invariant_operations
from runtime.passes.rewriting import rebuild


class _Carried(NamedTuple):
    """A gradient that the backward loop carries.

    Attributes:
      position: the index of the input whose gradient it is.
      spec: dtype and static shape in all iterations.
      start: the value at the end of the forward loop.
    """

    position: int
    spec: TensorSpec
    start: Tensor


@dataclass(frozen=True)
class _Saved:
    """The tensors that a loop saves for its gradient.

    Attributes:
      rounds: the number of iterations.
      values: for the `id` of a tensor of the forward graph: a list of its values, or its value.
      lists: the ids for which it is a list.
    """

    rounds: Tensor
    values: dict[int, Tensor]
    lists: set[int]

    def read(self, tensor: Tensor, index: Tensor) -> Tensor:
        """Return the value of a tensor of the forward graph in one iteration."""
        held = self.values.get(id(tensor), tensor)
        return list_get(held, index, tensor.spec) if id(tensor) in self.lists else held


def loop_backward(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> list[Tensor | None]:
    """Return the gradients of the initial state of a loop and of its captures."""
    assert isinstance(step, Operation)
    inputs, outputs = step.inputs, step.outputs
    count, body = step.attrs["count"], step.attrs["body"]
    active = _active(body, count, flags_of(gradients), wanted)
    found = derivative(body, active, [*active, *wanted[count:]])
    ends = map(or_zeros, gradients, outputs)
    carried = [
        _Carried(position, body.inputs[position].spec, end)
        for position, (flag, end) in enumerate(zip(active, ends, strict=True))
        if flag and end is not None
    ]
    carried += [
        _Carried(position, like.spec, zero_gradient(inputs[position], like.spec))
        for position, like in found.gradients()
        if position >= count
    ]
    saved = _save(step, found)
    saved.values.update(zip(map(id, found.forward.inputs[count:]), inputs[count:], strict=True))
    begun = _back(step.definition, found, saved, carried, count)
    return [begun.get(position) for position in range(len(inputs))]


def _active(
    body: Graph, count: int, received: Sequence[bool], wanted: Sequence[bool]
) -> tuple[bool, ...]:
    """Return which entries of the state have gradients in some iteration.

    These are entries reachable from wanted inputs and from received gradients; a fixpoint over the
    body.
    """
    forward, backward = list(wanted), list(received)
    for _ in range(count):
        reached = {id(t) for t, flag in zip(body.inputs, forward, strict=True) if flag}
        for op in body.operations:
            if any(id(tensor) in reached for tensor in op.inputs):
                reached.update(id(tensor) for tensor in op.outputs if carries_gradient(tensor))
        needed = {id(t) for t, flag in zip(body.outputs, backward, strict=True) if flag}
        for op in reversed(body.operations):
            if any(id(tensor) in needed for tensor in op.outputs):
                needed.update(map(id, op.inputs))
        made = [id(tensor) in reached for tensor in body.outputs]
        read = [id(tensor) in needed for tensor in body.inputs[:count]]
        more, back = list(map(or_, forward[:count], made)), list(map(or_, backward, read))
        if more == forward[:count] and back == backward:
            break
        forward[:count], backward = more, back
    floating = map(carries_gradient, body.inputs[:count])
    return tuple(map(all, zip(forward[:count], backward, floating, strict=True)))


def _save(op: Operation, found: Derivative) -> _Saved:
    """Make a loop count its iterations and save what gradients read of each."""
    count, outside = op.attrs["count"], op.inputs[op.attrs["count"] :]
    captured = {id(tensor) for tensor in found.forward.inputs[count:]}
    reads = [
        read
        for read in found.reads
        if isinstance(read, SymbolicTensor) and id(read) not in captured
    ]
    same = _invariants(op, found.forward, reads)
    kept = [read for read in reads if id(read) not in same]
    with inserted_before(op):
        starts = (convert_to_tensor(0), *(list_reserve(0) for _ in kept))
        begin = list(map(op.graph.capture, starts))
    state = [*op.attrs["body"].inputs[:count], *begin]
    attrs = {
        "cond": _saving_test(op, state, outside),
        "body": _saving_body(op, found, kept, state, outside),
        "count": len(state),
    }
    op.attrs.update(attrs)
    op.inputs = (*op.inputs[:count], *begin, *outside)
    rounds, *lists = add_outputs(op, begin)
    pairs = zip(kept, lists, strict=True)
    return _Saved(
        rounds, same | {id(read): held for read, held in pairs}, {id(read) for read in kept}
    )


def _invariants(op: Operation, body: Graph, reads: Sequence[SymbolicTensor]) -> dict[int, Tensor]:
    """Compute loop-invariant tensors of the body before the loop; return them by `id`."""
    same = invariant_inputs(body, body, op.attrs["count"])
    pairs = zip(body.inputs, op.inputs, strict=True)
    values: dict[int, Tensor] = {id(inner): outer for inner, outer in pairs if id(inner) in same}
    with inserted_before(op):
        for each in _needed(body, same, reads, op.effect is not Effect.WRITE):
            if each.definition is CONST:
                constant = op.graph.constant(each.attrs["value"], each.outputs[0].spec)
                values[id(each.outputs[0])] = constant
            elif all(id(tensor) in values for tensor in each.inputs):
                own = [values[id(tensor)] for tensor in each.inputs]
                outputs = op.graph.record(each.definition, own, each.attrs)
                if each.effect is Effect.READ:
                    _read_before(op, outputs[0].op)
                values.update(zip(map(id, each.outputs), outputs, strict=True))
    return {id(read): values[id(read)] for read in reads if id(read) in values}


def _read_before(loop: Operation, read: Operation) -> None:
    """Order a read like a loop that reads the same, not like what is recorded now."""
    read.control_inputs = list(loop.control_inputs)
    loop.control_inputs = [*loop.control_inputs, read]


def _needed(
    body: Graph, same: set[int], reads: Sequence[SymbolicTensor], changes_nothing: bool
) -> list[Operation]:
    """Return the operations, in order, that the tensors depend on and that can move before the
    loop.
    """
    movable = set(map(id, invariant_operations(body, same, False, changes_nothing)))
    wanted, found = set(map(id, reads)), []
    for each in reversed(body.operations):
        if (each.definition in (CONST, IDENTITY) or id(each) in movable) and any(
            id(tensor) in wanted for tensor in each.outputs
        ):
            found.append(each)
            wanted.update(map(id, each.inputs))
    return found[::-1]


def _saving_test(
    op: Operation, state: Sequence[SymbolicTensor], outside: Sequence[SymbolicTensor]
) -> Graph:
    """Return the test of a loop whose state includes the saved lists."""
    graph = Graph(op.attrs["cond"].name, op.graph)
    with recording(graph):
        own = [graph.add_input(tensor.spec, "state") for tensor in state]
        inputs = map(graph.add_capture, outside)
        (holds,) = record_call(op.attrs["cond"], (*own[: op.attrs["count"]], *inputs), graph)
        graph.outputs = [graph.capture(holds)]
    return graph


def _saving_body(
    op: Operation,
    found: Derivative,
    kept: Sequence[SymbolicTensor],
    state: Sequence[SymbolicTensor],
    outside: Sequence[SymbolicTensor],
) -> Graph:
    """Return the body of a loop, extended to append each saved tensor to its list."""
    graph, count, forward = Graph(op.attrs["body"].name, op.graph), op.attrs["count"], found.forward
    with recording(graph):
        own = [graph.add_input(tensor.spec, "state") for tensor in state]
        inputs = (*own[:count], *map(graph.add_capture, outside))
        outputs = record_call(forward, inputs, graph)
        values: dict[int, Tensor] = dict(zip(map(id, forward.inputs), inputs, strict=True))
        values.update(zip(map(id, forward.outputs), outputs, strict=True))
        pairs = zip(own[count + 1 :], kept, strict=True)
        lists = [list_push(held, values[id(read)]) for held, read in pairs]
        ends = (*outputs[:count], add(own[count], 1), *lists)
        graph.outputs = [graph.capture(tensor) for tensor in ends]
    return graph


def _back(
    definition: OpDef, found: Derivative, saved: _Saved, carried: Sequence[_Carried], count: int
) -> dict[int, Tensor]:
    """Record the backward loop; return the gradients of inputs by position."""
    backward, products = _without_products(found, count)
    carried = [each for each in carried if each.position not in products]
    begin = [list_reserve(0) for operands in products.values() for _ in operands]
    start = (subtract(saved.rounds, 1), *(each.start for each in carried), *begin)
    specs = (saved.rounds.spec, *(each.spec for each in carried), *(each.spec for each in begin))
    with inner_graph("while_backward_body") as body:
        index, *state = [body.add_input(spec, "gradient") for spec in specs]
        own, lists = state[: len(carried)], state[len(carried) :]
        given = [each for each, known in zip(own, carried, strict=True) if known.position < count]
        reads = [saved.read(read, index) for read in found.reads]
        made = iter(record_call(backward, (*given, *reads), body))
        summed = [position for position, _ in found.gradients() if position not in products]
        step = {position: next(made) for position in summed}
        ends = [
            _next(step.get(known.position), each, adds=known.position >= count)
            for each, known in zip(own, carried, strict=True)
        ]
        ends += [list_push(held, operand) for held, operand in zip(lists, made, strict=True)]
        body.outputs = [body.capture(tensor) for tensor in (subtract(index, 1), *ends)]
    for tensor, spec in zip(body.outputs, specs, strict=True):
        tensor.set_shape(spec.dims)
    with inner_graph("while_backward_cond") as test:
        index, *_ = [test.add_input(spec, "gradient") for spec in specs]
        test.outputs = [test.capture(greater_equal(index, 0))]
    captured = share_captures((test, body))
    attrs = {"cond": test, "body": body, "count": len(specs)}
    _, *results = STATE.graph.record(definition, (*start, *captured), attrs, "while_backward")
    found_ends = iter(results)
    begun = {each.position: next(found_ends) for each in carried}
    for position, operands in products.items():
        left, right = (_all_rows(next(found_ends), each.spec) for each in operands)
        begun[position] = matmul(left, right, transpose_a=True)
    return begun


def _without_products(
    found: Derivative, count: int
) -> tuple[Graph, dict[int, tuple[SymbolicTensor, ...]]]:
    """Take the products that a loop would add up out of a backward graph.

    Listing their operands costs less than adding the products if they are smaller.

    Returns:
      (backward, operands): the graph, whose last outputs are the operands of each product in place
        of the product, and these by position of the input whose gradient they give.
    """
    backward = rebuild(found.backward)
    ends = {
        position: end
        for (position, _), end in zip(found.gradients(), backward.outputs, strict=True)
    }
    products = {
        position: end.op.inputs
        for position, end in ends.items()
        if position >= count and _is_large_product(end)
    }
    if not products:
        return found.backward, products
    summed = (end for position, end in ends.items() if position not in products)
    backward.outputs = [*summed, *(each for operands in products.values() for each in operands)]
    return backward, products


def _is_large_product(tensor: SymbolicTensor) -> bool:
    """Return whether a tensor is `transpose(x) @ y`, larger than x and y, of known shapes."""
    op = tensor.op
    if op.definition.emit is not Emit.PRODUCT:
        return False
    if not op.attrs["transpose_a"] or op.attrs["transpose_b"]:
        return False
    sizes = [element_count(each.spec.dims) for each in (tensor, *op.inputs)]
    return None not in sizes and sizes[0] > sizes[1] + sizes[2]  # type: ignore[operator]


def _all_rows(held: Tensor, spec: TensorSpec) -> Tensor:
    """Return the rows of all matrices of a list, one after the other."""
    assert spec.dims is not None
    return reshape(list_stack(held, spec), [-1, spec.dims[-1]])


def _next(made: Tensor | None, before: Tensor, adds: bool) -> Tensor:
    """Return the gradient of a state entry or a capture after one more iteration."""
    if made is None:
        return zero_gradient(before, before.spec)
    return dense(plus(before, made)) if adds else made
