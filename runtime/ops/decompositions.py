"""Determinants, inverses, decompositions and functions of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError, UnimplementedError
from runtime.core.opdef import DTypes, Grad, Kernel, Sample, sample
from runtime.core.shapes import broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import matrix_functions
from runtime.ops.casting import cast
from runtime.ops.complexes import conj, real
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import Op, call, define_op
from runtime.ops.diagonals import band_part, diag, diag_part, set_diag
from runtime.ops.gradient_parts import given, zeros_of
from runtime.ops.joining import concat
from runtime.ops.linalg import adjoint, matmul
from runtime.ops.results import LogMatrixDeterminant, Lu, Qr
from runtime.ops.shaping import expand_dims

ELEMENTS = DTypes(
    "float32, float64, complex64 or complex128",
    dtypes.float32,
    dtypes.float64,
    dtypes.complex64,
    dtypes.complex128,
)
_SQUARE = [[2.0, 1.0], [0.5, 3.0]]
_SYMMETRIC = [[4.0, 1.0], [1.0, 3.0]]
_TALL = [[1.0, 2.0], [3.0, 4.5], [5.0, 7.0]]
_ONE = (sample(_SQUARE), sample([_SQUARE, _SYMMETRIC]))


def _matrix(x: Tensor) -> tuple[int | None, ...] | None:
    dims = x.spec.dims
    if dims is not None and len(dims) < 2:
        raise ValueError(f"Input must have rank >= 2, got shape {list(dims)}")
    return dims


def _square(x: Tensor, *others: Tensor, **attrs: Any) -> TensorSpec:
    dims = _matrix(x)
    if dims is not None and None not in dims[-2:] and dims[-1] != dims[-2]:
        raise ValueError("Input matrix must be square.")
    return x.spec


def _reduced(x: Tensor, **attrs: Any) -> TensorSpec:
    spec = _square(x)
    return spec.with_dims(None if spec.dims is None else spec.dims[:-2])


def _squarely(kernel: Callable[..., Any]) -> Kernel:
    """A kernel that says in TensorFlow's words what is wrong with a matrix."""

    def checked(xp: Any, x: Any, *others: Any, **attrs: Any) -> Any:
        if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
            raise ValueError("Input matrix must be square.")
        try:
            return kernel(xp, x, *others, **attrs)
        except np.linalg.LinAlgError as error:
            what = "Input matrix" if others else "Input"
            raise InvalidArgumentError(None, None, f"{what} is not invertible.") from error

    return checked


def _of_square(
    name: str, kernel: Kernel, grad: Grad, infer: Any = _square, samples: tuple[Sample, ...] = _ONE
) -> Op:
    return define_op(
        name, {"input": ELEMENTS}, infer, _squarely(kernel), grad=grad, samples=samples
    )


def _as_matrices(x: Tensor) -> Tensor:
    return expand_dims(expand_dims(x, -1), -1)


def _determinant_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    return (_as_matrices(g * conj(y)) * _INVERSE(x, adjoint=True),)


def _log_determinant_grad(g: Any, y: Any, x: Tensor) -> tuple[Tensor]:
    return (_as_matrices(given(g, y)[1]) * _INVERSE(x, adjoint=True),)


def _inverse(xp: Any, x: Any, adjoint: bool) -> Any:
    return xp.linalg.inv(xp.conj(xp.swapaxes(x, -1, -2)) if adjoint else x)


def _inverse_grad(g: Tensor, y: Tensor, x: Tensor, adjoint: bool) -> tuple[Tensor]:
    if adjoint:
        return (-matmul(matmul(y, g, adjoint_b=True), y),)
    return (-matmul(matmul(y, g, adjoint_a=True), y, adjoint_b=True),)


