"""Functions that are continued from numbers to matrices."""

from __future__ import annotations

from collections.abc import Callable

from runtime.core import dtypes
from runtime.core.opdef import Kernel, Sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.base.define import Op, call
from runtime.ops.base.gradient_parts import zeros_of
from runtime.ops.linalg import matrix_kernels
from runtime.ops.linalg.matrices import MATRICES, op_of_square
from runtime.ops.linalg.products import adjoint


def _function_grad(g: Tensor, y: Tensor, x: Tensor, op: Callable[[Tensor], Tensor]) -> Tensor:
    """The derivative of a function of matrices: a block of the function of a larger matrix.

    R. Mathias, "A chain rule for matrix functions and applications" (1996).
    """
    turned = adjoint(x)
    above = concat([turned, g], -1)
    below = concat([zeros_of(turned), turned], -1)
    size = call("Shape", x, out_type=dtypes.int32)[-1]
    block: Tensor = op(concat([above, below], -2))[..., :size, size:]
    return block


def _function(name: str, kernel: Kernel, samples: tuple[Sample, ...]) -> Op:
    def grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
        return (_function_grad(g, y, x, lambda block: call(name, block)),)

    return op_of_square(name, kernel, grad, samples=samples)


_EXPONENTIAL = _function("MatrixExponential", matrix_kernels.exponential, MATRICES)
_SQUARE_ROOT = _function("MatrixSquareRoot", matrix_kernels.square_root, MATRICES)
_LOGARITHM = _function("MatrixLogarithm", matrix_kernels.logarithm, MATRICES)


def expm(input: TensorLike, name: str | None = None) -> Tensor:
    """The exponentials of matrices.

    Args:
      input: shape [..., n, n].

    >>> print(expm([[0.0, 0.0], [0.0, 0.0]]))
    tf.Tensor(
    [[1. 0.]
     [0. 1.]], shape=(2, 2), dtype=float32)
    """
    return _EXPONENTIAL(input, name=name)


def sqrtm(input: TensorLike, name: str | None = None) -> Tensor:
    """The matrices whose products with themselves are `input`.

    Args:
      input: shape [..., n, n], invertible.

    Returns: the roots whose eigenvalues have no negative real part; NaN for a real matrix with
      negative eigenvalues.

    >>> print(sqrtm([[4.0, 0.0], [0.0, 9.0]]))
    tf.Tensor(
    [[2. 0.]
     [0. 3.]], shape=(2, 2), dtype=float32)
    """
    return _SQUARE_ROOT(input, name=name)


matrix_square_root = sqrtm


def logm(input: TensorLike, name: str | None = None) -> Tensor:
    """The matrices whose exponentials are `input`.

    Args:
      input: shape [..., n, n], invertible.

    Returns: the logarithms whose eigenvalues have imaginary parts up to pi; NaN for a real matrix
      with negative eigenvalues.

    >>> print(logm([[1.0, 0.0], [0.0, 1.0]]))
    tf.Tensor(
    [[0. 0.]
     [0. 0.]], shape=(2, 2), dtype=float32)
    """
    return _LOGARITHM(input, name=name)
