"""Matrices with elements near the diagonal only: systems of equations, and products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.opdef import sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat, stack
from runtime.ops.array.shaping import expand_dims, squeeze
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import call, define_op
from runtime.ops.base.gradient_parts import zeros_of
from runtime.ops.linalg import tridiagonal_kernels as kernels
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.matrices import ELEMENTS
from runtime.ops.linalg.products import matrix_transpose
from runtime.ops.reduce.reduction import reduce_sum

_DIAGONALS = [[1.0, 2.0, 9.0], [4.0, 5.0, 6.0], [9.0, 1.5, 2.5]]
_EXCHANGING = [[3.0, 2.0, 9.0], [0.5, 1.0, 6.0], [9.0, 4.0, 2.5]]
_RIGHT = [[1.0, 0.5], [2.0, -1.0], [3.0, 4.0]]


def _next(x: Tensor) -> Tensor:
    """Each element's successor along the last axis, and a zero at the end."""
    return concat([x[..., 1:], zeros_of(x[..., :1])], -1)


def _previous(x: Tensor) -> Tensor:
    """Each element's predecessor along the last axis, and a zero in front."""
    return concat([zeros_of(x[..., :1]), x[..., :-1]], -1)


def _conjugate(x: Tensor) -> Tensor:
    return call("Conj", x) if x.dtype.is_complex else x