_DETERMINANT = _of_square(
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
    _squarely(
        lambda xp, x: tuple(xp.asarray(part).astype(x.dtype) for part in xp.linalg.slogdet(x))
    ),
    outputs=2,
    grad=_log_determinant_grad,
    samples=_ONE,
)
_INVERSE = _of_square(
    "MatrixInverse",
    _inverse,
    _inverse_grad,
    samples=(sample(_SQUARE, adjoint=False), sample([_SQUARE, _SYMMETRIC], adjoint=True)),
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


def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverses of matrices.

    Args:
      input: floating-point or complex numbers, shape [..., n, n].
      adjoint: whether to invert the conjugate transposes.

    Raises: InvalidArgumentError if a matrix is not square or has no inverse.

    >>> print(inv([[2.0, 0.0], [0.0, 4.0]]))
    tf.Tensor(
    [[0.5  0.  ]
     [0.   0.25]], shape=(2, 2), dtype=float32)
    """
    return _INVERSE(input, adjoint=bool(adjoint), name=name)


def _solved(matrix: Tensor, rhs: Tensor, **attrs: Any) -> TensorSpec:
    a, b = _square(matrix).dims, _matrix(rhs)
    if a is None or b is None:
        return rhs.spec.with_dims(None)
    if "lower" not in attrs and len(a) != len(b):
        raise ValueError("All input tensors must have the same rank.")
    if None not in (a[-1], b[-2]) and a[-1] != b[-2]:
        raise ValueError(f"Input matrix and rhs are incompatible: {a[-1]} and {b[-2]}")
    batch = broadcast(a[:-2], b[:-2])
    return rhs.spec.with_dims(None if batch is None else (*batch, *b[-2:]))


def _solve(xp: Any, matrix: Any, rhs: Any, adjoint: bool) -> Any:
    if matrix.ndim != rhs.ndim:
        raise ValueError("All input tensors must have the same rank.")
    return xp.linalg.solve(xp.conj(xp.swapaxes(matrix, -1, -2)) if adjoint else matrix, rhs)


def _triangular(xp: Any, matrix: Any, rhs: Any, lower: bool, adjoint: bool) -> Any:
    turned = xp.conj(xp.swapaxes(matrix, -1, -2)) if adjoint else matrix
    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    full = xp.broadcast_to(rhs, (*batch, *rhs.shape[-2:]))
    return matrix_functions.triangular_solve(xp, turned, full, lower is not adjoint)


def _solve_grad(
    g: Tensor, y: Tensor, matrix: Tensor, rhs: Tensor, adjoint: bool
) -> tuple[Tensor, Tensor]:
    by_rhs = _SOLVE(matrix, g, adjoint=not adjoint)
    first, second = (y, by_rhs) if adjoint else (by_rhs, y)
    return -matmul(first, second, adjoint_b=True), by_rhs


def _triangular_grad(
    g: Tensor, y: Tensor, matrix: Tensor, rhs: Tensor, lower: bool, adjoint: bool
) -> tuple[Tensor, Tensor]:
    by_rhs = _TRIANGULAR(matrix, g, lower=lower, adjoint=not adjoint)
    first, second = (y, by_rhs) if adjoint else (by_rhs, y)
    full = -matmul(first, second, adjoint_b=True)
    return band_part(full, -1 if lower else 0, 0 if lower else -1), by_rhs


_SOLVE = define_op(
    "MatrixSolve",
    {"matrix": ELEMENTS, "rhs": ELEMENTS},
    _solved,
    _squarely(_solve),
    grad=_solve_grad,
    samples=(
        sample(_SQUARE, [[1.0], [2.0]], adjoint=False),
        sample([_SQUARE], [_SYMMETRIC], adjoint=True),
    ),
)
_TRIANGULAR = define_op(
    "MatrixTriangularSolve",
    {"matrix": ELEMENTS, "rhs": ELEMENTS},
    _solved,
    _squarely(_triangular),
    grad=_triangular_grad,
    samples=(
        sample(_SQUARE, [[1.0], [2.0]], lower=True, adjoint=False),
        sample(_SQUARE, [_SYMMETRIC], lower=False, adjoint=True),
    ),
)


def solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The solutions of systems of linear equations.

    Args:
      matrix: floating-point or complex numbers, shape [..., n, n].
      rhs: the right-hand sides, of the same dtype and rank, shape [..., n, k].
      adjoint: whether to use the conjugate transposes of the matrices.

    Raises: InvalidArgumentError if a matrix has no inverse or the shapes do not fit.

    >>> print(solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]))
    tf.Tensor(
    [[1. ]
     [0.5]], shape=(2, 1), dtype=float32)
    """
    return _SOLVE(matrix, rhs, adjoint=bool(adjoint), name=name)


def triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """The solutions of systems of linear equations in triangular form.

    Args:
      matrix: shape [..., n, n]; what is on the other side of the diagonal is not read.
      rhs: the right-hand sides, of the same dtype, shape [..., n, k].
      lower: whether the lower triangle counts.
      adjoint: whether to use the conjugate transposes of the matrices.

    >>> print(triangular_solve([[2.0, 0.0], [1.0, 1.0]], [[2.0], [2.0]]))
    tf.Tensor(
    [[1.]
     [1.]], shape=(2, 1), dtype=float32)
    """
    return _TRIANGULAR(matrix, rhs, lower=bool(lower), adjoint=bool(adjoint), name=name)


def _cholesky_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    """The input counts as symmetric: the gradient is."""
    middle = matmul(y, g, adjoint_a=True)
    middle = band_part(set_diag(middle, 0.5 * diag_part(middle)), -1, 0)
    half = _TRIANGULAR(y, middle, lower=True, adjoint=True)
    turned = _TRIANGULAR(y, adjoint(half), lower=True, adjoint=True)
    return (0.5 * (turned + adjoint(turned)),)


_CHOLESKY = _of_square(
    "Cholesky",
    matrix_functions.cholesky,
    _cholesky_grad,
    samples=(sample(_SYMMETRIC), sample([_SYMMETRIC, [[2.0, 0.5], [0.5, 1.0]]])),
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


def _least(a: int | None, b: int | None) -> int | None:
    if 0 in (a, b):
        return 0
    return None if a is None or b is None else min(a, b)


def _qr_spec(x: Tensor, full_matrices: bool) -> tuple[TensorSpec, TensorSpec]:
    dims = _matrix(x)
    if dims is None:
        return x.spec, x.spec
    rows, columns = dims[-2:]
    inner = rows if full_matrices else _least(rows, columns)
    return x.spec.with_dims((*dims[:-1], inner)), x.spec.with_dims((*dims[:-2], inner, columns))


def _qr(xp: Any, x: Any, full_matrices: bool) -> Any:
    return tuple(xp.linalg.qr(x, mode="complete" if full_matrices else "reduced"))


def _known_sizes(x: Tensor, what: str) -> tuple[int, int]:
    dims = x.spec.dims
    if dims is None or dims[-1] is None or dims[-2] is None:
        raise UnimplementedError(
            None, None, f"the gradient of {what} needs matrices whose size is known"
        )
    return dims[-2], dims[-1]


def _qr_grad(g: Any, y: Any, x: Tensor, full_matrices: bool) -> tuple[Tensor]:
    rows, columns = _known_sizes(x, "qr")
    if full_matrices and rows > columns:
        raise UnimplementedError(
            None, None, "the gradient of qr is not there for full_matrices=True and tall matrices"
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
    {"input": ELEMENTS},
    _qr_spec,
    _qr,
    outputs=2,
    grad=_qr_grad,
    samples=(
        sample(_TALL, full_matrices=False),
        sample(_SQUARE, full_matrices=True),
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


def _svd_spec(x: Tensor, compute_uv: bool, full_matrices: bool) -> tuple[TensorSpec, ...]:
    dims, kind = _matrix(x), x.spec.dtype.real_dtype
    if dims is None:
        values = spec_of(kind, None)
        return (values, x.spec, x.spec) if compute_uv else (values, *(x.spec.with_dims((0,)),) * 2)
    *batch, rows, columns = dims
    inner = _least(rows, columns)
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
        values = xp.linalg.svd(x, compute_uv=False)
        return values, xp.zeros((0,), x.dtype), xp.zeros((0,), x.dtype)
    u, values, v = xp.linalg.svd(x, full_matrices=full_matrices)
    return values, u, xp.conj(xp.swapaxes(v, -1, -2))


def _svd_grad(g: Any, y: Any, x: Tensor, compute_uv: bool, full_matrices: bool) -> tuple[Tensor]:
    if not compute_uv:
        _, u, v = _SVD.outputs(x, compute_uv=True, full_matrices=False)
        return (matmul(u * expand_dims(cast(g[0], u.dtype), -2), v, adjoint_b=True),)
    rows, columns = _known_sizes(x, "svd")
    if full_matrices and rows != columns:
        raise UnimplementedError(
            None, None, "the gradient of svd is not there for full_matrices=True, if not square"
        )
    (s, u, v), (ds, du, dv) = y, given(g, y)
    return (_thin_svd_grad(cast(s, x.dtype), u, v, cast(ds, x.dtype), du, dv),)


def _thin_svd_grad(s: Tensor, u: Tensor, v: Tensor, ds: Tensor, du: Tensor, dv: Tensor) -> Tensor:
    """J. Townsend, "Differentiating the singular value decomposition" (2016)."""
    row, column = expand_dims(s, -2), expand_dims(s, -1)
    gaps = _safe_inverse(row * row - column * column)
    by_u, by_v = matmul(u, du, adjoint_a=True), matmul(v, dv, adjoint_a=True)
    inner = gaps * (by_u - adjoint(by_u)) * row + column * (gaps * (by_v - adjoint(by_v)))
    inner = inner + diag(ds)
    if u.dtype.is_complex:
        own = diag_part(by_u)
        inner = inner + diag((own - cast(real(own), own.dtype)) * _safe_inverse(s))
    result = matmul(matmul(u, inner), v, adjoint_b=True)
    scale = _safe_inverse(row)
    outside_u = (du - matmul(u, by_u)) * scale
    outside_v = (dv - matmul(v, by_v)) * scale
    outside = matmul(outside_u, v, adjoint_b=True) + matmul(u, outside_v, adjoint_b=True)
    return call("AddV2", result, outside)


def _safe_inverse(x: Tensor) -> Tensor:
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
        sample(_TALL, compute_uv=True, full_matrices=False),
        sample(_SQUARE, compute_uv=True, full_matrices=True),
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
    dims = _square(x).dims
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
        gaps = _safe_inverse(expand_dims(e, -2) - expand_dims(e, -1))
        inner = diag(de) + gaps * matmul(v, dv, adjoint_a=True)
    full = matmul(v, matmul(inner, v, adjoint_b=True))
    lower = band_part(full + adjoint(full), -1, 0)
    return (set_diag(lower, 0.5 * diag_part(lower)),)


_EIGH = define_op(
    "SelfAdjointEigV2",
    {"input": ELEMENTS},
    _eigh_spec,
    _squarely(_eigh),
    outputs=2,
    grad=_eigh_grad,
    samples=(sample(_SYMMETRIC, compute_v=True), sample([_SYMMETRIC], compute_v=False)),
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
    dims = _square(x).dims
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
        gaps = conj(_safe_inverse(expand_dims(e, -2) - expand_dims(e, -1)))
        part = matmul(v, dv, adjoint_a=True)
        own = diag(cast(real(diag_part(part)), part.dtype))
        inner = diag(de) + gaps * (part - matmul(matmul(v, v, adjoint_a=True), own))
    turned = adjoint(v)
    return (cast(solve(turned, matmul(inner, turned)), x.dtype),)


_EIG = define_op(
    "Eig",
    {"input": ELEMENTS},
    _eig_spec,
    _squarely(_eig),
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


def _lu_spec(x: Tensor, output_idx_type: DType) -> tuple[TensorSpec, TensorSpec]:
    dims = _square(x).dims
    return x.spec, spec_of(output_idx_type, None if dims is None else dims[:-1])


def _lu(xp: Any, x: Any, output_idx_type: DType) -> Any:
    triangles, order = matrix_functions.lower_upper(x)
    return triangles, order.astype(output_idx_type.numpy_dtype)


def _lu_grad(g: Any, y: Any, x: Tensor, output_idx_type: DType) -> tuple[Tensor]:
    triangles, order = y
    lower, upper = _triangles(triangles)
    inner = band_part(matmul(lower, band_part(g[0], -1, 0), adjoint_a=True), -1, 0)
    inner = set_diag(inner, zeros_of(diag_part(inner)))
    inner = inner + band_part(matmul(band_part(g[0], 0, -1), upper, adjoint_b=True), 0, -1)
    left = _TRIANGULAR(lower, inner, lower=True, adjoint=True)
    result = adjoint(_TRIANGULAR(upper, adjoint(left), lower=False, adjoint=False))
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
    {"x": ELEMENTS, "order": DTypes("int32 or int64", dtypes.int32, dtypes.int64)},
    lambda x, order: x.spec,
    _rows,
    grad=lambda g, y, x, order: (_rows_back(g, order), None),
    samples=(sample(_TALL, [2, 0, 1]), sample([_SQUARE, _SYMMETRIC], [[1, 0], [0, 1]])),
)
"""The rows of matrices in another order."""

_LU = define_op(
    "Lu",
    {"input": ELEMENTS},
    _lu_spec,
    _squarely(_lu),
    outputs=2,
    grad=_lu_grad,
    samples=(
        sample([[1.0, 2.0], [3.0, 4.0]], output_idx_type=dtypes.int32),
        sample([_SQUARE, [[0.5, 2.0], [3.0, 1.0]]], output_idx_type=dtypes.int64),
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

    return _of_square(name, kernel, grad, samples=samples)


_EXPONENTIAL = _function("MatrixExponential", matrix_functions.exponential, _ONE)
_SQUARE_ROOT = _function("MatrixSquareRoot", matrix_functions.square_root, _ONE)
_LOGARITHM = _function("MatrixLogarithm", matrix_functions.logarithm, _ONE)


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
      input: shape [..., n, n], invertible, without negative real eigenvalues.

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
      input: shape [..., n, n], invertible, without negative real eigenvalues.

    >>> print(logm([[1.0, 0.0], [0.0, 1.0]]))
    tf.Tensor(
    [[0. 0.]
     [0. 0.]], shape=(2, 2), dtype=float32)
    """
    return _LOGARITHM(input, name=name)
