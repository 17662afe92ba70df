"""Batches of blocks, and filters that grow and shrink images, under the arguments of version 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.compat.v1.renamed import either, needed
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import batch_blocks, patches


def space_to_batch(
    input: TensorLike,
    paddings: TensorLike,
    block_size: int | None = None,
    name: str | None = None,
    block_shape: TensorLike | None = None,
) -> Tensor:
    """Elements of blocks as members of a batch; see `runtime.space_to_batch`.

    Args:
      input, paddings, name: as there.
      block_size: the length of a block along both of two axes.
      block_shape: the lengths of a block, in place of `block_size`.

    >>> space_to_batch([[[[1], [2]], [[3], [4]]]], [[0, 0], [0, 0]], 2).shape
    TensorShape([4, 1, 1, 1])
    """
    square = None if block_size is None else np.array([block_size, block_size], np.int64)
    block = either("block_shape", block_shape, "block_size", square)
    lengths = needed("space_to_batch", "block_size", block)
    return batch_blocks.space_to_batch(input, lengths, paddings, name)


def batch_to_space(
    input: TensorLike,
    crops: TensorLike,
    block_size: int,
    name: str | None = None,
    block_shape: TensorLike | None = None,
) -> Tensor:
    """Undoes `space_to_batch`; see `runtime.batch_to_space`.

    >>> batch_to_space([[[[1]]], [[[2]]], [[[3]]], [[[4]]]], [[0, 0], [0, 0]], 2).shape
    TensorShape([1, 2, 2, 1])
    """
    block = block_size if block_shape is None else block_shape
    return batch_blocks.batch_to_space(input, block, crops, name)


def batch_to_space_nd(
    input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None
) -> Tensor:
    """Another name of `runtime.batch_to_space`.

    >>> print(batch_to_space_nd([[1, 3], [2, 4]], [2], [[1, 0]]))
    tf.Tensor([[2 3 4]], shape=(1, 3), dtype=int32)
    """
    return batch_blocks.batch_to_space(input, block_shape, crops, name)


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
    """The greatest sums of a filter and parts of images; see `runtime.nn.dilation2d`.

    Args:
      input, strides, padding, name: as there.
      filter, filters: the filter, under one of the names.
      rates, dilations: how far apart the elements are, under one of the names.

    >>> print(dilation2d([[[[1.0], [5.0]]]], [[[2.0]]], [1] * 4, [1] * 4, "VALID")[0, 0, :, 0])
    tf.Tensor([3. 7.], shape=(2,), dtype=float32)
    """
    weights = needed("dilation2d", "filter", either("filters", filters, "filter", filter))
    apart = needed("dilation2d", "rates", either("dilations", dilations, "rates", rates))
    way = needed("dilation2d", "padding", padding)
    return patches.dilation2d(input, weights, strides, way, "NHWC", apart, name)


def erosion2d(
    value: TensorLike,
    kernel: TensorLike,
    strides: Any,
    rates: Any,
    padding: str,
    name: str | None = None,
) -> Tensor:
    """The smallest differences of parts of images and a filter; see `runtime.nn.erosion2d`.

    >>> print(erosion2d([[[[1.0], [5.0]]]], [[[2.0]]], [1] * 4, [1] * 4, "VALID")[0, 0, :, 0])
    tf.Tensor([-1.  3.], shape=(2,), dtype=float32)
    """
    return patches.erosion2d(value, kernel, strides, padding, "NHWC", rates, name)
