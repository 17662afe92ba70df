"""Functions of square matrices: exponential, square root, logarithm and determinants."""

from __future__ import annotations

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.ops.array.shaping import expand_dims
from runtime.ops.linalg.matrices import square_row, square_spec
from runtime.ops.linalg.solving import inv
from runtime.ops.math.arithmetic import multiply
from runtime.ops.math.complexes import conj


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
