"""Lower a graph to LLVM instructions: its branches, its loops, and the values between them.

A number is an LLVM value. An array is a view of memory, or an elementwise computation that runs
when its elements are needed (see `arrays`). Updates happen in place if no other value needs the
content from before; else they change a copy.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.opdef import Control, Effect
from runtime.core.operation import Operation, is_loop
from runtime.core.structural import CONST, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.counting import counting
from runtime.engines.limits import TooLong, Unsupported
from runtime.engines.native.arrays import (
    Buffer,
    Dim,
    Entries,
    Items,
    Lazy,
    Vector,
    View,
    is_equal,
    is_pending,
    nodes,
    views,
)
from runtime.engines.native.elements import Elements
from runtime.engines.native.items import Lists
from runtime.engines.native.memory import Memory
from runtime.engines.native.numbers import Numbers
from runtime.engines.native.rounds import Rounds
from runtime.engines.native.turns import Turns
from runtime.engines.native.types import INT64, type_of
from runtime.engines.ownership import owned_list, taken_over
from runtime.passes.rewriting import holds

_LONGEST = 2000
"""Instructions after which a function ends: LLVM takes 0.2 ms for each of 1,000 and 1 ms for each
of 5,000 (measured)."""

_LARGEST = 1 << 20
"""Bytes of arrays after which a function ends: a second-level cache. It gives back none of them
before its end; what the plan makes, it frees after the last use."""


def is_array(tensor: SymbolicTensor) -> bool:
    """Return whether a tensor is known to have axes."""
    return tensor.spec.dims != () and tensor.spec.dims is not None


def _of_no_input(tensor: SymbolicTensor) -> None:
    """Return no entries of an input: its code has them."""


@dataclass(frozen=True)
class Deferred:
    """An array that is computed nowhere: an error if anything reads it."""

    op: Operation


Value = Any
"""An `ir.Value` of a number, a `View`, `Lazy` or `Vector` of an array, or a `Deferred`."""

Rule = Callable[["Lowering", Operation], Value | None]
"""Lowers an operation; returns its value, a list of values of several outputs, or None if it does
not apply."""

Rules = Callable[[Operation], Rule | None]
"""Returns the rule of an operation; None: it is a computation on numbers. Raises Unsupported."""


@dataclass
class Scope:
    """The values of a graph while its operations are lowered.

    Attributes:
      graph: the graph.
      last: the position of the last reader of each tensor.
      at: the position of the current operation.
      values: the values that are still needed, by the id of the tensor.
    """

    graph: Graph
    last: dict[int, int]
    at: int = -1
    values: dict[int, Value] = field(default_factory=dict)

    def is_needed(self, tensor: int) -> bool:
        """Return whether a tensor is read after the current operation."""
        return self.last.get(tensor, -1) > self.at


@dataclass
class _End:
    """The end of a branch.

    Attributes:
      block: its last block.
      versions: the versions of the buffers that it wrote to, by their ids.
    """

    block: ir.Block
    versions: dict[int, int]


class _Join(NamedTuple):
    """The ends of the branches of an `if`.

    Attributes:
      ends: the ends.
      enter: continues to insert instructions at an end.
    """

    ends: Sequence[_End]
    enter: Callable[[_End], None]

    def each(self, builder: ir.IRBuilder, values: Sequence[Value]) -> Iterator[Value]:
        """Yield the value of each branch, at the end of the branch."""
        for end, value in zip(self.ends, values, strict=True):
            self.enter(end)
            yield value
            end.block = builder.block


class Lowering:
    """Lowers graphs to one function.

    Attributes:
      build: inserts instructions.
      numbers: emits computations on numbers.
      memory: allocates arrays.
      elements: emits loops over the elements of arrays.
      lists: emits lists.
      loops: how many loops are around the current operation.
    """

    def __init__(self, numbers: Numbers, memory: Memory, turns: Turns, rules: Rules) -> None:
        """Start without values."""
        self.build = numbers.builder
        self.numbers = numbers
        self.memory = memory
        self.elements = Elements(numbers, memory, turns, self._needed)
        self.lists = Lists(self.elements)
        self.loops = 0
        self._rounds = Rounds(self.elements)
        self._turns = turns
        self._rules = rules
        self._scopes: list[Scope] = []
        self._versions = itertools.count(1)
        self._writes: list[tuple[Buffer, int]] = []
        self._constants: dict[int, View] = {}
        self._in_place: set[int] = set()

    # ---- values ----

    def held(self, tensor: SymbolicTensor) -> Value:
        """Return the value of a tensor, which need not be usable."""
        return self._scopes[-1].values[id(tensor)]

    def checked(self, tensor: SymbolicTensor) -> Value:
        """Return the value of a tensor. Raises Unsupported if it has none."""
        value = self.held(tensor)
        if isinstance(value, Items | Entries):
            raise Unsupported(f"the list {tensor.op.name} as a value")
        if isinstance(value, Deferred) and value.op.definition is CONST:
            return self._constant(value.op)
        if isinstance(value, Deferred):
            made = None if value.op.definition is PLACEHOLDER else value.op
            raise Unsupported(f"the operation {value.op.type} of arrays", made)
        return value

    def _constant(self, op: Operation) -> View:
        if id(op) not in self._constants:
            array, dtype = op.attrs["value"], op.outputs[0].spec.dtype
            self._constants[id(op)] = self.elements.whole(self.memory.constant(array, dtype))
        return self._constants[id(op)]

    def scalar(self, tensor: SymbolicTensor) -> ir.Value:
        """Return the value of a number."""
        value = self.checked(tensor)
        if not isinstance(value, ir.Value):
            raise Unsupported(f"the array {tensor.op.name} as an operand")
        return value

    def array(self, tensor: SymbolicTensor) -> View:
        """Return the elements of an array."""
        value = self.checked(tensor)
        if isinstance(value, ir.Value):
            raise Unsupported(f"an item of the scalar {tensor.op.name}")
        return self.elements.forced(value)

    def operand(self, tensor: SymbolicTensor) -> Value:
        """Return a number, or an array that need not be computed yet."""
        value = self.checked(tensor)
        return self.elements.forced(value) if isinstance(value, Vector) else value

    def _needed(self) -> set[int]:
        """Return the ids of the computations that are needed after the current operation."""
        return {
            id(node) for value in self._live_values() if is_pending(value) for node in nodes(value)
        }

    def _live_values(self) -> Iterator[Value]:
        for scope in self._scopes:
            for tensor, value in scope.values.items():
                if scope.is_needed(tensor):
                    yield value

    def _is_shared(self, buffer: Buffer) -> bool:
        """Return whether the content of a buffer is needed after the current operation."""
        return any(view.buffer is buffer for value in self._live_values() for view in views(value))

    # ---- graphs ----

    @contextmanager
    def _scope(self, graph: Graph, operands: Sequence[Value], kept: int) -> Iterator[Scope]:
        """Enclose the lowering of a graph; inputs from number `kept` on are needed afterwards."""
        count = len(graph.operations)
        last = {id(t): i for i, op in enumerate(graph.operations) for t in op.inputs}
        last.update((id(tensor), count) for tensor in graph.outputs)
        last.update((id(tensor), count + 1) for tensor in graph.inputs[kept:])
        scope = Scope(graph, last, values=dict(zip(map(id, graph.inputs), operands, strict=True)))
        self._scopes.append(scope)
        yield scope
        self._scopes.pop()

    def graph(
        self, graph: Graph, operands: Sequence[Value], kept: int | None = None
    ) -> list[Value]:
        """Lower the operations of a graph; return its outputs.

        Inputs from number `kept` on are read again after it; None: none of them.
        """
        with self._scope(graph, operands, len(graph.inputs) if kept is None else kept) as scope:
            self.operations(graph, scope)
            return [self._output(tensor) for tensor in graph.outputs]

    def _output(self, tensor: SymbolicTensor) -> Value:
        value = self.held(tensor)
        return value if isinstance(value, Items | Entries) else self.checked(tensor)

    def operations(self, graph: Graph, scope: Scope) -> None:
        """Lower the operations of a graph. Raises TooLong at one before which the code is long.

        A function does not end between the operations that make and read a list: lists are no
        arguments and no results.
        """
        begin, reader = self._length(), -1
        for scope.at, op in enumerate(graph.operations):
            if op.definition is PLACEHOLDER:
                continue
            if len(self._scopes) == 1 and scope.at > reader and self._is_long(begin):
                raise TooLong("the function is long", op)
            lists = [tensor for tensor in op.outputs if tensor.spec.dtype is dtypes.variant]
            reader = max([reader, *(scope.last.get(id(tensor), -1) for tensor in lists)])
            try:
                results = self._results(op)
            except Unsupported as reason:
                if reason.op is None or reason.op.graph is not self._scopes[0].graph:
                    reason.op = op
                raise
            for tensor in op.inputs:
                if not scope.is_needed(id(tensor)):
                    scope.values.pop(id(tensor), None)
            for tensor, value in zip(op.outputs, results, strict=True):
                if scope.is_needed(id(tensor)):
                    scope.values[id(tensor)] = value
                elif isinstance(value, Deferred) and op.must_raise:
                    raise Unsupported(f"an error of the operation {op.type}", op)

    def _length(self) -> int:
        """Return the number of instructions."""
        functions = self.build.module.functions
        return sum(len(block.instructions) for each in functions for block in each.blocks)

    def _is_long(self, begin: int) -> bool:
        """Return whether a function that had `begin` instructions should end."""
        return self._length() - begin > _LONGEST or self.memory.block_size > _LARGEST

    def _results(self, op: Operation) -> Sequence[Value]:
        definition = op.definition
        if definition.control is not None:
            if definition.control not in _CONTROL:
                raise Unsupported(f"the operation {op.type}")
            return _CONTROL[definition.control](self, op)
        rule = self._rules(op)
        value = None if rule is None else rule(self, op)
        if isinstance(value, list):
            return value
        return [self._computed(op) if value is None else value]

    def _computed(self, op: Operation) -> Value:
        """Compute an operation on numbers, or on each element of arrays."""
        if op.effect is not Effect.NONE or len(op.outputs) != 1:
            raise Unsupported(f"the operation {op.type}")
        if all(tensor.spec.dims == () for tensor in (*op.inputs, *op.outputs)):
            return self.numbers.compute(op, [self.scalar(tensor) for tensor in op.inputs])
        vector = self._vector(op)
        if vector is not None:
            return vector
        trial = self.numbers.trial(op)
        if trial is None or op.outputs[0].spec.dims is None:
            return Deferred(op)
        value = self.elements.elementwise(
            lambda operands: self.numbers.compute(op, operands),
            [self.operand(tensor) for tensor in op.inputs],
            op.outputs[0].spec.dtype,
        )
        return self._checked_elements(value) if trial.may_fail else value

    def _checked_elements(self, value: Lazy) -> View:
        """Run a computation that may raise, even if nothing reads its result.

        Kernels check operands, also where they broadcast to no elements; there the code fails.
        """
        count = self.elements.product(value.dims)
        if type(count) is int and not count:
            raise Unsupported("a computation on no elements that may raise")
        if type(count) is not int:
            self.numbers.fail_if(self.build.icmp_signed("==", count, INT64(0)))
        return self.elements.forced(value)

    def _vector(self, op: Operation) -> Vector | None:
        known = op.definition.entries
        entries = known and known(_of_no_input, *op.inputs, **op.attrs)
        dtype = op.outputs[0].spec.dtype
        found: list[Any] = []
        for entry in entries or ():
            if isinstance(entry, int):
                found.append(entry)
            elif any(entry is tensor for tensor in op.inputs) and entry.spec.dims == ():
                value = self.scalar(entry)
                is_known = isinstance(value, ir.Constant) and type(value.constant) is int
                found.append(value.constant if is_known else (entry.spec.dtype, value))
            else:
                return None
        return Vector(tuple(found), dtype) if found else None

    def index(self, tensor: SymbolicTensor) -> Sequence[Any] | None:
        """Return the numbers of a vector; None if their number is unknown."""
        value = self.held(tensor)
        if tensor.op.definition is CONST:
            return [int(item) for item in tensor.op.attrs["value"]]
        if isinstance(value, Vector):
            return value.numbers
        if isinstance(value, Deferred) or type(value.dims[0]) is not int:
            return None
        view = self.elements.forced(value)
        base = self.elements.base(view)
        places = [self.elements.at(view, base, [INT64(i)]) for i in range(value.dims[0])]
        return [(view.dtype, self.elements.load(view.dtype, place)) for place in places]

    def wide(self, entry: Any) -> Dim:
        """Return a number of a vector in 64 bits; a known one as an int."""
        if isinstance(entry, int):
            return entry
        dtype, value = entry
        return self.numbers.converted(value, dtype, dtypes.int64)

    # ---- writes ----

    def writable(self, tensor: SymbolicTensor) -> View:
        """Return the elements of an array in memory that may change: its own, or a copy."""
        view = self.array(tensor)
        buffer = view.buffer
        if view.is_whole and buffer.storage.is_owned and not self._is_shared(buffer):
            return view
        return self.elements.copied(view)

    def written(self, view: View) -> View:
        """Return the content of a buffer after a write to it."""
        self._renew(view.buffer)
        return self.elements.whole(view.buffer)

    def _renew(self, buffer: Buffer) -> None:
        self._writes.append((buffer, buffer.version))
        buffer.version = next(self._versions)

    def _written_since(self, mark: int) -> list[Buffer]:
        return list({id(buffer): buffer for buffer, _ in self._writes[mark:]}.values())

    # ---- branches ----

    def _settle(self, tensors: Sequence[SymbolicTensor]) -> list[Value]:
        """Return the values that a subgraph captures, with all arrays computed."""
        return [
            self.elements.forced(value) if isinstance(value, Lazy | Vector) else value
            for value in map(self.held, tensors)
        ]

    def branch(self, op: Operation) -> list[Value]:
        """Lower an `if`: numbers are variables that each branch assigns."""
        test, *captured = op.inputs
        operands = self._settle(captured)
        build, mark = self.build, len(self._writes)
        condition = self.numbers.converted(self.scalar(test), test.spec.dtype, dtypes.bool)
        blocks = [build.append_basic_block() for _ in range(3)]
        build.cbranch(condition, *blocks[:2])
        outputs, ends = [], []
        for name, block in zip(("then_branch", "else_branch"), blocks, strict=False):
            self._set_versions(mark, {})
            build.position_at_end(block)
            outputs.append(self.graph(op.attrs[name], operands))
            written = self._written_since(mark)
            ends.append(_End(build.block, {id(buffer): buffer.version for buffer in written}))

        def enter(end: _End) -> None:
            self._set_versions(mark, end.versions)
            build.position_at_end(end.block)

        join = _Join(ends, enter)
        results = [
            self._merged(tensor, values, join)
            for tensor, *values in zip(op.outputs, *outputs, strict=True)
        ]
        for end in ends:
            build.position_at_end(end.block)
            build.branch(blocks[2])
        build.position_at_end(blocks[2])
        for buffer in self._written_since(mark):
            self._renew(buffer)
        return [read() for read in results]

    def _set_versions(self, mark: int, versions: Mapping[int, int]) -> None:
        """Set the versions of the buffers written since a mark; by default those at the mark."""
        # The first write since the mark comes last.
        before = {id(buffer): (buffer, old) for buffer, old in reversed(self._writes[mark:])}
        for key, (buffer, old) in before.items():
            buffer.version = versions.get(key, old)

    def _merged(
        self, tensor: SymbolicTensor, values: Sequence[Value], join: _Join
    ) -> Callable[[], Value]:
        """Assign the results of both branches to one place; return what reads it afterwards."""
        if isinstance(values[0], Items | Entries):
            return self._merged_list(values, join)
        if isinstance(values[0], ir.Value):
            variable = self.memory.variable(type_of(tensor.spec.dtype))
            for value in join.each(self.build, values):
                self.build.store(value, variable)
            return lambda: self.build.load(variable, typ=type_of(tensor.spec.dtype))
        one, other = values
        are_whole = all(isinstance(value, View) and value.is_whole for value in values)
        if are_whole and one.buffer is other.buffer:
            return lambda: self.elements.whole(one.buffer)
        return self._chosen_array(tensor, values, join)

    def _merged_list(self, values: Sequence[Items | Entries], join: _Join) -> Callable[[], Value]:
        """Copy the list of either branch, unless both are one list that the branches change."""
        one, other = values
        spec = one.spec or other.spec
        if one is other:
            return lambda: one
        if spec is None or other.spec not in (None, spec):
            raise Unsupported("a choice between lists of unknown or several types")
        items = self.lists.new(spec)
        for value in join.each(self.build, values):
            self.lists.assign(items, value)
        return lambda: items

    def _chosen_array(
        self, tensor: SymbolicTensor, values: Sequence[Value], join: _Join
    ) -> Callable[[], Value]:
        """Copy the array of either branch to memory of its own."""
        one, other = (value.dims for value in values)
        if len(one) != len(other):
            raise Unsupported(f"a choice between arrays of different ranks by {tensor.op.name}")
        changes = [not is_equal(*lengths) for lengths in zip(one, other, strict=True)]
        found: list[Buffer] = []
        for value in join.each(self.build, values):
            if found:
                self._rounds.store_next(found[0], value)
            else:
                found.append(self._rounds.home(one, changes, tensor.spec.dtype))
                self._rounds.store(found[0], value)
        return lambda: self._rounds.now(found[0])

    # ---- loops ----

    def loop(self, op: Operation) -> list[Value]:
        """Lower a `while`: carried numbers are variables, carried arrays have their own memory."""
        test, body, count = op.attrs["cond"], op.attrs["body"], op.attrs["count"]
        captured = self._rounds.captured(op, self._settle(op.inputs[count:]))
        build, mark = self.build, len(self._writes)
        state = [
            self._begun(op, i, captured) if body.outputs[i] is not body.inputs[i] else start
            for i, start in enumerate(self._settle(op.inputs[:count]))
        ]
        turns = self._turns.begin(self._most_iterations(op))
        self.loops += 1
        head, inside, after = (build.append_basic_block() for _ in range(3))
        build.branch(head)
        build.position_at_end(head)
        (goes_on,) = self.graph(test, [*map(self._rounds.now, state), *captured], count)
        build.cbranch(goes_on, inside, after)
        build.position_at_end(inside)
        outputs = self.graph(body, [*map(self._rounds.now, state), *captured], count)
        self.loops -= 1
        kept = [view.buffer for value in (*captured, *state) for view in views(value)]
        for home in self._rounds.end(state, outputs, kept):
            self._renew(home)
        self._turns.end(turns, head, after)
        for buffer in self._written_since(mark):
            self._renew(buffer)
        return [self._rounds.now(each) for each in state]

    def _most_iterations(self, op: Operation) -> ir.Value:
        """Return a bound for the number of iterations; -1: it is unknown, or more."""
        counted = None if holds(op.attrs["body"], is_loop) else counting(op)
        if counted is None:
            return INT64(-1)
        ends = op.inputs[counted.place], counted.limit
        start, limit = (
            INT64(end)
            if isinstance(end, int)
            else self.numbers.converted(self.scalar(end), end.spec.dtype, dtypes.int64)
            for end in ends
        )
        is_usual = self.build.icmp_signed(">=", start, INT64(0))
        return self.build.select(is_usual, limit, INT64(-1))

    def _begun(self, op: Operation, place: int, captured: Sequence[Value]) -> Value:
        """Return the variable of a carried number, or the buffer of a carried array."""
        tensor = op.inputs[place]
        if tensor.spec.dims is None or op.outputs[place].spec.dims is None:
            raise Unsupported(f"{op.outputs[place].op.name}, whose rank is unknown")
        if isinstance(self.held(tensor), Items | Entries):
            return self._begun_list(op, place)
        value = self.checked(tensor)
        if isinstance(value, ir.Value):
            variable = self.memory.variable(type_of(tensor.spec.dtype))
            self.build.store(value, variable)
            return variable
        view = self.elements.forced(value)
        dims = op.attrs["body"].inputs[place].spec.dims
        if None in dims and not taken_over(op, place):
            home = self._rounds.home(view.dims, [dim is None for dim in dims], view.dtype)
            self._rounds.store(home, view)
            return home
        others = [other for i, other in enumerate(op.inputs[: op.attrs["count"]]) if i != place]
        shared = [*captured, *map(self.held, others)]
        buffer = view.buffer
        is_free = view.is_whole and buffer.storage.is_owned and not self._is_shared(buffer)
        if is_free and all(v.buffer is not buffer for each in shared for v in views(each)):
            return buffer
        return self.elements.copied(view).buffer

    def _begun_list(self, op: Operation, place: int) -> Items:
        """Return the list that a loop, or one around it, owns."""
        held = self.held(op.inputs[place])
        if id(op.outputs[place]) in self._in_place and isinstance(held, Items):
            return held
        owned = owned_list(op, place)
        if owned is None:
            raise Unsupported("a list of which the program needs several versions")
        self._in_place.update(owned.before)
        is_read_once = sum(self.held(tensor) is held for tensor in op.inputs) == 1
        if is_read_once and isinstance(held, Items) and self.may_change(held, op.outputs[place]):
            return held
        items = self.lists.new(owned.entry)
        self.lists.assign(items, held)
        return items

    def may_change(self, items: Items, result: SymbolicTensor) -> bool:
        """Return whether an operation may change a list in place: no other value is the list."""
        is_needed = any(value is items for value in self._live_values())
        return id(result) in self._in_place or (not self.loops and not is_needed)


def _inlined(lowering: Lowering, op: Operation) -> list[Value]:
    return lowering.graph(op.attrs["f"], [lowering.held(tensor) for tensor in op.inputs])


_CONTROL: dict[Control, Callable[[Lowering, Operation], Sequence[Value]]] = {
    Control.IF: Lowering.branch,
    Control.WHILE: Lowering.loop,
    Control.CALL: _inlined,
}
