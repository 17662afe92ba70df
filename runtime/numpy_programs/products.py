"""Products of NumPy, diagonals, and `numpy.linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.aliases import AxisLike
from runtime.core.shapes import known
from runtime.core.tensor import Tensor, TensorLike
from runtime.numpy_programs.dispatch import refuse, ufunc_result, unsupported
from runtime.numpy_programs.promotion import as_dtype, constant
from runtime.numpy_programs.tables import (
    Implementation,
    as_array,
    axes_of,
    dtype_of,
    rank_of,
    refuse_out,
    together,
    widened,
)
from runtime.numpy_programs.ufuncs import matmul
from runtime.numpy_programs.values import Array, operand, wrapped
from runtime.numpy_programs.views import SnapshotView
from runtime.ops.array import shaping
from runtime.ops.base.convert import constant_of
from runtime.ops.effects.output import raise_when
from runtime.ops.items.indexing import getitem
from runtime.ops.items.selecting import where
from runtime.ops.linalg import decompositions, diagonals, einsum, products, solving
from runtime.ops.math import elementwise
from runtime.ops.reduce import reduction


def _dot(a: TensorLike, b: TensorLike, out: object = None) -> Any:
    refuse_out(out)
    x, y = together([a, b])
    left, right = rank_of(x), rank_of(y)
    if left == 0 or right == 0:
        return ufunc_result(np.multiply, x, y)
    if right <= 2:
        return wrapped(matmul(x, y)) if left <= 2 else wrapped(einsum.tensordot(x, y, [[-1], [0]]))
    return wrapped(einsum.tensordot(x, y, [[left - 1], [right - 2]]))


def _inner(a: TensorLike, b: TensorLike) -> Any:
    x, y = together([a, b])
    if 0 in (rank_of(x), rank_of(y)):
        return ufunc_result(np.multiply, x, y)
    if rank_of(x) == rank_of(y) == 1:
        return wrapped(matmul(x, y))
    return wrapped(einsum.tensordot(x, y, [[rank_of(x) - 1], [rank_of(y) - 1]]))


def _vdot(a: TensorLike, b: TensorLike) -> Any:
    x, y = (shaping.reshape(each, [-1]) for each in together([a, b]))
    return wrapped(matmul(operand(ufunc_result(np.conjugate, x)), y))


def _outer(a: TensorLike, b: TensorLike, out: object = None) -> Any:
    refuse_out(out)
    x, y = (shaping.reshape(each, [-1]) for each in together([a, b]))
    return ufunc_result(
        np.multiply, getitem(x, (slice(None), None)), getitem(y, (None, slice(None)))
    )


def _tensordot(a: TensorLike, b: TensorLike, axes: AxisLike = 2) -> Any:
    x, y = together([a, b])
    return Array(einsum.tensordot(x, y, axes))


def _einsum(subscripts: str, *operands: TensorLike, **options: Any) -> Any:
    if not isinstance(subscripts, str):
        raise unsupported("np.einsum (without a subscript string)")
    return wrapped(einsum.einsum(subscripts, *together(operands)))


def _cross(a: TensorLike, b: TensorLike, **options: Any) -> Any:
    x, y = together([a, b])
    if options or {x.spec.dims[-1:], y.spec.dims[-1:]} != {(3,)}:  # type: ignore[index]
        raise unsupported("np.cross (of vectors without three elements)")
    return Array(products.cross(x, y))


def _trace(a: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    if offset or (axis1, axis2) != (0, 1) or rank_of(operand(a)) != 2:
        raise unsupported("np.trace (of other than the main diagonal)")
    return wrapped(reduction.reduce_sum(widened(diagonals.diag_part(operand(a)), None), axis=0))


def _diag(v: TensorLike, k: int = 0) -> Any:
    tensor = operand(v)
    if rank_of(tensor) == 1:
        return Array(diagonals.diag(tensor, k=k))
    return _diagonal(v, k)


def _diagonal(a: TensorLike, offset: int = 0) -> Any:
    own = as_array(a)
    if own.ndim != 2:
        raise unsupported("np.diagonal (of other than matrices)")
    return SnapshotView(own, _Diagonal(offset), "is a read-only view of a diagonal")


class _Diagonal:
    """The step to a diagonal of a matrix."""

    def __init__(self, offset: int) -> None:
        self._offset = offset

    def read(self, tensor: Tensor) -> Tensor:
        """Return the diagonal."""
        return diagonals.diag_part(tensor, k=self._offset)

    def write(self, tensor: Tensor, value: Tensor) -> Tensor:
        """Return the matrix with another diagonal."""
        return diagonals.set_diag(tensor, value, k=self._offset)

    def of_caller(self, array: TensorLike) -> Any:
        """Return the diagonal of the caller's array."""
        return np.diagonal(array, self._offset)


