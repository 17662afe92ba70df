"""Diagonals and traces of matrices.

Diagonal `d` holds the elements `x[i, i + d]`: 0 is the main one, positive ones are above it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import ANY, INDEX, NUMERIC, DTypes, sample
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import op
from runtime.ops.base.gradient_parts import zeros_of
from runtime.ops.base.node_forms import Node, Place, text
from runtime.ops.base.sample_values import MATRIX
from runtime.ops.linalg.matrices import check_matrices
from runtime.ops.reduce.reduction import reduce_sum

Band = TensorLike | tuple[int, int] | list[int]
"""A diagonal, or the lowest and the highest of several."""

_ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")
_BAND = [[1.0, 2.0, 3.0], [4.0, 5.0, 0.5]]


def _bounds(k: Band) -> tuple[int, int]:
    """Return the lowest and the highest diagonal."""
    value = static_value(k) if isinstance(k, Tensor) else k
    if value is None:
        raise ValueError("`k` has to be known while the graph is recorded")
    entries = np.ravel(value).tolist()
    if len(entries) not in (1, 2):
        raise ValueError(f"`k` is an integer or a pair of integers, not {k}")
    low, high = int(entries[0]), int(entries[-1])
    if low > high:
        raise InvalidArgumentError.of(
            f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}"
        )
    return low, high


def _aligned(align: str) -> str:
    if align not in _ALIGNMENTS:
        allowed = ", ".join(f'"{name}"' for name in _ALIGNMENTS)
        raise InvalidArgumentError.of(
            f"Value for attr 'align' of \"{align}\" is not in the list of allowed values: {allowed}"
        )
    return align


def _part_dims(
    dims: tuple[int | None, ...], low: int, high: int, **attrs: object
) -> tuple[int | None, ...]:
    """Return the shape of diagonals of matrices; the longest one decides the last dimension.

    Raises ValueError if the matrices have no such diagonals.
    """
    check_matrices(dims)
    rows, columns = dims[-2:]
    longest = None
    if rows is not None and columns is not None:
        for place, value in (("lower", low), ("upper", high)):
            if not (-rows < value < columns or value == 0):
                raise ValueError(
                    f"{place}_diag_index is out of bound: {value}. It must be between {-rows} and "
                    f"{columns}"
                )
        longest = min(rows + min(high, 0), columns - max(low, 0))
    return (*dims[:-2], *(() if low == high else (high - low + 1,)), longest)


def _shift(xp: Namespace, d: Array, rows: int, columns: int, longest: int, align: str) -> Any:
    """Return the padding before the elements of diagonal `d`."""
    left_above = align in ("LEFT_RIGHT", "LEFT_LEFT")
    left_below = align in ("RIGHT_LEFT", "LEFT_LEFT")
    left = ((d >= 0) & left_above) | ((d <= 0) & left_below)
    length = xp.minimum(rows + xp.minimum(d, 0), columns - xp.maximum(d, 0))
    return xp.where(left, 0, longest - length)


def _part(xp: Namespace, x: Array, low: int, high: int, padding: Array, align: str) -> Array:
    longest = int(_part_dims(x.shape, low, high)[-1] or 0)
    rows, columns = x.shape[-2:]
    d = xp.arange(high, low - 1, -1)[:, None]
    position = xp.arange(longest)[None, :] - _shift(xp, d, rows, columns, longest, align)
    row, column = position - xp.minimum(d, 0), position + xp.maximum(d, 0)
    inside = (position >= 0) & (row < rows) & (column < columns)
    picked = x[..., xp.where(inside, row, 0), xp.where(inside, column, 0)]
    result = xp.where(inside, picked, xp.asarray(padding, dtype=x.dtype))
    return result[..., 0, :] if low == high else result


def _part_grad(
    g: Tensor, y: Tensor, x: Tensor, low: int, high: int, padding: object, align: str
) -> tuple[Tensor]:
    return (set_diag.op(zeros_of(x), g, low=low, high=high, align=align),)


def _band_inputs(place: Place) -> tuple[Ref, Ref]:
    """Return the range of diagonals, and the fill value."""
    attrs = place.op.attrs
    k = place.constant(np.array([attrs["low"], attrs["high"]], np.int32), "k")
    filling = np.array(attrs.get("padding", 0), place.inputs[0].dtype.numpy_dtype)
    return k, place.constant(filling, "padding_value")


def _band_attrs(node: Node, k: int) -> dict[str, Any]:
    bounds = np.ravel(node.constant(k))
    return {"low": int(bounds[0]), "high": int(bounds[-1]), "align": text(node.attrs["align"])}


def _write_part(place: Place) -> list[Ref]:
    inputs = [*place.inputs, *_band_inputs(place)]
    return place.main("MatrixDiagPartV3", inputs, align=place.op.attrs["align"])


def _read_part(node: Node) -> tuple[SymbolicTensor, ...]:
    attrs = {**_band_attrs(node, 1), "padding": node.constant(2).item()}
    return node.add("MatrixDiagPartV3", node.inputs[:1], attrs)


@op(
    "MatrixDiagPartV3",
    {"input": ANY},
    infer=rules.shaped(_part_dims),
    kernel=_part,
    grad=_part_grad,
    node=NodeForm(write=_write_part, read=_read_part),
    samples=(
        sample(MATRIX, low=0, high=0, padding=0, align="RIGHT_LEFT"),
        sample(MATRIX, low=-1, high=1, padding=0, align="LEFT_RIGHT"),
        sample([[1, 2], [3, 4]], low=1, high=1, padding=9, align="LEFT_LEFT"),
    ),
)
def diag_part(
    input: TensorLike,
    name: str = "diag_part",
    k: Band = 0,
    padding_value: object = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return diagonals of matrices; `diag` is the inverse.

    Args:
      input: Tensor of shape [..., rows, columns].
      name: name for the operation.
      k: the diagonal, or the lowest and the highest one.
      padding_value: Python number that pads diagonals shorter than the longest.
      align: on which side the elements of diagonals above and below the main one are: "RIGHT_LEFT"
        pads those above at the start and those below at the end; "LEFT_RIGHT", "LEFT_LEFT",
        "RIGHT_RIGHT".

    Returns:
      Tensor of shape [..., length], or [..., diagonals, length] for several, the highest first.

    Raises:
      InvalidArgumentError: if the matrices have no such diagonal.

    >>> print(diag_part([[1, 2, 3], [4, 5, 6]], k=(0, 2)).numpy())
    [[0 3]
     [2 6]
     [1 5]]
    """
    low, high = _bounds(k)
    return diag_part.op(
        input, low=low, high=high, padding=padding_value, align=_aligned(align), name=name
    )


