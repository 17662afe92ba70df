"""Diagonals and traces of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import ANY, NUMERIC, sample
from runtime.core.shapes import Dims, element_count
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call, define_op
from runtime.ops.base.gradient_parts import zeros_of
from runtime.ops.base.sample_values import MATRIX
from runtime.ops.reduce.reduction import reduce_sum

_ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")
_BAND = [[1.0, 2.0, 3.0], [4.0, 5.0, 0.5]]


def _band(k: Any) -> tuple[int, int]:
    """The lowest and the highest diagonal."""
    value = static_value(k) if isinstance(k, Tensor) else k
    if value is None:
        raise ValueError("`k` has to be known while the graph is recorded")
    entries = np.ravel(value).tolist()
    if len(entries) not in (1, 2):
        raise ValueError(f"`k` is an integer or a pair of integers, not {k}")
    low, high = int(entries[0]), int(entries[-1])
    if low > high:
        raise InvalidArgumentError.of(
            f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}",
        )
    return low, high


def _aligned(align: str) -> str:
    if align not in _ALIGNMENTS:
        allowed = ", ".join(f'"{name}"' for name in _ALIGNMENTS)
        raise InvalidArgumentError.of(
            f"Value for attr 'align' of \"{align}\" is not in the list of allowed values: "
            f"{allowed}",
        )
    return align


def _longest(rows: int, columns: int, low: int, high: int) -> int:
    return min(rows + min(high, 0), columns - max(low, 0))


def _check_band(rows: int, columns: int, low: int, high: int) -> None:
    for place, value in (("lower", low), ("upper", high)):
        if not (-rows < value < columns or value == 0):
            raise ValueError(
                f"{place}_diag_index is out of bound: {value}. It must be between {-rows} and "
                f"{columns}"
            )


def _shift(xp: Any, d: Any, rows: int, columns: int, longest: int, align: str) -> Any:
    """How far the elements of the diagonal `d` stand from the left."""
    left_above = align in ("LEFT_RIGHT", "LEFT_LEFT")
    left_below = align in ("RIGHT_LEFT", "LEFT_LEFT")
    left = ((d >= 0) & left_above) | ((d <= 0) & left_below)
    length = xp.minimum(rows + xp.minimum(d, 0), columns - xp.maximum(d, 0))
    return xp.where(left, 0, longest - length)


def _part(xp: Any, x: Any, low: int, high: int, padding: Any, align: str) -> Any:
    if x.ndim < 2:
        raise ValueError(f"input must be at least 2-dim, received shape: {list(x.shape)}")
    rows, columns = x.shape[-2:]
    _check_band(rows, columns, low, high)
    longest = _longest(rows, columns, low, high)
    d = xp.arange(high, low - 1, -1)[:, None]
    place = xp.arange(longest)[None, :] - _shift(xp, d, rows, columns, longest, align)
    row, column = place - xp.minimum(d, 0), place + xp.maximum(d, 0)
    inside = (place >= 0) & (row < rows) & (column < columns)
    picked = x[..., xp.where(inside, row, 0), xp.where(inside, column, 0)]
    result = xp.where(inside, picked, xp.asarray(padding, dtype=x.dtype))
    return result[..., 0, :] if low == high else result


def _part_spec(x: Tensor, low: int, high: int, padding: Any, align: str) -> TensorSpec:
    dims = x.spec.dims
    if dims is None:
        return x.spec
    if len(dims) < 2:
        raise ValueError(f"input must be at least 2-dim, received shape: {list(dims)}")
    rows, columns = dims[-2:]
    longest = None
    if rows is not None and columns is not None:
        _check_band(rows, columns, low, high)
        longest = _longest(rows, columns, low, high)
    many = () if low == high else (high - low + 1,)
    return x.spec.with_dims((*dims[:-2], *many, longest))


def _part_grad(
    g: Tensor, y: Tensor, x: Tensor, low: int, high: int, padding: Any, align: str
) -> tuple[Tensor]:
    return (_SET_DIAG(zeros_of(x), g, low=low, high=high, align=align),)


_DIAG_PART = define_op(
    "MatrixDiagPartV3",
    {"input": ANY},
    _part_spec,
    _part,
    grad=_part_grad,
    samples=(
        sample(MATRIX, low=0, high=0, padding=0, align="RIGHT_LEFT"),
        sample(MATRIX, low=-1, high=1, padding=0, align="LEFT_RIGHT"),
        sample([[1, 2], [3, 4]], low=1, high=1, padding=9, align="LEFT_LEFT"),
    ),
)


def _write(result: Any, diagonal: Any, low: int, high: int, align: str) -> None:
    """Puts the diagonals in their places in matrices."""
    bands = diagonal[..., None, :] if low == high else diagonal
    rows, columns = result.shape[-2:]
    longest = bands.shape[-1]
    for d in range(low, high + 1):
        shift = int(_shift(np, np.asarray(d), rows, columns, longest, align))
        places = np.arange(longest - shift if shift else min(rows + min(d, 0), columns - max(d, 0)))
        row, column = places - min(d, 0), places + max(d, 0)
        result[..., row, column] = bands[..., high - d, places + shift]


def _set(xp: Any, x: Any, diagonal: Any, low: int, high: int, align: str) -> Any:
    rows, columns = x.shape[-2:]
    _check_band(rows, columns, low, high)
    many = () if low == high else (high - low + 1,)
    wanted = (*x.shape[:-2], *many, _longest(rows, columns, low, high))
    if diagonal.shape != wanted:
        raise ValueError(
            "Either first dimensions of diagonal don't match input.shape[:-2], or "
            "diagonal.shape[:-1] is not equal to the longests diagonal in range [lower_diag_index, "
            f"upper_diag_index]. Input shape: {list(x.shape)}, diagonal shape: "
            f"{list(diagonal.shape)}, lower_diag_index: {low}, upper_diag_index: {high}"
        )
    result = np.array(x)
    _write(result, np.asarray(diagonal), low, high, align)
    return xp.asarray(result)


def _set_grad(
    g: Tensor, y: Tensor, x: Tensor, diagonal: Tensor, low: int, high: int, align: str
) -> tuple[Tensor, Tensor]:
    kept = _SET_DIAG(g, zeros_of(diagonal), low=low, high=high, align=align)
    return kept, _DIAG_PART(g, low=low, high=high, padding=0, align=align)


_SET_DIAG = define_op(
    "MatrixSetDiagV3",
    {"input": ANY, "diagonal": ANY},
    lambda x, diagonal, low, high, align: x.spec,
    _set,
    grad=_set_grad,
    samples=(
        sample(MATRIX, [7.0, 8.0], low=0, high=0, align="RIGHT_LEFT"),
        sample([[1.0, 2.0], [3.0, 4.0]], [[7.0, 8.0], [9.0, 6.0]], low=-1, high=0,
               align="RIGHT_LEFT"),
    ),
)  # fmt: skip


def _fitted(longest: int, low: int, high: int, rows: int, columns: int) -> tuple[int, int]:
    """Rows and columns of the matrix with these diagonals, of which -1 stands for any."""
    least_rows, least_columns = longest - min(high, 0), longest + max(low, 0)
    if rows == columns == -1:
        rows = columns = max(least_rows, least_columns)
    rows = least_rows if rows == -1 else rows
    columns = least_columns if columns == -1 else columns
    if rows < least_rows or columns < least_columns:
        raise ValueError(f"The matrix is too small: {rows} rows, {columns} columns")
    if rows != least_rows and columns != least_columns:
        raise ValueError(
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, "
            "and diagonal."
        )
    return rows, columns


def _diag(
    xp: Any,
    diagonal: Any,
    low: int,
    high: int,
    num_rows: int,
    num_cols: int,
    padding: Any,
    align: str,
) -> Any:
    _check_diagonals(diagonal.shape, low, high)
    rows, columns = _fitted(diagonal.shape[-1], low, high, num_rows, num_cols)
    batch = diagonal.shape[:-1] if low == high else diagonal.shape[:-2]
    result = np.empty((*batch, rows, columns), diagonal.dtype)
    result[...] = padding
    _write(result, np.asarray(diagonal), low, high, align)
    return xp.asarray(result)


def _check_diagonals(dims: Any, low: int, high: int) -> None:
    if len(dims) < 1 + (low != high):
        raise ValueError(f"diagonal must be at least {1 + (low != high)}-dim, received {dims}")
    if low != high and dims[-2] not in (None, high - low + 1):
        raise ValueError(
            f"The number of diagonals provided in `diagonal` is not consistent with "
            f"lower_diag_index and upper_diag_index: {dims[-2]} and {high - low + 1}"
        )


def _diag_spec(
    diagonal: Tensor, low: int, high: int, num_rows: int, num_cols: int, padding: Any, align: str
) -> TensorSpec:
    dims: Dims = diagonal.spec.dims
    if dims is None:
        return diagonal.spec
    _check_diagonals(dims, low, high)
    batch = dims[:-1] if low == high else dims[:-2]
    longest = dims[-1]
    if longest is None:
        sizes = tuple(None if size == -1 else size for size in (num_rows, num_cols))
        return diagonal.spec.with_dims((*batch, *sizes))
    return diagonal.spec.with_dims((*batch, *_fitted(longest, low, high, num_rows, num_cols)))


def _diag_grad(g: Tensor, y: Tensor, diagonal: Tensor, low: int, high: int, **attrs: Any) -> Any:
    return (_DIAG_PART(g, low=low, high=high, padding=0, align=attrs["align"]),)


_DIAG = define_op(
    "MatrixDiagV3",
    {"diagonal": ANY},
    _diag_spec,
    _diag,
    grad=_diag_grad,
    samples=(
        sample([1.0, 2.0], low=0, high=0, num_rows=-1, num_cols=-1, padding=0, align="RIGHT_LEFT"),
        sample([1, 2], low=1, high=1, num_rows=-1, num_cols=-1, padding=9, align="RIGHT_LEFT"),
        sample(_BAND, low=0, high=1, num_rows=-1, num_cols=-1, padding=0, align="LEFT_RIGHT"),
    ),
)


def diag(
    diagonal: TensorLike,
    name: str = "diag",
    k: Any = 0,
    num_rows: int = -1,
    num_cols: int = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with these diagonals, and `padding_value` elsewhere.

    Args:
      diagonal: the diagonals, shape [..., length], or [..., diagonals, length] if `k` is a pair.
      name: the name of the operation.
      k: which diagonal, 0 for the main one, above it positive; or the lowest and the highest.
      num_rows, num_cols: the size; -1: what fits, square if both are.
      padding_value: a Python number.
      align: on which side diagonals that are shorter than the longest stand, those above the main
        one and those below it: "RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Raises: InvalidArgumentError if the sizes do not fit the diagonals.

    >>> print(diag([1, 2]))
    tf.Tensor(
    [[1 0]
     [0 2]], shape=(2, 2), dtype=int32)
    """
    low, high = _band(k)
    return _DIAG(
        diagonal,
        low=low,
        high=high,
        num_rows=int(num_rows),
        num_cols=int(num_cols),
        padding=padding_value,
        align=_aligned(align),
        name=name,
    )


