"""Copy a graph operation by operation, replacing some of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from autograph.syntax.stack import any_depth
from runtime.core.dispatch import infer
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, OpDef, lookup
from runtime.core.operation import Operation
from runtime.core.spec import spec_of_array
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor

Pass = Callable[[Graph], Graph]


def unchanged(graph: Graph) -> Graph:
    """Return the graph itself."""
    return graph


@any_depth
def holds(graph: Graph, wanted: Callable[[Operation], bool]) -> bool:
    """Return whether the graph or a subgraph has an operation for which `wanted` is true."""
    return any(
        wanted(op) or any(holds(part, wanted) for part in op.subgraphs()) for op in graph.operations
    )


def is_flat(graph: Graph) -> bool:
    """Return whether no operation carries a graph."""
    return not any(op.subgraphs() for op in graph.operations)


class Rewriting:
    """A partial copy of a graph; a pass processes every operation, in order.

    Attributes:
      graph: the original; not modified.
      copy: the copy so far.
    """

    def __init__(self, graph: Graph, carried: Pass = unchanged) -> None:
        """Start with a copy of the inputs; `carried` is applied to each subgraph."""
        self.graph = graph
        self.copy = Graph(graph.name, graph.outer)
        self.copy.seed = graph.seed
        self._carried = any_depth(carried)
        self._tensors: dict[int, SymbolicTensor] = {}
        self._stands_for: dict[int, tuple[Operation, ...]] = {}

    def of(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """Map a tensor to its counterpart in the copy."""
        return self._tensors[id(tensor)]

    def inputs(self, op: Operation) -> tuple[SymbolicTensor, ...]:
        """Return the counterparts of the inputs of an operation."""
        return tuple(map(self.of, op.inputs))

    def keep(self, op: Operation, attrs: Mapping[str, Any] | None = None) -> Operation:
        """Copy an operation, optionally with other attributes."""
        if attrs is None:
            attrs = op.attrs
            if op.subgraphs():
                attrs = {
                    name: self._carried(value) if isinstance(value, Graph) else value
                    for name, value in attrs.items()
                }
        return self.keep_with(op, self.inputs(op), attrs)

    def keep_with(
        self,
        op: Operation,
        inputs: Sequence[SymbolicTensor],
        attrs: Mapping[str, Any],
        outputs: Sequence[SymbolicTensor] | None = None,
    ) -> Operation:
        """Copy an operation with other inputs and attributes, and with some of its outputs."""
        waits = self._waits(op)
        new = self._append(op, op.name, op.definition, tuple(inputs), attrs, waits)
        copies = []
        for index, old in enumerate(op.outputs if outputs is None else outputs):
            copy = self._tensors[id(old)] = SymbolicTensor(new, index, old.spec, old.weak)
            copies.append(copy)
        new.outputs = tuple(copies)
        self._stands_for[id(op)] = (new,)
        return new

    def drop(self, op: Operation) -> None:
        """Drop an operation; its dependents wait for its control dependencies."""
        self._stands_for[id(op)] = self._waits(op)

    def leave_out(self, op: Operation) -> None:
        """Leave an operation out of a copy of others, which need not wait for it."""
        self._stands_for[id(op)] = ()

    def replace(self, op: Operation, tensors: Iterable[SymbolicTensor]) -> None:
        """Drop an operation and replace its outputs by tensors of the copy."""
        self.drop(op)
        self._map(op, tensors)

    def replace_tensor(self, old: SymbolicTensor, new: SymbolicTensor) -> None:
        """Set the counterpart of a tensor."""
        self._tensors[id(old)] = new

    def argument(self, like: SymbolicTensor) -> SymbolicTensor:
        """Add an input with the spec of a tensor; `finish` orders the inputs as in the original."""
        return self.add("Placeholder", (), {"spec": like.spec}, like.op).outputs[0]

    def _map(self, op: Operation, tensors: Iterable[SymbolicTensor]) -> None:
        for old, new in zip(op.outputs, tensors, strict=True):
            self._tensors[id(old)] = new

    def _waits(self, op: Operation) -> tuple[Operation, ...]:
        if not op.control_inputs:
            return ()
        waits = (new for old in op.control_inputs for new in self._stands_for[id(old)])
        return tuple(dict.fromkeys(waits))

    def add(
        self,
        type_name: str,
        inputs: Sequence[SymbolicTensor],
        attrs: Mapping[str, Any],
        like: Operation,
        name: str | None = None,
    ) -> Operation:
        """Add an operation that the original does not have; inputs are tensors of the copy.

        It takes source line and, unless it has another one, the name of `like`.
        """
        definition = lookup(type_name)
        own = tuple(inputs)
        new = self._append(like, name or like.name, definition, own, attrs, ())
        specs = infer(definition, own, attrs)
        new.outputs = tuple(
            SymbolicTensor(new, index, spec, False) for index, spec in enumerate(specs)
        )
        return new

    def constant(self, array: object, like: Operation, name: str | None = None) -> SymbolicTensor:
        """Add a constant; see `add`."""
        new = self._append(like, name or like.name, CONST, (), {"value": array}, ())
        new.outputs = (SymbolicTensor(new, 0, spec_of_array(array), False),)
        return new.outputs[0]

    def _append(
        self,
        like: Operation,
        name: str,
        definition: OpDef,
        inputs: tuple[SymbolicTensor, ...],
        attrs: Mapping[str, Any],
        waits: tuple[Operation, ...],
    ) -> Operation:
        copy = self.copy
        new = Operation(copy, copy.unique_name(name), definition, inputs, attrs, like.place)
        new.control_inputs = list(waits)
        new.device = like.device
        new.strict = like.strict
        copy.operations.append(new)
        return new

    def inline(self, op: Operation, graph: Graph, inputs: Sequence[SymbolicTensor]) -> None:
        """Replace an operation by those of one of its subgraphs; inputs are tensors of the copy."""
        outside = self._waits(op)
        for old, new in zip(graph.inputs, inputs, strict=True):
            self._tensors[id(old)] = new
        effects = []
        for inner in graph.operations:
            if inner.definition is PLACEHOLDER:
                self._stands_for[id(inner)] = ()
                continue
            new_op = self.keep(inner)
            if inner.effect is not Effect.NONE:
                new_op.control_inputs = list(dict.fromkeys((*outside, *new_op.control_inputs)))
                effects.append(new_op)
        self._map(op, [self.of(tensor) for tensor in graph.outputs])
        self._stands_for[id(op)] = tuple(effects) or outside

    def add_captures(self, outside: Iterable[SymbolicTensor]) -> list[SymbolicTensor]:
        """Add inputs for tensors of the graph around the copy."""
        return [self.copy.add_capture(tensor) for tensor in outside]

    def result(self) -> Graph:
        """Return the copy, or the graph itself if the copy is equal to it.

        Most passes change few graphs. A copy that nobody needs ends here, and not with the next
        collection of cycles, which would take a fifth of the time of all passes.
        """
        if not self._is_unchanged():
            return self.finish()
        for op in self.copy.operations:
            op.outputs = ()
        self.copy.operations.clear()
        return self.graph

    def _is_unchanged(self) -> bool:
        old, new = self.graph.operations, self.copy.operations
        return len(old) == len(new) and all(map(self._is_same, old, new))

    def _is_same(self, old: Operation, new: Operation) -> bool:
        return (
            old.definition is new.definition
            and _are_identical(old.attrs.values(), new.attrs.values())
            and _are_identical(self.inputs(old), new.inputs)
            and _are_identical(tuple(map(self.of, old.outputs)), new.outputs)
            and _are_identical(self._waits(old), new.control_inputs)
        )

    def finish(self) -> Graph:
        """Return the copy, after every operation was processed."""
        copy, added = self.copy, list(self.copy.inputs)
        captured = list(copy.captures)
        copy.inputs = [*map(self.of, self.graph.inputs), *added]
        copy.outputs = [self.of(tensor) for tensor in self.graph.outputs]
        copy.captures = [*self.graph.captures, *captured]
        return copy


def _are_identical(first: Collection[object], second: Collection[object]) -> bool:
    return len(first) == len(second) and all(map(operator.is_, first, second))


def rewritten(
    graph: Graph, step: Callable[[Rewriting, Operation], bool], carried: Pass = unchanged
) -> Graph:
    """Return a graph in which `step` has replaced some operations; itself if it replaced none.

    `step` returns False to keep an operation; it is not called for arguments and constants.
    `carried` is applied to each subgraph.
    """
    rewriting = Rewriting(graph, carried)
    for op in graph.operations:
        if op.definition in (PLACEHOLDER, CONST) or not step(rewriting, op):
            rewriting.keep(op)
    return rewriting.result()


def fits(old: SymbolicTensor, new: SymbolicTensor) -> bool:
    """Return whether the spec of the new tensor is at least as specific as that of the old one."""
    return old.spec.includes(new.spec)


def rebuild(graph: Graph, keep: Callable[[Operation], bool] = lambda op: True) -> Graph:
    """Return a copy of the operations of a graph that `keep` selects, with the same subgraphs.

    Arguments are always copied. A control dependency on a dropped operation becomes one on the
    dependencies of that operation.
    """
    rewriting = Rewriting(graph)
    for op in graph.operations:
        if op.definition is PLACEHOLDER or keep(op):
            rewriting.keep(op)
        else:
            rewriting.drop(op)
    return rewriting.finish()
