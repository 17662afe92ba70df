"""Determinants of matrices."""

from __future__ import annotations

from typing import Any

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims
from runtime.ops.base.define import call, define_op
from runtime.ops.base.gradient_parts import given
from runtime.ops.base.results import LogMatrixDeterminant
from runtime.ops.linalg.decompositions import cholesky
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.matrices import ELEMENTS, MATRICES, of_squares, op_of_square, square_spec
from runtime.ops.linalg.solving import INVERSE
from runtime.ops.math.complexes import conj, real


def _reduced(x: Tensor, **attrs: Any) -> TensorSpec:
    spec = square_spec(x)
    return spec.with_dims(None if spec.dims is None else spec.dims[:-2])


def _as_matrices(x: Tensor) -> Tensor:
    return expand_dims(expand_dims(x, -1), -1)


def _determinant_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    return (_as_matrices(g * conj(y)) * INVERSE(x, adjoint=True),)


def _log_determinant_grad(g: Any, y: Any, x: Tensor) -> tuple[Tensor]:
    return (_as_matrices(given(g, y)[1]) * INVERSE(x, adjoint=True),)


_DETERMINANT = op_of_square(
    "MatrixDeterminant",
    lambda xp, x: xp.asarray(xp.linalg.det(x)).astype(x.dtype),
    _determinant_grad,
    _reduced,
)


def _sign_and_log(xp: Any, x: Any) -> Any:
    return tuple(xp.asarray(part).astype(x.dtype) for part in xp.linalg.slogdet(x))


_LOG_DETERMINANT = define_op(
    "LogMatrixDeterminant",
    {"input": ELEMENTS},
    lambda x: (_reduced(x), _reduced(x)),
    of_squares(_sign_and_log),
    outputs=2,
    grad=_log_determinant_grad,
    samples=MATRICES,
)


def det(input: TensorLike, name: str | None = None) -> Tensor:
    """The determinants of matrices.

    Args:
      input: floating-point or complex numbers, shape [..., n, n].

    Raises: InvalidArgumentError if the matrices are not square.

    >>> print(det([[2.0, 0.0], [0.0, 3.0]]))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """
    return _DETERMINANT(input, name=name)


def slogdet(input: TensorLike, name: str | None = None) -> LogMatrixDeterminant:
    """The signs of determinants, and the logarithms of their absolute values.

    >>> print(slogdet([[2.0, 0.0], [0.0, -1.0]]).sign)
    tf.Tensor(-1.0, shape=(), dtype=float32)
    """
    return LogMatrixDeterminant(*_LOG_DETERMINANT.outputs(input, name=name))


def logdet(matrix: TensorLike, name: str | None = None) -> Tensor:
    """The logarithms of the determinants of positive definite matrices.

    >>> print(logdet([[1.0, 0.0], [0.0, 1.0]]))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    logs = call("Log", real(diag_part(cholesky(matrix))))
    return call("Mul", 2.0, call("Sum", logs, axis=(-1,), keepdims=False), name=name)
