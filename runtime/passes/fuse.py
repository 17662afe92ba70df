"""Groups elementwise operations on large arrays, so that an engine can run them block by block.

Before:  a = x * y; b = a + 1; c = sin(b)       After:  c = PartitionedCall(x, y, f: all three)

A group is the call of a graph of its own, which every engine can run. Its operations give tensors
of one shape, that of the group. Two operations join one group only if no way leads from one to the
other through operations outside, since the group runs as a whole. Small tensors are left alone.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from runtime.core.graph import Graph, Operation, SymbolicTensor
from runtime.core.opdef import Ufunc
from runtime.core.shapes import Dims, element_count
from runtime.passes.rewriting import Rewriting

LARGE = 1 << 16
"""Tensors of so many elements are worth grouping; a core's cache does not hold several of them."""

_FEWEST = 2
_FEWEST_UNKNOWN = 4


def is_fusable(op: Operation) -> bool:
    """Whether an operation can be part of a group."""
    if not isinstance(op.definition.kernel, Ufunc) or len(op.outputs) != 1:
        return False
    specs = [tensor.spec for tensor in (*op.inputs, *op.outputs)]
    return bool(op.outputs[0].spec.dims) and all(
        spec.dims is not None and spec.dtype.kind in "biuf" for spec in specs
    )


def group_dims(graph: Graph) -> Dims:
    """The shape that all operations of a group have; None if the graph is no such group."""
    steps = [op for op in graph.operations if op.type not in ("Placeholder", "Const")]
    found = {op.outputs[0].spec.dims for op in steps if op.outputs}
    if len(found) != 1 or not all(map(is_fusable, steps)):
        return None
    return found.pop()


class _Group:
    """Operations that are to run together.

    Attributes:
      behind: the groups on which members depend through operations outside.
    """

    def __init__(self, op: Operation) -> None:
        self.members = [op]
        self.behind: set[int] = set()

    @property
    def dims(self) -> Dims:
        return self.members[0].outputs[0].spec.dims


