"""Convolutions of each channel on its own."""

from __future__ import annotations

from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.sample_values import numbers
from runtime.ops.conv.convolution import conv2d
from runtime.ops.conv.convolution_family import (
    Kind,
    arguments,
    by_op,
    family,
    op_samples,
    sample_attrs,
)

_DEPTHWISE, _DEPTHWISE_INPUT, _DEPTHWISE_FILTER = family(
    (
        "DepthwiseConv2dNative",
        "DepthwiseConv2dNativeBackpropInput",
        "DepthwiseConv2dNativeBackpropFilter",
    ),
    Kind(2, depthwise=True),
    by_op(
        [
            op_samples(
                numbers(1, 3, 3, 2), numbers(2, 2, 2, 2), numbers(1, 2, 2, 4),
                **sample_attrs("VALID", "NHWC"),
            )
        ]
    ),
)  # fmt: skip


def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """A convolution of each channel by itself.

    Args:
      input: shape [batch, height, width, channels].
      filter: of the same dtype, shape [height, width, channels, results of each channel].
      strides: four numbers.
      padding, data_format: as in `conv2d`.
      dilations: two numbers; above 1 only where the strides are 1.

    Returns: channel `c` of the input makes the channels from `c` times that number of results on.

    >>> print(depthwise_conv2d([[[[1.0, 2.0]]]], [[[[3.0], [4.0]]]], [1] * 4, "SAME")[0, 0, 0])
    tf.Tensor([3. 8.], shape=(2,), dtype=float32)
    """
    attrs = arguments(2, strides, padding, data_format, dilations)
    return _DEPTHWISE(input, filter, name=name or "depthwise", **attrs)


def depthwise_conv2d_backprop_input(
    input_sizes: TensorLike,
    filter: TensorLike,
    out_backprop: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` by its input, which has the shape `input_sizes`.

    >>> size, filters, back = [1, 1, 1, 1], [[[[3.0]]]], [[[[2.0]]]]
    >>> print(depthwise_conv2d_backprop_input(size, filters, back, [1] * 4, "SAME")[0, 0, 0])
    tf.Tensor([6.], shape=(1,), dtype=float32)
    """
    attrs = arguments(2, strides, padding, data_format, dilations)
    return _DEPTHWISE_INPUT(input_sizes, filter, out_backprop, name=name, **attrs)


def depthwise_conv2d_backprop_filter(
    input: TensorLike,
    filter_sizes: TensorLike,
    out_backprop: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` by its filter, which has the shape `filter_sizes`.

    >>> image, size, back = [[[[3.0]]]], [1, 1, 1, 1], [[[[2.0]]]]
    >>> print(depthwise_conv2d_backprop_filter(image, size, back, [1] * 4, "SAME")[0, 0, 0])
    tf.Tensor([6.], shape=(1,), dtype=float32)
    """
    attrs = arguments(2, strides, padding, data_format, dilations)
    return _DEPTHWISE_FILTER(input, filter_sizes, out_backprop, name=name, **attrs)


def separable_conv2d(
    input: TensorLike,
    depthwise_filter: TensorLike,
    pointwise_filter: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`depthwise_conv2d`, and then a convolution that mixes the channels of each element.

    Args:
      pointwise_filter: shape [1, 1, channels, results].
      input, depthwise_filter, strides, padding, data_format, dilations: as in `depthwise_conv2d`.

    >>> one = [[[[1.0]]]]
    >>> separable_conv2d(one, one, [[[[1.0, 2.0]]]], [1, 1, 1, 1], "SAME").shape
    TensorShape([1, 1, 1, 2])
    """
    each = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    form = data_format or "NHWC"
    return conv2d(each, pointwise_filter, 1, "VALID", form, name=name or "separable_conv2d")
