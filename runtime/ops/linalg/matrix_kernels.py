"""Decompositions, triangular systems and functions of matrices, on arrays.

[H] N. J. Higham, "The scaling and squaring method for the matrix exponential revisited", SIAM J.
Matrix Anal. Appl. 26 (2005); [C] S. H. Cheng, N. J. Higham, C. S. Kenney, A. J. Laub,
"Approximating the logarithm of a matrix to specified accuracy", ibid. 22 (2001).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.base.aliases import Array, Namespace


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
