"""Decompositions, triangular systems and functions of matrices, on arrays.

[H] N. J. Higham, "The scaling and squaring method for the matrix exponential revisited", SIAM J.
Matrix Anal. Appl. 26 (2005); [C] S. H. Cheng, N. J. Higham, C. S. Kenney, A. J. Laub,
"Approximating the logarithm of a matrix to specified accuracy", ibid. 22 (2001).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.ops.base.aliases import Array, Namespace

_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
    129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0,
    40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
"""Coefficients of the Pade approximant of degree 13 ([H], table 2.3 and (2.3))."""

_RADIUS = 5.371920351148152
"""The approximant is exact to rounding up to this 1-norm ([H], theta 13 in table 2.3)."""

_STEPS = 60
"""Bound on iterations of the square root and on repeated roots; 10 are usual."""

_NEGATIVE = 1e-7
"""Eigenvalues whose argument is within this distance of pi are negative real numbers: about the
square root of the machine epsilon, the error of a double eigenvalue."""


def _norm(xp: Namespace, x: Array) -> Any:
    """Return the 1-norms, the largest column sums of absolute values."""
    return xp.max(xp.sum(xp.abs(x), axis=-2), axis=-1, initial=0.0)[..., None, None]


def _double(xp: Namespace, x: Array) -> Any:
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def exponential(xp: Namespace, x: Array) -> Any:
    """Compute the exponential by scaling and squaring ([H], algorithm 2.3)."""
    wide = _double(xp, x)
    ratio = _norm(xp, wide) / _RADIUS
    halvings = xp.maximum(xp.ceil(xp.log2(xp.where(ratio > 0, ratio, 1.0))), 0.0)
    scaled = wide / 2.0**halvings
    result = _pade(xp, scaled)
    for step in range(int(xp.max(halvings, initial=0.0))):
        result = xp.where(step < halvings, result @ result, result)
    return result.astype(x.dtype)


def _pade(xp: Namespace, x: Array) -> Any:
    """Evaluate the approximant of degree 13 ([H], (2.7) and (2.8))."""
    one = xp.eye(x.shape[-1], dtype=x.dtype)
    x2 = x @ x
    x4 = x2 @ x2
    x6 = x4 @ x2
    b = _PADE
    odd = (
        x6 @ (b[13] * x6 + b[11] * x4 + b[9] * x2) + b[7] * x6 + b[5] * x4 + b[3] * x2 + b[1] * one
    )
    even = x6 @ (b[12] * x6 + b[10] * x4 + b[8] * x2) + b[6] * x6 + b[4] * x4 + b[2] * x2
    even = even + b[0] * one
    odd = x @ odd
    return xp.linalg.solve(even - odd, even + odd)


def square_root(xp: Namespace, x: Array) -> Any:
    """Compute the principal square root; NaN for a real matrix with negative eigenvalues."""
    return _principal_root(xp, _double(xp, x)).astype(x.dtype)


def _principal_root(xp: Namespace, x: Array) -> Any:
    """Compute the root of any matrix; the iteration diverges for negative eigenvalues."""
    angles = xp.angle(xp.linalg.eigvals(x))
    angles = xp.where(angles < _NEGATIVE - np.pi, np.pi, angles)
    if not xp.any(angles > np.pi - _NEGATIVE):
        return _root(xp, x)
    if x.dtype.kind != "c":
        lost = xp.any(angles > np.pi - _NEGATIVE, axis=-1)[..., None, None]
        kept = _root(xp, xp.where(lost, xp.eye(x.shape[-1]), x))
        return xp.where(lost, np.nan, kept)
    # Rotate the spectrum away from the branch cut, and the root back by half the angle.
    angle = ((xp.min(angles, axis=-1) + np.pi) / 2)[..., None, None]
    angle = xp.minimum(angle, np.pi / 2)
    return xp.exp(0.5j * angle) * _root(xp, xp.exp(-1j * angle) * x)


def _root(xp: Namespace, x: Array) -> Any:
    """Iterate the product form of Denman and Beavers ([C], (4.2))."""
    one = xp.eye(x.shape[-1], dtype=x.dtype)
    product, result = x, x
    for _ in range(_STEPS):
        inverse = xp.linalg.inv(product)
        result = 0.5 * (result @ (one + inverse))
        product = 0.5 * one + 0.25 * (product + inverse)
        if not xp.any(_norm(xp, product - one) > 1e-15 * x.shape[-1]):
            break
    return result


def triangular_solve(xp: Namespace, matrix: Array, rhs: Array, lower: bool) -> Any:
    """Substitute recursively on halves of the matrix, so that most of the work is products."""
    count = matrix.shape[-1]
    if count <= 1:
        return rhs / matrix if count else rhs
    half = count // 2
    head, tail = rhs[..., :half, :], rhs[..., half:, :]
    first, last = matrix[..., :half, :half], matrix[..., half:, half:]
    if lower:
        head = triangular_solve(xp, first, head, lower)
        tail = triangular_solve(xp, last, tail - matrix[..., half:, :half] @ head, lower)
    else:
        tail = triangular_solve(xp, last, tail, lower)
        head = triangular_solve(xp, first, head - matrix[..., :half, half:] @ tail, lower)
    return xp.concatenate([head, tail], axis=-2)


def lower_upper(x: Any) -> tuple[Any, Any]:
    """Return both triangles in one matrix and the order of the rows: partial pivoting."""
    count = x.shape[-1]
    result = np.array(x).reshape(math.prod(x.shape[:-2]), count, count)
    every = np.arange(len(result))
    order = np.tile(np.arange(count), (len(result), 1))
    for k in range(count):
        pivot = k + np.argmax(np.abs(result[:, k:, k]), axis=-1)
        for rows in (result, order):
            rows[every, pivot], rows[:, k] = rows[:, k].copy(), rows[every, pivot]
        if np.any(result[:, k, k] == 0):
            raise ValueError("Input is not invertible.")
        result[:, k + 1 :, k] /= result[:, k, k, None]
        below = result[:, k + 1 :, k, None] * result[:, None, k, k + 1 :]
        result[:, k + 1 :, k + 1 :] -= below
    return result.reshape(x.shape), order.reshape(x.shape[:-1])


def cholesky(xp: Namespace, x: Array) -> Any:
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
