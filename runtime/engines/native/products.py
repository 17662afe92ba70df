"""Products of matrices.

Each element is the sum of its products in the order of the inner axis; integers wrap around. A
floating-point sum of n products differs from that of another order, as of NumPy's BLAS, by at most
2 * n * eps * sum(abs(a * b)), with eps the distance of 1 and the next number (Higham, Accuracy and
Stability of Numerical Algorithms, 3.5). Larger products are calls of NumPy's BLAS.
"""

from __future__ import annotations

from runtime.core import blas
from runtime.engines.native.arrays import Dim, View, is_equal
from runtime.engines.native.elements import Elements
from runtime.engines.native.memory import memory_type
from runtime.engines.native.numbers import Unsupported


def transposed(view: View) -> View:
    """Return a matrix with its axes exchanged."""
    return View(view.buffer, view.number, view.offset, view.dims[::-1], view.strides[::-1])


def product(elements: Elements, a: View, b: View) -> View:
    """Return the product of two matrices of static shape."""
    (rows, inner), (other, columns) = a.dims, b.dims
    sizes = [dim for dim in (rows, inner, columns) if type(dim) is int]
    if len(sizes) < 3 or not blas.is_small(*sizes):
        raise Unsupported("a product of large matrices")
    if not is_equal(inner, other):
        raise Unsupported("a product of matrices that do not fit")
    return _by_rows(elements, a, _dense_rows(elements, b), rows, inner, columns)


def _dense_rows(elements: Elements, b: View) -> View:
    """Return a matrix whose rows are vectors in memory."""
    return b if is_equal(b.strides[1], 1) or is_equal(b.dims[1], 1) else elements.copied(b)


def _by_rows(elements: Elements, a: View, b: View, rows: Dim, inner: Dim, columns: Dim) -> View:
    """Add multiples of the rows of the second matrix to each row of the result."""
    numbers, dtype = elements.numbers, a.dtype
    if dtype.is_bool:
        raise Unsupported("a product of truth values")
    result = elements.whole(elements.memory.new((rows, columns), dtype))
    elements.fill(result, memory_type(dtype)(0))
    goal, left, right = elements.base(result), elements.base(a), elements.base(b)
    with elements.nest((rows, inner)) as (i, k):
        factor = elements.load(dtype, elements.at(a, left, [i, k]))
        with elements.counted(columns, independent=True) as j:
            place = elements.at(result, goal, [i, j])
            value = elements.load(dtype, elements.at(b, right, [k, j]), True)
            term = numbers.product(dtype, factor, value)
            total = numbers.sum(dtype, elements.load(dtype, place, True), term)
            elements.put(dtype, total, place, True)
    return result
