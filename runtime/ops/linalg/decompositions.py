"""Decompositions of matrices into triangles: Cholesky, QR and LU."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.blas import on_one_thread
from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import FLOATING, INDEX, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call, define_op
from runtime.ops.base.gradient_parts import given, zeros_of
from runtime.ops.base.results import Lu, Qr
from runtime.ops.linalg import matrix_kernels
from runtime.ops.linalg.bands import band_part
from runtime.ops.linalg.diagonals import diag, diag_part, set_diag
from runtime.ops.linalg.matrices import (
    ELEMENTS,
    SQUARE,
    SYMMETRIC,
    TALL,
    known_sizes,
    least,
    matrix_dims,
    of_squares,
    op_of_square,
    square_spec,
)
from runtime.ops.linalg.products import adjoint, matmul
from runtime.ops.linalg.solving import TRIANGULAR_SOLVE, triangular_solve
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import real


def _cholesky_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    """The input counts as symmetric: the gradient is."""
    middle = matmul(y, g, adjoint_a=True)
    middle = band_part(set_diag(middle, 0.5 * diag_part(middle)), -1, 0)
    half = TRIANGULAR_SOLVE(y, middle, lower=True, adjoint=True)
    turned = TRIANGULAR_SOLVE(y, adjoint(half), lower=True, adjoint=True)
    return (0.5 * (turned + adjoint(turned)),)


_CHOLESKY = op_of_square(
    "Cholesky",
    matrix_kernels.cholesky,
    _cholesky_grad,
    samples=(sample(SYMMETRIC), sample([SYMMETRIC, [[2.0, 0.5], [0.5, 1.0]]])),
)


def cholesky(input: TensorLike, name: str | None = None) -> Tensor:
    """The lower triangles whose products with their adjoints are positive definite matrices.

    Args:
      input: shape [..., n, n]; only the lower triangle is read.

    Returns: shape [..., n, n]; NaN where a matrix is not positive definite.

    >>> print(cholesky([[4.0, 0.0], [0.0, 9.0]]))
    tf.Tensor(
    [[2. 0.]
     [0. 3.]], shape=(2, 2), dtype=float32)
    """
    return _CHOLESKY(input, name=name)


def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Tensor:
    """The solutions of systems of linear equations whose matrix `cholesky` has decomposed.

    Args:
      chol: what `cholesky` gives, shape [..., n, n].
      rhs: the right-hand sides, shape [..., n, k].

    >>> print(cholesky_solve([[2.0, 0.0], [0.0, 3.0]], [[4.0], [9.0]]))
    tf.Tensor(
    [[1.]
     [1.]], shape=(2, 1), dtype=float32)
    """
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True, name=name)


def _qr_spec(x: Tensor, full_matrices: bool) -> tuple[TensorSpec, TensorSpec]:
    dims = matrix_dims(x)
    if dims is None:
        return x.spec, x.spec
    rows, columns = dims[-2:]
    inner = rows if full_matrices else least(rows, columns)
    return x.spec.with_dims((*dims[:-1], inner)), x.spec.with_dims((*dims[:-2], inner, columns))


def _qr(xp: Any, x: Any, full_matrices: bool) -> Any:
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    with on_one_thread(*x.shape[-2:]):
        parts = xp.linalg.qr(wide, mode="complete" if full_matrices else "reduced")
    return tuple(part.astype(x.dtype) for part in parts)


def _qr_grad(g: Any, y: Any, x: Tensor, full_matrices: bool) -> tuple[Tensor]:
    rows, columns = known_sizes(x, "qr")
    if full_matrices and rows > columns:
        raise UnimplementedError.of(
            "the gradient of qr is not there for full_matrices=True and tall matrices"
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
    result = call("AddV2", matmul(q, dr + divided(lower)), divided(dq - matmul(q, by_q)))
    if not q.dtype.is_complex:
        return result
    own = diag_part(by_r - adjoint(by_q))
    turn = diag(own - cast(real(own), own.dtype))
    return call("AddV2", result, matmul(q, divided(adjoint(turn))))


_QR = define_op(
    "Qr",
    {"input": FLOATING},
    _qr_spec,
    _qr,
    outputs=2,
    grad=_qr_grad,
    samples=(
        sample(TALL, full_matrices=False),
        sample(SQUARE, full_matrices=True),
        sample([[1.0, 3.0, 5.0], [2.0, 4.5, 7.0]], full_matrices=False),
    ),
)


def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Matrices as products of a unitary matrix `q` and an upper triangle `r`.

    Args:
      input: shape [..., m, n].
      full_matrices: whether `q` is square; otherwise it has as many columns as needed.

    >>> print(qr([[2.0, 0.0], [0.0, 4.0]]).r.shape)
    (2, 2)
    """
    return Qr(*_QR.outputs(input, full_matrices=bool(full_matrices), name=name))


def _lu_spec(x: Tensor, output_idx_type: DType) -> tuple[TensorSpec, TensorSpec]:
    dims = square_spec(x).dims
    return x.spec, spec_of(output_idx_type, None if dims is None else dims[:-1])


