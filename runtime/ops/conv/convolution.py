"""Convolutions over one, two and three axes; depthwise and separable convolutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import expand_dims, reshape, squeeze
from runtime.ops.base.aliases import Ints
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.base.sample_values import numbers
from runtime.ops.conv.convolution_family import (
    Convolution,
    arguments,
    flat_arguments,
    sample_attrs,
)
from runtime.ops.conv.windows import PaddingArgument

CONV2D = Convolution(
    2,
    ("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"),
    [
        (
            numbers(1, 4, 3, 2),
            numbers(2, 2, 2, 3),
            numbers(1, 2, 2, 3),
            sample_attrs("SAME", "NHWC", stride=2),
        ),
        (
            numbers(1, 2, 4, 3),
            numbers(2, 2, 1, 2),
            numbers(1, 2, 2, 1),
            sample_attrs("VALID", "NCHW", dilation=2),
        ),
        (
            numbers(1, 3, 2, 1),
            numbers(2, 2, 1, 1),
            numbers(1, 3, 4, 1),
            sample_attrs("EXPLICIT", "NHWC"),
        ),
    ],
)
CONV3D = Convolution(
    3,
    ("Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"),
    [
        (
            numbers(1, 3, 2, 2, 1),
            numbers(2, 1, 2, 1, 2),
            numbers(1, 2, 1, 1, 2),
            sample_attrs("SAME", "NDHWC", stride=2),
        )
    ],
)
_DEPTHWISE = Convolution(
    2,
    (
        "DepthwiseConv2dNative",
        "DepthwiseConv2dNativeBackpropInput",
        "DepthwiseConv2dNativeBackpropFilter",
    ),
    [
        (
            numbers(1, 3, 3, 2),
            numbers(2, 2, 2, 2),
            numbers(1, 2, 2, 4),
            sample_attrs("VALID", "NHWC"),
        )
    ],
    depthwise=True,
)


def conv2d(
    input: TensorLike,
    filters: TensorLike,
    strides: Ints,
    padding: PaddingArgument,
    data_format: str = "NHWC",
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Two-dimensional cross-correlation (what deep learning calls convolution).

    Args:
      input: Tensor of shape [..., height, width, channels], with at least one batch dimension,
        floating-point.
      filters: Tensor of the same dtype, of shape [height, width, channels, results]. If it has
        fewer channels than the input, which has a multiple of them, it works on groups of channels.
      strides: distance between positions of the filter: one number, one each for height and width,
        or four.
      padding: "SAME", "VALID", or pairs of the padding before and after each of the four axes.
      data_format: "NHWC", or "NCHW" for images with the channels first.
      dilations: distance between the elements that the filter covers, in the form of `strides`.
      name: name for the operation.

    Returns:
      Tensor of shape [..., rows, columns, results].

    Raises:
      ValueError, InvalidArgumentError, UnimplementedError: for arguments of another form.
      InvalidArgumentError: if the shapes do not fit.

    >>> image = [[[[1.0], [2.0]], [[3.0], [4.0]]]]
    >>> print(conv2d(image, [[[[2.0]]]], strides=1, padding="VALID")[0, :, :, 0])
    tf.Tensor(
    [[2. 4.]
     [6. 8.]], shape=(2, 2), dtype=float32)
    """
    attrs = arguments(2, strides, padding, data_format, dilations)
    return _batched(CONV2D, input, filters, attrs, 2, name or "Conv2D")


