"""Blocks and windows of images under the arguments of version 1."""

from __future__ import annotations

from typing import Any

from runtime.compat.v1.renamed import either, needed
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import batch_blocks, patches


def space_to_batch(
    input: TensorLike,
    paddings: TensorLike,
    block_size: int | None = None,
    name: str | None = None,
    block_shape: Any = None,
) -> Tensor:
    """Blocks of images moved into the batch; see `runtime.space_to_batch`.

    Args:
      input: the images.
      paddings: zeros around them.
      block_size, block_shape: the length of both sides of a block, or all sides.
      name: the name of the operation.

    >>> space_to_batch([[[[1], [2]], [[3], [4]]]], [[0, 0], [0, 0]], 2).shape
    TensorShape([4, 1, 1, 1])
    """
    sides = _sides("space_to_batch", block_size, block_shape)
    return batch_blocks.space_to_batch(input, sides, paddings, name)


def batch_to_space(
    input: TensorLike,
    crops: TensorLike,
    block_size: int | None,
    name: str | None = None,
    block_shape: Any = None,
) -> Tensor:
    """The inverse of `space_to_batch`; see `runtime.batch_to_space`.

    >>> batch_to_space([[[[1]]], [[[2]]], [[[3]]], [[[4]]]], [[0, 0], [0, 0]], 2).shape
    TensorShape([1, 2, 2, 1])
    """
    sides = _sides("batch_to_space", block_size, block_shape)
    return batch_blocks.batch_to_space(input, sides, crops, name)


def _sides(function: str, block_size: Any, block_shape: Any) -> Any:
    sides = needed(
        function, "block_size", either("block_shape", block_shape, "block_size", block_size)
    )
    return [sides, sides] if isinstance(sides, int) else sides


def dilation2d(
    input: TensorLike,
    filter: TensorLike | None = None,
    strides: Any = None,
    rates: Any = None,
    padding: str | None = None,
    name: str | None = None,
    filters: TensorLike | None = None,
    dilations: Any = None,
) -> Tensor:
    """The largest sums of a filter and the parts of images; see `runtime.nn.dilation2d`.

    Args:
      filter, filters: the filter, under one of the names.
      rates, dilations: the distances in it, under one of the names.
      input, strides, padding, name: as there.

    >>> one = [1, 1, 1, 1]
    >>> print(dilation2d([[[[1.0]]]], [[[2.0]]], one, one, "VALID")[0, 0, 0])
    tf.Tensor([3.], shape=(1,), dtype=float32)
    """
    own = "dilation2d"
    return patches.dilation2d(
        input,
        needed(own, "filters", either("filters", filters, "filter", filter)),
        needed(own, "strides", strides),
        needed(own, "padding", padding),
        "NHWC",
        needed(own, "dilations", either("dilations", dilations, "rates", rates)),
        name,
    )


def erosion2d(
    value: TensorLike,
    kernel: TensorLike,
    strides: Any,
    rates: Any,
    padding: str,
    name: str | None = None,
) -> Tensor:
    """The smallest differences of images and a filter; see `runtime.nn.erosion2d`.

    >>> one = [1, 1, 1, 1]
    >>> print(erosion2d([[[[1.0]]]], [[[2.0]]], one, one, "VALID")[0, 0, 0])
    tf.Tensor([-1.], shape=(1,), dtype=float32)
    """
    return patches.erosion2d(value, kernel, strides, padding, "NHWC", rates, name)