def diag_part(
    input: TensorLike,
    name: str = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Diagonals of matrices; see `diag`, which turns them into matrices again.

    Args:
      input: shape [..., rows, columns].
      name: the name of the operation.
      k: which diagonal, or the lowest and the highest.
      padding_value: what fills up diagonals that are shorter than the longest; a Python number.
      align: on which side those stand, as in `diag`.

    Returns: shape [..., length], or [..., diagonals, length] for several, the highest first.
    Raises: InvalidArgumentError if there is no such diagonal.

    >>> print(diag_part([[1, 2], [3, 4]]))
    tf.Tensor([1 4], shape=(2,), dtype=int32)
    """
    low, high = _band(k)
    return _DIAG_PART(
        input, low=low, high=high, padding=padding_value, align=_aligned(align), name=name
    )


def set_diag(
    input: TensorLike,
    diagonal: TensorLike,
    name: str = "set_diag",
    k: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with other diagonals.

    Args:
      input: shape [..., rows, columns].
      diagonal: the diagonals, as `diag_part` gives them, of the dtype of `input`.
      name: the name of the operation.
      k: which diagonal, or the lowest and the highest.
      align: on which side those that are shorter stand, as in `diag`.

    Raises: InvalidArgumentError if the shapes do not fit.

    >>> print(set_diag([[1, 2], [3, 4]], [8, 9]))
    tf.Tensor(
    [[8 2]
     [3 9]], shape=(2, 2), dtype=int32)
    """
    low, high = _band(k)
    return _SET_DIAG(input, diagonal, low=low, high=high, align=_aligned(align), name=name)


def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """The sums of the main diagonals of matrices.

    >>> print(trace([[1, 2], [3, 4]]))
    tf.Tensor(5, shape=(), dtype=int32)
    """
    return reduce_sum(diag_part(x), -1, name=name or "trace")


def _tensor_diag(xp: Any, x: Any) -> Any:
    flat = xp.reshape(x, (-1,))
    return xp.reshape(xp.diag(flat), (*x.shape, *x.shape))


def _tensor_part(xp: Any, x: Any) -> Any:
    half = _half(x.shape)
    count = element_count(half) or 0
    return xp.reshape(xp.diagonal(xp.reshape(x, (count, count))), half).copy()


def _half(dims: Any) -> Any:
    count = len(dims) // 2
    if len(dims) % 2 or not dims:
        raise ValueError(f"input must have even and non-zero rank: {len(dims)}")
    merged = []
    for i in range(count):
        one, other = dims[i], dims[count + i]
        if None not in (one, other) and one != other:
            raise ValueError(
                f"Invalid shape {list(dims)}: dimensions {i} and {count + i} do not match."
            )
        merged.append(other if one is None else one)
    return tuple(merged)


def _doubled(x: Tensor) -> TensorSpec:
    dims = x.spec.dims
    return x.spec.with_dims(None if dims is None else (*dims, *dims))


def _halved(x: Tensor) -> TensorSpec:
    return x.spec if x.spec.dims is None else x.spec.with_dims(_half(x.spec.dims))


define_op(
    "Diag",
    {"diagonal": NUMERIC},
    _doubled,
    _tensor_diag,
    grad=lambda g, y, x: (tensor_diag_part(g),),
    samples=(sample([1.0, 2.0]), sample([[1, 2], [3, 4]])),
)
define_op(
    "DiagPart",
    {"input": NUMERIC},
    _halved,
    _tensor_part,
    grad=lambda g, y, x: (tensor_diag(g),),
    samples=(sample([[1.0, 2.0], [3.0, 4.0]]),),
)


def tensor_diag(diagonal: TensorLike, name: str | None = None) -> Tensor:
    """A tensor of twice the rank, with the elements where both halves of the position are equal.

    >>> print(tensor_diag([1, 2]))
    tf.Tensor(
    [[1 0]
     [0 2]], shape=(2, 2), dtype=int32)
    """
    return call("Diag", diagonal, name=name)


def tensor_diag_part(input: TensorLike, name: str | None = None) -> Tensor:
    """The elements where both halves of the position are equal; undoes `tensor_diag`.

    Raises: InvalidArgumentError if the two halves of the shape differ.

    >>> print(tensor_diag_part([[1, 2], [3, 4]]))
    tf.Tensor([1 4], shape=(2,), dtype=int32)
    """
    return call("DiagPart", convert_to_tensor(input), name=name)