def conv3d(
    input: TensorLike,
    filters: TensorLike,
    strides: Ints,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Three-dimensional cross-correlation.

    Args:
      input: Tensor of shape [..., depth, height, width, channels], floating-point.
      filters: Tensor of the same dtype, of shape [depth, height, width, channels, results].
      strides, padding, dilations, name: as of `conv2d`, for five axes.
      data_format: "NDHWC", or "NCDHW" for volumes with the channels first.

    Returns:
      Tensor of shape [..., planes, rows, columns, results].

    >>> print(conv3d([[[[[1.0]]]]], [[[[[2.0, 3.0]]]]], [1] * 5, "SAME")[0, 0, 0, 0].numpy())
    [2. 3.]
    """
    attrs = arguments(3, strides, padding, data_format, dilations)
    return _batched(CONV3D, input, filters, attrs, 3, name or "Conv3D")


def _batched(
    conv: Convolution,
    input: TensorLike,
    filters: TensorLike,
    attrs: dict[str, Any],
    axes: int,
    name: str,
) -> Tensor:
    """Flatten several batch dimensions to one, and restore them afterwards."""
    op = conv.result
    (x, w), _ = one_dtype(op.definition.name, [("input", input), ("filters", filters)], None)
    rank = x.shape.rank
    if rank is None or rank <= axes + 2:
        return op(x, w, name=name, **attrs)
    dims = shape_of(x)
    image = axes + 1
    result = op(reshape(x, concat([[-1], dims[-image:]], 0)), w, name=name, **attrs)
    return reshape(result, concat([dims[:-image], shape_of(result)[-image:]], 0))


def conv1d(
    input: TensorLike,
    filters: TensorLike,
    stride: Ints,
    padding: PaddingArgument,
    data_format: str = "NWC",
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """One-dimensional cross-correlation.

    Args:
      input: Tensor of shape [batch, width, channels], floating-point.
      filters: Tensor of the same dtype, of shape [width, channels, results].
      stride: distance between positions of the filter.
      padding: "SAME", "VALID", or pairs for each of the three axes.
      data_format: "NWC", or "NCW" for sequences with the channels first.
      dilations: distance between the elements that the filter covers.
      name: name for the operation.

    Returns:
      Tensor of shape [batch, positions, results].

    >>> print(conv1d([[[1.0], [2.0], [3.0]]], [[[1.0]], [[1.0]]], 1, "VALID")[0, :, 0])
    tf.Tensor([3. 5.], shape=(2,), dtype=float32)
    """
    attrs, axis = flat_arguments(stride, padding, data_format, dilations)
    (x, w), _ = one_dtype("Conv1D", [("input", input), ("filters", filters)])
    result = conv2d(expand_dims(x, axis), expand_dims(w, 0), **attrs)
    return squeeze(result, axis, name=name or "conv1d")


_BY_RANK: dict[int | None, tuple[Callable[..., Tensor], str]] = {
    3: (conv1d, "NWC"),
    4: (conv2d, "NHWC"),
    5: (conv3d, "NDHWC"),
}


def convolution(
    input: TensorLike,
    filters: TensorLike,
    strides: Ints = None,
    padding: PaddingArgument = "VALID",
    data_format: str | None = None,
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Apply `conv1d`, `conv2d` or `conv3d`, by the rank of the filter.

    Args:
      input, filters, strides, padding, data_format, dilations, name: as there.

    Raises:
      ValueError: if `filters` has another rank.

    >>> print(convolution([[[1.0], [2.0]]], [[[2.0]]])[0, :, 0].numpy())
    [2. 4.]
    """
    w = convert_to_tensor(filters)
    if w.shape.rank not in _BY_RANK:
        raise ValueError(f"`filters` must be of rank 3, 4 or 5. Received: {w.shape}")
    function, form = _BY_RANK[w.shape.rank]
    steps = 1 if strides is None else strides
    return function(input, w, steps, padding, data_format or form, dilations, name)


def atrous_conv2d(
    value: TensorLike,
    filters: TensorLike,
    rate: int,
    padding: PaddingArgument,
    name: str | None = None,
) -> Tensor:
    """Apply `conv2d` with strides of 1 and dilations of `rate`.

    Args:
      value: the input of `conv2d`.
      filters, padding, name: as of `conv2d`.
      rate: distance between the elements that the filter covers.

    >>> image = [[[[1.0], [2.0], [3.0]]]]
    >>> print(atrous_conv2d(image, [[[[1.0]], [[1.0]]]], 2, "VALID").numpy())
    [[[[4.]]]]
    """
    return conv2d(value, filters, 1, padding, dilations=rate, name=name)


def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: Ints,
    padding: PaddingArgument,
    data_format: str | None = None,
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Cross-correlation of each channel with filters of its own.

    Args:
      input: Tensor of shape [batch, height, width, channels], floating-point.
      filter: Tensor of the same dtype, of shape [height, width, channels, results of each].
      strides, padding, data_format, dilations, name: as of `conv2d`.

    Returns:
      Tensor of shape [batch, rows, columns, channels * results of each]; the results of a channel
      are adjacent.

    >>> print(depthwise_conv2d([[[[1.0, 2.0]]]], [[[[3.0], [4.0]]]], [1] * 4, "SAME")[0, 0, 0])
    tf.Tensor([3. 8.], shape=(2,), dtype=float32)
    """
    attrs = arguments(2, strides, padding, data_format, dilations)
    return _DEPTHWISE.result(input, filter, name=name or "depthwise", **attrs)


def depthwise_conv2d_backprop_input(
    input_sizes: TensorLike,
    filter: TensorLike,
    out_backprop: TensorLike,
    strides: Ints,
    padding: PaddingArgument,
    data_format: str = "NHWC",
    dilations: Ints = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """Return the gradient of `depthwise_conv2d` by its input.

    Args:
      input_sizes: int32 vector, the shape of the input.
      filter, strides, padding, data_format, dilations, name: as of `depthwise_conv2d`.
      out_backprop: the gradient of the result.

    >>> size, filters, back = [1, 1, 1, 1], [[[[3.0]]]], [[[[2.0]]]]
    >>> print(depthwise_conv2d_backprop_input(size, filters, back, [1] * 4, "SAME")[0, 0, 0])
    tf.Tensor([6.], shape=(1,), dtype=float32)
    """
    attrs = arguments(2, strides, padding, data_format, dilations)
    return _DEPTHWISE.by_image(input_sizes, filter, out_backprop, name=name, **attrs)


def depthwise_conv2d_backprop_filter(
    input: TensorLike,
    filter_sizes: TensorLike,
    out_backprop: TensorLike,
    strides: Ints,
    padding: PaddingArgument,
    data_format: str = "NHWC",
    dilations: Ints = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """Return the gradient of `depthwise_conv2d` by its filter.

    Args:
      input, strides, padding, data_format, dilations, name: as of `depthwise_conv2d`.
      filter_sizes: int32 vector, the shape of the filter.
      out_backprop: the gradient of the result.

    >>> image, size, back = [[[[3.0]]]], [1, 1, 1, 1], [[[[2.0]]]]
    >>> print(depthwise_conv2d_backprop_filter(image, size, back, [1] * 4, "SAME")[0, 0, 0])
    tf.Tensor([6.], shape=(1,), dtype=float32)
    """
    attrs = arguments(2, strides, padding, data_format, dilations)
    return _DEPTHWISE.by_filter(input, filter_sizes, out_backprop, name=name, **attrs)


def separable_conv2d(
    input: TensorLike,
    depthwise_filter: TensorLike,
    pointwise_filter: TensorLike,
    strides: Ints,
    padding: PaddingArgument,
    data_format: str | None = None,
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Apply `depthwise_conv2d`, then mix the channels of each element.

    Args:
      input, depthwise_filter, strides, padding, data_format, dilations: as of `depthwise_conv2d`.
      pointwise_filter: Tensor of shape [1, 1, channels, results].
      name: name for the operation.

    >>> one = [[[[1.0]]]]
    >>> print(separable_conv2d(one, one, [[[[1.0, 2.0]]]], [1, 1, 1, 1], "SAME").numpy())
    [[[[1. 2.]]]]
    """
    each = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    form = data_format or "NHWC"
    return conv2d(each, pointwise_filter, 1, "VALID", form, name=name or "separable_conv2d")
