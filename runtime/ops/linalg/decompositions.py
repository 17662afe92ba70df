"""Triangular decompositions of matrices: Cholesky, QR and LU.

Gradients: I. Murray, "Differentiation of the Cholesky decomposition" (2016); S. F. Walter, L.
Lehmann, "Algorithmic differentiation of linear algebra functions" (2010), for QR; F. de Hoog, R.
Anderssen, M. Lukas, "Differentiation of matrix functionals using triangular factorization" (2011),
for LU.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime.core.errors import UnimplementedError
from runtime.core.machine.blas import on_one_thread
from runtime.core.opdef import FLOATING, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import given, op
from runtime.ops.linalg.diagonals import band_part, diag, diag_part, set_diag
from runtime.ops.linalg.matrices import (
    SQUARE,
    SYMMETRIC,
    TALL,
    check_matrices,
    known_sizes,
    least,
    square_op,
)
from runtime.ops.linalg.products import adjoint, matmul
from runtime.ops.linalg.solving import triangular_solve
from runtime.ops.math.arithmetic import add
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import real


def _cholesky_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    """The gradient is self-adjoint, as the input is."""
    middle = matmul(y, g, adjoint_a=True)
    middle = band_part(set_diag(middle, 0.5 * diag_part(middle)), -1, 0)
    half = triangular_solve(y, middle, adjoint=True)
    full = triangular_solve(y, adjoint(half), adjoint=True)
    return (0.5 * (full + adjoint(full)),)


def _cholesky(xp: Namespace, x: Array) -> Any:
    """Compute Cholesky factors; NaN for each matrix that is not positive definite."""
    try:
        return xp.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        flat = x.reshape(-1, *x.shape[-2:])
        return np.stack([_one_cholesky(one) for one in flat]).reshape(x.shape)


def _one_cholesky(x: Any) -> Any:
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        return np.tril(np.full_like(x, np.nan))


@square_op(
    "Cholesky",
    _cholesky,
    _cholesky_grad,
    samples=(sample(SYMMETRIC), sample([SYMMETRIC, [[2.0, 0.5], [0.5, 1.0]]])),
)
def cholesky(input: TensorLike, name: str | None = None) -> Tensor:
    """Cholesky decomposition of positive definite matrices: `matmul(y, adjoint(y))` is `input`.

    Args:
      input: Tensor of shape [..., n, n]; float32, float64, complex64 or complex128. Only the lower
        triangles are read.

    Returns: Lower triangular matrices; NaN for a matrix that is not positive definite.
    Raises: InvalidArgumentError if a matrix is not square.

    >>> print(cholesky([[4.0, 2.0], [2.0, 10.0]]).numpy())
    [[2. 0.]
     [1. 3.]]
    """
    return cholesky.op(input, name=name)


class Qr(NamedTuple):
    """Result of `qr`."""

    q: Tensor
    r: Tensor


def _qr_spec(x: Tensor, full_matrices: bool) -> tuple[TensorSpec, TensorSpec]:
    dims = x.spec.dims
    check_matrices(dims)
    if dims is None:
        return x.spec, x.spec
    rows, columns = dims[-2:]
    inner = rows if full_matrices else least(rows, columns)
    return x.spec.with_dims((*dims[:-1], inner)), x.spec.with_dims((*dims[:-2], inner, columns))


def _qr(xp: Namespace, x: Array, full_matrices: bool) -> tuple[Array, ...]:
    check_matrices(x.shape)
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    with on_one_thread(*x.shape[-2:]):
        parts = xp.linalg.qr(wide, mode="complete" if full_matrices else "reduced")
    return tuple(part.astype(x.dtype) for part in parts)


def _qr_grad(g: Any, y: Any, x: Tensor, full_matrices: bool) -> tuple[Tensor]:
    rows, columns = known_sizes(x, "qr")
    if full_matrices and rows > columns:
        raise UnimplementedError.of(
            "qr has no gradient for full_matrices=True and matrices of more rows than columns"
        )
    (q, r), (dq, dr) = y, given(g, y)
    if rows >= columns:
        return (_tall_qr_grad(q, r, dq, dr),)
    rest = dr[..., rows:]
    dq = dq + matmul(x[..., rows:], rest, adjoint_b=True)
    first = _tall_qr_grad(q, r[..., :rows], dq, dr[..., :rows])
    return (concat([first, matmul(q, rest)], -1),)


def _tall_qr_grad(q: Tensor, r: Tensor, dq: Tensor, dr: Tensor) -> Tensor:
    def divided(x: Tensor) -> Tensor:
        return adjoint(triangular_solve(r, adjoint(x), lower=False))

    by_q, by_r = matmul(q, dq, adjoint_a=True), matmul(r, dr, adjoint_b=True)
    lower = band_part(by_q - adjoint(by_q) + by_r - adjoint(by_r), -1, 0)
    result = add(matmul(q, dr + divided(lower)), divided(dq - matmul(q, by_q)))
    if not q.dtype.is_complex:
        return result
    own = diag_part(by_r - adjoint(by_q))
    imaginary = diag(own - cast(real(own), own.dtype))
    return add(result, matmul(q, divided(adjoint(imaginary))))


@op(
    "Qr",
    {"input": FLOATING},
    infer=_qr_spec,
    kernel=_qr,
    outputs=2,
    grad=_qr_grad,
    samples=(
        sample(TALL, full_matrices=False),
        sample(SQUARE, full_matrices=True),
        sample([[1.0, 3.0, 5.0], [2.0, 4.5, 7.0]], full_matrices=False),
    ),
)
def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> Qr:
    """QR decomposition of matrices: `matmul(q, r)` is `input`.

    Args:
      input: Tensor of shape [..., m, n], floating-point or complex.
      full_matrices: whether `q` is square; otherwise it has min(m, n) columns.

    Returns: (q, r): unitary `q` and upper triangular `r`.
    Raises: InvalidArgumentError below two dimensions.

    >>> q, r = qr([[3.0, 5.0], [4.0, 5.0]])
    >>> print(abs(r).numpy().round(4))
    [[5. 7.]
     [0. 1.]]
    """
    return Qr(*qr.op.outputs(input, full_matrices=bool(full_matrices), name=name))