def _adjoint(above: Tensor, main: Tensor, below: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The diagonals of the conjugate transposes."""
    return _conjugate(_next(below)), _conjugate(main), _conjugate(_previous(above))


def _by_diagonals(rows: Tensor, columns: Tensor) -> list[Tensor]:
    """The diagonals of products of columns and conjugate rows, [..., n, k], summed over k."""
    left, right = matrix_transpose(rows), _conjugate(matrix_transpose(columns))
    return [reduce_sum(left * moved, -2) for moved in (_next(right), right, _previous(right))]


def _solved(diagonals: Tensor, rhs: Tensor, **attrs: Any) -> TensorSpec:
    x, y = diagonals.spec.dims, rhs.spec.dims
    if x is not None and y is not None:
        kernels.check_system(x, y)
    return rhs.spec


def _solve_grad(
    g: Tensor, y: Tensor, diagonals: Tensor, rhs: Tensor, **attrs: Any
) -> tuple[Tensor, Tensor]:
    turned = _adjoint(*(diagonals[..., i, :] for i in range(3)))
    by_rhs = _SOLVE(stack(turned, -2), g, **attrs)
    return -stack(_by_diagonals(by_rhs, y), -2), by_rhs


_SOLVE = define_op(
    "TridiagonalSolve",
    {"diagonals": ELEMENTS, "rhs": ELEMENTS},
    _solved,
    kernels.solve,
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


def _multiplied(above: Tensor, main: Tensor, below: Tensor, rhs: Tensor) -> TensorSpec:
    shapes = [x.spec.dims for x in (above, main, below, rhs)]
    if all(dims is not None for dims in shapes):
        kernels.check_product(shapes)
    return rhs.spec


def _multiply_grad(
    g: Tensor, y: Tensor, above: Tensor, main: Tensor, below: Tensor, rhs: Tensor
) -> tuple[Tensor, ...]:
    by_diagonals = [expand_dims(part, -2) for part in _by_diagonals(g, rhs)]
    return (*by_diagonals, _MULTIPLY(*_adjoint(above, main, below), g))


_MULTIPLY = define_op(
    "TridiagonalMatMul",
    {"superdiag": ELEMENTS, "maindiag": ELEMENTS, "subdiag": ELEMENTS, "rhs": ELEMENTS},
    _multiplied,
    kernels.multiply,
    grad=_multiply_grad,
    samples=(sample(*([row] for row in _DIAGONALS), _RIGHT),),
)


def _three(diagonals: Any, diagonals_format: str) -> tuple[Tensor, Tensor, Tensor]:
    """Three diagonals of one length, [..., n]: above, main and below."""
    if diagonals_format == "sequence":
        if not isinstance(diagonals, (list, tuple)) or len(diagonals) != 3:
            raise ValueError("Expected diagonals to be a sequence of length 3.")
        parts, _ = one_dtype("Tridiagonal", [("diagonals", part) for part in diagonals])
        above, main, below = parts
        return _filled(above, main, _behind), main, _filled(below, main, _in_front)
    if diagonals_format == "matrix":
        # The band of a matrix has the elements above and below in the places that are wanted.
        return _rows(diag_part(diagonals, k=(-1, 1), align="LEFT_RIGHT"))
    if diagonals_format == "compact":
        return _rows(_checked(convert_to_tensor(diagonals)))
    raise ValueError(
        f"Unrecognized diagonals_format: {diagonals_format}. Expected one of ['compact', 'matrix', "
        "'sequence']"
    )


def _rows(diagonals: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return diagonals[..., 0, :], diagonals[..., 1, :], diagonals[..., 2, :]


def _checked(diagonals: Tensor) -> Tensor:
    rank = diagonals.shape.rank
    if rank is not None and rank < 2:
        raise ValueError(f"Expected diagonals to have rank at least 2, got {rank}")
    if rank is not None and diagonals.shape[-2] not in (3, None):
        raise ValueError(f"Expected 3 diagonals got {diagonals.shape[-2]}")
    return diagonals


def _compact(diagonals: Any, diagonals_format: str) -> Tensor:
    """The three diagonals in one tensor, [..., 3, n]."""
    if diagonals_format == "compact":
        return _checked(convert_to_tensor(diagonals))
    return stack(_three(diagonals, diagonals_format), -2)


def _behind(part: Tensor, zero: Tensor) -> Tensor:
    return concat([part, zero], -1)


def _in_front(part: Tensor, zero: Tensor) -> Tensor:
    return concat([zero, part], -1)


def _filled(part: Tensor, main: Tensor, joined: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """A diagonal beside the main one, made as long by a zero."""
    return part if part.shape[-1] == main.shape[-1] else joined(part, zeros_of(main[..., :1]))


def _check_shapes(diagonals: Tensor, rhs: Tensor) -> None:
    """Raises ValueError, in TensorFlow's words, where what is known of the shapes does not fit."""
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
    diagonals: Any,
    rhs: TensorLike,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """The solutions of systems of linear equations with elements near the diagonal only.

    Args:
      diagonals: the diagonals above, in and below the main one: [..., 3, n] ("compact", where the
        last of the first and the first of the last do not count), a list of three ("sequence"), or
        matrices ("matrix").
      rhs: the right-hand sides, [..., n, k] or [..., n].
      diagonals_format: which of these forms.
      transpose_rhs, conjugate_rhs: whether to transpose or conjugate `rhs` first.
      partial_pivoting: whether rows are exchanged where it helps.
      perturb_singular: whether a number that is next to nothing takes the place of a pivot that is
        even less.

    Returns: the shape of `rhs`; NaN where a pivot is zero.
    Raises: ValueError for another form, and for shapes that do not fit.

    >>> print(tridiagonal_solve([[0.0, 0.0], [2.0, 4.0], [0.0, 0.0]], [2.0, 2.0]))
    tf.Tensor([1.  0.5], shape=(2,), dtype=float32)
    """
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is.")
    compact = _compact(diagonals, diagonals_format)
    right = convert_to_tensor(rhs, dtype_hint=compact.dtype)
    vector = right.shape.rank == (compact.shape.rank or 0) - 1
    if transpose_rhs and not vector:
        right = matrix_transpose(right)
    if conjugate_rhs:
        right = _conjugate(right)
    _check_shapes(compact, right)
    result = _SOLVE(
        compact,
        expand_dims(right, -1) if vector else right,
        partial_pivoting=bool(partial_pivoting),
        perturb_singular=bool(perturb_singular),
        name=name,
    )
    return squeeze(result, -1) if vector else result


def tridiagonal_matmul(
    diagonals: Any, rhs: TensorLike, diagonals_format: str = "compact", name: str | None = None
) -> Tensor:
    """The products of matrices with elements near the diagonal only, and others.

    Args:
      diagonals, diagonals_format: as those of `tridiagonal_solve`.
      rhs: the matrices on the right, [..., n, k].
      name: the name of the operation.

    Raises: ValueError for another form; InvalidArgumentError for shapes that do not fit.

    >>> print(tridiagonal_matmul([[1.0, 0.0], [2.0, 4.0], [0.0, 0.0]], [[1.0], [1.0]]))
    tf.Tensor(
    [[3.]
     [4.]], shape=(2, 1), dtype=float32)
    """
    parts = [expand_dims(part, -2) for part in _three(diagonals, diagonals_format)]
    return _MULTIPLY(*parts, rhs, name=name)
