"""Loops over the elements of arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from runtime.core.dtypes import DType
from runtime.engines.limits import Unsupported
from runtime.engines.native.arrays import (
    Buffer,
    Dim,
    Lazy,
    Vector,
    View,
    constant,
    is_equal,
    is_pending,
    known_count,
    nodes,
    views,
)
from runtime.engines.native.memory import Memory
from runtime.engines.native.numbers import Numbers
from runtime.engines.native.shares import share_count, shares
from runtime.engines.native.turns import Turns
from runtime.engines.native.types import INT64, TRUTH, memory_type, type_of

LONGEST = 200
"""Most computations in one loop: LLVM's time grows faster than the length of a loop body."""

INDEPENDENT = """
!900000 = distinct !{!900000, !900001}
!900001 = !{!"llvm.loop.parallel_accesses", !900002}
!900002 = distinct !{}
!900003 = distinct !{!900003, !900001, !900004}
!900004 = !{!"llvm.loop.unroll.disable"}
"""
"""Metadata of loops whose iterations access different elements, so that LLVM may vectorize them.

LLVM unrolls short loops first, and does not find their vectors afterwards: adding 16 numbers to
each of 21,632 rows took 0.57 ms, and 0.04 ms without unrolling (measured).

The nodes that llvmlite prints are numbered from 0.
"""


class _Node:
    """A reference to a node of `INDEPENDENT`."""

    def __init__(self, number: int) -> None:
        self._text = f"!{number}"

    def get_reference(self) -> str:
        """Return the text of the reference."""
        return self._text


_LOOP, _ACCESS, _SHORT_LOOP = _Node(900000), _Node(900002), _Node(900003)

_SHORT = range(8, 257)
"""Iterations of loops that LLVM might unroll as a whole, and that are worth vectors."""


