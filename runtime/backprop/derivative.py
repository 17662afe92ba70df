"""Derivatives of a graph, and calls of graphs: their gradients are calls of graphs too.

The derivative of a graph is a backward graph, and the forward tensors that it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from runtime.backprop.walk import Gradient, Step, carries_gradient, dense, walk_back
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.core.opdef import MIXED, Control, Effect, OpDef, register
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.static import packed
from runtime.core.structural import CONST, CONSTANT_LIMIT
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.items.indexed_slices import IndexedSlices
from runtime.passes.rewriting import rebuild

Flags = tuple[bool, ...]


@dataclass(frozen=True)
class Derivative:
    """A graph and its backward graph.

    Attributes:
      forward: a copy of the graph; its last outputs are the inner tensors that `backward` reads.
      backward: takes the received gradients and `reads`; returns the computed gradients.
      reads: tensors of `forward`, or eager tensors.
      made: for each input of the graph, whether it has a gradient.
      rows: for each of these gradients, whether it is an IndexedSlices: three outputs of
        `backward`.
    """

    forward: Graph
    backward: Graph
    reads: tuple[Tensor, ...]
    made: Flags
    rows: Flags

    @cached_property
    def sources(self) -> tuple[tuple[int, ...], tuple[Tensor, ...]]:
        """The sources of `reads`.

        Returns:
          (positions, others): the index of each read among the inputs of `forward`, its outputs,
            and `others`, which are eager tensors.
        """
        held = (*self.forward.inputs, *self.forward.outputs)
        known = {id(tensor): position for position, tensor in enumerate(held)}
        others = tuple(read for read in self.reads if id(read) not in known)
        known.update((id(tensor), len(held) + i) for i, tensor in enumerate(others))
        return tuple(known[id(read)] for read in self.reads), others

    def gradients(self) -> list[tuple[int, SymbolicTensor]]:
        """Return each computed gradient with the index of its input."""
        positions = (position for position, flag in enumerate(self.made) if flag)
        return list(zip(positions, self.backward.outputs, strict=True))

    def of_inputs(self, outputs: Iterable[Tensor]) -> list[Gradient | None]:
        """Return the gradient of each input, given the outputs of `backward`."""
        parts, rows = iter(outputs), iter(self.rows)
        return [_next_gradient(parts, next(rows)) if flag else None for flag in self.made]


def _next_gradient(parts: Iterator[Tensor], are_rows: bool) -> Gradient:
    first = next(parts)
    return IndexedSlices(first, next(parts), next(parts)) if are_rows else first


def derivative(
    graph: Graph, received: Sequence[bool], wanted: Sequence[bool], rows: bool = False
) -> Derivative:
    """Return the derivative of a graph, from a cache on the graph.

    Args:
      graph: the graph, which does not change.
      received: for each output, whether its gradient is given.
      wanted: for each input, whether its gradient is requested.
      rows: whether sparse gradients stay IndexedSlices.
    """
    key = tuple(received), tuple(wanted), rows
    found = graph.derivatives.get(key)
    if found is None:
        found = graph.derivatives.setdefault(key, _derived(graph, *key))
    return found  # type: ignore[no-any-return]


def _derived(graph: Graph, received: Flags, wanted: Flags, rows: bool) -> Derivative:
    forward = rebuild(graph)
    backward = _Backward(f"{graph.name}_backward", forward)
    outputs = _chosen(forward.outputs, received)
    inputs = _chosen(forward.inputs, wanted)
    with recording(backward):
        seeds = [backward.add_input(output.spec, "gradient") for output in outputs]
        found = walk_back(forward.operations, outputs, seeds, inputs)
        known = [each for each in found if each is not None]
        kept = tuple(rows and _are_rows(each) for each in known)
        parts = [
            _parts(each) if flag else [dense(each)] for each, flag in zip(known, kept, strict=True)
        ]
        backward.outputs = [backward.capture(part) for each in parts for part in each]
    reads = tuple(backward.captures)
    given = {id(tensor) for tensor in (*forward.inputs, *forward.outputs)}
    inside = (read for read in reads if isinstance(read, SymbolicTensor))
    forward.outputs = [*forward.outputs, *(read for read in inside if id(read) not in given)]
    flags = iter(gradient is not None for gradient in found)
    made = tuple(flag and next(flags) for flag in wanted)
    return Derivative(forward, backward, reads, made, kept)


def _are_rows(gradient: Gradient) -> bool:
    return isinstance(gradient, IndexedSlices) and gradient.dense_shape is not None


def _parts(rows: Any) -> list[Tensor]:
    return [convert_to_tensor(part) for part in (rows.values, rows.indices, rows.dense_shape)]


def _chosen(tensors: Sequence[SymbolicTensor], flags: Flags) -> list[SymbolicTensor]:
    return [tensor for tensor, flag in zip(tensors, flags, strict=True) if flag]


class _Backward(Graph):
    """A backward graph.

    It copies small constants of the forward graph and packs indices again: otherwise a loop would
    save a vector for each iteration.
    """

    def capture(self, tensor: Tensor) -> SymbolicTensor:
        """Return the tensor of this graph that represents `tensor`."""
        if isinstance(tensor, SymbolicTensor) and tensor.op.graph is self.outer:
            own = None if id(tensor) in self._captured else self._anew(tensor)
            if own is not None:
                self._captured[id(tensor)] = (tensor, own)
                return own
        return super().capture(tensor)

    def _anew(self, tensor: SymbolicTensor) -> SymbolicTensor | None:
        if _is_small_constant(tensor):
            return self.constant(tensor.op.attrs["value"], tensor.spec)
        if _is_index(tensor):
            parts = [self.capture(part) for part in tensor.op.inputs]
            (again,) = self.record(tensor.op.definition, parts, tensor.op.attrs)
            return self.capture(again)
        return None


def _is_index(tensor: SymbolicTensor) -> bool:
    count = element_count(tensor.spec.dims)
    whole = tensor.spec.dtype.is_integer and packed(tensor) is not None
    return whole and count == len(tensor.op.inputs)


def _is_small_constant(tensor: SymbolicTensor) -> bool:
    count = element_count(tensor.spec.dims)
    return tensor.op.definition is CONST and count is not None and count <= CONSTANT_LIMIT


def flags_of(tensors: Sequence[Tensor | None]) -> Flags:
    """Return for each gradient whether there is one."""
    return tuple(tensor is not None for tensor in tensors)


def floating(tensors: Sequence[Tensor]) -> Flags:
    """Return for each tensor whether a gradient can flow through it."""
    return tuple(map(carries_gradient, tensors))


def saved(found: Derivative, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> list[Tensor]:
    """Return the inputs of a backward graph, given the inputs and outputs of the forward graph."""
    positions, others = found.sources
    held = (*inputs, *outputs, *others)
    return [held[position] for position in positions]


def call_type(graph: Graph) -> OpDef:
    """Return the op type of calls of a graph."""
    return CALL if graph.effect is Effect.NONE else STATEFUL_CALL


def record_call(graph: Graph, inputs: Sequence[Tensor], outer: Graph) -> tuple[Tensor, ...]:
    """Record a call of `graph` in `outer` and return its outputs."""
    return outer.record(call_type(graph), inputs, {"f": graph})


def _backward(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> list[Gradient | None]:
    """Return the gradients of a recorded call: a call of its backward graph."""
    assert isinstance(step, Operation)
    found = derivative(step.attrs["f"], flags_of(gradients), wanted, True)
    _have_forward_called(step, found)
    given = [gradient for gradient in gradients if gradient is not None]
    reads = saved(found, step.inputs, step.outputs[: len(found.forward.outputs)])
    return found.of_inputs(record_call(found.backward, (*given, *reads), STATE.graph))


def _have_forward_called(op: Operation, found: Derivative) -> None:
    """Make a recorded call refer to the extended forward graph."""
    known = len(op.outputs)
    op.attrs["f"] = found.forward
    add_outputs(op, found.forward.outputs[known:])


def add_outputs(op: Operation, like: Sequence[SymbolicTensor]) -> tuple[SymbolicTensor, ...]:
    """Append outputs with the specs of these tensors to an operation."""
    first = len(op.outputs)
    added = tuple(
        SymbolicTensor(op, index, tensor.spec, False) for index, tensor in enumerate(like, first)
    )
    op.outputs = (*op.outputs, *added)
    return added


def _define(name: str) -> OpDef:
    return register(
        OpDef(
            name,
            {"*args": MIXED},
            lambda *args, f: tuple(tensor.spec for tensor in f.outputs),
            lambda xp, *args, f: f(*args),
            outputs=None,
            backward=_backward,
            control=Control.CALL,
        )
    )


CALL = _define("PartitionedCall")
STATEFUL_CALL = _define("StatefulPartitionedCall")