def _write(result: Array, diagonal: Array, low: int, high: int, align: str) -> None:
    """Write the diagonals into matrices, in place."""
    bands = diagonal[..., None, :] if low == high else diagonal
    rows, columns = result.shape[-2:]
    longest = bands.shape[-1]
    for d in range(low, high + 1):
        shift = int(_shift(np, np.asarray(d), rows, columns, longest, align))
        at = np.arange(longest - shift if shift else min(rows + min(d, 0), columns - max(d, 0)))
        result[..., at - min(d, 0), at + max(d, 0)] = bands[..., high - d, at + shift]


def _set(xp: Namespace, x: Array, diagonal: Array, low: int, high: int, align: str) -> Array:
    if diagonal.shape != _part_dims(x.shape, low, high):
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
    kept = set_diag.op(g, zeros_of(diagonal), low=low, high=high, align=align)
    return kept, diag_part.op(g, low=low, high=high, padding=0, align=align)


def _write_set(place: Place) -> list[Ref]:
    k, _ = _band_inputs(place)
    return place.main("MatrixSetDiagV3", [*place.inputs, k], align=place.op.attrs["align"])


def _read_set(node: Node) -> tuple[SymbolicTensor, ...]:
    return node.add("MatrixSetDiagV3", node.inputs[:2], _band_attrs(node, 2))


