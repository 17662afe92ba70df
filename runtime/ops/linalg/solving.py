"""Inverses, and systems of linear equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.opdef import sample
from runtime.core.shapes import broadcast
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import define_op
from runtime.ops.linalg import matrix_kernels
from runtime.ops.linalg.bands import band_part
from runtime.ops.linalg.matrices import (
    ELEMENTS,
    SQUARE,
    SYMMETRIC,
    matrix_dims,
    of_squares,
    op_of_square,
    square_spec,
)
from runtime.ops.linalg.products import matmul


def _inverse(xp: Any, x: Any, adjoint: bool) -> Any:
    return xp.linalg.inv(xp.conj(xp.swapaxes(x, -1, -2)) if adjoint else x)


def _inverse_grad(g: Tensor, y: Tensor, x: Tensor, adjoint: bool) -> tuple[Tensor]:
    if adjoint:
        return (-matmul(matmul(y, g, adjoint_b=True), y),)
    return (-matmul(matmul(y, g, adjoint_a=True), y, adjoint_b=True),)


INVERSE = op_of_square(
    "MatrixInverse",
    _inverse,
    _inverse_grad,
    samples=(sample(SQUARE, adjoint=False), sample([SQUARE, SYMMETRIC], adjoint=True)),
)


def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverses of matrices.

    Args:
      input: floating-point or complex numbers, shape [..., n, n].
      adjoint: whether to invert the conjugate transposes.

    Raises: InvalidArgumentError if a matrix is not square or has no inverse.

    >>> print(inv([[2.0, 0.0], [0.0, 4.0]]))
    tf.Tensor(
    [[0.5  0.  ]
     [0.   0.25]], shape=(2, 2), dtype=float32)
    """
    return INVERSE(input, adjoint=bool(adjoint), name=name)


def _solved(matrix: Tensor, rhs: Tensor, **attrs: Any) -> TensorSpec:
    a, b = square_spec(matrix).dims, matrix_dims(rhs)
    if a is None or b is None:
        return rhs.spec.with_dims(None)
    if "lower" not in attrs and len(a) != len(b):
        raise ValueError("All input tensors must have the same rank.")
    if None not in (a[-1], b[-2]) and a[-1] != b[-2]:
        raise ValueError(f"Input matrix and rhs are incompatible: {a[-1]} and {b[-2]}")
    batch = broadcast(a[:-2], b[:-2])
    return rhs.spec.with_dims(None if batch is None else (*batch, *b[-2:]))


def _solve(xp: Any, matrix: Any, rhs: Any, adjoint: bool) -> Any:
    if matrix.ndim != rhs.ndim:
        raise ValueError("All input tensors must have the same rank.")
    return xp.linalg.solve(xp.conj(xp.swapaxes(matrix, -1, -2)) if adjoint else matrix, rhs)


def _triangular(xp: Any, matrix: Any, rhs: Any, lower: bool, adjoint: bool) -> Any:
    turned = xp.conj(xp.swapaxes(matrix, -1, -2)) if adjoint else matrix
    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    full = xp.broadcast_to(rhs, (*batch, *rhs.shape[-2:]))
    return matrix_kernels.triangular_solve(xp, turned, full, lower is not adjoint)


def _solve_grad(
    g: Tensor, y: Tensor, matrix: Tensor, rhs: Tensor, adjoint: bool
) -> tuple[Tensor, Tensor]:
    by_rhs = _SOLVE(matrix, g, adjoint=not adjoint)
    first, second = (y, by_rhs) if adjoint else (by_rhs, y)
    return -matmul(first, second, adjoint_b=True), by_rhs


def _triangular_grad(
    g: Tensor, y: Tensor, matrix: Tensor, rhs: Tensor, lower: bool, adjoint: bool
) -> tuple[Tensor, Tensor]:
    by_rhs = TRIANGULAR_SOLVE(matrix, g, lower=lower, adjoint=not adjoint)
    first, second = (y, by_rhs) if adjoint else (by_rhs, y)
    full = -matmul(first, second, adjoint_b=True)
    return band_part(full, -1 if lower else 0, 0 if lower else -1), by_rhs


_SOLVE = define_op(
    "MatrixSolve",
    {"matrix": ELEMENTS, "rhs": ELEMENTS},
    _solved,
    of_squares(_solve),
    grad=_solve_grad,
    samples=(
        sample(SQUARE, [[1.0], [2.0]], adjoint=False),
        sample([SQUARE], [SYMMETRIC], adjoint=True),
    ),
)
TRIANGULAR_SOLVE = define_op(
    "MatrixTriangularSolve",
    {"matrix": ELEMENTS, "rhs": ELEMENTS},
    _solved,
    of_squares(_triangular),
    grad=_triangular_grad,
    samples=(
        sample(SQUARE, [[1.0], [2.0]], lower=True, adjoint=False),
        sample(SQUARE, [SYMMETRIC], lower=False, adjoint=True),
    ),
)


def solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The solutions of systems of linear equations.

    Args:
      matrix: floating-point or complex numbers, shape [..., n, n].
      rhs: the right-hand sides, of the same dtype and rank, shape [..., n, k].
      adjoint: whether to use the conjugate transposes of the matrices.

    Raises: InvalidArgumentError if a matrix has no inverse or the shapes do not fit.

    >>> print(solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]))
    tf.Tensor(
    [[1. ]
     [0.5]], shape=(2, 1), dtype=float32)
    """
    return _SOLVE(matrix, rhs, adjoint=bool(adjoint), name=name)


def triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """The solutions of systems of linear equations in triangular form.

    Args:
      matrix: shape [..., n, n]; what is on the other side of the diagonal is not read.
      rhs: the right-hand sides, of the same dtype, shape [..., n, k].
      lower: whether the lower triangle counts.
      adjoint: whether to use the conjugate transposes of the matrices.

    >>> print(triangular_solve([[2.0, 0.0], [1.0, 1.0]], [[2.0], [2.0]]))
    tf.Tensor(
    [[1.]
     [1.]], shape=(2, 1), dtype=float32)
    """
    return TRIANGULAR_SOLVE(matrix, rhs, lower=bool(lower), adjoint=bool(adjoint), name=name)
