"""Triangular decompositions of matrices: Cholesky, QR and LU.

Gradients: I. Murray, "Differentiation of the Cholesky decomposition" (2016); S. F. Walter, L.
Lehmann, "Algorithmic differentiation of linear algebra functions" (2010), for QR; F. de Hoog, R.
Anderssen, M. Lukas, "Differentiation of matrix functionals using triangular factorization" (2011),
for LU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.blas import on_one_thread
from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import FLOATING, INDEX, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op, op
from runtime.ops.base.gradient_parts import given, ones_of, zeros_of
from runtime.ops.base.node_forms import Place
from runtime.ops.base.results import Lu, Qr
from runtime.ops.linalg import matrix_kernels as kernels
from runtime.ops.linalg.bands import band_part
from runtime.ops.linalg.diagonals import diag, diag_part, set_diag
from runtime.ops.linalg.matrices import (
    ELEMENTS,
    SQUARE,
    SYMMETRIC,
    TALL,
    check_matrices,
    known_sizes,
    least,
    square_op,
    square_row,
    square_spec,
)
from runtime.ops.linalg.products import adjoint, matmul
from runtime.ops.linalg.solving import triangular_solve
from runtime.ops.math.arithmetic import add
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import real
from runtime.ops.reduce.sorting import argsort


def _cholesky_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    """The gradient is self-adjoint, as the input is."""
    middle = matmul(y, g, adjoint_a=True)
    middle = band_part(set_diag(middle, 0.5 * diag_part(middle)), -1, 0)
    half = triangular_solve(y, middle, adjoint=True)
    full = triangular_solve(y, adjoint(half), adjoint=True)
    return (0.5 * (full + adjoint(full)),)


cholesky = square_row(
    __name__,
    "cholesky",
    "Cholesky",
    kernels.cholesky,
    _cholesky_grad,
    """Cholesky decomposition of positive definite matrices: `matmul(y, adjoint(y))` is `input`.

    Only the lower triangles are read.
    """,
    "[[4.0, 2.0], [2.0, 10.0]] -> [[2. 0.]\n [1. 3.]]",
    returns="Lower triangular matrices; NaN for a matrix that is not positive definite.",
    singular=False,
    samples=(sample(SYMMETRIC), sample([SYMMETRIC, [[2.0, 0.5], [0.5, 1.0]]])),
)


def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Tensor:
    """Solve systems of linear equations with the result of `cholesky`.

    Args:
      chol: result of `cholesky`, shape [..., n, n].
      rhs: right-hand sides, shape [..., n, k].
      name: name for the operation.

    Returns:
      Solutions, shape [..., n, k].

    >>> print(cholesky_solve([[2.0, 0.0], [1.0, 3.0]], [[6.0], [12.0]]).numpy())
    [[1.]
     [1.]]
    """
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True, name=name)


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
      name: name for the operation.

    Returns:
      (q, r): unitary `q` and upper triangular `r`.

    Raises:
      InvalidArgumentError: below two dimensions.

    >>> q, r = qr([[3.0, 5.0], [4.0, 5.0]])
    >>> print(abs(r).numpy().round(4))
    [[5. 7.]
     [0. 1.]]
    """
    return Qr(*qr.op.outputs(input, full_matrices=bool(full_matrices), name=name))


def _lu_spec(x: Tensor, output_idx_type: DType) -> tuple[TensorSpec, TensorSpec]:
    dims = square_spec(x).dims
    return x.spec, spec_of(output_idx_type, None if dims is None else dims[:-1])


def _lu(xp: object, x: Array, output_idx_type: DType) -> tuple[Array, Array]:
    triangles, order = kernels.lower_upper(x)
    return triangles, order.astype(output_idx_type.numpy_dtype)


