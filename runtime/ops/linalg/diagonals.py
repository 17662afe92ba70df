"""Diagonals of matrices, and bands around the main one."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.errors import UnimplementedError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import ANY, INDEX, NUMERIC, DTypes, sample
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import op, zeros_of
from runtime.ops.base.node_forms import Place, dtype_zero
from runtime.ops.base.sample_values import MATRIX
from runtime.ops.linalg.matrices import check_matrices
from runtime.ops.reduce.reduction import reduce_sum

_FORM = {"align": "RIGHT_LEFT"}
"""The attribute of TensorFlow's nodes that says how several diagonals are aligned; its default."""


def _offset(k: Any) -> int:
    """Return the number of a diagonal. Raise UnimplementedError for several."""
    value = static_value(k) if isinstance(k, Tensor) else k
    if value is None:
        raise ValueError("`k` has to be known while the graph is recorded")
    entries = np.ravel(value).tolist()
    if len(entries) not in (1, 2):
        raise ValueError(f"`k` is an integer, not {k}")
    if entries[0] != entries[-1]:
        raise UnimplementedError.of(
            f"`k` is {k}: several diagonals at once are not supported; take one after the other"
        )
    return int(entries[0])


def _part_dims(dims: tuple[int | None, ...], k: int) -> tuple[int | None, ...]:
    """Return the shape of diagonals. Raise ValueError if the matrices have no such diagonal."""
    check_matrices(dims)
    rows, columns = dims[-2:]
    if rows is None or columns is None:
        return (*dims[:-2], None)
    if not (-rows < k < columns or k == 0):
        raise ValueError(
            f"lower_diag_index is out of bound: {k}. It must be between {-rows} and {columns}"
        )
    return (*dims[:-2], min(rows + min(k, 0), columns - max(k, 0)))


def _part(xp: Namespace, x: Array, k: int) -> Array:
    _part_dims(x.shape, k)
    return xp.diagonal(x, k, -2, -1).copy()


def _part_grad(g: Tensor, y: Tensor, x: Tensor, k: int) -> tuple[Tensor]:
    return (set_diag.op(zeros_of(x), g, k=k),)


def _write_part(place: Place) -> list[Ref]:
    k = place.constant(np.int32(place.op.attrs["k"]), "k")
    padding = place.constant(dtype_zero(place.inputs[0].dtype), "padding_value")
    return place.main("MatrixDiagPartV3", [*place.inputs, k, padding], **_FORM)