class Elements:
    """Emits loops over the elements of arrays.

    `turns` counts elements, so that Ctrl-C need not wait for many. `needed` returns the
    computations that code after the current operation reads.
    """

    def __init__(
        self,
        numbers: Numbers,
        memory: Memory,
        turns: Turns,
        needed: Callable[[], set[int]],
    ) -> None:
        """Store the fields."""
        self.build = numbers.builder
        self.numbers = numbers
        self.memory = memory
        self._turns = turns
        self._needed = needed

    # ---- lengths ----

    def product(self, dims: Sequence[Dim]) -> Dim:
        """Return the product of lengths."""
        total: Dim = 1
        for dim in dims:
            total = self.times(total, dim)
        return total

    def times(self, one: Dim, other: Dim) -> Dim:
        """Multiply two lengths."""
        if type(one) is int and type(other) is int:
            return one * other
        if is_equal(one, 1):
            return other
        if is_equal(other, 1):
            return one
        return self.build.mul(constant(one), constant(other))

    def plus(self, one: Dim, other: Dim) -> Dim:
        """Add two lengths."""
        if type(one) is int and type(other) is int:
            return one + other
        if is_equal(one, 0):
            return other
        if is_equal(other, 0):
            return one
        return self.build.add(constant(one), constant(other))

    def joint(self, one: Dim, other: Dim) -> Dim:
        """Return the length to which two broadcast; fail where only known ones would."""
        if is_equal(one, other) or is_equal(other, 1):
            return one
        if is_equal(one, 1):
            return other
        self.numbers.fail_if(self.build.icmp_unsigned("!=", constant(one), constant(other)))
        return one if type(one) is int else other

    def joint_dims(self, shapes: Sequence[Sequence[Dim]]) -> tuple[Dim, ...]:
        """Return the shape to which several broadcast."""
        rank = max(map(len, shapes), default=0)
        result: list[Dim] = [1] * rank
        for dims in shapes:
            start = rank - len(dims)
            for axis, dim in enumerate(dims):
                result[start + axis] = self.joint(result[start + axis], dim)
        return tuple(result)

    # ---- views ----

    def whole(self, buffer: Buffer) -> View:
        """Return all elements of a buffer."""
        return View(buffer, buffer.version, 0, buffer.dims, self.packed(buffer.dims))

    def packed(self, dims: Sequence[Dim]) -> tuple[Dim, ...]:
        """Return the strides of an array in C order."""
        strides: list[Dim] = []
        step: Dim = 1
        for dim in reversed(dims):
            strides.insert(0, step)
            step = self.times(step, dim)
        return tuple(strides)

    def reshaped(self, view: View, dims: Sequence[Dim]) -> View:
        """Return contiguous elements in another shape."""
        return view.part(dims, self.packed(dims))

    def broadcast(self, view: View, dims: Sequence[Dim]) -> View:
        """Return a view of another shape; fail where that of the view does not broadcast to it."""
        missing = len(dims) - len(view.dims)
        gone = max(-missing, 0)
        if not all(is_equal(dim, 1) for dim in view.dims[:gone]):
            raise Unsupported("an array with more dimensions than its target")
        strides: list[Dim] = [0] * max(missing, 0)
        pairs = zip(view.dims[gone:], view.strides[gone:], strict=True)
        for (length, stride), dim in zip(pairs, dims[max(missing, 0) :], strict=True):
            strides.append(stride if self._is_same(length, dim) else 0)
        return view.part(dims, strides)

    def _is_same(self, length: Dim, dim: Dim) -> bool:
        """Return whether an axis has the wanted length; False: it has length 1, and is repeated."""
        if is_equal(length, dim):
            return True
        if is_equal(length, 1):
            return False
        self.require_equal(length, dim, f"an axis of length {length} where {dim} is wanted")
        return True

    def require_equal(self, one: Dim, other: Dim, what: str) -> None:
        """Fail where two numbers differ. Raises Unsupported where they are known to."""
        if is_equal(one, other):
            return
        if type(one) is int and type(other) is int:
            raise Unsupported(what)
        self.numbers.fail_if(self.build.icmp_signed("!=", constant(one), constant(other)))

    # ---- elements ----

    @contextmanager
    def counted(self, count: Dim, independent: bool = False, start: Dim = 0) -> Iterator[ir.Value]:
        """Enclose the body of a loop; yield the index, from `start` to below `count`."""
        with self._turns.elements(count), self._loop(count, independent, start) as index:
            yield index

    @contextmanager
    def _loop(self, count: Dim, independent: bool, start: Dim) -> Iterator[ir.Value]:
        build = self.build
        head, body, after = (build.append_basic_block() for _ in range(3))
        before = build.block
        build.branch(head)
        build.position_at_end(head)
        index = build.phi(INT64)
        index.add_incoming(constant(start), before)
        build.cbranch(build.icmp_signed("<", index, constant(count)), body, after)
        build.position_at_end(body)
        yield index
        index.add_incoming(build.add(index, INT64(1), flags=("nsw",)), build.block)
        back = build.branch(head)
        if independent:
            is_short = type(count) is int and count in _SHORT
            back.set_metadata("llvm.loop", _SHORT_LOOP if is_short else _LOOP)
        build.position_at_end(after)

    @contextmanager
    def nest(self, dims: Sequence[Dim], independent: bool = False) -> Iterator[list[ir.Value]]:
        """Enclose the body of nested loops; yield the indices."""
        if not dims:
            yield []
            return
        inner = self.nest(dims[1:], independent)
        with self.counted(dims[0], independent and len(dims) == 1) as first, inner as rest:
            yield [first, *rest]

    @contextmanager
    def _iterations(
        self, dims: Sequence[Dim], work: int, read: Sequence[ir.Value]
    ) -> Iterator[tuple[list[ir.Value], Sequence[ir.Value]]]:
        """Enclose the body of nested loops of independent iterations, which threads share.

        `work` is the number of all computations.

        Yields the indices, and the values `read` from outside as the body has to read them.
        """
        threads = share_count(work)
        if threads == 1 or threads > dims[0]:
            with self.nest(dims, independent=True) as indices:
                yield indices, read
            return
        with (
            shares(self.memory, self.numbers, dims[0], threads, read) as share,
            self._turns.elements(dims[0]),
            self._loop(share.end, len(dims) == 1, share.start) as first,
            self.nest(dims[1:], independent=True) as rest,
        ):
            yield [first, *rest], share.values

    def at(self, view: View, base: ir.Value, indices: Sequence[ir.Value]) -> ir.Value:
        """Return the address of an element."""
        offset: Dim = 0
        for index, stride in zip(indices, view.strides, strict=True):
            if not is_equal(stride, 0):
                offset = self.plus(offset, self.times(index, stride))
        kind = memory_type(view.dtype)
        return self.build.gep(base, [constant(offset)], source_etype=kind)

    def base(self, view: View) -> ir.Value:
        """Return the address of the first element. Raises Unsupported for an old version."""
        if view.number != view.buffer.version:
            raise Unsupported("an older content of an array")
        address = self.memory.address(view.buffer)
        if is_equal(view.offset, 0):
            return address
        kind = memory_type(view.dtype)
        return self.build.gep(address, [constant(view.offset)], source_etype=kind)

    def load(self, dtype: DType, address: ir.Value, independent: bool = False) -> ir.Value:
        """Load a number."""
        value = self.build.load(address, typ=memory_type(dtype))
        if independent:
            value.set_metadata("llvm.access.group", _ACCESS)
        return self.build.trunc(value, TRUTH) if dtype.is_bool else value

    def put(
        self, dtype: DType, value: ir.Value, address: ir.Value, independent: bool = False
    ) -> None:
        """Store a number."""
        if dtype.is_bool:
            value = self.build.zext(value, memory_type(dtype))
        store = self.build.store(value, address)
        if independent:
            store.set_metadata("llvm.access.group", _ACCESS)

    def finished(self, view: View) -> Any:
        """Return an array; one without axes as a number."""
        return view if view.dims else self.load(view.dtype, self.base(view))

    # ---- computations ----

    def elementwise(
        self,
        compute: Callable[[Sequence[ir.Value]], ir.Value],
        operands: Sequence[Any],
        dtype: DType,
    ) -> Lazy:
        """Return an elementwise computation; operands of another shape are computed before."""
        shapes = [each.dims for each in operands if not isinstance(each, ir.Value)]
        dims = self.joint_dims(shapes)
        ready = [self._operand(each, dims) for each in operands]
        size = 1 + sum(each.size for each in ready if is_pending(each))
        if size > LONGEST:
            ready = [self.forced(each) if is_pending(each) else each for each in ready]
            size = 1
        return Lazy(compute, tuple(ready), dims, dtype, size=size)

    def splat(self, value: ir.Value, dims: Sequence[Dim], dtype: DType) -> Lazy:
        """Return an array all of whose elements are one number."""
        return Lazy(lambda operands: operands[0], (value,), tuple(dims), dtype)

    def _operand(self, value: Any, dims: tuple[Dim, ...]) -> Any:
        if isinstance(value, ir.Value):
            return value
        same = len(value.dims) == len(dims) and all(map(is_equal, value.dims, dims))
        if is_pending(value):
            return value if same else self.broadcast(self.forced(value), dims)
        return self.broadcast(self.forced(value), dims)

    def forced(self, value: Any) -> View:
        """Return the elements of an array, computing them if they were not."""
        if isinstance(value, View):
            return value
        if isinstance(value, Vector):
            return self._unpacked(value)
        if value.view is None:
            buffer = self.memory.new(value.dims, value.dtype)
            self.run([(value, self.whole(buffer))])
            value.view = self.whole(buffer)
        return value.view  # type: ignore[no-any-return]

    def _unpacked(self, vector: Vector) -> View:
        buffer = self.memory.new((len(vector.numbers),), vector.dtype)
        view = self.whole(buffer)
        base = self.base(view)
        for i, each in enumerate(vector.numbers):
            number = each[1] if isinstance(each, tuple) else type_of(vector.dtype)(each)
            self.put(vector.dtype, number, self.at(view, base, [INT64(i)]))
        return view

    def run(self, results: Sequence[tuple[Lazy, View]]) -> None:
        """Compute elements of arrays of one shape, into memory that the computations do not read.

        Computations inside that are needed later are stored, too.
        """
        inside = list({id(node): node for root, _ in results for node in nodes(root)}.values())
        targets = {id(root): target for root, target in results}
        needed = self._needed()
        kept = [node for node in inside if id(node) in needed and id(node) not in targets]
        for node in kept:
            targets[id(node)] = self.whole(self.memory.new(node.dims, node.dtype))
        leaves = {id(leaf): leaf for node in inside for leaf in _leaves(node)}
        every = [*leaves.values(), *targets.values()]
        whole = inside[0].dims
        flat = bool(whole) and all(view.is_contiguous for view in every)
        dims: Sequence[Dim] = (self.product(whole),) if flat else whole
        places = {id(view): view.part(dims, (1,)) if flat else view for view in every}
        bases = {id(view): self.base(view) for view in every}
        numbers = {id(each): each for node in inside for each in node.operands if _is_run(each)}
        is_static = all(type(stride) is int for view in places.values() for stride in view.strides)
        work = len(inside) * (known_count(dims) or 0) if is_static else 0
        read = {**bases, **numbers}
        flag = self.memory.variable(TRUTH)
        with (
            self.numbers.together(flag),
            self._iterations(dims, work, list(read.values())) as (indices, received),
        ):
            outside = dict(zip(read, received, strict=True))
            values = {key: outside[key] for key in numbers}
            for key, leaf in leaves.items():
                address = self.at(places[key], outside[key], indices)
                values[key] = self.load(leaf.dtype, address, True)
            for node in inside:
                operands = [values.get(_key(each), each) for each in node.operands]
                values[id(node)] = node.compute(operands)
            for node in inside:
                if id(node) in targets:
                    key = id(targets[id(node)])
                    address = self.at(places[key], outside[key], indices)
                    self.put(node.dtype, values[id(node)], address, True)
        for node in kept:
            node.view = targets[id(node)]

    def assign(self, target: View, value: Any) -> None:
        """Assign the elements of an array, or a number to all, to memory that it may read."""
        if isinstance(value, ir.Value):
            self.fill(target, value)
            return
        overlaps = any(view.buffer is target.buffer for view in views(value))
        same = len(value.dims) == len(target.dims) and all(map(is_equal, value.dims, target.dims))
        if is_pending(value) and same and not overlaps and id(value) not in self._needed():
            self.run([(value, target)])
            return
        source = self.forced(value)
        if overlaps and source.buffer is target.buffer:
            source = self.copied(source)
        self.copy(self.broadcast(source, target.dims), target)

    def copied(self, view: View) -> View:
        """Return the same elements in memory of their own."""
        buffer = self.memory.new(view.dims, view.dtype)
        made = self.whole(buffer)
        self.copy(view, made)
        return made

    def copy(self, source: View, target: View) -> None:
        """Copy elements between arrays that do not overlap."""
        copy = Lazy(lambda operands: operands[0], (source,), target.dims, target.dtype)
        self.run([(copy, target)])

    def fill(self, target: View, value: ir.Value) -> None:
        """Assign a number to all elements."""
        self.run([(self.splat(value, target.dims, target.dtype), target)])


def _leaves(node: Lazy) -> Iterator[View]:
    """Yield the elements that one computation reads."""
    for operand in node.operands:
        if isinstance(operand, View):
            yield operand
        elif isinstance(operand, Lazy) and operand.view is not None:
            yield operand.view


def _is_run(operand: object) -> bool:
    """Return whether an operand is a number that only the running code knows."""
    return isinstance(operand, ir.Value) and not isinstance(operand, ir.Constant)


def _key(operand: ir.Value | Lazy | View) -> int:
    """Return the id of a number, of a computation, or of the elements that it left."""
    return id(operand.view if isinstance(operand, Lazy) and operand.view else operand)
