"""Blocks of a tensor, by the names that operations have."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import call
from runtime.ops.indexing import MASKS, SLICE, STRIDED_SLICE


def slice(
    input_: TensorLike, begin: TensorLike, size: TensorLike, name: str | None = None
) -> Tensor:
    """A block of a tensor.

    Args:
      input_: any tensor of at least one dimension.
      begin: int32 or int64, where the block begins along each dimension.
      size: how long it is along each dimension; -1: up to the end.
      name: the name of the operation.

    Raises: InvalidArgumentError if the block is not inside the tensor.

    >>> import runtime as tf
    >>> print(tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]))
    tf.Tensor(
    [[2 3]
     [5 6]], shape=(2, 2), dtype=int32)
    """
    return SLICE(input_, _flat_index(begin), _flat_index(size), name=name)


def _flat_index(entries: TensorLike) -> Any:
    if isinstance(entries, (list, tuple)) and not entries:
        return np.zeros(0, np.int32)
    return entries


def strided_slice(
    input_: TensorLike,
    begin: TensorLike,
    end: TensorLike,
    strides: TensorLike | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """`input_[begin[0]:end[0]:strides[0], ...]`, as operation.

    Args:
      input_: any tensor.
      begin, end: int32 or int64 vectors.
      strides: the steps; None: ones.
      begin_mask, end_mask: bit `i`: `begin[i]` or `end[i]` does not count, as if it were left out.
      ellipsis_mask: bit `i`: entry `i` is `...`.
      new_axis_mask: bit `i`: entry `i` is `newaxis`.
      shrink_axis_mask: bit `i`: entry `i` is the one position `begin[i]`.
      var: must be None.
      name: the name of the operation.

    Raises: ValueError if `var` is given; InvalidArgumentError for a step of 0.

    >>> print(strided_slice([1, 2, 3, 4], [0], [4], [2]))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """
    if var is not None:
        raise ValueError("strided_slice does not assign; use runtime.tensor_scatter_nd_update")
    first = convert_to_tensor(begin)
    steps = call("OnesLike", first, dtype=first.dtype) if strides is None else strides
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return STRIDED_SLICE(
        input_, first, end, steps, name=name, **dict(zip(MASKS, masks, strict=True))
    )
