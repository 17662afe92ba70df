"""`numpy.linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import Tensor, TensorLike
from runtime.numpy_programs.promotion import as_dtype
from runtime.numpy_programs.refusals import unsupported
from runtime.numpy_programs.tables import axes_of, dtype_of, implements, rank_of, together
from runtime.numpy_programs.values import Array, wrapped
from runtime.ops.array import shaping
from runtime.ops.base.aliases import AxisLike
from runtime.ops.linalg import decompositions, solving, spectral
from runtime.ops.math import elementwise
from runtime.ops.reduce import reduction


def _inexact(*values: Any) -> list[Tensor]:
    tensors = together(values)
    dtype = dtype_of(tensors[0])
    return [as_dtype(t, np.dtype(np.float64) if dtype.kind in "biu" else dtype) for t in tensors]


@implements(np.linalg.norm)
def _norm(x: TensorLike, ord: Any = None, axis: AxisLike = None, keepdims: bool = False) -> Any:
    (tensor,) = _inexact(x)
    if tensor.dtype.is_complex:
        tensor = elementwise.abs(tensor)
    rank = rank_of(tensor)
    if ord is None or (ord == 2 and (rank == 1 or isinstance(axis, int))) or ord == "fro":
        axes = axes_of(axis, rank)
        squares = elementwise.square(tensor)
        total = reduction.reduce_sum(squares, axis=axes, keepdims=bool(keepdims))
        return wrapped(elementwise.sqrt(total))
    if rank == 1 or isinstance(axis, int):
        axes, size = axes_of(axis, rank), elementwise.abs(tensor)
        if ord == 1:
            return wrapped(reduction.reduce_sum(size, axis=axes, keepdims=bool(keepdims)))
        if ord == np.inf:
            return wrapped(reduction.reduce_max(size, axis=axes, keepdims=bool(keepdims)))
        if ord == -np.inf:
            return wrapped(reduction.reduce_min(size, axis=axes, keepdims=bool(keepdims)))
    raise unsupported(f"np.linalg.norm(ord={ord!r})")


@implements(np.linalg.solve)
def _solve(a: TensorLike, b: TensorLike) -> Any:
    matrix, right = _inexact(a, b)
    if rank_of(right) == 1:
        column = solving.solve(matrix, shaping.expand_dims(right, -1))
        return Array(shaping.squeeze(column, [-1]))
    return Array(solving.solve(matrix, right))


@implements(np.linalg.inv)
def _inv(a: TensorLike) -> Any:
    return Array(solving.inv(_inexact(a)[0]))


@implements(np.linalg.det)
def _det(a: TensorLike) -> Any:
    return wrapped(solving.det(_inexact(a)[0]))


@implements(np.linalg.cholesky)
def _cholesky(a: TensorLike, *, upper: bool = False) -> Any:
    if upper:
        raise unsupported("np.linalg.cholesky(upper=True)")
    return Array(decompositions.cholesky(_inexact(a)[0]))


@implements(np.linalg.eigvalsh)
def _eigvalsh(a: TensorLike) -> Any:
    return Array(spectral.eigvalsh(_inexact(a)[0]))
