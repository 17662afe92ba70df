"""Functions of square matrices: exponential, square root, logarithm and determinants."""

from __future__ import annotations

from runtime.core.node_form import NodeForm
from runtime.core.opdef import PLAIN, Kernel
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import expand_dims
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.gradient_parts import given, shape_of, zeros_of
from runtime.ops.base.results import LogMatrixDeterminant
from runtime.ops.linalg import matrix_kernels as kernels
from runtime.ops.linalg.decompositions import cholesky
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.matrices import OfSquares, square_op, square_row, square_spec
from runtime.ops.linalg.products import adjoint
from runtime.ops.linalg.solving import inv
from runtime.ops.math.arithmetic import multiply
from runtime.ops.math.complexes import conj, real
from runtime.ops.math.elementwise import log
from runtime.ops.reduce.reduction import reduce_sum


def _function(
    name: str,
    op_name: str,
    kernel: Kernel,
    about: str,
    example: str,
    singular: bool = True,
    node: NodeForm = PLAIN,
) -> OfSquares:
    """Define a function of matrices that continues a function of numbers.

    Its derivative is a block of the function of a matrix of twice the size: R. Mathias, "A chain
    rule for matrix functions and applications", SIAM J. Matrix Anal. Appl. 17 (1996).
    """

    def grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
        a = adjoint(x)
        block = concat([concat([a, g], -1), concat([zeros_of(a), a], -1)], -2)
        size = shape_of(x)[-1]
        return (defined(block)[..., :size, size:],)

    defined: OfSquares = square_row(
        __name__, name, op_name, kernel, grad, about, example, singular=singular, node=node
    )
    return defined


expm = _function(
    "expm",
    "MatrixExponential",
    kernels.exponential,
    "Exponential of matrices, the sum of `x ** k / k!` over k = 0, 1, ...",
    "[[0.0, 1.0], [0.0, 0.0]] -> [[1. 1.]\n [0. 1.]]",
    singular=False,
)
sqrtm = _function(
    "sqrtm",
    "MatrixSquareRoot",
    kernels.square_root,
    """Principal square root of matrices: `matmul(y, y)` is `input`.

    Its eigenvalues are in the right half-plane; NaN for a real matrix with negative eigenvalues.
    """,
    "[[4.0, 1.0], [0.0, 4.0]] -> [[2.   0.25]\n [0.   2.  ]]",
)


def _scalars(x: Tensor) -> TensorSpec:
    spec = square_spec(x)
    return spec.with_dims(None if spec.dims is None else spec.dims[:-2])


def _times_inverse(g: Tensor, x: Tensor) -> Tensor:
    return multiply(expand_dims(expand_dims(g, -1), -1), inv(x, adjoint=True))


det = square_row(
    __name__,
    "det",
    "MatrixDeterminant",
    lambda xp, x: xp.asarray(xp.linalg.det(x)).astype(x.dtype),
    lambda g, y, x: (_times_inverse(g * conj(y), x),),  # Jacobi's formula
    "Determinant of matrices.",
    "[[2.0, 1.0], [1.0, 3.0]] -> 5.0",
    infer=_scalars,
    returns="Tensor of shape [...] and the dtype of `input`.",
    singular=False,
)


def _sign_and_log(xp: Namespace, x: Array) -> tuple[Array, ...]:
    return tuple(xp.asarray(part).astype(x.dtype) for part in xp.linalg.slogdet(x))


def _log_determinant_grad(g: object, y: object, x: Tensor) -> tuple[Tensor]:
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
