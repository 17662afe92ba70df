"""Convolutions under the arguments of version 1."""

from __future__ import annotations

from typing import Any

from runtime.compat.v1.renamed import either, needed
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import convolution as convolving
from runtime.ops import depthwise_convolution as depthwise
from runtime.ops import transposed_convolution as transposed


def conv1d(
    value: TensorLike | None = None,
    filters: TensorLike | None = None,
    stride: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool | None = None,
    data_format: str | None = None,
    name: str | None = None,
    input: TensorLike | None = None,
    dilations: Any = None,
) -> Tensor:
    """Sums of products along sequences; see `runtime.nn.conv1d`.

    Args:
      value, input: the sequences, under one of the names.
      filters, stride, padding, data_format, name, dilations: as for `runtime.nn.conv1d`.
      use_cudnn_on_gpu: has no effect.

    >>> print(conv1d([[[1.0], [2.0]]], [[[3.0]]], 1, "VALID")[0])
    tf.Tensor(
    [[3.]
     [6.]], shape=(2, 1), dtype=float32)
    """
    return convolving.conv1d(
        needed("conv1d", "input", either("input", input, "value", value)),
        needed("conv1d", "filters", filters),
        needed("conv1d", "stride", stride),
        needed("conv1d", "padding", padding),
        data_format or "NWC",
        dilations,
        name,
    )


def conv2d(
    input: TensorLike,
    filter: TensorLike | None = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
    filters: TensorLike | None = None,
) -> Tensor:
    """Sums of products over images; see `runtime.nn.conv2d`.

    Args:
      filter, filters: the filter, under one of the names.
      input, strides, padding, data_format, dilations, name: as for `runtime.nn.conv2d`.
      use_cudnn_on_gpu: has no effect.

    >>> print(conv2d([[[[2.0]]]], [[[[3.0]]]], [1, 1, 1, 1], "VALID")[0, 0, 0])
    tf.Tensor([6.], shape=(1,), dtype=float32)
    """
    kernel = needed("conv2d", "filter", either("filters", filters, "filter", filter))
    wanted = needed("conv2d", "padding", padding)
    steps = needed("conv2d", "strides", strides)
    return convolving.conv2d(input, kernel, steps, wanted, data_format, list(dilations), name)


def conv3d(
    input: TensorLike,
    filter: TensorLike | None = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str = "NDHWC",
    dilations: Any = (1, 1, 1, 1, 1),
    name: str | None = None,
    filters: TensorLike | None = None,
) -> Tensor:
    """Sums of products over volumes; see `runtime.nn.conv3d` and `conv2d`.

    >>> conv3d([[[[[2.0]]]]], [[[[[3.0]]]]], [1, 1, 1, 1, 1], "VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    kernel = needed("conv3d", "filter", either("filters", filters, "filter", filter))
    wanted = needed("conv3d", "padding", padding)
    steps = needed("conv3d", "strides", strides)
    return convolving.conv3d(input, kernel, steps, wanted, data_format, list(dilations), name)


def convolution(
    input: TensorLike,
    filter: TensorLike,
    padding: Any,
    strides: Any = None,
    dilation_rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    filters: TensorLike | None = None,
    dilations: Any = None,
) -> Tensor:
    """`conv1d`, `conv2d` or `conv3d`, by the rank of the filter; see `runtime.nn.convolution`.

    >>> convolution([[[1.0], [2.0]]], [[[3.0]]], "VALID").shape
    TensorShape([1, 2, 1])
    """
    kernel = either("filters", filters, "filter", filter)
    rates = either("dilations", dilations, "dilation_rate", dilation_rate)
    return convolving.convolution(input, kernel, strides, padding, data_format, rates, name)


def conv2d_transpose(
    value: TensorLike | None = None,
    filter: TensorLike | None = None,
    output_shape: TensorLike | None = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    name: str | None = None,
    input: TensorLike | None = None,
    filters: TensorLike | None = None,
    dilations: Any = None,
) -> Tensor:
    """Each element spread over a window; see `runtime.nn.conv2d_transpose`.

    Args:
      value, input: the images, under one of the names.
      filter, filters: the filter, under one of the names.
      output_shape, strides, padding, data_format, name, dilations: as for
        `runtime.nn.conv2d_transpose`.

    >>> conv2d_transpose([[[[1.0]]]], [[[[2.0]]]], [1, 1, 1, 1], 1).shape
    TensorShape([1, 1, 1, 1])
    """
    own = "conv2d_transpose"
    return transposed.conv2d_transpose(
        needed(own, "input", either("input", input, "value", value)),
        needed(own, "filters", either("filters", filters, "filter", filter)),
        needed(own, "output_shape", output_shape),
        needed(own, "strides", strides),
        padding,
        data_format,
        dilations,
        name,
    )


def conv3d_transpose(
    value: TensorLike,
    filter: TensorLike | None = None,
    output_shape: TensorLike | None = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str = "NDHWC",
    name: str | None = None,
    input: TensorLike | None = None,
    filters: TensorLike | None = None,
    dilations: Any = None,
) -> Tensor:
    """Each element spread over a window; see `conv2d_transpose`.

    >>> conv3d_transpose([[[[[1.0]]]]], [[[[[2.0]]]]], [1, 1, 1, 1, 1], 1).shape
    TensorShape([1, 1, 1, 1, 1])
    """
    own = "conv3d_transpose"
    return transposed.conv3d_transpose(
        needed(own, "input", either("input", input, "value", value)),
        needed(own, "filters", either("filters", filters, "filter", filter)),
        needed(own, "output_shape", output_shape),
        needed(own, "strides", strides),
        padding,
        data_format,
        dilations,
        name,
    )


def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: Any,
    padding: Any,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """A convolution of each channel by itself; see `runtime.nn.depthwise_conv2d`.

    >>> depthwise_conv2d([[[[1.0]]]], [[[[2.0]]]], [1, 1, 1, 1], "VALID", rate=[1, 1]).shape
    TensorShape([1, 1, 1, 1])
    """
    rates = either("dilations", dilations, "rate", rate)
    return depthwise.depthwise_conv2d(input, filter, strides, padding, data_format, rates, name)


def depthwise_conv2d_native(
    input: TensorLike,
    filter: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """A convolution of each channel by itself, with four dilations; see `depthwise_conv2d`.

    >>> depthwise_conv2d_native([[[[1.0]]]], [[[[2.0]]]], [1, 1, 1, 1], "VALID").shape
    TensorShape([1, 1, 1, 1])
    """
    inner = list(dilations)[2:] if data_format == "NCHW" else list(dilations)[1:3]
    return depthwise.depthwise_conv2d(input, filter, strides, padding, data_format, inner, name)


def separable_conv2d(
    input: TensorLike,
    depthwise_filter: TensorLike,
    pointwise_filter: TensorLike,
    strides: Any,
    padding: Any,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """`depthwise_conv2d`, and then a mixture of channels; see `runtime.nn.separable_conv2d`.

    >>> x, depthwise, pointwise = [[[[1.0]]]], [[[[2.0]]]], [[[[3.0]]]]
    >>> separable_conv2d(x, depthwise, pointwise, [1, 1, 1, 1], "VALID").shape
    TensorShape([1, 1, 1, 1])
    """
    return depthwise.separable_conv2d(
        input,
        depthwise_filter,
        pointwise_filter,
        strides,
        padding,
        data_format,
        either("dilations", dilations, "rate", rate),
        name,
    )
