"""Diagonals of matrices, and bands around the main one.

The elements of a diagonal are `columns + 1` apart in the flattened matrices, so all functions here
read or write a slice of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.errors import IncompatibleShapesError, UnimplementedError
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import zeros
from runtime.ops.array.joining import concat
from runtime.ops.array.ranges import range as numbers
from runtime.ops.array.shaping import reshape
from runtime.ops.base.arguments import static_int
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import chosen, shape_of
from runtime.ops.items.indexing import getitem, lengths, with_item
from runtime.ops.linalg.matrices import check_matrices
from runtime.ops.math.arithmetic import maximum, minimum
from runtime.ops.reduce.reduction import reduce_sum


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


def _sizes(x: Tensor) -> tuple[Any, Any]:
    """Return rows and columns of matrices: ints where they are known, else scalar tensors."""
    dims = check_matrices(x.spec.dims)
    if dims is None:
        return shape_of(x)[-2], shape_of(x)[-1]
    rows, columns = lengths(x)[-2:]
    return rows, columns


def _slice(rows: Any, columns: Any, k: int) -> Any:
    """Return the index of a diagonal in flattened matrices. Refuse one that is not there."""
    begin, height, width = (k, rows, columns - k) if k >= 0 else (-k * columns, rows + k, columns)
    if isinstance(rows, int) and isinstance(columns, int):
        if not (-rows < k < columns or k == 0):
            raise IncompatibleShapesError.of(
                f"lower_diag_index is out of bound: {k}. It must be between {-rows} and {columns}"
            )
        length: Any = min(height, width)
    else:
        length = maximum(minimum(height, width), 0)
    return ..., slice(begin, begin + length * (columns + 1), columns + 1)


def _resized(x: Tensor, count: int, *sizes: Any) -> Any:
    """Return the shape of a tensor with other sizes in place of the last dimensions."""
    if x.shape.rank is None:
        return concat([shape_of(x)[:-count], list(sizes)], 0)
    return [*lengths(x)[:-count], *sizes]


def _flat(x: Tensor, rows: Any, columns: Any) -> Tensor:
    """Merge the last two dimensions."""
    return reshape(x, _resized(x, 2, rows * columns))


def diag_part(input: TensorLike, name: str = "diag_part", k: TensorLike = 0) -> Tensor:
    """Return a diagonal of matrices; `diag` is the inverse.

    Args:
      input: Tensor of shape [..., rows, columns].
      name: not used.
      k: the diagonal: 0 is the main one, 1 the one above it.

    Returns: Tensor of shape [..., length].
    Raises:
      InvalidArgumentError: if the matrices have no such diagonal.
      UnimplementedError: if `k` is a range of diagonals.

    >>> print(diag_part([[1, 2, 3], [4, 5, 6]], k=1).numpy())
    [2 6]
    """
    x = convert_to_tensor(input)
    rows, columns = _sizes(x)
    return getitem(_flat(x, rows, columns), _slice(rows, columns, _offset(k)))


def set_diag(
    input: TensorLike, diagonal: TensorLike, name: str = "set_diag", k: TensorLike = 0
) -> Tensor:
    """Replace a diagonal of matrices.

    Args:
      input: Tensor of shape [..., rows, columns].
      diagonal: new diagonals, of the dtype of `input` and the shape that `diag_part` returns.
      name, k: as those of `diag_part`.

    Returns: Tensor of the shape and dtype of `input`.
    Raises: InvalidArgumentError, UnimplementedError: as `diag_part`, and if the shapes do not fit.

    >>> print(set_diag([[1, 2], [3, 4]], [8, 9]).numpy())
    [[8 2]
     [3 9]]
    """
    (x, new), _ = one_dtype("MatrixSetDiagV3", [("input", input), ("diagonal", diagonal)])
    rows, columns = _sizes(x)
    flat, index = _flat(x, rows, columns), _slice(rows, columns, _offset(k))
    old = getitem(flat, index)
    if not old.shape.is_compatible_with(new.shape):
        raise IncompatibleShapesError.of(
            f"a diagonal of shape {new.shape} does not fit into matrices of shape {x.shape}, whose "
            f"diagonal {k} has the shape {old.shape}"
        )
    return reshape(with_item(flat, index, new), _resized(x, 2, rows, columns))


def diag(diagonal: TensorLike, name: str = "diag", k: TensorLike = 0) -> Tensor:
    """Create square matrices, zero outside a diagonal.

    Args:
      diagonal: Tensor of shape [..., length].
      name, k: as those of `diag_part`.

    Returns: Tensor of shape [..., length + |k|, length + |k|] and the dtype of `diagonal`.
    Raises:
      InvalidArgumentError: for a scalar.
      UnimplementedError: if `k` is a range of diagonals.

    >>> print(diag([1, 2], k=1).numpy())
    [[0 1 0]
     [0 0 2]
     [0 0 0]]
    """
    x, offset = convert_to_tensor(diagonal), _offset(k)
    if x.shape.rank == 0:
        raise IncompatibleShapesError.of("diagonal must be at least 1-dim, not a scalar")
    length: Any = lengths(x)[-1] if x.shape.rank else shape_of(x)[-1]
    size = length + abs(offset)
    begin = offset if offset >= 0 else -offset * size
    empty = zeros(_resized(x, 1, size * size), x.dtype)
    index = ..., slice(begin, begin + length * (size + 1), size + 1)
    return reshape(with_item(empty, index, x), _resized(x, 1, size, size))


def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """Sum of the main diagonal of matrices.

    Args:
      x: Tensor of shape [..., rows, columns], numeric.

    Returns: Tensor of shape [...].

    >>> print(trace([[1, 2], [3, 4]]).numpy())
    5
    """
    return reduce_sum(diag_part(x), -1, name=name or "trace")


def band_part(input: TensorLike, num_lower: TensorLike, num_upper: TensorLike) -> Tensor:
    """Set elements outside a band around the main diagonal to zero.

    Args:
      input: Tensor of shape [..., rows, columns], numeric.
      num_lower, num_upper: integers, how many diagonals below and above the main one stay;
        negative: all. They have to be known while the graph is recorded.

    Returns: Tensor of the shape and dtype of `input`.

    >>> print(band_part([[1, 2], [3, 4]], 0, -1).numpy())
    [[1 2]
     [0 4]]
    """
    x = convert_to_tensor(input)
    rows, columns = _sizes(x)
    if isinstance(rows, int) and isinstance(columns, int):
        above: Any = np.arange(columns) - np.arange(rows)[:, None]
    else:
        above = numbers(columns) - getitem(numbers(rows), (slice(None), None))
    lower, upper = static_int("num_lower", num_lower), static_int("num_upper", num_upper)
    if lower >= 0:
        x = chosen(above >= -lower, x)
    return chosen(above <= upper, x) if upper >= 0 else x
