"""Tridiagonal matrices: systems of linear equations, and products.

Three diagonals are one tensor [..., 3, n]: the superdiagonal (its last element is ignored), the
main diagonal and the subdiagonal (its first element is ignored). Elimination runs over the rows of
all systems at once; partial pivoting exchanges neighbors, which fills a second superdiagonal:
G. H. Golub, C. F. Van Loan, "Matrix Computations" (2013), section 4.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core.opdef import sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat, stack
from runtime.ops.array.shaping import expand_dims, squeeze
from runtime.ops.base.aliases import Namespace
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import define_op
from runtime.ops.base.gradient_parts import zeros_of
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.matrices import ELEMENTS, Array, check_matrices
from runtime.ops.linalg.products import matrix_transpose
from runtime.ops.math.complexes import conj
from runtime.ops.reduce.reduction import reduce_sum

_DIAGONALS = [[1.0, 2.0, 9.0], [4.0, 5.0, 6.0], [9.0, 1.5, 2.5]]
_EXCHANGING = [[3.0, 2.0, 9.0], [0.5, 1.0, 6.0], [9.0, 4.0, 2.5]]
_RIGHT = [[1.0, 0.5], [2.0, -1.0], [3.0, 4.0]]


class _Row(NamedTuple):
    """A row of each system: its elements from the diagonal on, and its right-hand sides."""

    first: Any
    second: Any
    third: Any
    right: Any


def _check_equal(one: Sequence[int | None], other: Sequence[int | None], message: str) -> None:
    for a, b in zip(one, other, strict=True):
        if None not in (a, b) and a != b:
            raise ValueError(message)


def _check_ranks(*shapes: Dims) -> bool:
    """Return whether all shapes are known. Raises ValueError if their ranks differ."""
    known = [dims for dims in shapes if dims is not None]
    if len({len(dims) for dims in known}) > 1:
        raise ValueError("All input tensors must have the same rank.")
    check_matrices(shapes[-1])
    return len(known) == len(shapes)


def _check_system(diagonals: Dims, rhs: Dims) -> None:
    """Raise ValueError if diagonals and right-hand sides do not fit."""
    if not _check_ranks(diagonals, rhs) or diagonals is None or rhs is None:
        return
    if diagonals[-2] not in (3, None):
        raise ValueError(f"Expected diagonals to have 3 rows, got {diagonals[-2]}")
    _check_equal(diagonals[:-2], rhs[:-2], "All input tensors must have the same outer dimensions.")
    _check_equal(diagonals[-1:], rhs[-2:-1], "The length of diagonals must be the number of rows.")


def _check_product(*shapes: Dims) -> None:
    """Raise ValueError if three diagonals and a matrix do not fit."""
    *diagonals, rhs = shapes
    if not _check_ranks(*shapes) or rhs is None:
        return
    names = ("superdiagonal", "maindiagonal", "subdiagonal")
    for name, dims in zip(names, diagonals, strict=True):
        assert dims is not None
        _check_equal(dims[:-2], rhs[:-2], "All input tensors must have the same outer dimensions.")
        _check_equal(dims[-2:], (1, rhs[-2]), f"Invalid {name} shape.")


def _product(xp: Namespace, above: Array, main: Array, below: Array, rhs: Array) -> Array:
    _check_product(above.shape, main.shape, below.shape, rhs.shape)
    a, b, c = (xp.swapaxes(x, -1, -2) for x in (above, main, below))
    result = b * rhs
    none = xp.zeros_like(rhs[..., :1, :])
    upper = xp.concatenate([a[..., :-1, :] * rhs[..., 1:, :], none], axis=-2)
    lower = xp.concatenate([none, c[..., 1:, :] * rhs[..., :-1, :]], axis=-2)
    return result + upper + lower


def _solution(
    xp: Namespace, diagonals: Array, rhs: Array, partial_pivoting: bool, perturb_singular: bool
) -> Array:
    """Solve the systems in double precision; NaN where a pivot is zero."""
    _check_system(diagonals.shape, rhs.shape)
    if not rhs.size:
        return xp.zeros_like(rhs)
    wide = np.result_type(rhs.dtype, np.float64)
    size, columns = rhs.shape[-2:]
    bands = np.asarray(diagonals).astype(wide).reshape(-1, 3, size)
    right = np.asarray(rhs).astype(wide).reshape(-1, size, columns)
    least = _least_pivots(bands, rhs.dtype) if perturb_singular else None
    solution = _back_substituted(_eliminated(*_by_row(bands, right), partial_pivoting, least))
    if len(bands) > 1:
        solution = np.moveaxis(solution, 0, -2)
    return xp.asarray(solution.reshape(rhs.shape).astype(rhs.dtype))


def _least_pivots(bands: Any, dtype: Any) -> Any:
    """Return the smallest pivots: the machine epsilon times the largest element."""
    least = np.finfo(dtype).eps * np.max(np.abs(bands), axis=(-1, -2))
    return least[:, None] if len(bands) > 1 else least[0]


def _by_row(bands: Any, right: Any) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Split diagonals and right-hand sides into rows.

    A row of several systems is a column vector. A row of one system is a scalar: NumPy computes
    with scalars faster than with arrays of one element.
    """
    if len(bands) > 1:
        above, main, below = (list(bands[:, i, :].T[..., None]) for i in range(3))
        return above, main, below, list(np.swapaxes(right, 0, 1))
    above, main, below = (list(band) for band in bands[0])
    return above, main, below, list(right[0, :, 0] if right.shape[-1] == 1 else right[0])


