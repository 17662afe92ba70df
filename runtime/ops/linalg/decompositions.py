"""Decompositions of matrices: Cholesky, QR, eigenvalues and eigenvectors.

Gradients: I. Murray, "Differentiation of the Cholesky decomposition" (2016); S. F. Walter, L.
Lehmann, "Algorithmic differentiation of linear algebra functions" (2010), for QR; M. Giles,
"Collected matrix derivative results for forward and reverse mode algorithmic differentiation"
(2008), section 3.1, for eigenvalues.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime.core.aliases import Array, Namespace
from runtime.core.errors import UnimplementedError
from runtime.core.machine.blas import on_one_thread
from runtime.core.opdef import FLOATING, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims
from runtime.ops.base.define import call, ones_of, op
from runtime.ops.linalg.diagonals import band_part, diag, diag_part, set_diag
from runtime.ops.linalg.matrices import SQUARE, SYMMETRIC, check_matrices, check_square, square_op
from runtime.ops.linalg.products import adjoint, matmul
from runtime.ops.linalg.solving import solve
from runtime.ops.math.arithmetic import add


def _cholesky_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    """Return a self-adjoint gradient, as the input is."""
    middle = matmul(y, g, adjoint_a=True)
    middle = band_part(set_diag(middle, 0.5 * diag_part(middle)), -1, 0)
    half = solve(y, middle, adjoint=True)
    full = solve(y, adjoint(half), adjoint=True)
    return (0.5 * (full + adjoint(full)),)


def _cholesky(xp: Namespace, x: Array) -> Any:
    """Compute Cholesky factors; NaN for each matrix that is not positive definite."""
    try:
        return xp.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        flat = x.reshape(-1, *x.shape[-2:])
        return np.stack([_one_cholesky(one) for one in flat]).reshape(x.shape)


def _one_cholesky(x: Array) -> Any:
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
    known = None if rows is None or columns is None else min(rows, columns)
    inner = rows if full_matrices else known
    return x.spec.with_dims((*dims[:-1], inner)), x.spec.with_dims((*dims[:-2], inner, columns))


def _qr(xp: Namespace, x: Array, full_matrices: bool) -> tuple[Array, ...]:
    check_matrices(x.shape)
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    with on_one_thread(*x.shape[-2:]):
        parts = xp.linalg.qr(wide, mode="complete" if full_matrices else "reduced")
    return tuple(part.astype(x.dtype) for part in parts)


def _qr_grad(g: Any, y: Any, x: Tensor, full_matrices: bool) -> tuple[Tensor]:
    (q, r), (dq, dr) = y, g
    dims = r.spec.dims
    if x.dtype.is_complex or dims is None or None in dims[-2:] or dims[-1] != dims[-2]:
        raise UnimplementedError.of(
            "qr has a gradient for real matrices of known size alone, with a square `r`"
        )
    by_q, by_r = matmul(q, dq, adjoint_a=True), matmul(r, dr, adjoint_b=True)
    lower = band_part(by_q - adjoint(by_q) + by_r - adjoint(by_r), -1, 0)
    return (add(matmul(q, dr), adjoint(solve(r, adjoint(matmul(q, lower - by_q) + dq)))),)


@op(
    "Qr",
    {"input": FLOATING},
    infer=_qr_spec,
    kernel=_qr,
    outputs=2,
    grad=_qr_grad,
    samples=(
        sample([[1.0, 2.0], [3.0, 4.5], [5.0, 7.0]], full_matrices=False),
        sample(SQUARE, full_matrices=True),
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


def _eigen_spec(x: Tensor, compute_v: bool) -> tuple[TensorSpec, TensorSpec]:
    dims = check_square(x.spec.dims)
    values = x.spec.with_dims(None if dims is None else dims[:-1])
    return values, x.spec.with_dims(dims if compute_v else (0,))


def _eigh(xp: Namespace, x: Array, compute_v: bool) -> tuple[Array, Array]:
    if compute_v:
        values, vectors = xp.linalg.eigh(x, UPLO="L")
        return values.astype(x.dtype), vectors
    return xp.linalg.eigvalsh(x, UPLO="L").astype(x.dtype), xp.zeros((0,), x.dtype)


def _eigh_grad(g: Any, y: Any, x: Tensor, compute_v: bool) -> tuple[Tensor]:
    """Return a lower triangular gradient: the op reads no other elements."""
    if not compute_v:
        _, v = eigh(x)
        inner = diag(g[0])
    else:
        (e, v), (de, dv) = y, g
        differences = expand_dims(e, -2) - expand_dims(e, -1)
        gaps = call("DivNoNan", ones_of(differences), differences)
        inner = diag(de) + gaps * matmul(v, dv, adjoint_a=True)
    full = matmul(v, matmul(inner, v, adjoint_b=True))
    lower = band_part(full + adjoint(full), -1, 0)
    return (set_diag(lower, 0.5 * diag_part(lower)),)


@square_op(
    "SelfAdjointEigV2",
    _eigh,
    _eigh_grad,
    infer=_eigen_spec,
    outputs=2,
    samples=(sample(SYMMETRIC, compute_v=True), sample([SYMMETRIC], compute_v=False)),
)
def eigh(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of self-adjoint matrices.

    Args:
      tensor: Tensor of shape [..., n, n]; only the lower triangle is read.

    Returns:
      (e, v), both of the dtype of `tensor`: eigenvalues of shape [..., n] in ascending order, and
      eigenvectors as columns, shape [..., n, n].

    Raises: InvalidArgumentError if the matrices are not square.

    >>> print(eigh([[2.0, 1.0], [1.0, 2.0]])[0].numpy())
    [1. 3.]
    """
    values, vectors = eigh.op.outputs(tensor, compute_v=True, name=name)
    return values, vectors


def eigvalsh(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Eigenvalues of self-adjoint matrices.

    Args:
      tensor, name: as those of `eigh`.

    Returns: Tensor of shape [..., n] in ascending order and of the dtype of `tensor`.

    >>> print(eigvalsh([[2.0, 1.0], [1.0, 2.0]]).numpy())
    [1. 3.]
    """
    return eigh.op.outputs(tensor, compute_v=False, name=name)[0]
