"""Group elementwise operations on large arrays, so that an engine can run them in cache blocks.

Before:  a = x * y; b = a + 1; c = sin(b)       After:  c = PartitionedCall(x, y, f: all three)

A group becomes a call of a graph of its own, which every engine can run. All outputs of its
operations have one shape. Two operations join a group only if no path leads from one to the other
through operations outside, since the group runs as a whole. Small tensors are not grouped.

>>> import runtime as tf
>>> f = tf.function(lambda x, y: tf.sin(x * y + 1.0), autograph=False)
>>> graph = f.get_concrete_function(*[tf.TensorSpec([LARGE], tf.float32)] * 2).graph
>>> print(fuse(graph))
graph <lambda>(x: float32[65536], y: float32[65536]) -> float32[65536]
  add/y = Const value=1.0 : float32[]
  Sin = PartitionedCall x y : float32[65536]
      f = graph fused_Sin(x: float32[65536], y: float32[65536]) -> float32[65536]
        add/y = Const value=1.0 : float32[]
        mul = Mul x y : float32[65536]
        add = AddV2 mul add/y : float32[65536]
        Sin = Sin add : float32[65536]
        return Sin
  Identity = Identity Sin : float32[65536]
  return Identity
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.shapes import Dims, element_count
from runtime.core.structural import CONST
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.groups import is_fusable
from runtime.passes.rewriting import Rewriting, is_flat

LARGE = 1 << 16
"""Fewest elements of tensors worth grouping: the cache of a core does not hold several of them."""

_FEWEST = 2
_FEWEST_UNKNOWN = 4


class _Grouping:
    """The groups of a graph.

    Each operation has a depth, which grows by one where a path leaves a group. A group has one
    depth, so no path that leaves it returns.
    """

    def __init__(self, graph: Graph) -> None:
        self._depth: dict[int, int] = {}
        self._of: dict[int, list[Operation]] = {}
        for op in graph.operations:
            self._add(op)

    def groups(self) -> list[list[Operation]]:
        """Return the groups, each with its operations in order."""
        distinct = {id(members): members for members in self._of.values()}
        return list(distinct.values())

    def _add(self, op: Operation) -> None:
        before = [*(tensor.op for tensor in op.inputs), *op.control_inputs]
        candidate = _is_candidate(op) and not op.control_inputs
        same = [
            other
            for other in before
            if candidate and id(other) in self._of and _dims(other) == _dims(op)
        ]
        inside = set(map(id, same))
        depths = [
            self._depth[id(other)] + (id(other) in self._of and id(other) not in inside)
            for other in before
        ]
        depth = self._depth[id(op)] = max(depths, default=0)
        if candidate:
            self._join(op, [other for other in same if self._depth[id(other)] == depth])

    def _join(self, op: Operation, others: list[Operation]) -> None:
        groups = {id(self._of[id(other)]): self._of[id(other)] for other in others}
        largest = max(groups.values(), key=len, default=[])
        for group in groups.values():
            if group is not largest:
                largest += group
                self._of.update((id(member), largest) for member in group)
        largest.append(op)
        self._of[id(op)] = largest


def _dims(op: Operation) -> Dims:
    return op.outputs[0].spec.dims


def _is_candidate(op: Operation) -> bool:
    if not is_fusable(op):
        return False
    count = element_count(op.outputs[0].spec.dims)
    return count is None or count >= LARGE


def fuse(graph: Graph) -> Graph:
    """Return the graph and its subgraphs with calls of groups."""
    groups = list(filter(_is_worth_it, _Grouping(graph).groups()))
    return _Fusion(graph, groups).run() if groups else _with_fused_parts(graph)


def _with_fused_parts(graph: Graph) -> Graph:
    if is_flat(graph):
        return graph
    rewriting = Rewriting(graph, fuse)
    for op in graph.operations:
        rewriting.keep(op)
    return rewriting.result()


def _is_worth_it(group: list[Operation]) -> bool:
    unknown = element_count(_dims(group[0])) is None
    return len(group) >= (_FEWEST_UNKNOWN if unknown else _FEWEST)


class _Fusion:
    """Builds the graph in which each group is one call.

    The operations are reordered: a call takes the position of its last member, or an earlier one
    if an operation needs it. Effects keep their order by control dependencies.
    """

    def __init__(self, graph: Graph, groups: list[list[Operation]]) -> None:
        self.graph = graph
        place = {id(op): i for i, op in enumerate(graph.operations)}
        grouped = {id(op) for group in groups for op in group}
        alone = [[op] for op in graph.operations if id(op) not in grouped]
        ordered = [sorted(group, key=lambda op: place[id(op)]) for group in groups]
        self.units = [*ordered, *alone]
        self.last = [place[id(members[-1])] for members in self.units]
        self.unit_of = {id(op): unit for unit, ops in enumerate(self.units) for op in ops}
        self.readers: dict[int, list[int]] = {}
        for op in graph.operations:
            for tensor in op.inputs:
                self.readers.setdefault(id(tensor), []).append(self.unit_of[id(op)])
        self.results = set(map(id, graph.outputs))

    def run(self) -> Graph:
        rewriting = Rewriting(self.graph, fuse)
        for unit in self._ordered():
            members = self.units[unit]
            if len(members) == 1:
                rewriting.keep(members[0])
            else:
                self._call(rewriting, unit, members)
        return rewriting.finish()

    def _ordered(self) -> list[int]:
        last = self.last
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

    def _is_read_outside(self, tensor: SymbolicTensor, unit: int) -> bool:
        readers = self.readers.get(id(tensor), ())
        return id(tensor) in self.results or any(reader != unit for reader in readers)

    def _call(self, rewriting: Rewriting, unit: int, members: list[Operation]) -> None:
        inside = set(map(id, members))
        inputs = {id(t): t for op in members for t in op.inputs if id(t.op) not in inside}
        given = [tensor for tensor in inputs.values() if not _is_number(tensor)]
        made = (tensor for op in members for tensor in op.outputs)
        outputs = [tensor for tensor in made if self._is_read_outside(tensor, unit)]
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
    """Return whether a tensor is a scalar constant, which a group can copy."""
    return tensor.op.definition is CONST and tensor.spec.dims == ()


def _group_graph(part: Graph, inputs: Iterable[SymbolicTensor], members: list[Operation]) -> Graph:
    """Return the graph of a group, with arguments for the tensors it reads."""
    rewriting = Rewriting(part)
    for tensor in inputs:
        if _is_number(tensor):
            rewriting.keep(tensor.op)
        else:
            rewriting.replace_tensor(tensor, rewriting.argument(tensor))
    for op in members:
        rewriting.keep(op)
    return rewriting.finish()