class _Grouping:
    """Finds the groups of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.of: dict[int, _Group] = {}
        self._behind: dict[int, set[int]] = {}
        self._merged: dict[int, int] = {}
        self._by_id: dict[int, _Group] = {}
        for op in graph.operations:
            self._add(op)

    def _before(self, op: Operation) -> list[Operation]:
        return [*(tensor.op for tensor in op.inputs), *op.control_inputs]

    def _current(self, groups: Iterable[int]) -> set[int]:
        result = set()
        for group in groups:
            while group in self._merged:
                group = self._merged[group]
            result.add(group)
        return result

    def _closed(self, groups: Iterable[int]) -> set[int]:
        """These groups and all on which they depend."""
        found: set[int] = set()
        left = list(self._current(groups))
        while left:
            group = left.pop()
            if group not in found:
                found.add(group)
                left += self._current(self._by_id[group].behind)
        return found

    def _add(self, op: Operation) -> None:
        before = self._before(op)
        through = self._closed(set().union(*(self._behind[id(other)] for other in before)))
        groups = {id(group): group for other in before if (group := self.of.get(id(other)))}
        if not _is_candidate(op) or op.control_inputs:
            self._behind[id(op)] = through | set(groups)
            return
        own: _Group | None = None
        for group in groups.values():
            joins = group.dims == op.outputs[0].spec.dims and id(group) not in through
            if joins and own is None:
                own = group
            elif joins and own is not None and self._may_merge(own, group):
                self._merge(own, group)
            else:
                through |= self._closed([id(group)])
        if own is not None and id(own) in through:
            own = None  # what it reads of the group comes from outside then
            through |= self._closed(groups)
        if own is None:
            own = _Group(op)
            self._by_id[id(own)] = own
        else:
            own.members.append(op)
        self.of[id(op)] = own
        own.behind |= through
        self._behind[id(op)] = through

    def _may_merge(self, a: _Group, b: _Group) -> bool:
        return id(a) not in self._closed(b.behind) and id(b) not in self._closed(a.behind)

    def _merge(self, into: _Group, group: _Group) -> None:
        into.members += group.members
        into.behind |= group.behind
        for member in group.members:
            self.of[id(member)] = into
        self._merged[id(group)] = id(into)


def _is_candidate(op: Operation) -> bool:
    if not is_fusable(op):
        return False
    count = element_count(op.outputs[0].spec.dims)
    return count is None or count >= LARGE


def fuse(graph: Graph) -> Graph:
    """The graph, and those it carries, with calls of groups."""
    found = _Grouping(graph)
    groups = {id(group): group for group in found.of.values() if _is_worth_it(group)}
    if not groups:
        return _copied(graph)
    return _Fusion(graph, groups).run()


def _copied(graph: Graph) -> Graph:
    rewriting = Rewriting(graph, fuse)
    for op in graph.operations:
        rewriting.keep(op)
    return rewriting.finish()


def _is_worth_it(group: _Group) -> bool:
    fewest = _FEWEST_UNKNOWN if element_count(group.dims) is None else _FEWEST
    return len(group.members) >= fewest


class _Fusion:
    """Builds the graph in which each group is one call.

    The operations are put in order anew: a call stands where its last member stood, or earlier
    where something needs it; effects keep their order, since they wait for each other.
    """

    def __init__(self, graph: Graph, groups: dict[int, _Group]) -> None:
        self.graph = graph
        self.units: list[list[Operation]] = []
        self.unit_of: dict[int, int] = {}
        member = {id(op): key for key, group in groups.items() for op in group.members}
        places: dict[int, int] = {}
        for op in graph.operations:
            key = member.get(id(op))
            if key is None or key not in places:
                if key is not None:
                    places[key] = len(self.units)
                self.unit_of[id(op)] = len(self.units)
                self.units.append([op])
            else:
                self.unit_of[id(op)] = places[key]
                self.units[places[key]].append(op)

    def run(self) -> Graph:
        rewriting = Rewriting(self.graph, fuse)
        for unit in self._ordered():
            members = self.units[unit]
            if len(members) == 1:
                rewriting.keep(members[0])
            else:
                self._call(rewriting, members)
        return rewriting.finish()

    def _ordered(self) -> list[int]:
        place = {id(op): i for i, op in enumerate(self.graph.operations)}
        last = [place[id(members[-1])] for members in self.units]
        waiting = [0] * len(self.units)
        readers: list[set[int]] = [set() for _ in self.units]
        for unit, members in enumerate(self.units):
            before = self._before(members) - {unit}
            waiting[unit] = len(before)
            for other in before:
                readers[other].add(unit)
        ready = [(last[unit], unit) for unit, count in enumerate(waiting) if not count]
        heapq.heapify(ready)
        order = []
        while ready:
            _, unit = heapq.heappop(ready)
            order.append(unit)
            for reader in readers[unit]:
                waiting[reader] -= 1
                if not waiting[reader]:
                    heapq.heappush(ready, (last[reader], reader))
        assert len(order) == len(self.units), "groups depend on each other"
        return order

    def _before(self, members: list[Operation]) -> set[int]:
        inputs = (self.unit_of[id(tensor.op)] for op in members for tensor in op.inputs)
        waits = (self.unit_of[id(other)] for op in members for other in op.control_inputs)
        return {*inputs, *waits}

    def _call(self, rewriting: Rewriting, members: list[Operation]) -> None:
        inside = set(map(id, members))
        inputs = {id(t): t for op in members for t in op.inputs if id(t.op) not in inside}
        given = [tensor for tensor in inputs.values() if not _is_number(tensor)]
        read = {id(t) for op in self.graph.operations if id(op) not in inside for t in op.inputs}
        read.update(map(id, self.graph.outputs))
        outputs = [t for op in members for t in op.outputs if id(t) in read]
        part = Graph(f"fused_{members[-1].name}".replace("/", "_"))
        part.inputs, part.outputs = given, outputs
        graph = _group_graph(part, inputs.values(), members)
        arguments = [rewriting.of(tensor) for tensor in given]
        call = rewriting.add("PartitionedCall", arguments, {"f": graph}, members[-1])
        for op in members:
            rewriting.drop(op)
        for old, new in zip(outputs, call.outputs, strict=True):
            rewriting.replace_tensor(old, new)


def _is_number(tensor: SymbolicTensor) -> bool:
    """Whether it is a constant that a group can have for itself."""
    return tensor.op.type == "Const" and tensor.spec.dims == ()


def _group_graph(part: Graph, inputs: Iterable[SymbolicTensor], members: list[Operation]) -> Graph:
    """A graph of its own for a group, with arguments for what it reads."""
    rewriting = Rewriting(part)
    for tensor in inputs:
        if _is_number(tensor):
            rewriting.keep(tensor.op)
        else:
            rewriting.replace_tensor(tensor, rewriting.argument(tensor))
    for op in members:
        rewriting.keep(op)
    return rewriting.finish()
