"""Products of matrices, where the shape of the result is static.

A block of the result stays in vector registers while the code runs along the inner axis; rows of
the second matrix are read as vectors, elements of the first one are repeated. So each element is
the sum of its products in the order of the inner axis; integers wrap around. LLVM may fuse a
product and a sum. A floating-point sum of n products differs from that of another order, as of
NumPy's BLAS, by at most 2 * n * eps * sum(abs(a * b)), with eps the distance of 1 and the next
number (Higham, Accuracy and Stability of Numerical Algorithms, 3.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from llvmlite import ir

from runtime.engines.limits import Unsupported
from runtime.engines.native.arrays import Dim, View, is_equal
from runtime.engines.native.elements import Elements
from runtime.engines.native.machine import vector_bytes
from runtime.engines.native.types import INT64, bytes_of, memory_type

_ROWS = 6
"""Rows of a block: with `_VECTORS` 24 of 32 registers are sums, the fastest of the shapes tried."""

_VECTORS = {64: 4, 32: 2, 16: 4}
"""Vectors of a row of a block, by their bytes: processors with vectors of 32 bytes have 16."""

_FUSED = ("contract",)

LARGE = 1 << 26
"""Fewest multiplications of a product that BLAS computes, with its threads: 400 x 400 x 400."""


def product(elements: Elements, a: View, b: View) -> View:
    """Return the product of two matrices; code fails where it is large, which BLAS computes."""
    (rows, inner), (other, columns) = a.dims, b.dims
    if type(rows) is not int or type(columns) is not int:
        raise Unsupported("a product of matrices of unknown shape")
    elements.require_equal(inner, other, "a product of matrices that do not fit")
    most = -(-LARGE // max(rows * columns, 1))
    if type(inner) is int and inner >= most:
        raise Unsupported("a product of large matrices, which BLAS computes")
    if type(inner) is not int:
        elements.numbers.fail_if(elements.build.icmp_unsigned(">=", inner, INT64(most)))
    if a.dtype.is_bool:
        raise Unsupported("a product of truth values")
    if not (is_equal(b.strides[1], 1) or columns == 1):
        b = elements.copied(b)
    result = elements.whole(elements.memory.new((rows, columns), a.dtype))
    multiply(elements, a, b, result)
    return result


def multiply(elements: Elements, a: View, b: View, result: View, *, adds: bool = False) -> None:
    """Write the product of two matrices to memory; with `adds`, add it to what is there.

    The rows of `a`, and the columns of `b`, which have no gaps, have static numbers; between them
    are any number of axes that both have.
    """
    blocks = _Blocks(elements, a, b, result, adds)
    for first, count, height in _steps(a.dims[0], blocks.height()):
        blocks.rows(first, count, height)


def _steps(size: int, step: int) -> Iterator[tuple[int, int, int]]:
    """Yield the start, the number and the size of equal parts, and of the rest."""
    if size >= step:
        yield 0, size // step, step
    if size % step:
        yield size - size % step, 1, size % step


class _Blocks:
    """Emits the blocks of a product."""

    def __init__(self, elements: Elements, a: View, b: View, result: View, adds: bool) -> None:
        self._elements = elements
        self._a, self._b, self._result, self._adds = a, b, result, adds
        self._bases = [elements.base(view) for view in (a, b, result)]
        self._kind = memory_type(a.dtype)
        self._lanes = vector_bytes() // bytes_of(a.dtype)
        self._width = self._lanes * _VECTORS[vector_bytes()]

    def height(self) -> int:
        """Return the rows of a block: more where columns are few, and about the same in each."""
        vectors = len(self._parts(min(self._b.dims[-1], self._width)))
        most = max(_ROWS, _ROWS * _VECTORS[vector_bytes()] // max(vectors, 1))
        rows = max(int(self._a.dims[0]), 1)
        return -(-rows // -(-rows // most))

    def rows(self, first: int, count: int, height: int) -> None:
        """Emit `count` blocks of rows."""
        width = self._width
        with self._elements.counted(count) as number:
            row = self._at(first, number, height)
            for start, times, size in _steps(self._b.dims[-1], width):
                with self._elements.counted(times) as place:
                    self._block(row, height, self._at(start, place, size), self._parts(size))

    def _at(self, first: int, number: ir.Value, step: int) -> ir.Value:
        elements = self._elements
        return elements.plus(first, elements.times(number, step))

    def _parts(self, columns: int) -> list[tuple[int, int]]:
        """Return the start and length of the vectors of a block."""
        parts, start, lanes = [], 0, self._lanes
        while start < columns:
            while lanes > columns - start:
                lanes //= 2
            parts.append((start, lanes))
            start += lanes
        return parts

    def _block(self, row: Dim, height: int, column: Dim, parts: Sequence[tuple[int, int]]) -> None:
        """Emit the sums of a block, and store them."""
        elements, build = self._elements, self._elements.build
        kinds = [self._kind if n == 1 else ir.VectorType(self._kind, n) for _, n in parts]
        sums = [[elements.memory.variable(kind) for kind in kinds] for _ in range(height)]
        for line in sums:
            for place, kind in zip(line, kinds, strict=True):
                build.store(ir.Constant(kind, None), place)
        with elements.nest(self._a.dims[1:]) as inner:
            vectors = [
                self._load(1, [*inner, elements.plus(column, start)], kind)
                for (start, _), kind in zip(parts, kinds, strict=True)
            ]
            for r, line in enumerate(sums):
                factor = self._load(0, [elements.plus(row, r), *inner], self._kind)
                for place, vector in zip(line, vectors, strict=True):
                    build.store(
                        self._added(build.load(place, typ=vector.type), factor, vector), place
                    )
        for r, line in enumerate(sums):
            for (start, _), kind, place in zip(parts, kinds, line, strict=True):
                goal = [elements.plus(row, r), elements.plus(column, start)]
                found = build.load(place, typ=kind)
                if self._adds:
                    found = self._sum(self._load(2, goal, kind), found)
                store = build.store(found, self._address(2, goal))
                store.align = bytes_of(self._a.dtype)

    def _address(self, which: int, indices: Sequence[Dim]) -> ir.Value:
        view = (self._a, self._b, self._result)[which]
        places = [INT64(i) if type(i) is int else i for i in indices]
        return self._elements.at(view, self._bases[which], places)

    def _load(self, which: int, indices: Sequence[Dim], kind: ir.Type) -> ir.Value:
        value = self._elements.build.load(self._address(which, indices), typ=kind)
        value.align = bytes_of(self._a.dtype)
        return value

    def _added(self, total: ir.Value, factor: ir.Value, vector: ir.Value) -> ir.Value:
        build = self._elements.build
        if isinstance(vector.type, ir.VectorType):
            lanes = vector.type.count
            empty = ir.Constant(vector.type, ir.Undefined)
            first = build.insert_element(empty, factor, ir.IntType(32)(0))
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes), None)
            factor = build.shuffle_vector(first, empty, zeros)
        is_floating = self._a.dtype.is_floating
        found = (
            build.fmul(factor, vector, flags=_FUSED) if is_floating else build.mul(factor, vector)
        )
        return self._sum(total, found)

    def _sum(self, one: ir.Value, other: ir.Value) -> ir.Value:
        build = self._elements.build
        if self._a.dtype.is_floating:
            return build.fadd(one, other, flags=_FUSED)
        return build.add(one, other)
