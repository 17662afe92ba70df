"""Convolutions over one, two and three axes, and their transposes.

For each place of the filter the elements that it meets are cut out, and multiplied with the weights
at that place as matrices. Where a filter has fewer channels than the image, it takes them in
groups; a depthwise filter is one with a group for each channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.blas import product
from runtime.core.opdef import DTypes, Grad, Infer, Kernel, sample
from runtime.core.shapes import known
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.convert import convert_to_tensor, one_dtype
from runtime.ops.define import Op, call, define_op
from runtime.ops.gradient_parts import shape_of
from runtime.ops.joining import concat
from runtime.ops.shaping import expand_dims, squeeze
from runtime.ops.windows import (
    Window,
    back,
    channels_first,
    entries,
    image_dims,
    last,
    padded,
    padding_of,
    spatial_dims,
    unpadded,
)

ELEMENTS = DTypes("a floating-point number", dtypes.float16, dtypes.float32, dtypes.float64)
_SIZES = DTypes("int32", dtypes.int32)


class _Kind:
    """What tells the convolutions apart: the number of axes, and whether they go by channel."""

    def __init__(self, axes: int, depthwise: bool = False) -> None:
        self.axes = axes
        self.depthwise = depthwise

    def window(self, sizes: Sequence[Any], attrs: Any) -> tuple[Window, bool]:
        """The window that the attributes describe, and whether channels come first."""
        first = attrs["data_format"].startswith("NC")
        inner = slice(2, None) if first else slice(1, -1)
        padding = attrs["padding"]
        if padding == "EXPLICIT":
            flat = attrs["explicit_paddings"]
            pairs = tuple(zip(flat[::2], flat[1::2], strict=True))
            padding = pairs[inner]
        strides, dilations = attrs["strides"][inner], attrs["dilations"][inner]
        return Window(tuple(sizes), strides, dilations, padding), first

    def weights(self, xp: Any, filters: Any) -> Any:
        """The filter as one that takes channels in groups: [*sizes, channels of a group, all]."""
        if not self.depthwise:
            return filters
        return xp.reshape(filters, (*filters.shape[:-2], 1, prod(filters.shape[-2:])))

    def channels(self, filters: tuple[Any, ...]) -> Any:
        """How many channels the result has."""
        if not self.depthwise:
            return filters[-1]
        return None if None in filters[-2:] else prod(filters[-2:])


def _grouped(xp: Any, x: Any, groups: int) -> Any:
    """An image as a matrix for each group of channels."""
    flat = xp.reshape(x, (-1, groups, x.shape[-1] // groups))
    return xp.moveaxis(flat, 1, 0)


def _ungrouped(xp: Any, x: Any, shape: tuple[int, ...]) -> Any:
    return xp.reshape(xp.moveaxis(x, 0, 1), shape)


def _weights_of(xp: Any, weights: Any, place: tuple[int, ...], groups: int) -> Any:
    own = weights[place]
    return xp.moveaxis(xp.reshape(own, (own.shape[0], groups, -1)), 1, 0)


def _groups(channels: int, weights: Any) -> int:
    depth: int = weights.shape[-2]
    if depth == 0 or channels % depth:
        raise ValueError(
            f"input depth must be evenly divisible by filter depth: {channels} vs {depth}"
        )
    return channels // depth


def _forward(kind: _Kind) -> Kernel:
    def kernel(xp: Any, x: Any, filters: Any, **attrs: Any) -> Any:
        _check_ranks(x.shape, filters.shape, kind.axes)
        window, first = kind.window(filters.shape[:-2], attrs)
        image, weights = last(xp, x, first), kind.weights(xp, filters)
        groups = _groups(image.shape[-1], weights)
        counts = known(window.counts(image.shape[1:-1]))
        wide = padded(xp, image, window)
        total: Any = 0
        for place in window.places():
            part = _grouped(xp, wide[window.cut(place, counts)], groups)
            total = total + product(xp, part, _weights_of(xp, weights, place, groups))
        shape = (image.shape[0], *counts, weights.shape[-1])
        return back(xp, _ungrouped(xp, total, shape), first)

    return kernel


def _to_input(kind: _Kind) -> Kernel:
    def kernel(xp: Any, sizes: Any, filters: Any, g: Any, **attrs: Any) -> Any:
        window, first = kind.window(filters.shape[:-2], attrs)
        batch, channels, lengths = spatial_dims(tuple(map(int, sizes)), first, kind.axes)
        weights, out = kind.weights(xp, filters), last(xp, g, first)
        groups = _groups(channels, weights)
        counts = known(window.counts(lengths))
        if out.shape != (batch, *counts, weights.shape[-1]):
            raise ValueError(
                f"the shape {list(g.shape)} of what comes back does not fit the input sizes "
                f"{[int(size) for size in sizes]} and the filter {list(filters.shape)}"
            )
        image = np.zeros((batch, *lengths, channels), g.dtype)
        wide = padded(np, image, window)
        flat = _grouped(xp, out, groups)
        for place in window.places():
            own = _weights_of(xp, weights, place, groups)
            part = product(xp, flat, xp.swapaxes(own, -1, -2))
            wide[window.cut(place, counts)] += _ungrouped(xp, part, (batch, *counts, channels))
        return back(xp, unpadded(wide, window, lengths), first)

    return kernel


def _to_filter(kind: _Kind) -> Kernel:
    def kernel(xp: Any, x: Any, sizes: Any, g: Any, **attrs: Any) -> Any:
        shape = tuple(map(int, sizes))
        window, first = kind.window(shape[:-2], attrs)
        image, out = last(xp, x, first), last(xp, g, first)
        channels = image.shape[-1]
        groups = channels if kind.depthwise else channels // shape[-2]
        wide, flat = padded(xp, image, window), _grouped(xp, out, groups)
        parts = []
        for place in window.places():
            part = _grouped(xp, wide[window.cut(place, out.shape[1:-1])], groups)
            own = product(xp, xp.swapaxes(part, -1, -2), flat)
            parts.append(xp.reshape(xp.moveaxis(own, 0, 1), (own.shape[1], -1)))
        return xp.reshape(xp.stack(parts), shape)

    return kernel


def _check_ranks(image: Sequence[Any], filters: Sequence[Any], axes: int) -> None:
    for what, dims in (("input", image), ("filter", filters)):
        if len(dims) != axes + 2:
            raise ValueError(f"{what} must be {axes + 2}-dimensional: {list(dims)}")


def _forward_spec(kind: _Kind) -> Infer:
    def infer(x: Tensor, filters: Tensor, **attrs: Any) -> TensorSpec:
        sizes = filters.spec.dims
        if sizes is None or x.spec.dims is None:
            return x.spec.with_dims((None,) * (kind.axes + 2))
        _check_ranks(x.spec.dims, sizes, kind.axes)
        if None in sizes[:-2]:
            return x.spec.with_dims((None,) * (kind.axes + 2))
        window, first = kind.window(sizes[:-2], attrs)
        batch, channels, lengths = spatial_dims(x.spec.dims, first, kind.axes)
        depth = 1 if kind.depthwise else sizes[-2]
        if None not in (channels, depth) and (depth == 0 or channels % depth):
            raise ValueError(
                f"Depth of input ({channels}) is not a multiple of input depth of filter ({depth})"
            )
        counts = window.counts(lengths)
        return x.spec.with_dims(image_dims(batch, kind.channels(sizes), counts, first))

    return infer


def _input_spec(sizes: Tensor, filters: Tensor, g: Tensor, **attrs: Any) -> TensorSpec:
    return spec_of(g.spec.dtype, static_dims(sizes))


def _filter_spec(x: Tensor, sizes: Tensor, g: Tensor, **attrs: Any) -> TensorSpec:
    return spec_of(g.spec.dtype, static_dims(sizes))


def _family(names: tuple[str, str, str], kind: _Kind, samples: Any) -> tuple[Op, Op, Op]:
    """A convolution and its two gradients; the gradients of each are the other two."""

    def forward(g: Tensor, y: Tensor, x: Tensor, w: Tensor, **attrs: Any) -> Any:
        return (
            call(names[1], shape_of(x), w, g, **attrs),
            call(names[2], x, shape_of(w), g, **attrs),
        )

    def to_input(u: Tensor, y: Tensor, sizes: Tensor, w: Tensor, g: Tensor, **attrs: Any) -> Any:
        by_filter = call(names[2], u, shape_of(w), g, **attrs)
        return None, by_filter, call(names[0], u, w, **attrs)

    def to_filter(u: Tensor, y: Tensor, x: Tensor, sizes: Tensor, g: Tensor, **attrs: Any) -> Any:
        return call(names[1], shape_of(x), u, g, **attrs), None, call(names[0], x, u, **attrs)

    def one(place: int, inputs: Any, infer: Infer, kernel: Kernel, grad: Grad) -> Op:
        return define_op(
            names[place], inputs, infer, kernel, grad=grad, samples=tuple(samples[place])
        )

    two = {"filter": ELEMENTS, "out_backprop": ELEMENTS}
    return (
        one(
            0, {"input": ELEMENTS, "filter": ELEMENTS}, _forward_spec(kind), _forward(kind), forward
        ),
        one(1, {"input_sizes": _SIZES, **two}, _input_spec, _to_input(kind), to_input),
        one(
            2,
            {"input": ELEMENTS, "filter_sizes": _SIZES, "out_backprop": ELEMENTS},
            _filter_spec,
            _to_filter(kind),
            to_filter,
        ),
    )


def _numbers(*shape: int) -> Any:
    """Numbers that differ, for samples."""
    count = prod(shape)
    return (np.sin(np.arange(count) * 1.7) + 0.01 * np.arange(count)).reshape(shape)


def _attrs(padding: str, data_format: str, stride: int = 1, dilation: int = 1) -> Any:
    axes = len(data_format) - 2
    inner = (1, 1, *(stride,) * axes), (1, 1, *(dilation,) * axes)
    if data_format.endswith("C"):
        inner = (1, *(stride,) * axes, 1), (1, *(dilation,) * axes, 1)
    explicit = (0, 0, 1, 0, 2, 1, 0, 0) if padding == "EXPLICIT" else ()
    return {
        "strides": inner[0],
        "padding": padding,
        "explicit_paddings": explicit,
        "data_format": data_format,
        "dilations": inner[1],
    }


def _samples(x: Any, w: Any, out: Any, **attrs: Any) -> tuple[Any, Any, Any]:
    return (
        sample(x, w, **attrs),
        sample(np.array(x.shape, np.int32), w, out, **attrs),
        sample(x, np.array(w.shape, np.int32), out, **attrs),
    )


def _transposed(rows: Sequence[tuple[Any, Any, Any]]) -> Any:
    return tuple(zip(*rows, strict=True))


_CONV2D, _CONV2D_INPUT, _CONV2D_FILTER = _family(
    ("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"),
    _Kind(2),
    _transposed(
        [
            _samples(
                _numbers(1, 4, 3, 2), _numbers(2, 2, 2, 3), _numbers(1, 2, 2, 3),
                **_attrs("SAME", "NHWC", stride=2),
            ),
            _samples(
                _numbers(1, 2, 4, 3), _numbers(2, 2, 1, 2), _numbers(1, 2, 2, 1),
                **_attrs("VALID", "NCHW", dilation=2),
            ),
            _samples(
                _numbers(1, 3, 2, 1), _numbers(2, 2, 1, 1), _numbers(1, 3, 4, 1),
                **_attrs("EXPLICIT", "NHWC"),
            ),
        ]
    ),
)  # fmt: skip
_CONV3D, _CONV3D_INPUT, _CONV3D_FILTER = _family(
    ("Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"),
    _Kind(3),
    _transposed(
        [
            _samples(
                _numbers(1, 3, 2, 2, 1), _numbers(2, 1, 2, 1, 2), _numbers(1, 2, 1, 1, 2),
                **_attrs("SAME", "NDHWC", stride=2),
            )
        ]
    ),
)  # fmt: skip
_DEPTHWISE, _DEPTHWISE_INPUT, _DEPTHWISE_FILTER = _family(
    (
        "DepthwiseConv2dNative",
        "DepthwiseConv2dNativeBackpropInput",
        "DepthwiseConv2dNativeBackpropFilter",
    ),
    _Kind(2, depthwise=True),
    _transposed(
        [
            _samples(
                _numbers(1, 3, 3, 2), _numbers(2, 2, 2, 2), _numbers(1, 2, 2, 4),
                **_attrs("VALID", "NHWC"),
            )
        ]
    ),
)  # fmt: skip


def _arguments(
    axes: int, strides: Any, padding: Any, data_format: str | None, dilations: Any
) -> dict[str, Any]:
    """The attributes of an op, from the arguments of a public function."""
    first = channels_first(data_format, axes)
    channel = 1 if first else axes + 1
    form = data_format or {1: "NWC", 2: "NHWC", 3: "NDHWC"}[axes]
    kind = padding_of(padding, axes, first)
    explicit: tuple[int, ...] = ()
    if not isinstance(kind, str):
        explicit = tuple(entry for pair in padding for entry in map(int, pair))
    return {
        "strides": _outer(entries(strides, axes, "strides", channel), first),
        "padding": kind if isinstance(kind, str) else "EXPLICIT",
        "explicit_paddings": explicit,
        "data_format": form,
        "dilations": _outer(entries(dilations, axes, "dilations", channel), first),
    }


def _outer(inner: tuple[int, ...], first: bool) -> tuple[int, ...]:
    return (1, 1, *inner) if first else (1, *inner, 1)


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
    attrs = _arguments(2, strides, padding, data_format, dilations)
    return _batched(_CONV2D, input, filters, attrs, 2, name or "Conv2D")


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
    attrs, axis = _flat_arguments(stride, padding, data_format, dilations)
    (x, w), _ = one_dtype("Conv1D", [("input", input), ("filters", filters)])
    result = conv2d(expand_dims(x, axis), expand_dims(w, 0), **attrs)
    return squeeze(result, axis, name=name or "conv1d")


def _flat_arguments(
    stride: Any, padding: Any, data_format: str, dilations: Any
) -> tuple[dict[str, Any], int]:
    """The arguments of a convolution of images with one row, and where the row axis comes in."""
    first = channels_first(data_format, 1)
    channel = 1 if first else 2
    (step,), (gap,) = (
        entries(value, 1, what, channel)
        for value, what in ((stride, "stride"), (dilations, "dilations"))
    )
    if not isinstance(padding, str):
        pairs = list(padding)
        pairs.insert(2 if first else 1, [0, 0])
        padding = pairs
    attrs = {
        "strides": [1, step],
        "padding": padding,
        "data_format": "NCHW" if first else "NHWC",
        "dilations": [1, gap],
    }
    return attrs, -2 if first else -3


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
    attrs = _arguments(3, strides, padding, data_format, dilations)
    return _batched(_CONV3D, input, filters, attrs, 3, name or "Conv3D")


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
    attrs = _arguments(2, strides, padding, data_format, dilations)
    return _CONV2D_INPUT(output_shape, filters, input, name=name or "conv2d_transpose", **attrs)


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
    attrs, axis = _flat_arguments(strides, padding, data_format, dilations)
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
    attrs = _arguments(3, strides, padding, data_format, dilations)
    return _CONV3D_INPUT(output_shape, filters, input, name=name or "conv3d_transpose", **attrs)


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
    attrs = _arguments(2, strides, padding, data_format, dilations)
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
    attrs = _arguments(2, strides, padding, data_format, dilations)
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
    attrs = _arguments(2, strides, padding, data_format, dilations)
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
