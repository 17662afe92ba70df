"""Functions of square matrices: exponential, square root, logarithm and determinants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec

from runtime.core.opdef import Kernel
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import expand_dims
from runtime.ops.base.define import OpFunction, call
from runtime.ops.base.gradient_parts import given, shape_of, zeros_of
from runtime.ops.base.results import LogMatrixDeterminant
from runtime.ops.linalg import matrix_kernels as kernels
from runtime.ops.linalg.decompositions import cholesky
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.matrices import Array, square_op, square_spec
from runtime.ops.linalg.products import adjoint
from runtime.ops.linalg.solving import inv
from runtime.ops.math.arithmetic import multiply
from runtime.ops.math.complexes import conj, real
from runtime.ops.math.elementwise import log
from runtime.ops.reduce.reduction import reduce_sum

P = ParamSpec("P")


def _function(name: str, kernel: Kernel) -> Callable[[Callable[P, Tensor]], OpFunction[P, Tensor]]:
    """Define the op type of a function of matrices that its power series defines.

    Its derivative is a block of the function of a matrix of twice the size: R. Mathias, "A chain
    rule for matrix functions and applications", SIAM J. Matrix Anal. Appl. 17 (1996).
    """

    def grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
        a = adjoint(x)
        block = concat([concat([a, g], -1), concat([zeros_of(a), a], -1)], -2)
        size = shape_of(x)[-1]
        return (call(name, block)[..., :size, size:],)

    return square_op(name, kernel, grad)


@_function("MatrixExponential", kernels.exponential)
def expm(input: TensorLike, name: str | None = None) -> Tensor:
    """Exponential of matrices, the sum of `x ** k / k!` over k = 0, 1, ...

    Args:
      input: Tensor of shape [..., n, n]; float32, float64, complex64 or complex128.
      name: name for the operation.

    Returns:
      Tensor of the shape and dtype of `input`.

    Raises:
      InvalidArgumentError: if the matrices are not square.

    >>> print(expm([[0.0, 1.0], [0.0, 0.0]]).numpy())
    [[1. 1.]
     [0. 1.]]
    """
    return expm.op(input, name=name)


@_function("MatrixSquareRoot", kernels.square_root)
def sqrtm(input: TensorLike, name: str | None = None) -> Tensor:
    """Principal square root of matrices: `matmul(y, y)` is `input`.

    Args:
      input: Tensor of shape [..., n, n], invertible; float32, float64, complex64 or complex128.
      name: name for the operation.

    Returns:
      Tensor of the shape and dtype of `input`, with eigenvalues in the right half-plane; NaN for a
      real matrix with negative eigenvalues.

    Raises:
      InvalidArgumentError: if a matrix is singular or not square.

    >>> print(sqrtm([[4.0, 1.0], [0.0, 4.0]]).numpy())
    [[2.   0.25]
     [0.   2.  ]]
    """
    return sqrtm.op(input, name=name)


matrix_square_root = sqrtm


@_function("MatrixLogarithm", kernels.logarithm)
def logm(input: TensorLike, name: str | None = None) -> Tensor:
    """Principal logarithm of matrices: `expm(y)` is `input`.

    Args:
      input: Tensor of shape [..., n, n], invertible; float32, float64, complex64 or complex128.
      name: name for the operation.

    Returns:
      Tensor of the shape and dtype of `input`, whose eigenvalues have imaginary parts in
      (-pi, pi]; NaN for a real matrix with negative eigenvalues.

    Raises:
      InvalidArgumentError: if a matrix is singular or not square.

    >>> print(logm([[1.0, 1.0], [0.0, 1.0]]).numpy())
    [[0. 1.]
     [0. 0.]]
    """
    return logm.op(input, name=name)


def _scalars(x: Tensor) -> TensorSpec:
    spec = square_spec(x)
    return spec.with_dims(None if spec.dims is None else spec.dims[:-2])


def _times_inverse(g: Tensor, x: Tensor) -> Tensor:
    return multiply(expand_dims(expand_dims(g, -1), -1), inv(x, adjoint=True))


def _determinant_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    """Apply Jacobi's formula."""
    return (_times_inverse(g * conj(y), x),)


def _determinant(xp: Any, x: Array) -> Array:
    return xp.asarray(xp.linalg.det(x)).astype(x.dtype)


@square_op("MatrixDeterminant", _determinant, _determinant_grad, infer=_scalars)
def det(input: TensorLike, name: str | None = None) -> Tensor:
    """Determinant of matrices.

    Args:
      input: Tensor of shape [..., n, n]; float32, float64, complex64 or complex128.
      name: name for the operation.

    Returns:
      Tensor of shape [...] and the dtype of `input`.

    Raises:
      InvalidArgumentError: if the matrices are not square.

    >>> print(det([[2.0, 1.0], [1.0, 3.0]]).numpy())
    5.0
    """
    return det.op(input, name=name)


def _sign_and_log(xp: Any, x: Array) -> tuple[Array, ...]:
    return tuple(xp.asarray(part).astype(x.dtype) for part in xp.linalg.slogdet(x))


def _log_determinant_grad(g: Any, y: Any, x: Tensor) -> tuple[Tensor]:
    return (_times_inverse(given(g, y)[1], x),)


@square_op(
    "LogMatrixDeterminant",
    _sign_and_log,
    _log_determinant_grad,
    infer=lambda x: (_scalars(x), _scalars(x)),
    outputs=2,
)
def slogdet(input: TensorLike, name: str | None = None) -> LogMatrixDeterminant:
    """Sign and logarithm of the absolute value of the determinant of matrices.

    Args:
      input: Tensor of shape [..., n, n]; float32, float64, complex64 or complex128.
      name: name for the operation.

    Returns:
      (sign, log_abs_determinant), each of shape [...] and the dtype of `input`.

    Raises:
      InvalidArgumentError: if the matrices are not square.

    >>> result = slogdet([[2.0, 0.0], [0.0, -1.0]])
    >>> print(result.sign.numpy(), result.log_abs_determinant.numpy())
    -1.0 0.6931472
    """
    return LogMatrixDeterminant(*slogdet.op.outputs(input, name=name))


def logdet(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Logarithm of the determinant of positive definite matrices, from their Cholesky factors.

    Args:
      matrix: Tensor of shape [..., n, n], positive definite.
      name: name for the operation.

    Returns:
      Tensor of shape [...], real; NaN if a matrix is not positive definite.

    >>> print(logdet([[2.0, 0.0], [0.0, 4.0]]).numpy())
    2.0794415
    """
    return multiply(2.0, reduce_sum(log(real(diag_part(cholesky(matrix)))), -1), name=name)