@op(
    "MatrixDiagPartV3",
    {"input": ANY},
    infer=rules.shaped(_part_dims),
    kernel=_part,
    grad=_part_grad,
    node=NodeForm(write=_write_part),
    samples=(sample(MATRIX, k=0), sample(MATRIX, k=-1), sample([[1, 2], [3, 4]], k=1)),
)
def diag_part(
    input: TensorLike,
    name: str = "diag_part",
    k: TensorLike = 0,
    padding_value: object = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return a diagonal of matrices; `diag` is the inverse.

    Args:
      input: Tensor of shape [..., rows, columns].
      k: the diagonal: 0 is the main one, 1 the one above it.
      padding_value, align: have no effect on one diagonal.

    Returns: Tensor of shape [..., length].
    Raises:
      InvalidArgumentError: if the matrices have no such diagonal.
      UnimplementedError: if `k` is a range of diagonals.

    >>> print(diag_part([[1, 2, 3], [4, 5, 6]], k=1).numpy())
    [2 6]
    """
    return diag_part.op(input, k=_offset(k), name=name)


def _write(result: Array, diagonal: Array, k: int) -> None:
    """Write a diagonal into matrices, in place."""
    at = np.arange(diagonal.shape[-1])
    result[..., at - min(k, 0), at + max(k, 0)] = diagonal


def _set(xp: Namespace, x: Array, diagonal: Array, k: int) -> Array:
    if diagonal.shape != _part_dims(x.shape, k):
        raise ValueError(
            "Either first dimensions of diagonal don't match input.shape[:-2], or its last "
            f"dimension is not the length of diagonal {k}. Input shape: {list(x.shape)}, diagonal "
            f"shape: {list(diagonal.shape)}"
        )
    result = np.array(x)
    _write(result, np.asarray(diagonal), k)
    return xp.asarray(result)


def _set_grad(g: Tensor, y: Tensor, x: Tensor, diagonal: Tensor, k: int) -> tuple[Tensor, Tensor]:
    return set_diag.op(g, zeros_of(diagonal), k=k), diag_part.op(g, k=k)


def _write_set(place: Place) -> list[Ref]:
    k = place.constant(np.int32(place.op.attrs["k"]), "k")
    return place.main("MatrixSetDiagV3", [*place.inputs, k], **_FORM)


@op(
    "MatrixSetDiagV3",
    {"input": ANY, "diagonal": ANY},
    infer=lambda x, diagonal, k: x.spec,
    kernel=_set,
    grad=_set_grad,
    node=NodeForm(write=_write_set),
    samples=(sample(MATRIX, [7.0, 8.0], k=0), sample(MATRIX, [7.0], k=-1)),
)
def set_diag(
    input: TensorLike,
    diagonal: TensorLike,
    name: str = "set_diag",
    k: TensorLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Replace a diagonal of matrices.

    Args:
      input: Tensor of shape [..., rows, columns].
      diagonal: new diagonals, of the dtype of `input` and the shape that `diag_part` returns.
      k, align: as those of `diag_part`.

    Returns: Tensor of the shape and dtype of `input`.
    Raises:
      InvalidArgumentError: if the shapes do not fit.
      UnimplementedError: if `k` is a range of diagonals.

    >>> print(set_diag([[1, 2], [3, 4]], [8, 9]).numpy())
    [[8 2]
     [3 9]]
    """
    return set_diag.op(input, diagonal, k=_offset(k), name=name)


def _diag_dims(
    dims: tuple[int | None, ...], k: int, num_rows: int, num_cols: int, padding: object
) -> tuple[int | None, ...]:
    """Return the shape of matrices with these diagonals; -1 is an unspecified size.

    Raises ValueError if diagonals and sizes do not fit.
    """
    if not dims:
        raise ValueError(f"diagonal must be at least 1-dim, received {dims}")
    batch, length = dims[:-1], dims[-1]
    if length is None:
        return (*batch, *(None if size == -1 else size for size in (num_rows, num_cols)))
    least_rows, least_columns = length - min(k, 0), length + max(k, 0)
    if num_rows == num_cols == -1:
        num_rows = num_cols = max(least_rows, least_columns)
    rows = least_rows if num_rows == -1 else num_rows
    columns = least_columns if num_cols == -1 else num_cols
    if rows < least_rows or columns < least_columns:
        raise ValueError(f"The matrix is too small: {rows} rows, {columns} columns")
    if rows != least_rows and columns != least_columns:
        raise ValueError(
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, "
            "and diagonal."
        )
    return (*batch, rows, columns)


def _diag(
    xp: Namespace, diagonal: Array, k: int, num_rows: int, num_cols: int, padding: object
) -> Array:
    dims: Any = _diag_dims(diagonal.shape, k, num_rows, num_cols, padding)
    result = np.empty(dims, diagonal.dtype)
    result[...] = padding
    _write(result, np.asarray(diagonal), k)
    return xp.asarray(result)


def _write_diag(place: Place) -> list[Ref]:
    attrs = place.op.attrs
    numbers = [place.constant(np.int32(attrs[at]), at) for at in ("k", "num_rows", "num_cols")]
    dtype = place.inputs[0].dtype.numpy_dtype
    padding = place.constant(np.array(attrs["padding"], dtype), "padding_value")
    return place.main("MatrixDiagV3", [*place.inputs, *numbers, padding], **_FORM)


@op(
    "MatrixDiagV3",
    {"diagonal": ANY},
    infer=rules.shaped(_diag_dims),
    kernel=_diag,
    grad=lambda g, y, x, k, **attrs: (diag_part(g, k=k),),
    node=NodeForm(write=_write_diag),
    samples=(
        sample([1.0, 2.0], k=0, num_rows=-1, num_cols=-1, padding=0),
        sample([1, 2], k=1, num_rows=-1, num_cols=-1, padding=9),
        sample([[1.0, 2.0], [3.0, 4.0]], k=-1, num_rows=-1, num_cols=2, padding=0),
    ),
)
def diag(
    diagonal: TensorLike,
    name: str = "diag",
    k: TensorLike = 0,
    num_rows: int = -1,
    num_cols: int = -1,
    padding_value: object = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Create matrices from a diagonal.

    Args:
      diagonal: Tensor of shape [..., length].
      k, align: as those of `diag_part`.
      num_rows, num_cols: size of the matrices; -1: the smallest that fits, square if both are.
      padding_value: Python number for the elements outside the diagonal.

    Returns: Tensor of shape [..., num_rows, num_cols] and the dtype of `diagonal`.
    Raises:
      InvalidArgumentError: if the sizes do not fit the diagonal.
      UnimplementedError: if `k` is a range of diagonals.

    >>> print(diag([1, 2], k=1).numpy())
    [[0 1 0]
     [0 0 2]
     [0 0 0]]
    """
    rows, columns, offset = int(num_rows), int(num_cols), _offset(k)
    return diag.op(
        diagonal, k=offset, num_rows=rows, num_cols=columns, padding=padding_value, name=name
    )


def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """Sum of the main diagonal of matrices.

    Args:
      x: Tensor of shape [..., rows, columns], numeric.

    Returns: Tensor of shape [...].

    >>> print(trace([[1, 2], [3, 4]]).numpy())
    5
    """
    return reduce_sum(diag_part(x), -1, name=name or "trace")


_COUNT = DTypes("int32 or int64 (num_lower, num_upper)", *INDEX.members)


def _keep_band(xp: Namespace, x: Array, num_lower: Array, num_upper: Array) -> Array:
    check_matrices(x.shape)
    rows, columns = x.shape[-2:]
    for place, value, most, what in (
        ("lower", num_lower, rows, "rows"),
        ("upper", num_upper, columns, "columns"),
    ):
        if value > most:
            raise ValueError(
                f"num_{place} must be negative or less or equal to number of {what} ({most}) got: "
                f"{value}"
            )
    d = xp.arange(columns)[None, :] - xp.arange(rows)[:, None]
    kept = ((num_lower < 0) | (-d <= num_lower)) & ((num_upper < 0) | (d <= num_upper))
    return xp.where(kept, x, x.dtype.type(0))


def _band_grad(
    g: Tensor, y: Tensor, x: Tensor, lower: Tensor, upper: Tensor
) -> tuple[Tensor, None, None]:
    return band_part(g, lower, upper), None, None


@op(
    "MatrixBandPart",
    {"input": NUMERIC, "num_lower": _COUNT, "num_upper": _COUNT},
    infer=rules.shaped(check_matrices),
    kernel=_keep_band,
    grad=_band_grad,
    samples=(sample(MATRIX, 0, -1), sample([[1, 2], [3, 4]], 1, 0)),
)
def band_part(
    input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, name: str | None = None
) -> Tensor:
    """Set elements outside a band around the main diagonal to zero.

    Args:
      input: Tensor of shape [..., rows, columns], numeric.
      num_lower, num_upper: int32 or int64 scalars, how many diagonals below and above the main one
        stay; negative: all.

    Returns: Tensor of the shape and dtype of `input`.
    Raises: InvalidArgumentError if there are fewer diagonals.

    >>> print(band_part([[1, 2], [3, 4]], 0, -1).numpy())
    [[1 2]
     [0 4]]
    """
    return band_part.op(input, num_lower, num_upper, name=name)
