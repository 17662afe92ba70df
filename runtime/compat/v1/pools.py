"""Pooling under the arguments of version 1."""

from __future__ import annotations

from typing import Any

from runtime.compat.v1.renamed import either, needed
from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import average_pooling, max_pooling, pooling


def avg_pool(
    value: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """The means of the elements in windows over images; see `runtime.nn.avg_pool2d`.

    Args:
      value, input: the images, under one of the names.
      ksize, strides, padding, data_format, name: as for `runtime.nn.avg_pool2d`.

    >>> print(avg_pool([[[[1.0], [3.0]]]], [1, 1, 2, 1], [1, 1, 1, 1], "VALID")[0, 0, 0])
    tf.Tensor([2.], shape=(1,), dtype=float32)
    """
    images = needed("avg_pool", "input", either("input", input, "value", value))
    return average_pooling.avg_pool2d(images, ksize, strides, padding, data_format, name)


def max_pool(
    value: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """The largest of the elements in windows over images; see `avg_pool`.

    >>> print(max_pool([[[[1.0], [3.0]]]], [1, 1, 2, 1], [1, 1, 1, 1], "VALID")[0, 0, 0])
    tf.Tensor([3.], shape=(1,), dtype=float32)
    """
    images = needed("max_pool", "input", either("input", input, "value", value))
    return max_pooling.max_pool2d(images, ksize, strides, padding, data_format, name)


def max_pool_with_argmax(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    Targmax: Any = None,
    name: str | None = None,
    output_dtype: Any = None,
    include_batch_in_index: bool = False,
) -> tuple[Tensor, Tensor]:
    """`max_pool`, and where the largest stand; see `runtime.nn.max_pool_with_argmax`.

    Args:
      Targmax, output_dtype: the dtype of the positions, under one of the names; None: int64.
      input, ksize, strides, padding, data_format, name, include_batch_in_index: as there.

    >>> size, step = [1, 1, 2, 1], [1, 1, 1, 1]
    >>> _, positions = max_pool_with_argmax([[[[1.0], [3.0]]]], size, step, "VALID")
    >>> print(positions[0, 0, 0])
    tf.Tensor([1], shape=(1,), dtype=int64)
    """
    dtype = either("output_dtype", output_dtype, "Targmax", Targmax) or dtypes.int64
    return max_pooling.max_pool_with_argmax(
        input, ksize, strides, padding, data_format, dtype, include_batch_in_index, name
    )


def pool(
    input: TensorLike,
    window_shape: Any,
    pooling_type: str,
    padding: Any,
    dilation_rate: Any = None,
    strides: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """The largest or the mean of the elements in windows; see `runtime.nn.pool`.

    >>> pool([[[1.0], [3.0]]], [2], "MAX", "VALID").shape
    TensorShape([1, 1, 1])
    """
    rates = either("dilations", dilations, "dilation_rate", dilation_rate)
    return pooling.pool(
        input, window_shape, pooling_type, strides, padding, data_format, rates, name
    )
