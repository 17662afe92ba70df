"""Calls of graphs on tensors with values, and their gradients on tapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runtime.backprop.derivative import CALL, Derivative, derivative, floating, record_call, saved
from runtime.backprop.walk import Gradient, Step, or_zeros
from runtime.core import dtypes
from runtime.core.dispatch import Ran
from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.engines.engine import Compiled, Executable

BOXED = (dtypes.resource, dtypes.variant)
"""The dtypes of tensors whose values are objects without dtype and shape."""


def compiled(graph: Graph) -> Executable:
    """Return a graph as a function on arrays, compiled at its first call."""
    found = graph.derivatives.get("compiled")
    if found is None:
        found = graph.derivatives.setdefault("compiled", Compiled(graph))
    return found.executable  # type: ignore[no-any-return]


def _arrays(tensors: Sequence[Tensor]) -> list[Any]:
    return [tensor._a for tensor in tensors]  # type: ignore[attr-defined]


def _wrapped(values: Sequence[Any], like: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Wrap values as tensors of the dtypes of others."""
    return tuple(
        EagerTensor(value, tensor.spec if tensor.dtype in BOXED else None)
        for value, tensor in zip(values, like, strict=True)
    )


def _ran(graph: Graph, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Return the outputs of a graph for eager tensors."""
    return _wrapped(compiled(graph)(*_arrays(inputs)), graph.outputs)


def call_graph(graph: Graph, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Run a graph without captures, or record a call of it; return the outputs."""
    outer: Graph | None = STATE.graph
    if outer is not None:
        return record_call(graph, inputs, outer)
    tapes = [tape for tape in STATE.tapes if any(tape.follows(inputs))]
    if not tapes:
        return _ran(graph, inputs)
    return call_on_tapes(graph, inputs, tapes)


def call_on_tapes(
    graph: Graph, inputs: Sequence[Tensor], tapes: Sequence[Any]
) -> tuple[Tensor, ...]:
    """Run a graph for tapes that follow some of its inputs.

    The forward graph that runs outputs the tensors that its gradients read, so a gradient does not
    run it again. If several tapes may take higher-order gradients, it outputs their reads too. With
    one tape and one gradient these values stay arrays: such a call costs no Python per operation.
    """
    followed = [any(flags) for flags in zip(*(tape.follows(inputs) for tape in tapes), strict=True)]
    orders: list[Derivative] = []
    runs = graph
    for _ in range(sum(tape.orders for tape in tapes)):
        orders.append(derivative(runs, floating(runs.outputs), followed, True))
        if len(orders[-1].forward.outputs) == len(runs.outputs):
            break
        runs = orders[-1].forward
    known = len(graph.outputs)
    attrs: dict[str, Any] = {"f": graph, "orders": orders, "arrays": ()}
    if len(orders) == 1:
        results = compiled(runs)(*_arrays(inputs))
        outputs = _wrapped(results[:known], graph.outputs)
        attrs["arrays"] = results[known:]
    else:
        outputs = _ran(runs, inputs)
    step = Ran(_RAN, tuple(inputs), attrs, outputs)
    for tape in tapes:
        tape.note(None, step)
    return outputs[:known]


def _backward(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> list[Gradient | None]:
    """Return the gradients of a call that ran: a call of its backward graph."""
    found, gradients = _order(step, gradients)
    if STATE.graph is None and not STATE.tapes:
        return found.of_inputs(_ran_back(step, found, gradients))
    extra = found.forward.outputs[len(step.outputs) :]
    outputs = (*step.outputs, *_wrapped(step.attrs["arrays"], extra))
    given = [gradient for gradient in gradients if gradient is not None]
    reads = saved(found, step.inputs, outputs[: len(found.forward.outputs)])
    return found.of_inputs(call_graph(found.backward, (*given, *reads)))


_RAN = replace(CALL, backward=_backward)
"""Calls that ran, as tapes record them."""


def _ran_back(
    step: Step, found: Derivative, gradients: Sequence[Tensor | None]
) -> tuple[Tensor, ...]:
    """Run the backward graph of an eager call that no tape records."""
    positions, others = found.sources
    outputs = step.outputs[: len(found.forward.outputs)]
    held = (*_arrays(step.inputs), *_arrays(outputs), *step.attrs["arrays"], *_arrays(others))
    given = [gradient for gradient in gradients if gradient is not None]
    reads = [held[position] for position in positions]
    return _wrapped(compiled(found.backward)(*_arrays(given), *reads), found.backward.outputs)


def _order(
    step: Step, gradients: Sequence[Tensor | None]
) -> tuple[Derivative, list[Tensor | None]]:
    """Return the derivative of an eager call, and the gradients of the outputs that count for it.

    Gradients of tensors that only gradients read belong to the derivative of the next order.
    """
    known = len(step.attrs["f"].outputs)
    last = max(place for place, gradient in enumerate(gradients) if gradient is not None)
    for found in step.attrs["orders"]:
        if last < known:
            return found, list(map(or_zeros, gradients[:known], step.outputs[:known]))
        known = len(found.forward.outputs)
    raise UnimplementedError.of(
        f"the gradient of a gradient of `{step.attrs['f'].name}` is asked for more often than "
        "there are tapes that watched its call. Enter a tape for each order, one inside the other.",
    )