def _band(m: TensorLike, k: int, kept: bool) -> Any:
    tensor = operand(m)
    dims = tensor.spec.dims or ()
    if len(dims) < 2 or None in dims[-2:]:
        raise refuse("np.tril and np.triu need a matrix of known shape.", "Mask it by np.where.")
    mask = np.tril(np.ones(known(dims[-2:]), bool), k)
    zero = constant_of(np.asarray(0, dtype_of(tensor)))
    return Array(where(constant(mask if kept else ~mask), tensor, zero))


def _inexact(*values: TensorLike) -> list[Tensor]:
    tensors = together(values)
    dtype = dtype_of(tensors[0])
    return [as_dtype(t, np.dtype(np.float64) if dtype.kind in "biu" else dtype) for t in tensors]


def _factored(*values: TensorLike) -> list[Tensor]:
    """Return matrices of the dtypes that `numpy.linalg` factors."""
    if any(dtype_of(operand(each)) == np.float16 for each in values):
        raise TypeError("array type float16 is unsupported in linalg")
    return _inexact(*values)


def _norm(x: TensorLike, ord: object = None, axis: AxisLike = None, keepdims: bool = False) -> Any:
    (tensor,) = _inexact(x)
    if tensor.dtype.is_complex:
        tensor = elementwise.abs(tensor)
    rank = rank_of(tensor)
    of_vectors = rank == 1 or isinstance(axis, int)
    if ord == "fro" and (of_vectors or (axis is None and rank != 2)):
        raise ValueError("Invalid norm order 'fro' for vectors")
    if ord is None or (ord == 2 and of_vectors) or ord == "fro":
        axes = axes_of(axis, rank)
        squares = elementwise.square(tensor)
        total = reduction.reduce_sum(squares, axis=axes, keepdims=bool(keepdims))
        return wrapped(elementwise.sqrt(total))
    if of_vectors:
        axes, size = axes_of(axis, rank), elementwise.abs(tensor)
        if ord == 1:
            return wrapped(reduction.reduce_sum(size, axis=axes, keepdims=bool(keepdims)))
        if ord == np.inf:
            largest = reduction.reduce_max(size, axis=axes, keepdims=bool(keepdims))
            return ufunc_result(np.maximum, wrapped(largest), 0)  # of no elements
        if ord == -np.inf:
            return wrapped(reduction.reduce_min(size, axis=axes, keepdims=bool(keepdims)))
    raise unsupported(f"np.linalg.norm(ord={ord!r})")


def _solve(a: TensorLike, b: TensorLike) -> Any:
    matrix, right = _factored(a, b)
    if rank_of(right) == 1:
        column = solving.solve(matrix, shaping.expand_dims(right, -1))
        return Array(shaping.squeeze(column, [-1]))
    return Array(solving.solve(matrix, right))


def _cholesky(a: TensorLike, *, upper: bool = False) -> Any:
    if upper:
        raise unsupported("np.linalg.cholesky(upper=True)")
    found = decompositions.cholesky(_factored(a)[0])
    raise_when(
        reduction.reduce_any(elementwise.is_nan(elementwise.abs(found))),
        np.linalg.LinAlgError("Matrix is not positive definite"),
    )
    return Array(found)


_EIGH: Any = type(np.linalg.eigh(np.eye(1)))
_QR: Any = type(np.linalg.qr(np.eye(1)))
"""The classes of NumPy's results, named tuples."""


def _eigh(a: TensorLike, UPLO: str = "L") -> Any:
    if UPLO != "L":
        raise unsupported(f"np.linalg.eigh(UPLO={UPLO!r})")
    return _EIGH(*map(Array, decompositions.eigh(_factored(a)[0])))


def _qr(a: TensorLike, mode: str = "reduced") -> Any:
    if mode not in ("reduced", "complete"):
        raise unsupported(f"np.linalg.qr(mode={mode!r})")
    return _QR(*map(Array, decompositions.qr(_factored(a)[0], mode == "complete")))


FUNCTIONS: dict[Any, Implementation] = {
    np.dot: _dot,
    np.inner: _inner,
    np.vdot: _vdot,
    np.outer: _outer,
    np.tensordot: _tensordot,
    np.einsum: _einsum,
    np.cross: _cross,
    np.trace: _trace,
    np.diag: _diag,
    np.diagonal: _diagonal,
    np.tril: lambda m, k=0: _band(m, k, True),
    np.triu: lambda m, k=0: _band(m, k - 1, False),
    np.linalg.norm: _norm,
    np.linalg.solve: _solve,
    np.linalg.inv: lambda a: Array(solving.inv(_factored(a)[0])),
    np.linalg.det: lambda a: wrapped(solving.det(_factored(a)[0])),
    np.linalg.cholesky: _cholesky,
    np.linalg.eigh: _eigh,
    np.linalg.qr: _qr,
    np.linalg.eigvalsh: lambda a: Array(decompositions.eigvalsh(_factored(a)[0])),
}
"""The functions of NumPy that are implemented here."""
