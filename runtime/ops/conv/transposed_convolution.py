"""Transposed convolutions: the gradient of a convolution by its input, as a layer of its own."""

from __future__ import annotations

from collections.abc import Callable

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import expand_dims, squeeze
from runtime.ops.base.aliases import Ints
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.conv.convolution import CONV2D
from runtime.ops.conv.convolution_family import arguments, flat_arguments
from runtime.ops.conv.windows import PaddingArgument


def conv2d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: TensorLike,
    strides: Ints,
    padding: PaddingArgument = "SAME",
    data_format: str = "NHWC",
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Multiply each element by a filter, and add the products at the positions of the filter.

    Args:
      input: Tensor of shape [batch, height, width, channels], floating-point.
      filters: Tensor of the same dtype, of shape [height, width, results, channels].
      output_shape: int32 vector, the shape of the result.
      strides, padding, data_format, dilations, name: as of `conv2d`.

    Raises:
      InvalidArgumentError: if `conv2d` of a tensor of shape `output_shape` has another shape than
        `input`.

    >>> print(conv2d_transpose([[[[3.0]]]], [[[[1.0]], [[2.0]]]], [1, 1, 2, 1], 2).numpy())
    [[[[3.]
       [6.]]]]
    """
    attrs = arguments(strides, padding, data_format, dilations)
    name = name or "conv2d_transpose"
    return CONV2D.by_image(output_shape, filters, input, name=name, **attrs)


def conv1d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: TensorLike,
    strides: Ints,
    padding: PaddingArgument = "SAME",
    data_format: str = "NWC",
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Apply the gradient of `conv1d` by its input; arguments as of `conv2d_transpose`.

    >>> print(conv1d_transpose([[[3.0]]], [[[1.0]], [[2.0]]], [1, 2, 1], 2)[0, :, 0])
    tf.Tensor([3. 6.], shape=(2,), dtype=float32)
    """
    attrs, axis = flat_arguments(strides, padding, data_format, dilations)
    row = 3 + axis + 1
    sizes = convert_to_tensor(output_shape)
    wide = concat([sizes[:row], [1], sizes[row:]], 0)
    (x, w), _ = one_dtype("Conv1DTranspose", [("input", input), ("filters", filters)])
    result = conv2d_transpose(expand_dims(x, axis), expand_dims(w, 0), wide, **attrs)
    return squeeze(result, axis, name=name or "conv1d_transpose")


_BY_LENGTH: dict[int | None, tuple[Callable[..., Tensor], str]] = {
    3: (conv1d_transpose, "NWC"),
    4: (conv2d_transpose, "NHWC"),
}


def conv_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: TensorLike,
    strides: Ints,
    padding: PaddingArgument = "SAME",
    data_format: str | None = None,
    dilations: Ints = None,
    name: str | None = None,
) -> Tensor:
    """Apply `conv1d_transpose` or `conv2d_transpose`.

    Args:
      output_shape: int32 vector; its length decides which.
      input, filters, strides, padding, data_format, dilations, name: as of `conv2d_transpose`.

    Raises:
      ValueError: if `output_shape` has another length.

    >>> print(conv_transpose([[[3.0]]], [[[2.0]]], [1, 1, 1], 1).numpy())
    [[[6.]]]
    """
    sizes = convert_to_tensor(output_shape)
    count = sizes.spec.dims[0] if sizes.spec.dims else None
    if count not in _BY_LENGTH:
        raise ValueError(f"output_shape must be of length 3 or 4. Received: {output_shape}")
    function, form = _BY_LENGTH[count]
    return function(input, filters, sizes, strides, padding, data_format or form, dilations, name)
