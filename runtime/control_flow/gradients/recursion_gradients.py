"""Gradients of recursive functions: recursive backward functions.

Before:  y = Recursion(x, f: y = g(x, Recur(h(x))))
After:   y, s = Recursion(x, f: a, t = Recur(h(x)); y = g(x, a); s = [x, a, t])
         dx = Recursion(dy, s, b: da = back through g with s; dh = Recur(da, s[2]); ...)

The tensors that the gradient of one call reads are in a list, which contains the lists of its inner
calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runtime.backprop.derivative import add_outputs, record_call
from runtime.backprop.walk import Step, carries_gradient, dense, or_zeros, walk_back
from runtime.control_flow.gradients.saving import zero_gradient
from runtime.core import dtypes
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.core.opdef import Control, lookup
from runtime.core.operation import Callee, Operation
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.array.lists import list_get, list_push, list_reserve
from runtime.passes.rewriting import Rewriting

_LIST = spec_of(dtypes.variant, ())


class _Back(NamedTuple):
    """The backward function of one recursive function.

    Attributes:
      callee: the backward function.
      specs: the specs of its gradients, one for each differentiable input.
    """

    callee: Callee
    specs: tuple[TensorSpec, ...]


class _Both(NamedTuple):
    """The forward graph, which saves what the gradient reads, and the backward graph."""

    forward: Graph
    backward: Graph


def recursion_backward(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> list[Tensor | None]:
    """Return the gradients of the outermost call."""
    assert isinstance(step, Operation)
    names = [name for name, value in step.attrs.items() if isinstance(value, Graph)]
    graphs = [step.attrs[name] for name in names]
    keeping = _keeping(step.attrs["callees"], graphs)
    found = [
        _differentiated(_with_lists(graph, keeping), callee.gradient.specs)
        for graph, callee in zip(graphs, keeping.values(), strict=True)
    ]
    given = _given(gradients, step.outputs)
    step.attrs.update(zip(names, (each.forward for each in found), strict=True))
    step.attrs["callees"] = tuple(keeping.values())
    add_outputs(step, found[0].forward.outputs[-1:])
    back = {name: each.backward for name, each in zip(names, found, strict=True)}
    attrs = {"callees": tuple(each.gradient.callee for each in keeping.values()), **back}
    results = STATE.graph.record(step.definition, (*given, step.outputs[-1]), attrs)
    return _spread(results, step.inputs)


def recur_backward(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> list[Tensor | None]:
    """Return the gradients of a recursive call: a call of the backward function."""
    back: _Back = step.attrs["callee"].gradient
    *_, kept = step.outputs
    given = _given(gradients[:-1], step.outputs[:-1])
    attrs = {"callee": back.callee, "specs": back.specs}
    results = STATE.graph.record(lookup("Recur"), (*given, kept), attrs)
    return _spread(results, step.inputs)


def _given(gradients: Sequence[Tensor | None], outputs: Sequence[Tensor]) -> list[Tensor]:
    """Return the gradients of all differentiable outputs, with zeros for missing ones."""
    full = map(or_zeros, gradients, outputs)
    return [gradient for gradient in full if gradient is not None]


def _spread(results: Sequence[Tensor], inputs: Sequence[Tensor]) -> list[Tensor | None]:
    """Return the gradients at the positions of the differentiable inputs, else None."""
    made = iter(results)
    return [next(made) if carries_gradient(tensor) else None for tensor in inputs]


def _keeping(callees: Sequence[Callee], graphs: Sequence[Graph]) -> dict[Callee, Callee]:
    """Return for each function the variant that saves what its gradient reads."""
    found = {}
    for callee, graph in zip(callees, graphs, strict=True):
        inputs = [tensor for tensor in graph.inputs if carries_gradient(tensor)]
        specs = tuple(_spec_of_gradient(tensor, graphs) for tensor in inputs)
        found[callee] = Callee(callee.name)
        found[callee].gradient = _Back(Callee(f"{callee.name}_backward"), specs)
    return found


def _spec_of_gradient(tensor: SymbolicTensor, graphs: Sequence[Graph]) -> TensorSpec:
    """Return the spec of the gradient of an input; for a variable, the spec of its reads."""
    if tensor.dtype is not dtypes.resource:
        return tensor.spec
    own = tensor.graph.inputs
    place = next(i for i, each in enumerate(own) if each is tensor) - len(own)
    known = (_spec_of_value(graph.inputs[place], graph) for graph in graphs)
    return next((spec for spec in known if spec is not None), spec_of(dtypes.float32, None))


def _spec_of_value(handle: SymbolicTensor, graph: Graph) -> TensorSpec | None:
    for op in graph.operations:
        for place, tensor in enumerate(op.inputs):
            if tensor is not handle:
                continue
            if "spec" in op.attrs:
                return op.attrs["spec"]  # type: ignore[no-any-return]
            for inner in op.subgraphs():
                found = _spec_of_value(inner.inputs[place - len(op.inputs)], inner)
                if found is not None:
                    return found
    return None


def _with_lists(graph: Graph, keeping: dict[Callee, Callee]) -> Graph:
    """Return a copy whose recursive calls also return the saved list."""
    rewriting = Rewriting(graph, lambda inner: _with_lists(inner, keeping))
    for op in graph.operations:
        if op.definition.control is not Control.RECUR or op.attrs["callee"] not in keeping:
            rewriting.keep(op)
            continue
        attrs = {"callee": keeping[op.attrs["callee"]], "specs": (*op.attrs["specs"], _LIST)}
        new = rewriting.keep_with(op, rewriting.inputs(op), attrs)
        new.outputs = (*new.outputs, SymbolicTensor(new, len(new.outputs), _LIST, False))
    return rewriting.finish()


def _differentiated(forward: Graph, specs: Sequence[TensorSpec]) -> _Both:
    """Return the forward graph with the saved list as an output, and the backward graph."""
    inside = Graph(f"{forward.name}_backward", forward)
    outputs = list(filter(carries_gradient, forward.outputs))
    inputs = list(filter(carries_gradient, forward.inputs))
    with recording(inside):
        seeds = [inside.add_input(output.spec, "gradient") for output in outputs]
        found = walk_back(forward.operations, outputs, seeds, inputs)
        made = [None if each is None else dense(each) for each in found]
        full = [
            zero_gradient(tensor, spec) if each is None else each
            for each, tensor, spec in zip(made, inputs, specs, strict=True)
        ]
        inside.outputs = [inside.capture(gradient) for gradient in full]
    reads = list(inside.captures)
    with recording(forward):
        held = list_reserve(0)
        for read in reads:
            held = list_push(held, forward.capture(read))
        forward.outputs = [*forward.outputs, forward.capture(held)]
    return _Both(forward, _from_list(inside, reads, outputs))


def _from_list(inside: Graph, reads: Sequence[Tensor], outputs: Sequence[Tensor]) -> Graph:
    """Return the backward graph with its reads replaced by entries of the saved list."""
    graph = Graph(inside.name)
    with recording(graph):
        seeds = [graph.add_input(output.spec, "gradient") for output in outputs]
        held = graph.add_input(_LIST, "kept")
        values = [list_get(held, place, read.spec) for place, read in enumerate(reads)]
        results = record_call(inside, (*seeds, *values), graph)
        graph.outputs = [graph.capture(tensor) for tensor in results]
    return graph
