"""Singular values and eigenvalues, with their vectors."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.blas import on_one_thread
from runtime.core.dtypes import DType
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call, define_op
from runtime.ops.base.gradient_parts import given
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
    square_spec,
)
from runtime.ops.linalg.products import adjoint, matmul
from runtime.ops.linalg.solving import solve
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import conj, real


def _svd_spec(x: Tensor, compute_uv: bool, full_matrices: bool) -> tuple[TensorSpec, ...]:
    dims, kind = matrix_dims(x), x.spec.dtype.real_dtype
    if dims is None:
        values = spec_of(kind, None)
        return (values, x.spec, x.spec) if compute_uv else (values, *(x.spec.with_dims((0,)),) * 2)
    *batch, rows, columns = dims
    inner = least(rows, columns)
    values = spec_of(kind, (*batch, inner))
    if not compute_uv:
        return values, x.spec.with_dims((0,)), x.spec.with_dims((0,))
    left, right = (rows, columns) if full_matrices else (inner, inner)
    return (
        values,
        x.spec.with_dims((*batch, rows, left)),
        x.spec.with_dims((*batch, columns, right)),
    )


def _svd(xp: Any, x: Any, compute_uv: bool, full_matrices: bool) -> Any:
    if not compute_uv:
        with on_one_thread(*x.shape[-2:]):
            values = xp.linalg.svd(x, compute_uv=False)
        return values, xp.zeros((0,), x.dtype), xp.zeros((0,), x.dtype)
    with on_one_thread(*x.shape[-2:]):
        u, values, v = xp.linalg.svd(x, full_matrices=full_matrices)
    return values, u, xp.conj(xp.swapaxes(v, -1, -2))


def _svd_grad(g: Any, y: Any, x: Tensor, compute_uv: bool, full_matrices: bool) -> tuple[Tensor]:
    if not compute_uv:
        _, u, v = _SVD.outputs(x, compute_uv=True, full_matrices=False)
        return (matmul(u * expand_dims(cast(g[0], u.dtype), -2), v, adjoint_b=True),)
    rows, columns = known_sizes(x, "svd")
    if full_matrices and rows != columns:
        raise UnimplementedError.of(
            "the gradient of svd is not there for full_matrices=True, if not square"
        )
    (s, u, v), (ds, du, dv) = y, given(g, y)
    return (_thin_svd_grad(cast(s, x.dtype), u, v, cast(ds, x.dtype), du, dv),)


def _thin_svd_grad(s: Tensor, u: Tensor, v: Tensor, ds: Tensor, du: Tensor, dv: Tensor) -> Tensor:
    """J. Townsend, "Differentiating the singular value decomposition" (2016)."""
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
    return call("AddV2", result, outside)


def safe_inverse(x: Tensor) -> Tensor:
    """The inverse, and 0 of 0."""
    return call("DivNoNan", call("OnesLike", x, dtype=x.dtype), x)


_SVD = define_op(
    "Svd",
    {"input": ELEMENTS},
    _svd_spec,
    _svd,
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
    """The singular values of matrices, largest first, and the vectors that belong to them.

    Args:
      tensor: shape [..., m, n].
      full_matrices: whether `u` and `v` are square.
      compute_uv: whether to give the vectors too.

    Returns: `s, u, v`, so that each matrix is `u @ diag(s) @ adjoint(v)`; or only `s`.

    >>> print(svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False))
    tf.Tensor([4. 3.], shape=(2,), dtype=float32)
    """
    outputs = _SVD.outputs(
        tensor, compute_uv=bool(compute_uv), full_matrices=bool(full_matrices), name=name
    )
    return outputs if compute_uv else outputs[0]


def _eigh_spec(x: Tensor, compute_v: bool) -> tuple[TensorSpec, TensorSpec]:
    dims = square_spec(x).dims
    values = x.spec.with_dims(None if dims is None else dims[:-1])
    return values, x.spec if compute_v else x.spec.with_dims((0,))


def _eigh(xp: Any, x: Any, compute_v: bool) -> Any:
    if compute_v:
        values, vectors = xp.linalg.eigh(x, UPLO="L")
        return values.astype(x.dtype), vectors
    return xp.linalg.eigvalsh(x, UPLO="L").astype(x.dtype), xp.zeros((0,), x.dtype)


def _eigh_grad(g: Any, y: Any, x: Tensor, compute_v: bool) -> tuple[Tensor]:
    """The gradient is a lower triangle, because only that is read."""
    if not compute_v:
        _, v = _EIGH.outputs(x, compute_v=True)
        inner = diag(g[0])
    else:
        (e, v), (de, dv) = y, given(g, y)
        gaps = safe_inverse(expand_dims(e, -2) - expand_dims(e, -1))
        inner = diag(de) + gaps * matmul(v, dv, adjoint_a=True)
    full = matmul(v, matmul(inner, v, adjoint_b=True))
    lower = band_part(full + adjoint(full), -1, 0)
    return (set_diag(lower, 0.5 * diag_part(lower)),)


_EIGH = define_op(
    "SelfAdjointEigV2",
    {"input": ELEMENTS},
    _eigh_spec,
    of_squares(_eigh),
    outputs=2,
    grad=_eigh_grad,
    samples=(sample(SYMMETRIC, compute_v=True), sample([SYMMETRIC], compute_v=False)),
)


def eigh(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues of self-adjoint matrices in ascending order, and the eigenvectors.

    Args:
      tensor: shape [..., n, n]; only the lower triangle is read.

    Returns: the eigenvalues, in the dtype of the input, and matrices whose columns are the
      eigenvectors.

    >>> print(eigh([[2.0, 0.0], [0.0, 1.0]])[0])
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    values, vectors = _EIGH.outputs(tensor, compute_v=True, name=name)
    return values, vectors


def eigvalsh(tensor: TensorLike, name: str | None = None) -> Tensor:
    """The eigenvalues of self-adjoint matrices in ascending order; see `eigh`.

    >>> print(eigvalsh([[2.0, 0.0], [0.0, 1.0]]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    return _EIGH.outputs(tensor, compute_v=False, name=name)[0]


def _eig_spec(x: Tensor, compute_v: bool, Tout: DType) -> tuple[TensorSpec, TensorSpec]:
    dims = square_spec(x).dims
    values = spec_of(Tout, None if dims is None else dims[:-1])
    return values, spec_of(Tout, dims if compute_v else (0,))


def _eig(xp: Any, x: Any, compute_v: bool, Tout: DType) -> Any:
    kind = Tout.numpy_dtype
    if compute_v:
        return tuple(part.astype(kind) for part in xp.linalg.eig(x))
    return xp.linalg.eigvals(x).astype(kind), xp.zeros((0,), kind)


def _eig_grad(g: Any, y: Any, x: Tensor, compute_v: bool, Tout: DType) -> tuple[Tensor]:
    if not compute_v:
        _, v = _EIG.outputs(x, compute_v=True, Tout=Tout)
        inner = diag(g[0])
    else:
        (e, v), (de, dv) = y, given(g, y)
        gaps = conj(safe_inverse(expand_dims(e, -2) - expand_dims(e, -1)))
        part = matmul(v, dv, adjoint_a=True)
        own = diag(cast(real(diag_part(part)), part.dtype))
        inner = diag(de) + gaps * (part - matmul(matmul(v, v, adjoint_a=True), own))
    turned = adjoint(v)
    return (cast(solve(turned, matmul(inner, turned)), x.dtype),)


_EIG = define_op(
    "Eig",
    {"input": ELEMENTS},
    _eig_spec,
    of_squares(_eig),
    outputs=2,
    grad=_eig_grad,
    samples=(
        sample([[1.0, 2.0], [3.0, 4.0]], compute_v=True, Tout=dtypes.complex64),
        sample([[0.0, 2.0], [-3.0, 0.0]], compute_v=False, Tout=dtypes.complex64),
    ),
)


def _complex_of(dtype: DType) -> DType:
    return dtypes.complex128 if dtype.size // (1 + dtype.is_complex) == 8 else dtypes.complex64


def eig(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues of matrices, in no particular order, and the eigenvectors.

    Args:
      tensor: shape [..., n, n].

    Returns: the eigenvalues and matrices whose columns are the eigenvectors, complex.

    >>> print(eig([[2.0, 0.0], [0.0, 1.0]])[0])
    tf.Tensor([2.+0.j 1.+0.j], shape=(2,), dtype=complex64)
    """
    x = convert_to_tensor(tensor)
    values, vectors = _EIG.outputs(x, compute_v=True, Tout=_complex_of(x.dtype), name=name)
    return values, vectors


def eigvals(tensor: TensorLike, name: str | None = None) -> Tensor:
    """The eigenvalues of matrices, complex, in no particular order.

    >>> print(eigvals([[2.0, 0.0], [0.0, 1.0]]))
    tf.Tensor([2.+0.j 1.+0.j], shape=(2,), dtype=complex64)
    """
    x = convert_to_tensor(tensor)
    return _EIG.outputs(x, compute_v=False, Tout=_complex_of(x.dtype), name=name)[0]
