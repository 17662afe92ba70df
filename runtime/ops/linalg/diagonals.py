"""Diagonals of matrices, and bands around the main one.

The elements of a diagonal are `columns + 1` apart in the flattened matrices, so all functions here
read or write a slice of these.
"""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.errors import UnimplementedError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import INDEX, NUMERIC, DTypes, Emit, Failure, Storage, sample
from runtime.core.shapes import Dims, bracketed, compatible
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.define import op, zeros_of
from runtime.ops.base.node_forms import Place, dtype_zero, moved_index
from runtime.ops.base.samples import MATRIX
from runtime.ops.linalg.matrices import check_matrices
from runtime.ops.reduce.reduction import reduce_sum

_ELEMENTS = DTypes("a number or a truth value", *NUMERIC.members, dtypes.bool)


def _offset(k: Array) -> int:
    """Return the number of a diagonal. Raise UnimplementedError for several."""
    if type(k) is int:
        return k
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


def _part_dims(dims: tuple[int | None, ...], k: int) -> Dims:
    """Return the shape of a diagonal. Raise ValueError if there is none of that number."""
    check_matrices(dims)
    rows, columns = dims[-2:]
    if rows is None or columns is None:
        return (*dims[:-2], None)
    if not (-rows < k < columns or k == 0):
        raise ValueError(
            f"lower_diag_index is out of bound: {k}. It must be between {-rows} and {columns}"
        )
    return (*dims[:-2], _length(rows, columns, k))


def _length(rows: int, columns: int, k: int) -> int:
    return min(rows + min(k, 0), columns - max(k, 0))


def _diagonal(matrices: Array, k: int) -> Array:
    """Return a view of a diagonal of contiguous matrices."""
    *batch, rows, columns = matrices.shape
    begin = k if k >= 0 else -k * columns
    end = begin + _length(rows, columns, k) * (columns + 1)
    return matrices.reshape(*batch, rows * columns)[..., begin : end : columns + 1]


def _diag_part(xp: Namespace, x: Array, k: int) -> Array:
    _part_dims(x.shape, k)
    return _diagonal(x, k)


def _diag_part_grad(g: Tensor, y: Tensor, x: Tensor, k: int) -> tuple[Tensor]:
    return (set_diag.op(zeros_of(x), g, k=k),)


def _padded_form(op_type: str, *sizes: str) -> NodeForm:
    """Return the form of an op type that takes `k`, sizes and the padding of several diagonals."""

    def write(place: Place) -> list[Ref]:
        texts = [("k", place.op.attrs["k"]), *((size, -1) for size in sizes)]
        constants = [place.constant(np.int32(value), label) for label, value in texts]
        padding = place.constant(dtype_zero(place.op.inputs[0].dtype), "padding_value")
        return place.main(op_type, [*place.inputs, *constants, padding])

    return NodeForm(write=write)


@op(
    "MatrixDiagPartV3",
    {"input": _ELEMENTS},
    infer=rules.shaped(_part_dims),
    kernel=_diag_part,
    failure=Failure.SHAPES,
    emit=Emit.DIAGONAL,
    grad=_diag_part_grad,
    storage=Storage.VIEW,
    node=_padded_form("MatrixDiagPartV3"),
    samples=(sample(MATRIX, k=0), sample([MATRIX, MATRIX], k=-1)),
)
def diag_part(input: TensorLike, name: str = "diag_part", k: TensorLike = 0) -> Tensor:
    """Return a diagonal of matrices; `diag` is the inverse.

    Args:
      input: Tensor of shape [..., rows, columns].
      k: the diagonal: 0 is the main one, 1 the one above it.

    Returns: Tensor of shape [..., length].
    Raises:
      InvalidArgumentError: if the matrices have no such diagonal.
      UnimplementedError: if `k` is a range of diagonals.

    >>> print(diag_part([[1, 2, 3], [4, 5, 6]], k=1).numpy())
    [2 6]
    """
    return diag_part.op.apply((input,), name, {"k": _offset(k)})


def _check_diagonal(dims: Dims, diagonal: Dims, k: int) -> None:
    """Raise ValueError unless matrices of shape `dims` have a diagonal `k` of that shape."""
    wanted = None if dims is None else _part_dims(dims, k)
    if not compatible(wanted, diagonal):
        raise ValueError(
            f"a diagonal of shape {bracketed(diagonal)} does not fit into matrices of shape "
            f"{bracketed(dims)}, whose diagonal {k} has the shape {bracketed(wanted)}"
        )


def _set_spec(x: Tensor, diagonal: Tensor, k: int) -> TensorSpec:
    _check_diagonal(x.spec.dims, diagonal.spec.dims, k)
    return x.spec


def _set_diag(xp: Namespace, x: Array, diagonal: Array, k: int) -> Array:
    _check_diagonal(x.shape, diagonal.shape, k)
    result = xp.array(x, order="C")
    _diagonal(result, k)[...] = diagonal
    return result


def _set_diag_grad(
    g: Tensor, y: Tensor, x: Tensor, diagonal: Tensor, k: int
) -> tuple[Tensor, Tensor]:
    return set_diag.op(g, zeros_of(diagonal), k=k), diag_part.op(g, k=k)


