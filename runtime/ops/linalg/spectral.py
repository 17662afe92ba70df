"""Singular values and eigenvalues, with their vectors.

Gradients: J. Townsend, "Differentiating the singular value decomposition" (2016); M. Giles,
"Collected matrix derivative results for forward and reverse mode algorithmic differentiation"
(2008), section 3.1, for eigenvalues.
"""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.machine.blas import on_one_thread
from runtime.core.opdef import sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import given, op
from runtime.ops.linalg.diagonals import band_part, diag, diag_part, set_diag
from runtime.ops.linalg.matrices import (
    ELEMENTS,
    SQUARE,
    SYMMETRIC,
    TALL,
    adjoint_array,
    check_matrices,
    check_square,
    known_sizes,
    least,
    safe_inverse,
    square_op,
)
from runtime.ops.linalg.products import adjoint, matmul
from runtime.ops.math.arithmetic import add
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import real


def _svd_spec(x: Tensor, compute_uv: bool, full_matrices: bool) -> tuple[TensorSpec, ...]:
    dims, values = x.spec.dims, spec_of(x.spec.dtype.real_dtype, None)
    check_matrices(dims)
    nothing = x.spec.with_dims((0,))
    if dims is None:
        return (values, x.spec, x.spec) if compute_uv else (values, nothing, nothing)
    *batch, rows, columns = dims
    inner = least(rows, columns)
    values = values.with_dims((*batch, inner))
    if not compute_uv:
        return values, nothing, nothing
    left, right = (rows, columns) if full_matrices else (inner, inner)
    u = x.spec.with_dims((*batch, rows, left))
    return values, u, x.spec.with_dims((*batch, columns, right))


def _svd(xp: Namespace, x: Array, compute_uv: bool, full_matrices: bool) -> tuple[Array, ...]:
    check_matrices(x.shape)
    with on_one_thread(*x.shape[-2:]):
        if not compute_uv:
            nothing = xp.zeros((0,), x.dtype)
            return xp.linalg.svd(x, compute_uv=False), nothing, nothing
        u, values, v = xp.linalg.svd(x, full_matrices=full_matrices)
    return values, u, adjoint_array(xp, v)


def _svd_grad(g: Any, y: Any, x: Tensor, compute_uv: bool, full_matrices: bool) -> tuple[Tensor]:
    if not compute_uv:
        _, u, v = svd(x)
        return (matmul(u * expand_dims(cast(g[0], u.dtype), -2), v, adjoint_b=True),)
    rows, columns = known_sizes(x, "svd")
    if full_matrices and rows != columns:
        raise UnimplementedError.of(
            "svd has no gradient for full_matrices=True and matrices that are not square"
        )
    (s, u, v), (ds, du, dv) = y, given(g, y)
    return (_thin_svd_grad(cast(s, x.dtype), u, v, cast(ds, x.dtype), du, dv),)


def _thin_svd_grad(s: Tensor, u: Tensor, v: Tensor, ds: Tensor, du: Tensor, dv: Tensor) -> Tensor:
    row, column = expand_dims(s, -2), expand_dims(s, -1)
    gaps = safe_inverse(row * row - column * column)
    by_u, by_v = matmul(u, du, adjoint_a=True), matmul(v, dv, adjoint_a=True)
    inner = gaps * (by_u - adjoint(by_u)) * row + column * (gaps * (by_v - adjoint(by_v)))
    inner = inner + diag(ds)
    if u.dtype.is_complex:
        own = diag_part(by_u)
        inner = inner + diag((own - cast(real(own), own.dtype)) * safe_inverse(s))
    result = matmul(matmul(u, inner), v, adjoint_b=True)
    scale = safe_inverse(row)
    outside_u = (du - matmul(u, by_u)) * scale
    outside_v = (dv - matmul(v, by_v)) * scale
    outside = matmul(outside_u, v, adjoint_b=True) + matmul(u, outside_v, adjoint_b=True)
    return add(result, outside)


@op(
    "Svd",
    {"input": ELEMENTS},
    infer=_svd_spec,
    kernel=_svd,
    outputs=3,
    grad=_svd_grad,
    samples=(
        sample(TALL, compute_uv=True, full_matrices=False),
        sample(SQUARE, compute_uv=True, full_matrices=True),
        sample([[1.0, 3.0, 5.0], [2.0, 4.5, 7.0]], compute_uv=False, full_matrices=False),
    ),
)
def svd(
    tensor: TensorLike,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> Any:
    """Singular value decomposition of matrices: `u @ diag(s) @ adjoint(v)` is `tensor`.

    Args:
      tensor: Tensor of shape [..., m, n]; float32, float64, complex64 or complex128.
      full_matrices: whether `u` and `v` are square; otherwise they have min(m, n) columns.
      compute_uv: whether to return the vectors too.

    Returns:
      (s, u, v): singular values of shape [..., min(m, n)] in descending order, left and right
      vectors as columns; only `s` if `compute_uv` is False.

    Raises: InvalidArgumentError below two dimensions.

    >>> print(svd([[3.0, 0.0], [0.0, -4.0]], compute_uv=False).numpy())
    [4. 3.]
    """
    outputs = svd.op.outputs(
        tensor, compute_uv=bool(compute_uv), full_matrices=bool(full_matrices), name=name
    )
    return outputs if compute_uv else outputs[0]


def _eigen_spec(x: Tensor, compute_v: bool, Tout: DType | None = None) -> tuple[TensorSpec, ...]:
    dims, dtype = check_square(x.spec.dims), Tout or x.spec.dtype
    values = spec_of(dtype, None if dims is None else dims[:-1])
    return values, spec_of(dtype, dims if compute_v else (0,))


def _eigh(xp: Namespace, x: Array, compute_v: bool) -> tuple[Array, Array]:
    if compute_v:
        values, vectors = xp.linalg.eigh(x, UPLO="L")
        return values.astype(x.dtype), vectors
    return xp.linalg.eigvalsh(x, UPLO="L").astype(x.dtype), xp.zeros((0,), x.dtype)


def _eigh_grad(g: Any, y: Any, x: Tensor, compute_v: bool) -> tuple[Tensor]:
    """The gradient is a lower triangle, because the op reads nothing else."""
    if not compute_v:
        _, v = eigh(x)
        inner = diag(g[0])
    else:
        (e, v), (de, dv) = y, given(g, y)
        gaps = safe_inverse(expand_dims(e, -2) - expand_dims(e, -1))
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
