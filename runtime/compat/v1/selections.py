"""Slices and choices of elements under the arguments of version 1."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import gathering, selecting
from runtime.ops.convert import convert_to_tensor as converted
from runtime.ops.convert import one_dtype
from runtime.ops.creation import fill
from runtime.ops.differences import LIST_DIFF
from runtime.ops.dimensions import rank, shape
from runtime.ops.joining import concat
from runtime.ops.results import ListDiff
from runtime.ops.shaping import reshape


def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: Any = None,
    name: str | None = None,
    axis: int | None = None,
    batch_dims: int = 0,
) -> Tensor:
    """The slices at positions along an axis; see `runtime.gather`.

    >>> print(gather([1, 2, 3], [2, 0]))
    tf.Tensor([3 1], shape=(2,), dtype=int32)
    """
    return gathering.gather(params, indices, validate_indices, axis, batch_dims, name)


def gather_nd(
    params: TensorLike,
    indices: TensorLike,
    name: str | None = None,
    batch_dims: int = 0,
    bad_indices_policy: str = "",
) -> Tensor:
    """The elements or slices at index tuples; see `runtime.gather_nd`.

    >>> print(gather_nd([[1, 2], [3, 4]], [[0, 1]]))
    tf.Tensor([2], shape=(1,), dtype=int32)
    """
    return gathering.gather_nd(params, indices, batch_dims, name, bad_indices_policy)


def batch_gather(params: TensorLike, indices: TensorLike, name: str | None = None) -> Tensor:
    """The slices at positions, for each entry of the leading dimensions by itself.

    Args:
      params: any tensor.
      indices: int32 or int64; all its dimensions but the last are also those of `params`.
      name: the name of the operation.

    >>> print(batch_gather([[1, 2], [3, 4]], [[0], [1]]))
    tf.Tensor(
    [[1]
     [4]], shape=(2, 1), dtype=int32)
    """
    positions = converted(indices)
    return gathering.gather(params, positions, None, -1 + len(positions.shape), -1, name)


def boolean_mask(
    tensor: TensorLike, mask: TensorLike, name: str = "boolean_mask", axis: int | None = None
) -> Tensor:
    """The elements where a mask is True; see `runtime.boolean_mask`.

    >>> print(boolean_mask([1, 2, 3], [True, False, True]))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """
    return selecting.boolean_mask(tensor, mask, axis, name)


def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Where a condition is True; or what of two tensors it chooses.

    Args:
      condition: bool: one element for all, one for each row, or one for each element.
      x, y: tensors of one dtype and one shape, or both None.
      name: the name of the operation.

    Returns: without `x` and `y` the positions that are True, int64, else elements or rows of them.
    Raises: ValueError if one of `x` and `y` is None; InvalidArgumentError for shapes that do not
      fit: nothing is broadcast, use `where_v2` for that.

    >>> print(where([True, False], [[1, 2], [3, 4]], [[5, 6], [7, 8]]))
    tf.Tensor(
    [[1 2]
     [7 8]], shape=(2, 2), dtype=int32)
    """
    if x is None and y is None:
        return selecting.where(condition, name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    (a, b), _ = one_dtype("Select", [("t", x), ("e", y)])
    chosen = converted(condition)
    _require_same("2", a, b)
    if chosen.shape.rank == 1 and a.shape.rank != 1:
        return selecting.where(_for_rows(chosen, a), a, b, name)
    if chosen.shape.rank != 0:
        _require_same("0", a, chosen)
    return selecting.where(chosen, a, b, name)


def _require_same(number: str, a: Tensor, b: Tensor) -> None:
    if not a.shape.is_compatible_with(b.shape):
        raise IncompatibleShapesError(
            None,
            None,
            "Inputs to operation Select of type Select must have the same size and shape.  Input "
            f"1: {a.shape} != input {number}: {b.shape}. `where_v2` broadcasts.",
        )


def _for_rows(chosen: Tensor, a: Tensor) -> Tensor:
    """A vector in a shape that broadcasts along the rows of `a`."""
    if a.shape.rank == 0:
        raise IncompatibleShapesError(
            None, None, f"'then' must be at least a vector, but saw shape: {a.shape}"
        )
    if a.shape.rank is None:
        ones = fill([rank(a) - 1], 1)
        return reshape(chosen, concat([shape(chosen), ones], 0))
    if not a.shape[:1].is_compatible_with(chosen.shape):
        raise IncompatibleShapesError(
            None,
            None,
            f"Number of batches of 'then' must match size of 'cond', but saw: {a.shape[0]} vs. "
            f"{chosen.shape[0]}",
        )
    return reshape(chosen, [-1] + [1] * (len(a.shape) - 1))


def setdiff1d(
    x: TensorLike, y: TensorLike, index_dtype: Any = dtypes.int32, name: str | None = None
) -> ListDiff:
    """The elements of a vector that another vector does not have, in their order.

    Args:
      x: a vector; elements that are there several times stay so.
      y: a vector of the same dtype.
      index_dtype: the dtype of positions, int32 or int64.
      name: the name of the operation.

    Returns: `out`, the elements, and `idx`, their positions in `x`.
    Raises: InvalidArgumentError, in graphs ValueError, if one is no vector; InvalidArgumentError
      for another dtype of positions.

    >>> out, idx = setdiff1d([1, 2, 3, 4], [3, 1])
    >>> print(out.numpy(), idx.numpy())
    [2 4] [1 3]
    """
    positions = dtypes.as_dtype(index_dtype)
    if positions not in (dtypes.int32, dtypes.int64):
        raise InvalidArgumentError(
            None,
            None,
            f"Value for attr 'out_idx' of {positions.type_word} is not in the list of allowed "
            "values: int32, int64",
        )
    return ListDiff(*LIST_DIFF.outputs(x, y, out_idx=positions, name=name))
