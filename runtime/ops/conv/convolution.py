"""Convolutions over one and two axes; depthwise and separable convolutions."""

from __future__ import annotations

from collections.abc import Callable

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
_DEPTHWISE = Convolution(
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
    attrs = arguments(strides, padding, data_format, dilations)
    operands = [("input", input), ("filters", filters)]
    (x, w), _ = one_dtype("Conv2D", operands, None)
    name = name or "Conv2D"
    rank = x.shape.rank
    if rank is None or rank <= 4:
        return CONV2D.result(x, w, name=name, **attrs)
    # Several batch dimensions become one.
    dims = shape_of(x)
    result = CONV2D.result(reshape(x, concat([[-1], dims[-3:]], 0)), w, name=name, **attrs)
    return reshape(result, concat([dims[:-3], shape_of(result)[-3:]], 0))


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
    """Apply `conv1d` or `conv2d`, by the rank of the filter.

    Args:
      input, filters, strides, padding, data_format, dilations, name: as there.

    Raises:
      ValueError: if `filters` has another rank.

    >>> print(convolution([[[1.0], [2.0]]], [[[2.0]]])[0, :, 0].numpy())
    [2. 4.]
    """
    w = convert_to_tensor(filters)
    if w.shape.rank not in _BY_RANK:
        raise ValueError(f"`filters` must be of rank 3 or 4. Received: {w.shape}")
    function, form = _BY_RANK[w.shape.rank]
    steps = 1 if strides is None else strides
    return function(input, w, steps, padding, data_format or form, dilations, name)


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
    attrs = arguments(strides, padding, data_format, dilations)
    return _DEPTHWISE.result(input, filter, name=name or "depthwise", **attrs)


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