@op(
    "MatrixSetDiagV3",
    {"input": _ELEMENTS, "diagonal": _ELEMENTS},
    infer=_set_spec,
    kernel=_set_diag,
    failure=Failure.SHAPES,
    grad=_set_diag_grad,
    node=NodeForm(moved=(moved_index(2, "k", "k"),)),
    samples=(sample(MATRIX, [7.0, 8.0], k=0), sample([[[1, 2], [3, 4]]], [[5]], k=-1)),
)
def set_diag(
    input: TensorLike, diagonal: TensorLike, name: str = "set_diag", k: TensorLike = 0
) -> Tensor:
    """Replace a diagonal of matrices.

    Args:
      input: Tensor of shape [..., rows, columns].
      diagonal: new diagonals, of the dtype of `input` and the shape that `diag_part` returns.
      k: as that of `diag_part`.

    Returns: Tensor of the shape and dtype of `input`.
    Raises: InvalidArgumentError, UnimplementedError: as `diag_part`, and if the shapes do not fit.

    >>> print(set_diag([[1, 2], [3, 4]], [8, 9]).numpy())
    [[8 2]
     [3 9]]
    """
    return set_diag.op.apply((input, diagonal), name, {"k": _offset(k)})


def _square_dims(dims: tuple[int | None, ...], k: int) -> Dims:
    """Return the shape of square matrices with a diagonal of this shape."""
    if not dims:
        raise ValueError("diagonal must be at least 1-dim, not a scalar")
    size = None if dims[-1] is None else dims[-1] + abs(k)
    return (*dims[:-1], size, size)


def _diag(xp: Namespace, diagonal: Array, k: int) -> Array:
    result = xp.zeros(_square_dims(diagonal.shape, k), diagonal.dtype)
    _diagonal(result, k)[...] = diagonal
    return result


@op(
    "MatrixDiagV3",
    {"diagonal": _ELEMENTS},
    infer=rules.shaped(_square_dims),
    kernel=_diag,
    grad=lambda g, y, x, k: (diag_part.op(g, k=k),),
    node=_padded_form("MatrixDiagV3", "num_rows", "num_cols"),
    samples=(sample([1, 2], k=1), sample(MATRIX, k=0)),
)
def diag(diagonal: TensorLike, name: str = "diag", k: TensorLike = 0) -> Tensor:
    """Create square matrices, zero outside a diagonal.

    Args:
      diagonal: Tensor of shape [..., length].
      k: as that of `diag_part`.

    Returns: Tensor of shape [..., length + |k|, length + |k|] and the dtype of `diagonal`.
    Raises:
      InvalidArgumentError: for a scalar.
      UnimplementedError: if `k` is a range of diagonals.

    >>> print(diag([1, 2], k=1).numpy())
    [[0 1 0]
     [0 0 2]
     [0 0 0]]
    """
    return diag.op.apply((diagonal,), name, {"k": _offset(k)})


def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """Sum of the main diagonal of matrices.

    Args:
      x: Tensor of shape [..., rows, columns], numeric.

    Returns: Tensor of shape [...].

    >>> print(trace([[1, 2], [3, 4]]).numpy())
    5
    """
    return reduce_sum(diag_part(x), -1, name=name or "trace")


def _band_spec(x: Tensor, lower: Tensor, upper: Tensor) -> TensorSpec:
    check_matrices(x.spec.dims)
    return x.spec


def _band(xp: Namespace, x: Array, lower: Array, upper: Array) -> Array:
    check_matrices(x.shape)
    for name, count, limit in zip(
        ("num_lower", "num_upper"), (lower, upper), x.shape[-2:], strict=True
    ):
        if count > limit:
            raise ValueError(f"{name} must be negative or less or equal to {limit} got: {count}")
    x = xp.triu(x, -int(lower)) if lower >= 0 else x
    return xp.tril(x, int(upper)) if upper >= 0 else x


def _band_grad(g: Tensor, y: Tensor, x: Tensor, *bounds: Tensor) -> tuple[Tensor | None, ...]:
    return (band_part.op(g, *bounds), None, None)


@op(
    "MatrixBandPart",
    {"input": _ELEMENTS, "num_lower": INDEX, "num_upper": INDEX},
    infer=_band_spec,
    kernel=_band,
    grad=_band_grad,
    samples=(sample(MATRIX, 0, -1), sample([[1, 2], [3, 4]], 1, 0)),
)
def band_part(
    input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, name: str | None = None
) -> Tensor:
    """Set elements outside a band around the main diagonal to zero.

    Args:
      input: Tensor of shape [..., rows, columns], of numbers or truth values.
      num_lower, num_upper: int32 or int64, how many diagonals below and above the main one stay;
        negative: all.

    Returns: Tensor of the shape and dtype of `input`.
    Raises: InvalidArgumentError if there are fewer rows than `num_lower` or columns than
      `num_upper`.

    >>> print(band_part([[1, 2], [3, 4]], 0, -1).numpy())
    [[1 2]
     [0 4]]
    """
    return band_part.op(input, num_lower, num_upper, name=name)
