"""Reductions along axes, in the order in which NumPy adds.

Axes of length 1 do not count, and neighboring axes that are both reduced, or both kept, count as
one. If the last axis is reduced, its elements are summed in pairs (`pairwise_sum` in
numpy/_core/src/umath/loops_utils.h.src): eight sums of every eighth element for up to 128 elements,
halves for more. Sums over the other axes are added one after another, to 0. So sums of arrays that
are in C order for NumPy, too, and whose axes have static lengths, are equal to NumPy's bit for bit.
Another order changes a sum of n numbers by at most (n - 1) * eps * sum(abs(x)), with eps the
distance of 1 and the next number (Higham, Accuracy and Stability of Numerical Algorithms, 4.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.engines.limits import Unsupported
from runtime.engines.native.arrays import Dim, View, constant
from runtime.engines.native.elements import Elements
from runtime.engines.native.types import INT64, memory_type

_BLOCK = 128
"""`PW_BLOCKSIZE` of NumPy."""

_LANES = 8


class Group(NamedTuple):
    """Neighboring axes that are all reduced, or all kept.

    Attributes:
      is_reduced: whether they are reduced.
      count: number of elements.
      stride: distance of neighbors.
    """

    is_reduced: bool
    count: Dim
    stride: Dim


@dataclass
class Reduction:
    """A reduction of an array along axes.

    Attributes:
      elements: emits loops.
      view: the array.
      axes: the reduced axes.
      dtype: the type of the result.
      start: the number to start from; None: the first element.
      combine: combines two numbers.
      inner: reduces a vector at an address; None: one element after another.
    """

    elements: Elements
    view: View
    axes: Sequence[int]
    dtype: DType
    start: ir.Value | None
    combine: Callable[[ir.Value, ir.Value], ir.Value]
    inner: Callable[[Elements, View, ir.Value, Dim], ir.Value] | None = None

    def run(self) -> ir.Value | View:
        """Emit the reduction; return a number, or the elements without the reduced axes."""
        if self.start is None:
            require_elements(self.elements, self.view, self.axes)
        self._groups = self._joined_axes()
        self._base = self.elements.base(self.view)
        kept = tuple(group.count for group in self._groups if not group.is_reduced)
        if not kept:
            return self._number()
        dims = tuple(dim for axis, dim in enumerate(self.view.dims) if axis not in self.axes)
        buffer = self.elements.memory.new(kept, self.dtype)
        self._fill(self.elements.whole(buffer))
        buffer.dims = dims
        return self.elements.whole(buffer)

    def _joined_axes(self) -> list[Group]:
        """Return the axes as few groups; axes join if their elements have equal distances."""
        found: list[Group] = []
        for axis, (dim, stride) in enumerate(zip(self.view.dims, self.view.strides, strict=True)):
            if type(dim) is int and dim == 1:
                continue
            is_reduced = axis in self.axes
            if found and found[-1].is_reduced == is_reduced and self.view.is_contiguous:
                count = self.elements.times(found[-1].count, dim)
                found[-1] = Group(is_reduced, count, stride)
            else:
                found.append(Group(is_reduced, dim, stride))
        return found

    def _line(self, groups: Sequence[Group]) -> View:
        """Return the strides of some groups, for addresses relative to another one."""
        dims, strides = ([group[i] for group in groups] for i in (1, 2))
        return self.view.part(dims, strides, 0)

    def _value(self, address: ir.Value, last: Group | None, independent: bool = False) -> ir.Value:
        """Return an element, or the reduction of the last axis at an address."""
        if self.inner is None or last is None:
            return self.elements.load(self.view.dtype, address, independent)
        return self.inner(self.elements, self._line([last]), address, last.count)

    def _split(self) -> tuple[Sequence[Group], Group | None]:
        """Return the groups of loops, and the group that `inner` reduces."""
        groups = self._groups
        if self.inner is not None and groups and groups[-1].is_reduced:
            return groups[:-1], groups[-1]
        return groups, None

    def _number(self) -> ir.Value:
        """Reduce all axes to one number."""
        elements, build = self.elements, self.elements.build
        start = self.start
        first = elements.load(self.view.dtype, self._base) if start is None else start
        outer, last = self._split()
        if not outer:
            return self.combine(first, self._value(self._base, last))
        total = elements.memory.variable(first.type)
        build.store(first, total)
        line = self._line(outer)
        with elements.nest(line.dims) as indices:
            value = self._value(elements.at(line, self._base, indices), last)
            build.store(self.combine(build.load(total, typ=first.type), value), total)
        return build.load(total, typ=first.type)

    def _fill(self, result: View) -> None:
        """Reduce some axes, to the elements of an array."""
        elements = self.elements
        kept = [group for group in self._groups if not group.is_reduced]
        if self.start is None:
            head = self._line(kept)
            elements.copy(head.part(head.dims, head.strides, self.view.offset), result)
        else:
            elements.fill(result, self.start)
        goal = elements.base(result)
        outer, last = self._split()
        line = self._line(outer)
        free = last is None and not outer[-1].is_reduced
        with elements.nest(line.dims, independent=free) as indices:
            value = self._value(elements.at(line, self._base, indices), last, free)
            pairs = zip(outer, indices, strict=True)
            target = elements.at(result, goal, [i for group, i in pairs if not group.is_reduced])
            before = elements.load(self.dtype, target, free)
            elements.put(self.dtype, self.combine(before, value), target, free)


def require_elements(elements: Elements, view: View, axes: Sequence[int]) -> None:
    """Fail if there are no elements along one of some axes."""
    for axis in axes:
        dim = view.dims[axis]
        if dim == 0 and type(dim) is int:
            raise Unsupported("the extreme of no elements")
        if type(dim) is not int:
            elements.numbers.fail_if(elements.build.icmp_signed("==", dim, INT64(0)))


# ---- sums ----


def pairwise(elements: Elements, line: View, base: ir.Value, count: Dim) -> ir.Value:
    """Return the sum of a vector of floating-point numbers, in NumPy's order."""
    if type(count) is int and count < _LANES:
        return _short_sum(elements, line, base, count)
    function = _sum_function(elements, line)
    return elements.build.call(function, [base, constant(count), constant(line.strides[0])])


