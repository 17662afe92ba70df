"""Extraction of the part of a graph that a run needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.graph import Graph
from runtime.core.operation import EffectOrder, Operation
from runtime.core.structural import PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.state.handles import VAR_HANDLE


class Part:
    """The part of a graph that a run needs.

    Attributes:
      graph: a graph with the fed tensors, `handles` and `captured` as inputs, and the fetched
        tensors and the outputs of fetched operations as outputs.
      handles: the variables of the graph that it uses.
      captured: the tensors from outside the graph that it uses.
    """

    def __init__(
        self, whole: Graph, fetches: Sequence[SymbolicTensor | Operation], feeds: Sequence[Any]
    ) -> None:
        """Copy the part from a graph, which does not change.

        Raises: InvalidArgumentError if a required placeholder is not fed.
        """
        self.graph = Graph("session")
        self.handles: list[Operation] = []
        self.captured: list[Any] = []
        self._order = EffectOrder()
        self._tensors: dict[int, SymbolicTensor] = {}
        self._operations: dict[int, Operation] = {}
        self._outside = {
            id(own): tensor
            for own, tensor in zip(
                whole.inputs[len(whole.arguments) :], whole.captures, strict=True
            )
        }
        for tensor in feeds:
            self._tensors[id(tensor)] = self.graph.add_input(tensor.spec, tensor.op.name)
        needed = _needed(fetches, set(self._tensors))
        chosen = [op for op in whole.operations if id(op) in needed]
        self._add_inputs(chosen)
        for op in chosen:
            if op.definition not in (PLACEHOLDER, VAR_HANDLE.definition):
                self._copy(op)
        self.graph.outputs = [self._tensors[id(tensor)] for tensor in _outputs(fetches)]

    def _add_inputs(self, chosen: Sequence[Operation]) -> None:
        self.handles = [op for op in chosen if op.definition is VAR_HANDLE.definition]
        given = [op for op in chosen if op.definition is PLACEHOLDER]
        for op in (*self.handles, *given):
            (output,) = op.outputs
            if op.definition is PLACEHOLDER:
                if id(output) not in self._outside:
                    raise _unfed(op)
                self.captured.append(self._outside[id(output)])
            self._tensors[id(output)] = self.graph.add_input(output.spec, op.name)

    def _copy(self, op: Operation) -> None:
        inputs = tuple(self._tensors[id(tensor)] for tensor in op.inputs)
        name = self.graph.unique_name(op.name)
        new = Operation(self.graph, name, op.definition, inputs, op.attrs, op.place)
        outputs = []
        for old in op.outputs:
            own = SymbolicTensor(new, old.value_index, old.spec, old.weak)
            self._tensors.setdefault(id(old), own)
            outputs.append(own)
        new.outputs = tuple(outputs)
        waits = [self._operations[id(o)] for o in op.control_inputs if id(o) in self._operations]
        new.control_inputs = list(dict.fromkeys((*self._order.before(new), *waits)))
        self._operations[id(op)] = new
        self.graph.operations.append(new)


def _needed(fetches: Sequence[SymbolicTensor | Operation], fed: set[int]) -> set[int]:
    waiting = [
        fetch if isinstance(fetch, Operation) else fetch.op
        for fetch in fetches
        if id(fetch) not in fed
    ]
    needed: set[int] = set()
    while waiting:
        op = waiting.pop()
        if id(op) not in needed:
            needed.add(id(op))
            waiting += [tensor.op for tensor in op.inputs if id(tensor) not in fed]
            waiting += op.control_inputs
    return needed


def _outputs(fetches: Sequence[SymbolicTensor | Operation]) -> list[SymbolicTensor]:
    """Return the fetched tensors, and the outputs of fetched operations, which must run."""
    tensors = [fetch for fetch in fetches if isinstance(fetch, SymbolicTensor)]
    boxed = (dtypes.resource, dtypes.variant)
    for fetch in fetches:
        if isinstance(fetch, Operation):
            tensors += [output for output in fetch.outputs if output.dtype not in boxed]
    return tensors


def _unfed(op: Operation) -> InvalidArgumentError:
    (tensor,) = op.outputs
    dims = tensor.spec.dims
    shown = "" if dims is None else f" and shape {_brackets(dims)}"
    place = f"\n  made at {op.place}" if op.place else ""
    return InvalidArgumentError.of(
        f"You must feed a value for placeholder tensor '{op.name}' with dtype "
        f"{_WORDS.get(tensor.dtype.name, tensor.dtype.name)}{shown}{place}\n"
        f"\t [[{{{{node {op.name}}}}}]]",
        op,
    )


_WORDS = {"float32": "float", "float64": "double", "float16": "half"}


def _brackets(dims: tuple[int | None, ...]) -> str:
    return f"[{','.join('?' if dim is None else str(dim) for dim in dims)}]"