@op(
    "MatrixSetDiagV3",
    {"input": ANY, "diagonal": ANY},
    infer=lambda x, diagonal, low, high, align: x.spec,
    kernel=_set,
    grad=_set_grad,
    node=NodeForm(write=_write_set, read=_read_set),
    samples=(
        sample(MATRIX, [7.0, 8.0], low=0, high=0, align="RIGHT_LEFT"),
        sample(MATRIX, [[7.0, 8.0], [9.0, 6.0]], low=-1, high=0, align="RIGHT_LEFT"),
    ),
)
def set_diag(
    input: TensorLike,
    diagonal: TensorLike,
    name: str = "set_diag",
    k: Band = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Replace diagonals of matrices.

    Args:
      input: Tensor of shape [..., rows, columns].
      diagonal: new diagonals, of the dtype of `input` and the shape that `diag_part` returns.
      name: name for the operation.
      k, align: as those of `diag_part`.

    Returns:
      Tensor of the shape and dtype of `input`.

    Raises:
      InvalidArgumentError: if the shapes do not fit.

    >>> print(set_diag([[1, 2], [3, 4]], [8, 9]).numpy())
    [[8 2]
     [3 9]]
    """
    low, high = _bounds(k)
    return set_diag.op(input, diagonal, low=low, high=high, align=_aligned(align), name=name)


def _diag_dims(
    dims: tuple[int | None, ...],
    low: int,
    high: int,
    num_rows: int,
    num_cols: int,
    **attrs: object,
) -> tuple[int | None, ...]:
    """Return the shape of matrices with these diagonals; -1 is an unspecified size.

    Raises ValueError if diagonals and sizes do not fit.
    """
    several, rows, columns = low != high, num_rows, num_cols
    if len(dims) < 1 + several:
        raise ValueError(f"diagonal must be at least {1 + several}-dim, received {dims}")
    if several and dims[-2] not in (None, high - low + 1):
        raise ValueError(
            "The number of diagonals provided in `diagonal` is not consistent with "
            f"lower_diag_index and upper_diag_index: {dims[-2]} and {high - low + 1}"
        )
    batch, longest = dims[: -1 - several], dims[-1]
    if longest is None:
        return (*batch, *(None if size == -1 else size for size in (rows, columns)))
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
    return (*batch, rows, columns)


def _diag(
    xp: Namespace,
    diagonal: Array,
    low: int,
    high: int,
    num_rows: int,
    num_cols: int,
    padding: Array,
    align: str,
) -> Array:
    dims: Any = _diag_dims(diagonal.shape, low, high, num_rows, num_cols)
    result = np.empty(dims, diagonal.dtype)
    result[...] = padding
    _write(result, np.asarray(diagonal), low, high, align)
    return xp.asarray(result)


def _diag_grad(
    g: Tensor, y: Tensor, diagonal: Tensor, low: int, high: int, align: str, **sizes: object
) -> tuple[Tensor]:
    return (diag_part.op(g, low=low, high=high, padding=0, align=align),)


def _write_diag(place: Place) -> list[Ref]:
    k, padding = _band_inputs(place)
    attrs = place.op.attrs
    sizes = [place.constant(np.int32(attrs[name]), name) for name in ("num_rows", "num_cols")]
    return place.main("MatrixDiagV3", [*place.inputs, k, *sizes, padding], align=attrs["align"])


def _read_diag(node: Node) -> tuple[SymbolicTensor, ...]:
    attrs = {
        **_band_attrs(node, 1),
        "num_rows": int(node.constant(2)),
        "num_cols": int(node.constant(3)),
        "padding": node.constant(4).item(),
    }
    return node.add("MatrixDiagV3", node.inputs[:1], attrs)


@op(
    "MatrixDiagV3",
    {"diagonal": ANY},
    infer=rules.shaped(_diag_dims),
    kernel=_diag,
    grad=_diag_grad,
    node=NodeForm(write=_write_diag, read=_read_diag),
    samples=(
        sample([1.0, 2.0], low=0, high=0, num_rows=-1, num_cols=-1, padding=0, align="RIGHT_LEFT"),
        sample([1, 2], low=1, high=1, num_rows=-1, num_cols=-1, padding=9, align="RIGHT_LEFT"),
        sample(_BAND, low=0, high=1, num_rows=-1, num_cols=-1, padding=0, align="LEFT_RIGHT"),
    ),
)
def diag(
    diagonal: TensorLike,
    name: str = "diag",
    k: Band = 0,
    num_rows: int = -1,
    num_cols: int = -1,
    padding_value: object = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Create matrices from diagonals.

    Args:
      diagonal: Tensor of shape [..., length], or [..., diagonals, length] if `k` is a pair.
      name: name for the operation.
      k, align: as those of `diag_part`.
      num_rows, num_cols: size of the matrices; -1: the smallest that fits, square if both are.
      padding_value: Python number for the elements outside the diagonals.

    Returns:
      Tensor of shape [..., num_rows, num_cols] and the dtype of `diagonal`.

    Raises:
      InvalidArgumentError: if the sizes do not fit the diagonals.

    >>> print(diag([1, 2], k=1).numpy())
    [[0 1 0]
     [0 0 2]
     [0 0 0]]
    """
    low, high = _bounds(k)
    return diag.op(
        diagonal,
        low=low,
        high=high,
        num_rows=int(num_rows),
        num_cols=int(num_cols),
        padding=padding_value,
        align=_aligned(align),
        name=name,
    )


def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """Sum of the main diagonal of matrices.

    Args:
      x: Tensor of shape [..., rows, columns], numeric.
      name: name for the operation.

    Returns:
      Tensor of shape [...].

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
      name: name for the operation.

    Returns:
      Tensor of the shape and dtype of `input`.

    Raises:
      InvalidArgumentError: if there are fewer diagonals.

    >>> print(band_part([[1, 2], [3, 4]], 0, -1).numpy())
    [[1 2]
     [0 4]]
    """
    return band_part.op(input, num_lower, num_upper, name=name)