def _short_sum(elements: Elements, line: View, base: ir.Value, count: int) -> ir.Value:
    """Emit the sum of fewer than 8 elements."""
    build = elements.build
    total: ir.Value = memory_type(line.dtype)(-0.0)
    for i in range(count):
        here = elements.at(line, base, [INT64(i)])
        total = build.fadd(total, elements.load(line.dtype, here))
    return total


def _sum_function(elements: Elements, line: View) -> ir.Function:
    """Return a function of an address, a length and a stride."""
    is_dense = type(line.strides[0]) is int and line.strides[0] == 1
    name = f"pairwise_{line.dtype.name}{'' if is_dense else '_strided'}"
    module = elements.build.module
    if name not in module.globals:
        kind = memory_type(line.dtype)
        signature = ir.FunctionType(kind, [ir.PointerType(), INT64, INT64])
        function = ir.Function(module, signature, name)
        function.linkage = "internal"
        _PairwiseSum(function, kind, is_dense).emit()
    return module.globals[name]


class _PairwiseSum:
    """Emits the function of NumPy's `pairwise_sum`."""

    def __init__(self, function: ir.Function, kind: ir.Type, is_dense: bool) -> None:
        self._function = function
        self._kind = kind
        self._is_dense = is_dense
        self._base, self._count, self._stride = function.args
        self._build = ir.IRBuilder(function.append_basic_block())

    def emit(self) -> None:
        build, kind = self._build, self._kind
        total, place = build.alloca(kind), build.alloca(INT64)
        sums = [build.alloca(kind) for _ in range(_LANES)]
        with build.if_then(build.icmp_signed(">", self._count, INT64(_BLOCK))):
            build.ret(self._of_halves())
        build.store(kind(-0.0), total)
        build.store(INT64(0), place)
        with build.if_then(build.icmp_signed(">=", self._count, INT64(_LANES))):
            for i, each in enumerate(sums):
                build.store(self._at(INT64(i)), each)
            build.store(INT64(_LANES), place)
            whole = build.sub(self._count, build.urem(self._count, INT64(_LANES)))
            with self._up_to(place, whole, _LANES) as index:
                for i, each in enumerate(sums):
                    here = self._at(build.add(index, INT64(i)))
                    build.store(build.fadd(build.load(each, typ=kind), here), each)
            build.store(self._joined(sums), total)
        with self._up_to(place, self._count, 1) as index:
            build.store(build.fadd(build.load(total, typ=kind), self._at(index)), total)
        build.ret(build.load(total, typ=kind))

    def _of_halves(self) -> ir.Value:
        build = self._build
        half = build.lshr(self._count, INT64(1))
        half = build.sub(half, build.urem(half, INT64(_LANES)))
        rest = build.sub(self._count, half)
        parts = ((self._base, half), (self._address(half), rest))
        return build.fadd(*(build.call(self._function, [*part, self._stride]) for part in parts))

    def _address(self, index: ir.Value) -> ir.Value:
        place = index if self._is_dense else self._build.mul(index, self._stride)
        return self._build.gep(self._base, [place], source_etype=self._kind)

    def _at(self, index: ir.Value) -> ir.Value:
        return self._build.load(self._address(index), typ=self._kind)

    def _joined(self, places: Sequence[ir.Value]) -> ir.Value:
        sums = [self._build.load(place, typ=self._kind) for place in places]
        return _in_pairs(sums, self._build.fadd)

    @contextmanager
    def _up_to(self, place: ir.Value, limit: ir.Value, step: int) -> Iterator[ir.Value]:
        """Enclose the body of a loop that counts a variable up to a limit."""
        build = self._build
        head, body, after = (build.append_basic_block() for _ in range(3))
        build.branch(head)
        build.position_at_end(head)
        index = build.load(place, typ=INT64)
        build.cbranch(build.icmp_signed("<", index, limit), body, after)
        build.position_at_end(body)
        yield index
        build.store(build.add(index, INT64(step)), place)
        build.branch(head)
        build.position_at_end(after)