def _lu(xp: Any, x: Any, output_idx_type: DType) -> Any:
    triangles, order = matrix_kernels.lower_upper(x)
    return triangles, order.astype(output_idx_type.numpy_dtype)


def _lu_grad(g: Any, y: Any, x: Tensor, output_idx_type: DType) -> tuple[Tensor]:
    triangles, order = y
    lower, upper = _triangles(triangles)
    inner = band_part(matmul(lower, band_part(g[0], -1, 0), adjoint_a=True), -1, 0)
    inner = set_diag(inner, zeros_of(diag_part(inner)))
    inner = inner + band_part(matmul(band_part(g[0], 0, -1), upper, adjoint_b=True), 0, -1)
    left = TRIANGULAR_SOLVE(lower, inner, lower=True, adjoint=True)
    result = adjoint(TRIANGULAR_SOLVE(upper, adjoint(left), lower=False, adjoint=False))
    return (_rows_back(result, order),)


def _triangles(lower_upper: Tensor) -> tuple[Tensor, Tensor]:
    ones = call("OnesLike", diag_part(lower_upper), dtype=lower_upper.dtype)
    lower = set_diag(band_part(lower_upper, -1, 0), ones)
    return lower, band_part(lower_upper, 0, -1)


def _rows_back(x: Tensor, order: Tensor) -> Tensor:
    """The rows in the order that they had before they were exchanged."""
    place = call("ArgSort", order, axis=-1, descending=False)
    return call("GatherRows", x, place)


def _rows(xp: Any, x: Any, order: Any) -> Any:
    return xp.take_along_axis(x, order[..., None], axis=-2)


_GATHER_ROWS = define_op(
    "GatherRows",
    {"x": ELEMENTS, "order": INDEX},
    lambda x, order: x.spec,
    _rows,
    grad=lambda g, y, x, order: (_rows_back(g, order), None),
    samples=(sample(TALL, [2, 0, 1]), sample([SQUARE, SYMMETRIC], [[1, 0], [0, 1]])),
)
"""The rows of matrices in another order."""

_LU = define_op(
    "Lu",
    {"input": ELEMENTS},
    _lu_spec,
    of_squares(_lu),
    outputs=2,
    grad=_lu_grad,
    samples=(
        sample([[1.0, 2.0], [3.0, 4.0]], output_idx_type=dtypes.int32),
        sample([SQUARE, [[0.5, 2.0], [3.0, 1.0]]], output_idx_type=dtypes.int64),
    ),
)


def lu(input: TensorLike, output_idx_type: Any = dtypes.int32, name: str | None = None) -> Lu:
    """Matrices as products of a lower and an upper triangle, with exchanged rows.

    Args:
      input: shape [..., n, n].
      output_idx_type: the dtype of the permutation.

    Returns: `lu`, both triangles in one matrix (the lower has ones on the diagonal), and `p`: row
      `i` of their product is row `p[i]` of the input.
    Raises: InvalidArgumentError if a matrix is not square or has no inverse.

    >>> print(lu([[1.0, 2.0], [4.0, 4.0]]).p)
    tf.Tensor([1 0], shape=(2,), dtype=int32)
    """
    wanted = dtypes.as_dtype(output_idx_type)
    return Lu(*_LU.outputs(input, output_idx_type=wanted, name=name))


def lu_solve(
    lower_upper: TensorLike,
    perm: TensorLike,
    rhs: TensorLike,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """The solutions of systems of linear equations whose matrix `lu` has decomposed.

    Args:
      lower_upper, perm: what `lu` gives.
      rhs: the right-hand sides, shape [..., n, k].
      validate_args: makes no difference: the shapes are always checked.

    >>> print(lu_solve(*lu([[2.0, 0.0], [0.0, 4.0]]), rhs=[[2.0], [2.0]]))
    tf.Tensor(
    [[1. ]
     [0.5]], shape=(2, 1), dtype=float32)
    """
    triangles = convert_to_tensor(lower_upper)
    lower, upper = _triangles(triangles)
    ordered = _GATHER_ROWS(convert_to_tensor(rhs, dtype_hint=triangles.dtype), perm)
    return triangular_solve(upper, triangular_solve(lower, ordered), lower=False, name=name)


def lu_reconstruct(
    lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The matrices that `lu` has decomposed.

    >>> print(lu_reconstruct(*lu([[1.0, 2.0], [4.0, 4.0]])))
    tf.Tensor(
    [[1. 2.]
     [4. 4.]], shape=(2, 2), dtype=float32)
    """
    lower, upper = _triangles(convert_to_tensor(lower_upper))
    return _rows_back(matmul(lower, upper), convert_to_tensor(perm))


def lu_matrix_inverse(
    lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The inverses of the matrices that `lu` has decomposed.

    >>> print(lu_matrix_inverse(*lu([[2.0, 0.0], [0.0, 4.0]])))
    tf.Tensor(
    [[0.5  0.  ]
     [0.   0.25]], shape=(2, 2), dtype=float32)
    """
    triangles = convert_to_tensor(lower_upper)
    one = diag(call("OnesLike", diag_part(triangles), dtype=triangles.dtype))
    return lu_solve(triangles, perm, one, name=name)
