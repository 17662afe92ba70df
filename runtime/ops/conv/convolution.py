"""Convolutions over one, two and three axes."""

from __future__ import annotations

from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import expand_dims, squeeze
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import Op, call
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.base.sample_values import numbers
from runtime.ops.conv.convolution_family import (
    Kind,
    arguments,
    by_op,
    family,
    flat_arguments,
    op_samples,
    sample_attrs,
)

CONV2D, CONV2D_INPUT, _ = family(
    ("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"),
    Kind(2),
    by_op(
        [
            op_samples(
                numbers(1, 4, 3, 2), numbers(2, 2, 2, 3), numbers(1, 2, 2, 3),
                **sample_attrs("SAME", "NHWC", stride=2),
            ),
            op_samples(
                numbers(1, 2, 4, 3), numbers(2, 2, 1, 2), numbers(1, 2, 2, 1),
                **sample_attrs("VALID", "NCHW", dilation=2),
            ),
            op_samples(
                numbers(1, 3, 2, 1), numbers(2, 2, 1, 1), numbers(1, 3, 4, 1),
                **sample_attrs("EXPLICIT", "NHWC"),
            ),
        ]
    ),
)  # fmt: skip
CONV3D, CONV3D_INPUT, _ = family(
    ("Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"),
    Kind(3),
    by_op(
        [
            op_samples(
                numbers(1, 3, 2, 2, 1), numbers(2, 1, 2, 1, 2), numbers(1, 2, 1, 1, 2),
                **sample_attrs("SAME", "NDHWC", stride=2),
            )
        ]
    ),
)  # fmt: skip


def conv2d(
    input: TensorLike,
    filters: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Sums of products of a filter with the parts of images that it meets.

    Args:
      input: floating-point numbers, shape [batch, height, width, channels]; with leading batch
        dimensions more they count as one.
      filters: of the same dtype, shape [height, width, channels, results]; with fewer channels than
        the images, which have a multiple of them, it takes them in groups.
      strides: how far the filter moves: one number, one for height and width each, or four.
      padding: "SAME", "VALID", or a pair of what is added before and behind for each of the four
        axes.
      data_format: "NHWC", or "NCHW" for images with the channels first.
      dilations: how far apart the elements are that the filter meets, in the form of `strides`.

    Raises: ValueError, InvalidArgumentError or UnimplementedError for arguments of another form;
      InvalidArgumentError if the shapes do not fit.

    >>> image = [[[[1.0], [2.0]], [[3.0], [4.0]]]]
    >>> print(conv2d(image, [[[[2.0]]]], strides=1, padding="VALID")[0, :, :, 0])
    tf.Tensor(
    [[2. 4.]
     [6. 8.]], shape=(2, 2), dtype=float32)
    """
    attrs = arguments(2, strides, padding, data_format, dilations)
    return _batched(CONV2D, input, filters, attrs, 2, name or "Conv2D")


def _batched(
    op: Op, input: TensorLike, filters: TensorLike, attrs: dict[str, Any], axes: int, name: str
) -> Tensor:
    """Applies an op to images that have more than one batch dimension, or one."""
    (x, w), _ = one_dtype(op.definition.name, [("input", input), ("filters", filters)], None)
    rank = x.shape.rank
    if rank is None or rank <= axes + 2:
        return op(x, w, name=name, **attrs)
    dims = shape_of(x)
    own = axes + 1
    flat = call("Reshape", x, concat([[-1], dims[-own:]], 0))
    result = op(flat, w, name=name, **attrs)
    return call("Reshape", result, concat([dims[:-own], shape_of(result)[-own:]], 0))


def conv1d(
    input: TensorLike,
    filters: TensorLike,
    stride: Any,
    padding: Any,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Sums of products of a filter with the parts of sequences that it meets.

    Args:
      input: floating-point numbers, shape [batch, width, channels].
      filters: of the same dtype, shape [width, channels, results].
      stride: how far the filter moves.
      padding: "SAME", "VALID", or a pair for each of the three axes.
      data_format: "NWC", or "NCW" for sequences with the channels first.
      dilations: how far apart the elements are that the filter meets.

    >>> print(conv1d([[[1.0], [2.0], [3.0]]], [[[1.0]], [[1.0]]], 1, "VALID")[0, :, 0])
    tf.Tensor([3. 5.], shape=(2,), dtype=float32)
    """
    attrs, axis = flat_arguments(stride, padding, data_format, dilations)
    (x, w), _ = one_dtype("Conv1D", [("input", input), ("filters", filters)])
    result = conv2d(expand_dims(x, axis), expand_dims(w, 0), **attrs)
    return squeeze(result, axis, name=name or "conv1d")


def conv3d(
    input: TensorLike,
    filters: TensorLike,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Sums of products of a filter with the parts of volumes that it meets.

    Args:
      input: floating-point numbers, shape [batch, depth, height, width, channels].
      filters: of the same dtype, shape [depth, height, width, channels, results].
      strides, dilations: as in `conv2d`, with five numbers.
      padding: "SAME" or "VALID".
      data_format: "NDHWC", or "NCDHW" for volumes with the channels first.

    >>> conv3d([[[[[1.0]]]]], [[[[[2.0, 3.0]]]]], [1] * 5, "SAME").shape
    TensorShape([1, 1, 1, 1, 2])
    """
    attrs = arguments(3, strides, padding, data_format, dilations)
    return _batched(CONV3D, input, filters, attrs, 3, name or "Conv3D")


def convolution(
    input: TensorLike,
    filters: TensorLike,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`conv1d`, `conv2d` or `conv3d`, by the rank of the filter.

    >>> convolution([[[1.0], [2.0]]], [[[2.0]]]).shape
    TensorShape([1, 2, 1])
    """
    w = convert_to_tensor(filters)
    functions: dict[Any, Any] = {3: conv1d, 4: conv2d, 5: conv3d}
    rank = w.shape.rank
    if rank not in functions:
        raise ValueError(f"`filters` must be of rank 3, 4 or 5. Received: {w.shape}")
    form = data_format or {3: "NWC", 4: "NHWC", 5: "NDHWC"}[rank or 0]
    steps = 1 if strides is None else strides
    result: Tensor = functions[rank](input, w, steps, padding, form, dilations, name)
    return result


def atrous_conv2d(
    value: TensorLike, filters: TensorLike, rate: int, padding: Any, name: str | None = None
) -> Tensor:
    """`conv2d` with a filter whose elements meet those that are `rate` apart.

    >>> atrous_conv2d([[[[1.0]]]], [[[[2.0]]]], 2, "SAME").shape
    TensorShape([1, 1, 1, 1])
    """
    return conv2d(value, filters, 1, padding, dilations=rate, name=name)