def _lu_grad(g: Any, y: Any, x: Tensor, output_idx_type: DType) -> tuple[Tensor]:
    triangles, order = y
    lower, upper = _triangles(triangles)
    inner = band_part(matmul(lower, band_part(g[0], -1, 0), adjoint_a=True), -1, 0)
    inner = set_diag(inner, zeros_of(diag_part(inner)))
    inner = inner + band_part(matmul(band_part(g[0], 0, -1), upper, adjoint_b=True), 0, -1)
    left = triangular_solve(lower, inner, adjoint=True)
    result = adjoint(triangular_solve(upper, adjoint(left), lower=False))
    return (_original_rows(result, order),)


def _triangles(lower_upper: Tensor) -> tuple[Tensor, Tensor]:
    lower = set_diag(band_part(lower_upper, -1, 0), ones_of(diag_part(lower_upper)))
    return lower, band_part(lower_upper, 0, -1)


def _original_rows(x: Tensor, order: Tensor) -> Tensor:
    """Undo the row exchanges of `lu`."""
    return _gather_rows(x, argsort.op(order, axis=-1, descending=False))


def _write_gather_rows(place: Place) -> list[Ref]:
    x, order = place.op.inputs
    if x.shape.rank is None or order.shape.rank is None:
        raise ValueError("the ranks of its inputs are not known")
    axis = place.constant(np.int32(x.shape.rank - 2), "axis")
    return place.main("GatherV2", [*place.inputs, axis], batch_dims=order.shape.rank - 1)


_gather_rows = define_op(
    "GatherRows",
    {"x": ELEMENTS, "order": INDEX},
    lambda x, order: x.spec,
    lambda xp, x, order: xp.take_along_axis(x, order[..., None], axis=-2),
    grad=lambda g, y, x, order: (_original_rows(g, order), None),
    node=NodeForm(write=_write_gather_rows),
    samples=(sample(TALL, [2, 0, 1]), sample([SQUARE, SYMMETRIC], [[1, 0], [0, 1]])),
)


@square_op(
    "Lu",
    _lu,
    _lu_grad,
    infer=_lu_spec,
    outputs=2,
    samples=(
        sample([[1.0, 2.0], [3.0, 4.0]], output_idx_type=dtypes.int32),
        sample([SQUARE, [[0.5, 2.0], [3.0, 1.0]]], output_idx_type=dtypes.int64),
    ),
)
def lu(input: TensorLike, output_idx_type: object = dtypes.int32, name: str | None = None) -> Lu:
    """LU decomposition of matrices with partial pivoting.

    Args:
      input: Tensor of shape [..., n, n]; float32, float64, complex64 or complex128.
      output_idx_type: dtype of the permutation, int32 or int64.
      name: name for the operation.

    Returns:
      (lu, p): both triangles in one matrix (the lower one has ones on its diagonal), and a
      permutation of shape [..., n]. Row `i` of the product of the triangles is row `p[i]` of
      `input`.

    Raises:
      InvalidArgumentError: if a matrix is singular or not square.

    >>> triangles, p = lu([[1.0, 2.0], [4.0, 4.0]])
    >>> print(triangles.numpy(), p.numpy())
    [[4.   4.  ]
     [0.25 1.  ]] [1 0]
    """
    wanted = dtypes.as_dtype(output_idx_type)
    return Lu(*lu.op.outputs(input, output_idx_type=wanted, name=name))


def lu_solve(
    lower_upper: TensorLike,
    perm: TensorLike,
    rhs: TensorLike,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Solve systems of linear equations with the result of `lu`.

    Args:
      lower_upper, perm: result of `lu`, shapes [..., n, n] and [..., n].
      rhs: right-hand sides, shape [..., n, k].
      validate_args: ignored; shapes are always checked.
      name: name for the operation.

    Returns:
      Solutions, shape [..., n, k].

    >>> print(lu_solve(*lu([[1.0, 2.0], [4.0, 4.0]]), rhs=[[3.0], [8.0]]).numpy())
    [[1.]
     [1.]]
    """
    triangles = convert_to_tensor(lower_upper)
    lower, upper = _triangles(triangles)
    ordered = _gather_rows(convert_to_tensor(rhs, dtype_hint=triangles.dtype), perm)
    return triangular_solve(upper, triangular_solve(lower, ordered), lower=False, name=name)
