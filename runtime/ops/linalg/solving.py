"""Inverses and determinants of matrices, and systems of linear equations.

Gradients: M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation" (2008), sections 2.2.3 and 2.3.1.
"""

from __future__ import annotations

from runtime.core.aliases import Array, Namespace
from runtime.core.opdef import sample
from runtime.core.shapes import Dims, broadcast
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims
from runtime.ops.base import rules
from runtime.ops.linalg.matrices import (
    SQUARE,
    SYMMETRIC,
    adjoint_array,
    check_matrices,
    check_square,
    square_op,
)
from runtime.ops.linalg.products import matmul
from runtime.ops.math.arithmetic import multiply
from runtime.ops.math.complexes import conj


def _inverse_grad(g: Tensor, y: Tensor, x: Tensor, adjoint: bool) -> tuple[Tensor]:
    if adjoint:
        return (-matmul(matmul(y, g, adjoint_b=True), y),)
    return (-matmul(matmul(y, g, adjoint_a=True), y, adjoint_b=True),)


@square_op(
    "MatrixInverse",
    lambda xp, x, adjoint: xp.linalg.inv(adjoint_array(xp, x) if adjoint else x),
    _inverse_grad,
    samples=(sample(SQUARE, adjoint=False), sample([SQUARE, SYMMETRIC], adjoint=True)),
)
def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """Invert matrices.

    Args:
      input: Tensor of shape [..., n, n]; float32, float64, complex64 or complex128.
      adjoint: whether to invert the conjugate transposes.

    Returns: Tensor of the shape and dtype of `input`.
    Raises: InvalidArgumentError if a matrix is singular or not square.

    >>> print(inv([[2.0, 1.0], [0.0, 4.0]]).numpy())
    [[ 0.5   -0.125]
     [ 0.     0.25 ]]
    """
    return inv.op(input, adjoint=bool(adjoint), name=name)


def _batch_dims(dims: tuple[int | None, ...]) -> Dims:
    check_square(dims)
    return dims[:-2]


def _determinant_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    """Jacobi's formula."""
    scale = expand_dims(expand_dims(g * conj(y), -1), -1)
    return (multiply(scale, inv(x, adjoint=True)),)


@square_op(
    "MatrixDeterminant",
    lambda xp, x: xp.asarray(xp.linalg.det(x)).astype(x.dtype),
    _determinant_grad,
    infer=rules.shaped(_batch_dims),
)
def det(input: TensorLike, name: str | None = None) -> Tensor:
    """Determinant of matrices.

    Args:
      input: Tensor of shape [..., n, n]; float32, float64, complex64 or complex128.

    Returns: Tensor of shape [...] and the dtype of `input`.
    Raises: InvalidArgumentError if a matrix is not square.

    >>> print(det([[2.0, 1.0], [1.0, 3.0]]).numpy())
    5.0
    """
    return det.op(input, name=name)


def _check_system(a: Dims, b: Dims) -> None:
    """Raise ValueError if matrices and right-hand sides do not fit."""
    check_square(a)
    check_matrices(b)
    if a is None or b is None:
        return
    if len(a) != len(b):
        raise ValueError("All input tensors must have the same rank.")
    if None not in (a[-1], b[-2]) and a[-1] != b[-2]:
        raise ValueError(f"Input matrix and rhs are incompatible: {a[-1]} and {b[-2]}")


def _solved(matrix: Tensor, rhs: Tensor, adjoint: bool) -> TensorSpec:
    a, b = matrix.spec.dims, rhs.spec.dims
    _check_system(a, b)
    if a is None or b is None:
        return rhs.spec.with_dims(None)
    batch = broadcast(a[:-2], b[:-2])
    return rhs.spec.with_dims(None if batch is None else (*batch, *b[-2:]))


def _solve(xp: Namespace, matrix: Array, rhs: Array, adjoint: bool) -> Array:
    _check_system(matrix.shape, rhs.shape)
    return xp.linalg.solve(adjoint_array(xp, matrix) if adjoint else matrix, rhs)


def _solve_grad(
    g: Tensor, y: Tensor, matrix: Tensor, rhs: Tensor, adjoint: bool
) -> tuple[Tensor, Tensor]:
    by_rhs = solve(matrix, g, adjoint=not adjoint)
    first, second = (y, by_rhs) if adjoint else (by_rhs, y)
    return -matmul(first, second, adjoint_b=True), by_rhs


@square_op(
    "MatrixSolve",
    _solve,
    _solve_grad,
    inputs=("matrix", "rhs"),
    infer=_solved,
    samples=(
        sample(SQUARE, [[1.0], [2.0]], adjoint=False),
        sample([SQUARE], [SYMMETRIC], adjoint=True),
    ),
)
def solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """Solve systems of linear equations.

    Args:
      matrix: Tensor of shape [..., n, n]; float32, float64, complex64 or complex128.
      rhs: right-hand sides, shape [..., n, k], of the dtype and rank of `matrix`.
      adjoint: whether to solve with the conjugate transposes of the matrices.

    Returns: Solutions, shape [..., n, k].
    Raises: InvalidArgumentError if a matrix is singular or the shapes do not fit.

    >>> print(solve([[2.0, 1.0], [0.0, 4.0]], [[3.0], [4.0]]).numpy())
    [[1.]
     [1.]]
    """
    return solve.op(matrix, rhs, adjoint=bool(adjoint), name=name)
