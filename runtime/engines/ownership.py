"""Ownership: which results of a loop's body take over the memory of an array or list that the loop
carries.

Before:  while ...: y = x.copy(); y[i] = v; x = y       After:  x = x.copy(); while ...: x[i] = v
Before:  while ...: y = [*x, v]; x = y                  After:  x = list(x); while ...: x.append(v)

The loop copies the array once, so the updates are not visible elsewhere. An update may be in a
branch or in an inner loop. It is in place if nothing reads the array, or a view of it, after it,
and if what reads the array before copies what it reads.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.opdef import Control, Emit, Storage
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.spec import TensorSpec
from runtime.core.structural import PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.liveness import makes_new

UPDATES = (Emit.ASSIGN, Emit.ADD)
"""Computations that change a slice of their first input; each is the operator that does it."""

LIST_UPDATES = (Emit.PUSHED, Emit.SET_ENTRY, Emit.INSERTED, Emit.RESIZED, Emit.REMOVED)
"""Computations of a list from their first input."""

LIST_READS = (Emit.ENTRY, Emit.LENGTH, Emit.STACK)
"""Computations for which the plan needs no `ListValue`."""

_BRANCHES = (Control.IF, Control.CASE)


def taken_over(loop: Operation, place: int) -> Mapping[int, SymbolicTensor]:
    """Return the tensors of a body that take over the memory of others, up to a carried array.

    Args:
      loop: the loop.
      place: index of the array among the carried tensors.

    Returns: For the id of each such tensor of the body, and of graphs in it, the tensor before it;
      empty if the loop cannot update the array in place.
    """
    start = loop.inputs[place]
    if not start.spec.dims or start.spec.dtype.kind not in "biufc":
        return {}
    owners = _Owners(loop, UPDATES, _is_new)
    return owners.before if owners.of_round(loop, place) else {}


class OwnedList(NamedTuple):
    """A list that a loop updates in place.

    Attributes:
      before: for the id of each tensor that is the list, the tensor that it was before.
      entry: the spec of the entries, of static shape.
    """

    before: Mapping[int, SymbolicTensor]
    entry: TensorSpec


def owned_list(loop: Operation, place: int) -> OwnedList | None:
    """Return how a loop updates a carried list in place; None if it cannot.

    The list begins in the graph of the loop, which copies it: a loop in another one would copy it
    in each round of that.
    """
    start = loop.inputs[place]
    if start.spec.dtype is not dtypes.variant or not _begins_here(start):
        return None
    reads: list[Operation] = []

    def is_read(op: Operation) -> bool:
        reads.append(op)
        return op.definition.emit in LIST_READS

    owners = _Owners(loop, LIST_UPDATES, is_read)
    if not owners.of_round(loop, place):
        return None
    removes = (Emit.RESIZED, Emit.REMOVED)
    writes = [op for op in owners.updates if op.definition.emit not in removes]
    specs = {op.inputs[-1].spec for op in writes}
    others = (op for op in (*reads, *owners.updates) if "element" in op.attrs)
    specs.update(op.attrs["element"] for op in others)
    entry = specs.pop() if len(specs) == 1 else None
    if entry is None or element_count(entry.dims) is None or entry.dtype.kind == "O":
        return None
    return OwnedList(owners.before, entry)


def is_read_as_list(tensor: SymbolicTensor) -> bool:
    """Return whether no operation of a loop or branch after it needs a list as a `ListValue`."""
    readers = tensor.consumers()
    return all(_only_reads(inner) for op in readers for inner in _inside(op, tensor))


def _only_reads(tensor: SymbolicTensor) -> bool:
    if any(tensor is output for output in tensor.graph.outputs):
        return False
    for op in tensor.consumers():
        inside = list(_inside(op, tensor))
        if op.definition.emit not in LIST_READS and not inside:
            return False
        if not all(map(_only_reads, inside)):
            return False
    return True


def _begins_here(
    tensor: SymbolicTensor, outside: Mapping[int, SymbolicTensor] = MappingProxyType({})
) -> bool:
    """Return whether the graph of a list makes it, from no list of another graph.

    `outside` has, by the id of an input of a branch, the operand.
    """
    op = tensor.op
    if op.definition.emit in (Emit.NEW_LIST, Emit.LIST_OF_ROWS):
        return True
    if op.definition is PLACEHOLDER:
        return id(tensor) in outside and _begins_here(outside[id(tensor)], outside)
    if op.definition.control is Control.WHILE:
        return _begins_here(op.inputs[tensor.value_index], outside)
    if op.definition.control in _BRANCHES:
        pairs = [zip(graph.inputs, op.inputs[1:], strict=True) for graph in op.subgraphs()]
        known = {**outside, **{id(inner): outer for each in pairs for inner, outer in each}}
        ends = [graph.outputs[tensor.value_index] for graph in op.subgraphs()]
        return all(_begins_here(end, known) for end in ends)
    return op.definition.emit in LIST_UPDATES and _begins_here(op.inputs[0], outside)


class _Readers:
    """The readers of the tensors of a graph, and the order of its operations."""

    def __init__(self, graph: Graph) -> None:
        self.kept = list(map(id, graph.outputs))
        self.order = {id(op): number for number, op in enumerate(graph.operations)}
        self._readers: dict[int, list[Operation]] = {}
        for op in graph.operations:
            for key in dict.fromkeys(map(id, op.inputs)):
                self._readers.setdefault(key, []).append(op)

    def of(self, tensor: SymbolicTensor) -> list[Operation]:
        """Return the operations that read a tensor, each once."""
        return self._readers.get(id(tensor), [])


class _Owners:
    """Follows results backward to the arrays whose memory they take over.

    Attributes:
      before: the tensor before each, by the id of the one that takes over its memory.
      updates: the operations that change it.
    """

    def __init__(
        self,
        loop: Operation,
        kinds: Sequence[Emit],
        is_copy: Callable[[Operation], bool],
    ) -> None:
        """Follow updates of these kinds; `is_copy` tells whether a reader shares no memory."""
        self.before: dict[int, SymbolicTensor] = {}
        self.updates: list[Operation] = []
        self._kinds = kinds
        self._is_copy = is_copy
        self._known: dict[int, _Readers] = {}
        self._loop = loop

    @functools.cached_property
    def _uses(self) -> Counter[int]:
        """How many operations in the loop run each graph, by its id: an inlined function may be
        shared by an operation that must copy.
        """
        return Counter(map(id, _graphs_inside(self._loop)))

    def of_round(self, loop: Operation, place: int) -> bool:
        """Return whether a round of a loop only changes parts of a carried array."""
        test, body = loop.attrs["cond"], loop.attrs["body"]
        start = self._origin(body, body.outputs[place])
        return start is body.inputs[place] and self._is_only_copied(test.inputs[place])

    def _origin(self, graph: Graph, end: SymbolicTensor) -> SymbolicTensor | None:
        """Return the input of a graph whose memory one of its outputs takes over, or None."""
        if self._readers(graph).kept.count(id(end)) != 1 or not self._is_read_by_copies(end):
            return None
        while end.op.definition is not PLACEHOLDER:
            source = self._source(end)
            if source is None or not self._dies_at(source, end.op):
                return None
            self.before[id(end)] = source
            end = source
        return end

    def _source(self, tensor: SymbolicTensor) -> SymbolicTensor | None:
        """Return the input of an operation of which `tensor`, its output, is a changed copy."""
        op = tensor.op
        if any(self._uses[id(graph)] > 1 for graph in op.subgraphs()):
            return None
        source: SymbolicTensor | None
        if op.definition.emit in self._kinds:
            source = op.inputs[0]
            self.updates.append(op)
        elif op.definition.control in _BRANCHES:
            source = self._source_of_choice(op, _position(tensor, op.outputs))
        elif op.definition.control is Control.WHILE:
            place = _position(tensor, op.outputs)
            if not self.of_round(op, place):
                return None
            source = op.inputs[place]
        else:
            return None
        return source if sum(source is other for other in op.inputs) == 1 else None

    def _source_of_choice(self, op: Operation, place: int) -> SymbolicTensor | None:
        """Return the operand that each branch changes, or gives as it is."""
        origins = [self._origin(graph, graph.outputs[place]) for graph in op.subgraphs()]
        sources = [op.inputs[1 + _position(t, t.graph.inputs)] for t in origins if t is not None]
        agree = len(sources) == len(origins) and all(each is sources[0] for each in sources)
        return sources[0] if agree else None

    def _dies_at(self, tensor: SymbolicTensor, last: Operation) -> bool:
        """Return whether an operation is the last that reads an array, or memory shared with it."""
        readers = self._readers(tensor.graph)
        others = [reader for reader in readers.of(tensor) if reader is not last]
        return id(tensor) not in readers.kept and all(
            self._ends_before(reader, tensor, last) for reader in others
        )

    def _ends_before(self, reader: Operation, tensor: SymbolicTensor, last: Operation) -> bool:
        """Return whether a reader, and those of its views, come before an operation."""
        readers = self._readers(tensor.graph)
        if readers.order[id(reader)] >= readers.order[id(last)]:
            return False
        return self._copies(reader, tensor) and all(
            self._ends_before(other, view, last)
            for view in _views(reader)
            for other in readers.of(view)
        )

    def _is_read_by_copies(self, tensor: SymbolicTensor) -> bool:
        return all(self._copies(op, tensor) for op in self._readers(tensor.graph).of(tensor))

    def _is_only_copied(self, tensor: SymbolicTensor) -> bool:
        """Return whether no result of the graph shares memory with a tensor."""
        return id(tensor) not in self._readers(tensor.graph).kept and self._is_read_by_copies(
            tensor
        )

    def _copies(self, reader: Operation, tensor: SymbolicTensor) -> bool:
        """Return whether no result of the graph shares memory with what an operation reads."""
        if reader.subgraphs() and reader.definition.control is not Control.CALL:
            inside = list(_inside(reader, tensor))
            return bool(inside) and all(map(self._is_only_copied, inside))
        views = _views(reader)
        return all(map(self._is_only_copied, views)) and (bool(views) or self._is_copy(reader))

    def _readers(self, graph: Graph) -> _Readers:
        if id(graph) not in self._known:
            self._known[id(graph)] = _Readers(graph)
        return self._known[id(graph)]


def _graphs_inside(op: Operation) -> Iterator[Graph]:
    for graph in op.subgraphs():
        yield graph
        for inner in graph.operations:
            yield from _graphs_inside(inner)


def _position(tensor: SymbolicTensor, among: Sequence[SymbolicTensor]) -> int:
    return next(i for i, other in enumerate(among) if other is tensor)


def _inside(op: Operation, tensor: SymbolicTensor) -> Iterator[SymbolicTensor]:
    """Yield the inputs of graphs that an operand of a choice, or one that a loop does not carry,
    is; none for an operand that a loop carries.
    """
    is_choice = op.definition.control in _BRANCHES
    if not is_choice and op.definition.control is not Control.WHILE:
        return
    operands = list(op.inputs[1:] if is_choice else op.inputs)
    places = [i for i, operand in enumerate(operands) if operand is tensor]
    if is_choice or min(places) >= op.attrs["count"]:
        yield from (graph.inputs[i] for graph in op.subgraphs() for i in places)


def _views(reader: Operation) -> tuple[SymbolicTensor, ...]:
    """Return the outputs that may be views of an input."""
    is_view = reader.definition.storage is Storage.VIEW
    return reader.outputs if is_view and not _is_element(reader) else ()


def _is_new(reader: Operation) -> bool:
    """Return whether an operation that does not take over memory shares none."""
    return _is_element(reader) or reader.definition.emit in UPDATES or makes_new(reader)


def _is_element(op: Operation) -> bool:
    """Return whether a view is a NumPy scalar: `x[i]` is, and `x[i, ...]` is an array."""
    is_view = op.definition.storage is Storage.VIEW
    return is_view and op.outputs[0].spec.dims == () and not op.attrs.get("ellipsis_mask")
