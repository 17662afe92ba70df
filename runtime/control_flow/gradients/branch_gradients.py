"""Gradients of branches: a conditional of the backward graphs of the branches.

Before:  y = If(p, x, then: a = f(x), y = g(a), else: y = h(x))
After:   y, as = If(p, x, then: a = f(x), y = g(a), as = [a], else: y = h(x), as = [])
         dx = If(p, dy, x, as, then: through g and f with as[0], else: through h with x)

The lists of a branch that did not run are empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.backprop.derivative import Derivative, add_outputs, derivative, flags_of, record_call
from runtime.backprop.walk import Step
from runtime.control_flow.gradients.saving import zero_gradient
from runtime.control_flow.tracing import inner_graph, share_captures
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.array.lists import list_get, list_push, list_reserve


def branches_backward(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> list[Tensor | None]:
    """Return the gradients of the inputs of `If` or `Case`; the first input decides and has
    none.
    """
    assert isinstance(step, Operation)
    found = {
        attr: derivative(graph, flags_of(gradients), wanted[1:])
        for attr, graph in step.attrs.items()
        if isinstance(graph, Graph)
    }
    made = [any(flags) for flags in zip(*(each.made for each in found.values()), strict=True)]
    if not any(made):
        return [None] * len(wanted)
    saved = _save(step, found)
    given = [gradient for gradient in gradients if gradient is not None]
    graphs = {
        attr: _branch(step, each, given, saved, made, list(found.values()))
        for attr, each in found.items()
    }
    captured = share_captures(list(graphs.values()))
    results = iter(STATE.graph.record(step.definition, (step.inputs[0], *captured), graphs))
    return [None, *(next(results) if flag else None for flag in made)]


def _save(op: Operation, found: dict[str, Derivative]) -> dict[int, tuple[Tensor, SymbolicTensor]]:
    """Extend the branches to output the tensors that their gradients read.

    Returns: For the `id` of each tensor of a forward graph: the list that holds it, and the tensor.
    """
    kept = [
        (attr, read)
        for attr, each in found.items()
        for read in each.reads
        if isinstance(read, SymbolicTensor) and not _is_input(read, each.forward)
    ]
    count = len(op.outputs)
    graphs = {
        attr: _saving(op, attr, each, [read if owner == attr else None for owner, read in kept])
        for attr, each in found.items()
    }
    op.attrs.update(graphs)
    lists = add_outputs(op, next(iter(graphs.values())).outputs[count:])
    return {id(read): (held, read) for (_, read), held in zip(kept, lists, strict=True)}


def _is_input(tensor: SymbolicTensor, graph: Graph) -> bool:
    return any(tensor is each for each in graph.inputs)


def _saving(
    op: Operation, attr: str, found: Derivative, kept: Sequence[SymbolicTensor | None]
) -> Graph:
    """Return a branch that also outputs a list for each of `kept`: with the tensor, or empty for
    None.
    """
    graph = Graph(op.attrs[attr].name, op.graph)
    with recording(graph):
        inputs = list(map(graph.add_capture, op.inputs[1:]))
        outputs = record_call(found.forward, inputs, graph)
        by_inner = {id(a): b for a, b in zip(found.forward.outputs, outputs, strict=True)}
        lists = [
            list_reserve(0) if read is None else list_push(list_reserve(0), by_inner[id(read)])
            for read in kept
        ]
        own = outputs[: len(op.outputs)]
        graph.outputs = [graph.capture(tensor) for tensor in (*own, *lists)]
    return graph


def _branch(
    op: Operation,
    found: Derivative,
    given: Sequence[Tensor],
    saved: dict[int, tuple[Tensor, SymbolicTensor]],
    made: Sequence[bool],
    others: Sequence[Derivative],
) -> Graph:
    """Return the backward graph of one branch, with zeros for gradients that only others
    produce.
    """
    with inner_graph("backward") as graph:
        by_input = {id(a): b for a, b in zip(found.forward.inputs, op.inputs[1:], strict=True)}
        reads = [_read(read, by_input, saved) for read in found.reads]
        results = iter(record_call(found.backward, (*given, *reads), graph))
        outputs = []
        for position, (flag, own) in enumerate(zip(made, found.made, strict=True)):
            if own:
                outputs.append(next(results))
            elif flag:
                like = _gradient_in(others, position)
                outputs.append(zero_gradient(op.inputs[1 + position], like.spec))
        graph.outputs = [graph.capture(tensor) for tensor in outputs]
    return graph


def _read(
    read: Tensor,
    by_input: dict[int, SymbolicTensor],
    saved: dict[int, tuple[Tensor, SymbolicTensor]],
) -> Tensor:
    if id(read) in saved:
        held, like = saved[id(read)]
        return list_get(held, 0, like.spec)
    return by_input.get(id(read), read)


def _gradient_in(found: Sequence[Derivative], position: int) -> SymbolicTensor:
    """Return the gradient of one input from the first derivative that has it."""
    return next(like for each in found for place, like in each.gradients() if place == position)