def _where(condition: Any, x: Any, otherwise: Any) -> Any:
    if isinstance(condition, np.ndarray):
        return np.where(condition, x, otherwise)
    return x if condition else otherwise


def _eliminated(
    above: list[Any],
    main: list[Any],
    below: list[Any],
    right: list[Any],
    exchanging: bool,
    least: object,
) -> list[_Row]:
    """Return the rows of the upper triangular systems."""
    rows = []
    row = _Row(main[0], above[0], 0.0 * main[0], right[0])
    for i in range(1, len(main)):
        lower = _Row(below[i], main[i], above[i], right[i])
        row, lower = _exchanged(row, lower) if exchanging else (row, lower)
        row = _at_least(row, least)
        rows.append(row)
        factor = lower.first / row.first
        row = _Row(
            lower.second - factor * row.second,
            lower.third - factor * row.third,
            row.third * 0.0,
            lower.right - factor * row.right,
        )
    rows.append(_at_least(row, least))
    return rows


def _exchanged(row: _Row, lower: _Row) -> tuple[_Row, _Row]:
    """Return both rows, the one with the larger first element first."""
    swap = abs(lower.first) > abs(row.first)
    if not isinstance(swap, np.ndarray):
        return (lower, row) if swap else (row, lower)
    pairs = [(np.where(swap, b, a), np.where(swap, a, b)) for a, b in zip(row, lower, strict=True)]
    return _Row(*(pair[0] for pair in pairs)), _Row(*(pair[1] for pair in pairs))


def _at_least(row: _Row, least: Any) -> _Row:
    """Raise the absolute value of the pivot to `least`, unless that is None."""
    if least is None:
        return row
    pivot = row.first
    return row._replace(first=_where(abs(pivot) < least, np.copysign(least, pivot.real), pivot))


def _back_substituted(rows: list[_Row]) -> Any:
    """Solve the upper triangular systems by back substitution."""
    solutions = []
    after = beyond = 0.0 * rows[-1].right
    singular: Any = False
    for row in reversed(rows):
        value = (row.right - row.second * after - row.third * beyond) / row.first
        solutions.append(value)
        after, beyond = value, after
        singular = singular | (row.first == 0)
    return np.where(singular, np.nan, np.stack(solutions[::-1]))


def _next(x: Tensor) -> Tensor:
    """Shift the last axis to the left by one and append a zero."""
    return concat([x[..., 1:], zeros_of(x[..., :1])], -1)


