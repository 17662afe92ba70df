"""Convolutions over one and two axes, and their gradients.

The two gradients of a convolution are op types whose gradients are again the three of them, so that
gradients of any order need no further op type. The kernels are those of
`runtime.ops.conv.correlation`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.opdef import FLOAT, INT32, sample
from runtime.core.shapes import known
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import expand_dims, reshape, squeeze
from runtime.ops.base.aliases import Array, Attrs, Ints, Namespace
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import Op, define_op, shape_of
from runtime.ops.base.sample_values import numbers
from runtime.ops.conv import correlation as kernels
from runtime.ops.conv.windows import (
    PaddingArgument,
    Window,
    channels_first,
    entries,
    outer,
    window_attrs,
    window_of,
)


def _check_ranks(image: Sequence[Any], filters: Sequence[Any]) -> None:
    for what, dims in (("input", image), ("filter", filters)):
        if len(dims) != 4:
            raise ValueError(f"{what} must be 4-dimensional: {list(dims)}")


def _groups(channels: int, filters: Sequence[Any]) -> int:
    depth = filters[-2]
    if depth == 0 or channels % depth:
        raise ValueError(
            f"input depth must be evenly divisible by filter depth: {channels} vs {depth}"
        )
    return int(channels // depth)


def _check_gradient(
    window: Window,
    gradient: Sequence[int],
    batch: int,
    lengths: Sequence[int],
    image: Sequence[Any],
    filters: Sequence[int],
) -> None:
    expected = (batch, *known(window.counts(lengths)), filters[-1])
    if tuple(gradient) != expected:
        raise ValueError(
            f"the gradient of the result has shape {list(gradient)}, but an image of shape "
            f"{list(map(int, image))} and a filter of shape {list(filters)} give "
            f"{list(expected)}, channels last"
        )


def _result_spec(x: Tensor, filters: Tensor, **attrs: object) -> TensorSpec:
    image, sizes = x.spec.dims, filters.spec.dims
    if image is not None and sizes is not None:
        _check_ranks(image, sizes)
    if image is None or sizes is None or None in sizes[:-2]:
        return x.spec.with_dims((None,) * 4)
    window = window_of(attrs, sizes[:-2])
    batch, channels, lengths = window.split(image)
    if channels is not None and sizes[-2] is not None:
        _groups(channels, sizes)
    return x.spec.with_dims(window.join(batch, sizes[-1], window.counts(lengths)))


def _convolve(xp: Namespace, x: Array, filters: Array, **attrs: object) -> Array:
    _check_ranks(x.shape, filters.shape)
    window = window_of(attrs, filters.shape[:-2])
    image = window.channels_last(xp, x)
    groups = _groups(image.shape[-1], filters.shape)
    counts = known(window.counts(image.shape[1:-1]))
    result = kernels.correlate(window.pad(xp, image), filters, window, counts, groups)
    return window.restore(xp, result)


def _image_gradient(
    xp: Namespace, sizes: Array, filters: Array, g: Array, **attrs: object
) -> Array:
    window = window_of(attrs, filters.shape[:-2])
    batch, channels, lengths = window.split(tuple(map(int, sizes)))
    gradient = window.channels_last(xp, g)
    groups = _groups(channels, filters.shape)
    _check_gradient(window, gradient.shape, batch, lengths, sizes, filters.shape)
    shape = (batch, *window.padded_lengths(lengths), channels)
    wide = kernels.image_gradient(gradient, filters, window, shape, groups)
    return window.restore(xp, window.unpad(wide, lengths))


def _filter_gradient(xp: Namespace, x: Array, sizes: Array, g: Array, **attrs: object) -> Array:
    shape = tuple(map(int, sizes))
    window = window_of(attrs, shape[:-2])
    image, gradient = window.channels_last(xp, x), window.channels_last(xp, g)
    _check_gradient(window, gradient.shape, len(image), image.shape[1:-1], x.shape, shape)
    groups = _groups(image.shape[-1], shape)
    return kernels.filter_gradient(window.pad(xp, image), gradient, window, shape, groups)


def _sample_attrs(padding: str, data_format: str, stride: int = 1, dilation: int = 1) -> Attrs:
    first = data_format == "NCHW"
    return {
        "strides": outer((stride, stride), first),
        "padding": padding,
        "explicit_paddings": (0, 0, 1, 0, 2, 1, 0, 0) if padding == "EXPLICIT" else (),
        "data_format": data_format,
        "dilations": outer((dilation, dilation), first),
    }


_SAME = _sample_attrs("SAME", "NHWC", stride=2)
_VALID = _sample_attrs("VALID", "NCHW", dilation=2)
_EXPLICIT = _sample_attrs("EXPLICIT", "NHWC")
_CASES = (
    (numbers(1, 4, 3, 2), numbers(2, 2, 2, 3), numbers(1, 2, 2, 3), _SAME),
    (numbers(1, 2, 4, 3), numbers(2, 2, 1, 2), numbers(1, 2, 2, 1), _VALID),
    (numbers(1, 3, 2, 1), numbers(2, 2, 1, 1), numbers(1, 3, 4, 1), _EXPLICIT),
)
"""Image, filter, gradient of the result, and attributes."""

_CONV2D: Op = define_op(
    "Conv2D",
    {"input": FLOAT, "filter": FLOAT},
    _result_spec,
    _convolve,
    grad=lambda g, y, x, w, **attrs: (
        _BY_IMAGE(shape_of(x), w, g, **attrs),
        _BY_FILTER(x, shape_of(w), g, **attrs),
    ),
    samples=tuple(sample(x, w, **attrs) for x, w, _, attrs in _CASES),
)
_BY_IMAGE: Op = define_op(
    "Conv2DBackpropInput",
    {"input_sizes": INT32, "filter": FLOAT, "out_backprop": FLOAT},
    lambda sizes, w, g, **attrs: spec_of(g.spec.dtype, static_dims(sizes)),
    _image_gradient,
    grad=lambda u, y, sizes, w, g, **attrs: (
        None,
        _BY_FILTER(u, shape_of(w), g, **attrs),
        _CONV2D(u, w, **attrs),
    ),
    samples=tuple(sample(np.array(x.shape, np.int32), w, g, **attrs) for x, w, g, attrs in _CASES),
)
_BY_FILTER: Op = define_op(
    "Conv2DBackpropFilter",
    {"input": FLOAT, "filter_sizes": INT32, "out_backprop": FLOAT},
    lambda x, sizes, g, **attrs: spec_of(g.spec.dtype, static_dims(sizes)),
    _filter_gradient,
    grad=lambda u, y, x, sizes, g, **attrs: (
        _BY_IMAGE(shape_of(x), u, g, **attrs),
        None,
        _CONV2D(x, u, **attrs),
    ),
    samples=tuple(sample(x, np.array(w.shape, np.int32), g, **attrs) for x, w, g, attrs in _CASES),
)


def _attrs(
    strides: Ints, padding: PaddingArgument, data_format: str | None, dilations: Ints
) -> dict[str, Any]:
    """Return the attributes of a convolution, from the arguments of a public function."""
    first = channels_first(data_format, 2)
    apart = entries(dilations, 2, "dilations", 1 if first else 3)
    return {**window_attrs(2, strides, padding, data_format), "dilations": outer(apart, first)}


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

    Returns: Tensor of shape [..., rows, columns, results].
    Raises:
      ValueError, InvalidArgumentError, UnimplementedError: for arguments of another form.
      InvalidArgumentError: if the shapes do not fit.

    >>> image = [[[[1.0], [2.0]], [[3.0], [4.0]]]]
    >>> print(conv2d(image, [[[[2.0]]]], strides=1, padding="VALID")[0, :, :, 0])
    tf.Tensor(
    [[2. 4.]
     [6. 8.]], shape=(2, 2), dtype=float32)
    """
    attrs = _attrs(strides, padding, data_format, dilations)
    operands = [("input", input), ("filters", filters)]
    (x, w), _ = one_dtype("Conv2D", operands, None)
    name = name or "Conv2D"
    rank = x.shape.rank
    if rank is None or rank <= 4:
        return _CONV2D(x, w, name=name, **attrs)
    # Several batch dimensions become one.
    dims = shape_of(x)
    result = _CONV2D(reshape(x, concat([[-1], dims[-3:]], 0)), w, name=name, **attrs)
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

    Returns: Tensor of shape [batch, positions, results].

    >>> print(conv1d([[[1.0], [2.0], [3.0]]], [[[1.0]], [[1.0]]], 1, "VALID")[0, :, 0])
    tf.Tensor([3. 5.], shape=(2,), dtype=float32)
    """
    # A sequence is an image with one row.
    first = channels_first(data_format, 1)
    row, channel = (2, 1) if first else (1, 2)
    (step,) = entries(stride, 1, "stride", channel)
    (gap,) = entries(dilations, 1, "dilations", channel)
    if not isinstance(padding, str):
        padding = [*padding[:row], (0, 0), *padding[row:]]
    (x, w), _ = one_dtype("Conv1D", [("input", input), ("filters", filters)])
    image, rows = expand_dims(x, row), expand_dims(w, 0)
    form = "NCHW" if first else "NHWC"
    result = conv2d(image, rows, [1, step], padding, form, [1, gap])
    return squeeze(result, row, name=name or "conv1d")


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

    Raises: ValueError if `filters` has another rank.

    >>> print(convolution([[[1.0], [2.0]]], [[[2.0]]])[0, :, 0].numpy())
    [2. 4.]
    """
    w = convert_to_tensor(filters)
    if w.shape.rank not in _BY_RANK:
        raise ValueError(f"`filters` must be of rank 3 or 4. Received: {w.shape}")
    function, form = _BY_RANK[w.shape.rank]
    steps = 1 if strides is None else strides
    return function(input, w, steps, padding, data_format or form, dilations, name)


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
    attrs = _attrs(strides, padding, data_format, dilations)
    name = name or "conv2d_transpose"
    return _BY_IMAGE(output_shape, filters, input, name=name, **attrs)
