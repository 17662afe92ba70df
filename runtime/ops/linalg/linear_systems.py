"""Least squares, rank and pseudoinverse; banded triangular systems and tridiagonal eigenvalues."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.gradient_parts import chosen, shape_of
from runtime.ops.linalg.decompositions import cholesky, cholesky_solve
from runtime.ops.linalg.diagonals import diag_part, set_diag
from runtime.ops.linalg.products import matmul
from runtime.ops.linalg.spectral import svd
from runtime.ops.math.arithmetic import multiply, realdiv
from runtime.ops.math.casting import cast
from runtime.ops.math.comparison import greater
from runtime.ops.reduce.reduction import reduce_max, reduce_sum


def _tolerance(x: Tensor, values: Tensor, factor: object = None) -> Tensor:
    """Return the bound below which singular values count as zero.

    `factor` times the largest; None: the machine epsilon times the larger size, as NumPy's
    `matrix_rank`.
    """
    kind = values.dtype.numpy_dtype
    if factor is None:
        sizes = cast(reduce_max(shape_of(x)[-2:]), values.dtype)
        factor = sizes * float(np.finfo(kind).eps)
    return multiply(reduce_max(values, -1, True), factor)


def matrix_rank(
    a: TensorLike, tol: TensorLike | None = None, validate_args: bool = False, name: Any = None
) -> Tensor:
    """Rank of matrices: the number of singular values above a tolerance.

    Args:
      a: Tensor of shape [..., m, n]; float32, float64, complex64 or complex128.
      tol: the tolerance; None: the largest singular value times max(m, n) times the machine
        epsilon.
      validate_args: ignored.
      name: name for the operation.

    Returns:
      int32 tensor of shape [...].

    >>> print(matrix_rank([[1.0, 2.0], [2.0, 4.0]]).numpy())
    1
    """
    x = convert_to_tensor(a)
    values = svd(x, compute_uv=False)
    limit = _tolerance(x, values) if tol is None else convert_to_tensor(tol)
    return reduce_sum(cast(greater(values, limit), int32), -1, name=name)


def pinv(
    a: TensorLike, rcond: TensorLike | None = None, validate_args: bool = False, name: Any = None
) -> Tensor:
    """Moore-Penrose pseudoinverse of matrices.

    Args:
      a: Tensor of shape [..., m, n]; float32, float64, complex64 or complex128.
      rcond: singular values below this times the largest count as zero; None: 10 times max(m, n)
        times the machine epsilon.
      validate_args: ignored.
      name: name for the operation.

    Returns:
      Tensor of shape [..., n, m].

    >>> print(pinv([[2.0, 0.0], [0.0, 0.0]]).numpy())
    [[0.5 0. ]
     [0.  0. ]]
    """
    x = convert_to_tensor(a)
    s, u, v = svd(x)
    if rcond is None:
        kind = s.dtype.numpy_dtype
        factor = cast(reduce_max(shape_of(x)[-2:]), s.dtype) * (10.0 * float(np.finfo(kind).eps))
        limit = _tolerance(x, s, factor)
    else:
        share = convert_to_tensor(rcond, dtype_hint=s.dtype)
        limit = _tolerance(x, s, expand_dims(share, -1))
    kept = greater(s, limit)
    inverse = chosen(kept, realdiv(1, chosen(kept, s, 1)))
    scaled = v * expand_dims(cast(inverse, x.dtype), -2)
    return matmul(scaled, u, adjoint_b=True, name=name)


def lstsq(
    matrix: TensorLike,
    rhs: TensorLike,
    l2_regularizer: float = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Tensor:
    """Solve linear least-squares problems.

    Args:
      matrix: Tensor of shape [..., m, n]; float32, float64, complex64 or complex128.
      rhs: right-hand sides, shape [..., m, k], of the dtype of `matrix`.
      l2_regularizer: weight of the squared norm of a solution.
      fast: whether to solve the normal equations, which need a matrix of full rank; otherwise by
        singular values.
      name: name for the operation.

    Returns:
      Solutions, shape [..., n, k]; of minimal norm if m < n.

    >>> print(lstsq([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]], [[3.0], [8.0], [7.0]]).numpy())
    [[1.]
     [2.]]
    """
    (x, y), _ = one_dtype("MatrixSolveLs", [("matrix", matrix), ("rhs", rhs)])
    if not fast and l2_regularizer == 0:
        return matmul(pinv(x), y, name=name)
    rows, columns = x.shape[-2], x.shape[-1]
    if rows is None or columns is None:
        return _by_singular_values(x, y, l2_regularizer, name)
    wide = rows < columns
    gram = matmul(x, x, transpose_a=False, adjoint_b=True) if wide else matmul(x, x, adjoint_a=True)
    if l2_regularizer:
        gram = set_diag(gram, diag_part(gram) + l2_regularizer)
    chol = cholesky(gram)
    if wide:
        return matmul(x, cholesky_solve(chol, y), adjoint_a=True, name=name)
    return cholesky_solve(chol, matmul(x, y, adjoint_a=True), name=name)


def _by_singular_values(x: Tensor, y: Tensor, regularizer: float, name: str | None) -> Tensor:
    """Solve least-squares problems of any size and rank."""
    s, u, v = svd(x)
    scale = cast(realdiv(s, s * s + regularizer), x.dtype)
    return matmul(v * expand_dims(scale, -2), matmul(u, y, adjoint_a=True), name=name)