def _previous(x: Tensor) -> Tensor:
    """Shift the last axis to the right by one and prepend a zero."""
    return concat([zeros_of(x[..., :1]), x[..., :-1]], -1)


def _adjoint(above: Tensor, main: Tensor, below: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the diagonals of the conjugate transposes."""
    return conj(_next(below)), conj(main), conj(_previous(above))


def _by_diagonals(rows: Tensor, columns: Tensor) -> list[Tensor]:
    """Return the diagonals of `matmul(rows, adjoint(columns))`, both of shape [..., n, k]."""
    left, right = matrix_transpose(rows), conj(matrix_transpose(columns))
    return [reduce_sum(left * moved, -2) for moved in (_next(right), right, _previous(right))]


def _solve_spec(diagonals: Tensor, rhs: Tensor, **attrs: object) -> TensorSpec:
    _check_system(diagonals.spec.dims, rhs.spec.dims)
    return rhs.spec


def _solve_grad(
    g: Tensor, y: Tensor, diagonals: Tensor, rhs: Tensor, **attrs: Any
) -> tuple[Tensor, Tensor]:
    transposes = _adjoint(*(diagonals[..., i, :] for i in range(3)))
    by_rhs = _SOLVE(stack(transposes, -2), g, **attrs)
    return -stack(_by_diagonals(by_rhs, y), -2), by_rhs


_SOLVE = define_op(
    "TridiagonalSolve",
    {"diagonals": ELEMENTS, "rhs": ELEMENTS},
    _solve_spec,
    _solution,
    grad=_solve_grad,
    samples=(
        sample(_DIAGONALS, _RIGHT, partial_pivoting=False, perturb_singular=False),
        sample(_EXCHANGING, _RIGHT, partial_pivoting=True, perturb_singular=False),
        sample(
            [_DIAGONALS, _EXCHANGING],
            [_RIGHT, _RIGHT],
            partial_pivoting=True,
            perturb_singular=True,
        ),
    ),
)


def _product_spec(above: Tensor, main: Tensor, below: Tensor, rhs: Tensor) -> TensorSpec:
    _check_product(*(x.spec.dims for x in (above, main, below, rhs)))
    return rhs.spec


def _product_grad(
    g: Tensor, y: Tensor, above: Tensor, main: Tensor, below: Tensor, rhs: Tensor
) -> tuple[Tensor, ...]:
    by_diagonals = [expand_dims(part, -2) for part in _by_diagonals(g, rhs)]
    return (*by_diagonals, _MULTIPLY(*_adjoint(above, main, below), g))


_MULTIPLY = define_op(
    "TridiagonalMatMul",
    {"superdiag": ELEMENTS, "maindiag": ELEMENTS, "subdiag": ELEMENTS, "rhs": ELEMENTS},
    _product_spec,
    _product,
    grad=_product_grad,
    samples=(sample(*([row] for row in _DIAGONALS), _RIGHT),),
)


def _compact(diagonals: object, diagonals_format: str) -> Tensor:
    """Return the three diagonals as one tensor, [..., 3, n]."""
    if diagonals_format == "compact":
        x = convert_to_tensor(diagonals)
        if x.shape.rank is not None and x.shape.rank < 2:
            raise ValueError(f"Expected diagonals to have rank at least 2, got {x.shape.rank}")
        if x.shape.rank is not None and x.shape[-2] not in (3, None):
            raise ValueError(f"Expected 3 diagonals got {x.shape[-2]}")
        return x
    if diagonals_format == "matrix":
        return diag_part(diagonals, k=(-1, 1), align="LEFT_RIGHT")
    if diagonals_format == "sequence":
        if not isinstance(diagonals, (list, tuple)) or len(diagonals) != 3:
            raise ValueError("Expected diagonals to be a sequence of length 3.")
        (above, main, below), _ = one_dtype("Tridiagonal", [("diagonals", d) for d in diagonals])
        zero = zeros_of(main[..., :1])
        if above.shape[-1] != main.shape[-1]:
            above = concat([above, zero], -1)
        if below.shape[-1] != main.shape[-1]:
            below = concat([zero, below], -1)
        return stack([above, main, below], -2)
    raise ValueError(
        f"Unrecognized diagonals_format: {diagonals_format}. Expected one of ['compact', 'matrix', "
        "'sequence']"
    )


def _check_arguments(diagonals: Tensor, rhs: Tensor) -> None:
    """Raise ValueError if the arguments of `tridiagonal_solve` do not fit."""
    x, y = diagonals.spec.dims, rhs.spec.dims
    if x is None or y is None:
        return
    if len(y) not in (len(x) - 1, len(x)):
        raise ValueError(f"Expected the rank of rhs to be {len(x) - 1} or {len(x)}, got {len(y)}")
    for one, other in zip(x[:-2], y, strict=False):
        if None not in (one, other) and one != other:
            raise ValueError(f"Batch shapes {x[:-2]} and {y[: len(x) - 2]} are incompatible")
    rows = y[len(x) - 2]
    if None not in (x[-1], rows) and x[-1] != rows:
        raise ValueError(
            "Expected number of left-hand sided and right-hand sides to be equal, got "
            f"{x[-1]} and {rows}"
        )


def tridiagonal_solve(
    diagonals: object,
    rhs: TensorLike,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """Solve systems of linear equations with tridiagonal matrices.

    Args:
      diagonals: "compact": Tensor of shape [..., 3, n]: superdiagonal (the last element is
        ignored), main diagonal, subdiagonal (the first element is ignored). "sequence": a list of
        the three, of length n or n - 1. "matrix": matrices of shape [..., n, n].
      rhs: right-hand sides, shape [..., n, k] or [..., n].
      diagonals_format: "compact", "sequence" or "matrix".
      transpose_rhs, conjugate_rhs: whether to transpose or conjugate `rhs` first.
      name: name for the operation.
      partial_pivoting: whether to exchange rows for larger pivots.
      perturb_singular: whether to replace pivots below the machine epsilon times the largest
        element by that bound.

    Returns:
      Solutions of the shape of `rhs`; NaN where a pivot is zero.

    Raises:
      ValueError: if the format is unknown or the shapes do not fit.

    >>> diagonals = [[1.0, 0.0], [2.0, 4.0], [0.0, 1.0]]
    >>> print(tridiagonal_solve(diagonals, [3.0, 5.0]).numpy())
    [1. 1.]
    """
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is.")
    compact = _compact(diagonals, diagonals_format)
    right = convert_to_tensor(rhs, dtype_hint=compact.dtype)
    vector = right.shape.rank == (compact.shape.rank or 0) - 1
    if transpose_rhs and not vector:
        right = matrix_transpose(right)
    if conjugate_rhs:
        right = conj(right)
    _check_arguments(compact, right)
    result = _SOLVE(
        compact,
        expand_dims(right, -1) if vector else right,
        partial_pivoting=bool(partial_pivoting),
        perturb_singular=bool(perturb_singular),
        name=name,
    )
    return squeeze(result, -1) if vector else result


def tridiagonal_matmul(
    diagonals: object, rhs: TensorLike, diagonals_format: str = "compact", name: str | None = None
) -> Tensor:
    """Multiply tridiagonal matrices by matrices.

    Args:
      diagonals, diagonals_format: as those of `tridiagonal_solve`.
      rhs: Tensor of shape [..., n, k] and the dtype of the diagonals.
      name: name for the operation.

    Returns:
      Tensor of shape [..., n, k].

    Raises:
      ValueError: if the format is unknown.
      InvalidArgumentError: if the shapes do not fit.

    >>> print(tridiagonal_matmul([[1.0, 0.0], [2.0, 4.0], [0.0, 1.0]], [[1.0], [1.0]]).numpy())
    [[3.]
     [5.]]
    """
    compact = _compact(diagonals, diagonals_format)
    parts = (compact[..., i : i + 1, :] for i in range(3))
    return _MULTIPLY(*parts, rhs, name=name)
