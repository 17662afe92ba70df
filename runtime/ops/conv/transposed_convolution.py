"""Transposed convolutions, which give back the shape that a convolution had."""

from __future__ import annotations

from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import expand_dims, squeeze
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.conv.convolution import CONV2D_INPUT, CONV3D_INPUT
from runtime.ops.conv.convolution_family import arguments, flat_arguments


def conv2d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: TensorLike,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The gradient of `conv2d` as a layer of its own: each element is spread over a window.

    Args:
      input: shape [batch, height, width, channels].
      filters: of the same dtype, shape [height, width, results, channels].
      output_shape: the shape of the result, int32.
      strides, padding, data_format, dilations: as in `conv2d`.

    Raises: InvalidArgumentError if `output_shape` does not fit.

    >>> print(conv2d_transpose([[[[1.0]]]], [[[[2.0]]]], [1, 1, 1, 1], 1)[0, 0, 0])
    tf.Tensor([2.], shape=(1,), dtype=float32)
    """
    attrs = arguments(2, strides, padding, data_format, dilations)
    return CONV2D_INPUT(output_shape, filters, input, name=name or "conv2d_transpose", **attrs)


def conv1d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: TensorLike,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The gradient of `conv1d` as a layer of its own; arguments as in `conv2d_transpose`.

    >>> print(conv1d_transpose([[[1.0]]], [[[2.0]]], [1, 1, 1], 1)[0, 0])
    tf.Tensor([2.], shape=(1,), dtype=float32)
    """
    attrs, axis = flat_arguments(strides, padding, data_format, dilations)
    place = 3 + axis + 1
    sizes = convert_to_tensor(output_shape)
    wide = concat([sizes[:place], [1], sizes[place:]], 0)
    (x, w), _ = one_dtype("Conv1DTranspose", [("input", input), ("filters", filters)])
    result = conv2d_transpose(expand_dims(x, axis), expand_dims(w, 0), wide, **attrs)
    return squeeze(result, axis, name=name or "conv1d_transpose")


def conv3d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: TensorLike,
    strides: Any,
    padding: str = "SAME",
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The gradient of `conv3d` as a layer of its own; arguments as in `conv2d_transpose`.

    >>> conv3d_transpose([[[[[1.0]]]]], [[[[[2.0]]]]], [1, 1, 1, 1, 1], 1).shape
    TensorShape([1, 1, 1, 1, 1])
    """
    attrs = arguments(3, strides, padding, data_format, dilations)
    return CONV3D_INPUT(output_shape, filters, input, name=name or "conv3d_transpose", **attrs)


def conv_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: TensorLike,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`conv1d_transpose`, `conv2d_transpose` or `conv3d_transpose`, by the length of the shape.

    >>> conv_transpose([[[1.0]]], [[[2.0]]], [1, 1, 1], 1).shape
    TensorShape([1, 1, 1])
    """
    sizes = convert_to_tensor(output_shape)
    count = sizes.spec.dims[0] if sizes.spec.dims else None
    functions: dict[Any, Any] = {3: conv1d_transpose, 4: conv2d_transpose, 5: conv3d_transpose}
    if count not in functions:
        raise ValueError(f"output_shape must be of length 3, 4 or 5. Received: {output_shape}")
    form = data_format or {3: "NWC", 4: "NHWC", 5: "NDHWC"}[count or 0]
    result: Tensor = functions[count](
        input, filters, sizes, strides, padding, form, dilations, name
    )
    return result


def atrous_conv2d_transpose(
    value: TensorLike,
    filters: TensorLike,
    output_shape: TensorLike,
    rate: int,
    padding: Any,
    name: str | None = None,
) -> Tensor:
    """`conv2d_transpose` with a filter whose elements meet those that are `rate` apart.

    >>> atrous_conv2d_transpose([[[[1.0]]]], [[[[2.0]]]], [1, 1, 1, 1], 2, "SAME").shape
    TensorShape([1, 1, 1, 1])
    """
    return conv2d_transpose(value, filters, output_shape, 1, padding, dilations=rate, name=name)
