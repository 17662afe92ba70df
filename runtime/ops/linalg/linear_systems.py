"""Least squares, pseudoinverses, and systems whose matrices are nearly empty."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import call
from runtime.ops.base.gradient_parts import chosen, shape_of
from runtime.ops.linalg.decompositions import cholesky, cholesky_solve
from runtime.ops.linalg.diagonals import diag, diag_part, set_diag
from runtime.ops.linalg.products import matmul
from runtime.ops.linalg.solving import triangular_solve
from runtime.ops.linalg.spectral import eigh, eigvalsh, svd
from runtime.ops.math.arithmetic import multiply
from runtime.ops.math.casting import cast
from runtime.ops.reduce.reduction import reduce_max, reduce_sum


def _tolerance(x: Tensor, values: Tensor, factor: Any = None) -> Tensor:
    """Below which a singular value counts as zero."""
    kind = values.dtype.numpy_dtype
    if factor is None:
        sizes = cast(reduce_max(shape_of(x)[-2:]), values.dtype)
        factor = sizes * float(np.finfo(kind).eps)
    return multiply(reduce_max(values, -1, True), factor)


def matrix_rank(
    a: TensorLike, tol: TensorLike | None = None, validate_args: bool = False, name: Any = None
) -> Tensor:
    """How many singular values of matrices are not zero.

    Args:
      a: floating-point or complex numbers, shape [..., m, n].
      tol: below which they count as zero; None: the largest times the larger size times the
        precision of the dtype.
      validate_args: makes no difference.

    Returns: int32, shape [...].

    >>> print(matrix_rank([[1.0, 1.0], [1.0, 1.0]]))
    tf.Tensor(1, shape=(), dtype=int32)
    """
    x = convert_to_tensor(a)
    values = svd(x, compute_uv=False)
    limit = _tolerance(x, values) if tol is None else convert_to_tensor(tol)
    counted = call("Cast", call("Greater", values, limit), dtype=shape_of(x).dtype)
    return reduce_sum(counted, -1, name=name)


def pinv(
    a: TensorLike, rcond: TensorLike | None = None, validate_args: bool = False, name: Any = None
) -> Tensor:
    """The Moore-Penrose inverses of matrices.

    Args:
      a: floating-point or complex numbers, shape [..., m, n].
      rcond: singular values below this times the largest count as zero; None: 10 times the larger
        size times the precision of the dtype.
      validate_args: makes no difference.

    Returns: shape [..., n, m].

    >>> print(pinv([[2.0, 0.0], [0.0, 0.0]]))
    tf.Tensor(
    [[0.5 0. ]
     [0.  0. ]], shape=(2, 2), dtype=float32)
    """
    x = convert_to_tensor(a)
    s, u, v = svd(x)
    if rcond is None:
        kind = s.dtype.numpy_dtype
        factor = cast(reduce_max(shape_of(x)[-2:]), s.dtype) * (10.0 * float(np.finfo(kind).eps))
        limit = _tolerance(x, s, factor)
    else:
        given = convert_to_tensor(rcond, dtype_hint=s.dtype)
        limit = _tolerance(x, s, expand_dims(given, -1))
    kept = call("Greater", s, limit)
    inverse = chosen(kept, call("RealDiv", 1, chosen(kept, s, 1)))
    scaled = v * expand_dims(cast(inverse, x.dtype), -2)
    return matmul(scaled, u, adjoint_b=True, name=name)


def lstsq(
    matrix: TensorLike,
    rhs: TensorLike,
    l2_regularizer: float = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Tensor:
    """The solutions of systems of linear equations that come closest.

    Args:
      matrix: floating-point or complex numbers, shape [..., m, n].
      rhs: of the same dtype, shape [..., m, k].
      l2_regularizer: how much the squared length of a solution counts against it.
      fast: whether to solve the normal equations, which takes a matrix of full rank; otherwise the
        pseudoinverse is used.

    Returns: shape [..., n, k]; for fewer equations than unknowns the shortest solution.
    >>> print(lstsq([[2.0], [0.0]], [[4.0], [1.0]]))
    tf.Tensor([[2.]], shape=(1, 1), dtype=float32)
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
    """Least squares of matrices of any form."""
    s, u, v = svd(x)
    scale = cast(call("RealDiv", s, s * s + regularizer), x.dtype)
    return matmul(v * expand_dims(scale, -2), matmul(u, y, adjoint_a=True), name=name)


def banded_triangular_solve(
    bands: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """The solutions of systems of linear equations in triangular form with few diagonals.

    Args:
      bands: the diagonals, [..., k, n], the main one first if `lower`, else last; those below are
        filled up in front, those above at the end.
      rhs: the right-hand sides, [..., n, m].
      lower: whether the diagonals are below the main one.
      adjoint: whether to use the conjugate transposes of the matrices.

    >>> print(banded_triangular_solve([[2.0, 4.0], [0.0, 2.0]], [[2.0], [2.0]]))
    tf.Tensor(
    [[1.]
     [0.]], shape=(2, 1), dtype=float32)
    """
    x = convert_to_tensor(bands)
    count = x.shape[-2]
    if count is None:
        raise ValueError("banded_triangular_solve needs to know how many diagonals there are")
    k = (1 - count, 0) if lower else (0, count - 1)
    matrix = diag(x if count > 1 else x[..., 0, :], k=k if count > 1 else 0, align="LEFT_RIGHT")
    return triangular_solve(matrix, rhs, lower=lower, adjoint=adjoint, name=name)


def eigh_tridiagonal(
    alpha: TensorLike,
    beta: TensorLike,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Any = None,
    tol: Any = None,
    name: str | None = None,
) -> Any:
    """The eigenvalues of self-adjoint matrices with elements near the diagonal only.

    Args:
      alpha: the main diagonals, [..., n].
      beta: the diagonals above, [..., n - 1], of the same dtype.
      eigvals_only: whether to leave out the eigenvectors.
      select: "a": all of them; "i": those with the indices from the first to the second number in
        `select_range`; "v": those above the first and up to the second, of one matrix, eagerly.
      select_range: two numbers, or None.
      tol: makes no difference: the eigenvalues are as exact as the dtype.

    Returns: the eigenvalues in ascending order, or the eigenvalues and the eigenvectors.
    Raises: ValueError for another selection.

    >>> print(eigh_tridiagonal([1.0, 2.0], [0.0]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    if select not in ("a", "i", "v"):
        raise ValueError(f"'select must have a value in {{'a', 'i', 'v'}}. Received: {select}")
    (main, beside), _ = one_dtype("EighTridiagonal", [("alpha", alpha), ("beta", beta)])
    below = call("Conj", beside) if beside.dtype.is_complex else beside
    matrix = set_diag(diag(below, k=-1), main)
    values, vectors = (eigvalsh(matrix), None) if eigvals_only else eigh(matrix)
    if values.dtype.is_complex:
        values = call("Real", values)
    if select == "i":
        part = slice(int(select_range[0]), int(select_range[1]) + 1)
        values = values[..., part]
        vectors = None if vectors is None else vectors[..., part]
    if select == "v":
        inside = call("LogicalAnd", values > select_range[0], values <= select_range[1])
        places = call("Where", inside)[:, 0]
        values = call("GatherV2", values, places, axis=0)
        vectors = None if vectors is None else call("GatherV2", vectors, places, axis=1)
    return values if vectors is None else (values, vectors)