def _in_pairs(
    values: list[ir.Value], combine: Callable[[ir.Value, ir.Value], ir.Value]
) -> ir.Value:
    """Combine a power of two of values: neighbors, then their results, and so on."""
    while len(values) > 1:
        values = [combine(*pair) for pair in zip(values[::2], values[1::2], strict=True)]
    return values[0]


# ---- extremes ----


def extreme_of_lanes(
    elements: Elements, line: View, base: ir.Value, count: Dim, sign: str
) -> ir.Value:
    """Return the largest (`sign` is ">") or smallest element of a vector.

    Sixteen extremes of every sixteenth element do not wait for each other.
    """
    numbers, build, kind = elements.numbers, elements.build, memory_type(line.dtype)

    def at(index: ir.Value) -> ir.Value:
        return elements.load(line.dtype, elements.at(line, base, [index]))

    lanes = 16 if type(count) is int and count >= 32 else 1
    best = [elements.memory.variable(kind) for _ in range(lanes)]

    def take(lane: int, index: ir.Value) -> None:
        before = build.load(best[lane], typ=kind)
        build.store(numbers.extreme(sign, line.dtype, before, at(index)), best[lane])

    for lane in range(lanes):
        build.store(at(INT64(lane)), best[lane])
    whole = count // lanes if lanes > 1 else count
    with elements.counted(whole, start=1) as block:
        for lane in range(lanes):
            take(lane, elements.plus(elements.times(block, lanes), INT64(lane)))
    for rest in range(count % lanes if lanes > 1 else 0):
        take(rest, INT64(whole * lanes + rest))
    found = [build.load(place, typ=kind) for place in best]
    return _in_pairs(found, lambda x, y: numbers.extreme(sign, line.dtype, x, y))


# ---- positions ----


def position(
    elements: Elements, view: View, axis: int, target: DType, better: str, nan_wins: bool
) -> ir.Value | View:
    """Return the positions of the first largest (`better` is ">") or smallest elements of an axis.

    The first NaN is the position, or NaN counts as infinity of the other sign.
    """
    require_elements(elements, view, (axis,))
    base, line = elements.base(view), view.along([axis])
    rest = view.along([i for i in range(len(view.dims)) if i != axis])
    if not rest.dims:
        return _position(elements, line, base, target, better, nan_wins)
    result = elements.whole(elements.memory.new(rest.dims, target))
    goal = elements.base(result)
    with elements.nest(rest.dims) as indices:
        start = elements.at(rest, base, indices)
        found = _position(elements, line, start, target, better, nan_wins)
        elements.put(target, found, elements.at(result, goal, indices))
    return result


def _position(
    elements: Elements, line: View, base: ir.Value, target: DType, better: str, nan_wins: bool
) -> ir.Value:
    """Return the position of the extreme of a vector."""
    numbers, build, kind = elements.numbers, elements.build, memory_type(line.dtype)
    best, place = elements.memory.variable(kind), elements.memory.variable(INT64)
    dtype = dtypes.uint8 if line.dtype.is_bool else line.dtype

    def at(index: ir.Value) -> ir.Value:
        value = build.load(elements.at(line, base, [index]), typ=kind)
        if nan_wins or not dtype.is_floating:
            return value
        worst = kind(float("-inf" if better == ">" else "inf"))
        return build.select(build.fcmp_unordered("uno", value, value), worst, value)

    build.store(at(INT64(0)), best)
    build.store(INT64(0), place)
    with elements.counted(line.dims[0]) as index:
        value, before = at(index), build.load(best, typ=kind)
        wins = numbers.compare(better, dtype, value, before)
        if nan_wins:
            is_first = build.fcmp_ordered("ord", before, before)
            is_nan = build.fcmp_unordered("uno", value, value)
            wins = build.or_(wins, build.and_(is_nan, is_first))
        build.store(build.select(wins, value, before), best)
        build.store(build.select(wins, index, build.load(place, typ=INT64)), place)
    return numbers.converted(build.load(place, typ=INT64), dtypes.int64, target)
