"""What all convolutions have in common: kernels, shape rules, gradients, arguments, samples.

The patches of an image that the filter meets are the rows of a matrix (im2col: Chellapilla, Puri,
Simard, "High performance convolutional neural networks for document processing", 2006). It is
multiplied with the filter, or transposed with the gradient of the result. The gradient of the image
is summed place by place of the filter, which takes no matrix of patches. All three process as many
images at a time as fit in the cache.

A filter that has fewer channels than the image takes them in groups. A depthwise filter takes each
channel by itself: the image is repeated until it has as many channels as the result, and multiplied
element by element.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from runtime.core.blas import in_pieces
from runtime.core.opdef import FLOAT, INT32, Grad, Infer, Kernel, sample
from runtime.core.shapes import known
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.conv.windows import (
    Window,
    back,
    channels_first,
    described,
    entries,
    image_blocks,
    image_dims,
    last,
    moving,
    outer,
    padded,
    spatial_dims,
    unpadded,
)

_RUNS = 8
"""Number of sums that the gradient of a filter is divided into: few, as each holds a filter."""


class Kind:
    """What tells the convolutions apart: the number of axes, and whether they go by channel."""

    def __init__(self, axes: int, depthwise: bool = False) -> None:
        self.axes = axes
        self.depthwise = depthwise

    def window(self, sizes: Sequence[Any], attrs: Any) -> tuple[Window, bool]:
        """The window that the attributes describe, and whether channels come first."""
        return described(attrs, sizes, attrs["dilations"])

    def weights(self, xp: Any, filters: Any) -> Any:
        """The filter as one that takes channels in groups: [*sizes, channels of a group, all]."""
        if not self.depthwise:
            return filters
        return xp.reshape(filters, (*filters.shape[:-2], 1, prod(filters.shape[-2:])))

    def repeated(self, xp: Any, image: Any, filters: Sequence[int]) -> Any:
        """The image, of a depthwise convolution with as many channels as the result."""
        if not self.depthwise or filters[-1] == 1:
            return image
        return xp.repeat(image, filters[-1], axis=-1)

    def merged(self, xp: Any, image: Any, filters: Sequence[int]) -> Any:
        """The sums of what `repeated` made of one channel."""
        if not self.depthwise or filters[-1] == 1:
            return image
        return xp.sum(xp.reshape(image, (*image.shape[:-1], *filters[-2:])), axis=-1)

    def channels(self, filters: tuple[Any, ...]) -> Any:
        """How many channels the result has."""
        if not self.depthwise:
            return filters[-1]
        return None if None in filters[-2:] else prod(filters[-2:])


def _groups(channels: int, weights: Sequence[int]) -> int:
    depth = weights[-2]
    if depth == 0 or channels % depth:
        raise ValueError(
            f"input depth must be evenly divisible by filter depth: {channels} vs {depth}"
        )
    return channels // depth


def _by_group(weights: Any, groups: int) -> Any:
    """A filter as one matrix for each group: [groups, elements of a patch, results of a group]."""
    elements = prod(weights.shape[:-1])
    return np.moveaxis(weights.reshape(elements, groups, weights.shape[-1] // groups), 1, 0)


def _pixels(image: Any, groups: int) -> Any:
    """An image as one matrix for each group: [groups, pixels, channels of a group]."""
    pixels = prod(image.shape[:-1])
    return np.moveaxis(image.reshape(pixels, groups, image.shape[-1] // groups), 1, 0)


def _patches(wide: Any, window: Window, counts: Sequence[int], groups: int) -> Any:
    """The patches of a padded image, as one matrix for each group.

    Args:
      wide: image of shape [batch, *lengths, channels].
      window: the sizes, strides and dilations of the filter.
      counts: number of positions of the window along each axis.
      groups: number of groups of channels.

    Returns: shape [groups, positions, elements of a patch].
    """
    batch, *moves, step = wide.strides
    channels = wide.shape[-1] // groups
    positions = (wide.shape[0], *counts)
    elements = (*window.sizes, channels)
    along = zip(moves, window.strides, window.dilations, strict=True)
    strides, dilations = zip(*((m * s, m * d) for m, s, d in along), strict=True)
    view = as_strided(
        wide,
        (groups, *positions, *elements),
        (channels * step, batch, *strides, *dilations, step),
        writeable=False,
    )
    # The innermost axes of the copy are those that hold longer runs of memory.
    if window.sizes[-1] * channels >= counts[-1]:
        return view.reshape(groups, prod(positions), prod(elements))
    split = len(positions) + 1
    turned = view.transpose(0, *range(split, view.ndim), *range(1, split))
    return turned.reshape(groups, prod(elements), prod(positions)).swapaxes(1, 2)


def _patch_blocks(wide: Any, window: Window, counts: Sequence[int]) -> list[slice]:
    """Ranges of the images of a batch whose patches fit in the cache, at least one image each."""
    image = prod(counts) * prod(window.sizes) * wide.shape[-1] * wide.itemsize
    return image_blocks(len(wide), image)


def _correlated(wide: Any, weights: Any, window: Window, counts: Sequence[int], groups: int) -> Any:
    """The cross-correlation of a padded image with a filter."""
    filters = _by_group(weights, groups)
    result = np.empty((len(wide), *counts, weights.shape[-1]), wide.dtype)

    def block(images: slice) -> None:
        target = _pixels(result[images], groups)
        np.matmul(_patches(wide[images], window, counts, groups), filters, out=target)

    work = prod(result.shape[:-1]) * weights.size // groups
    in_pieces(block, _patch_blocks(wide, window, counts), work)
    return result


def _by_channel(wide: Any, weights: Any, window: Window, counts: Sequence[int]) -> Any:
    """The cross-correlation of each channel of a padded image with a filter of its own."""
    result = np.zeros((len(wide), *counts, weights.shape[-1]), wide.dtype)
    for place in window.places():
        result += wide[window.cut(place, counts)] * weights[place]
    return result


def _forward(kind: Kind) -> Kernel:
    def kernel(xp: Any, x: Any, filters: Any, **attrs: Any) -> Any:
        _check_ranks(x.shape, filters.shape, kind.axes)
        window, first = kind.window(filters.shape[:-2], attrs)
        image, weights = last(xp, x, first), kind.weights(xp, filters)
        groups = _groups(image.shape[-1], weights.shape)
        counts = known(window.counts(image.shape[1:-1]))
        wide = padded(xp, kind.repeated(xp, image, filters.shape), window)
        if kind.depthwise:
            return back(xp, _by_channel(wide, weights, window, counts), first)
        return back(xp, _correlated(wide, weights, window, counts, groups), first)

    return kernel


def _spread(
    out: Any, weights: Any, window: Window, shape: Sequence[int], groups: int, depthwise: bool
) -> Any:
    """The gradient of the padded image of that shape: each place of the filter adds its share."""
    result = np.zeros(shape, out.dtype)
    counts = out.shape[1:-1]

    def block(images: slice) -> None:
        target, own = result[images], out[images]
        pixels = _pixels(own, groups)
        share = np.empty((*own.shape[:-1], shape[-1]), out.dtype)
        for place in window.places():
            if depthwise:
                np.multiply(own, weights[place], out=share)
            else:
                matrices = _by_group(weights[place], groups).swapaxes(1, 2)
                np.matmul(pixels, matrices, out=_pixels(share, groups))
            target[window.cut(place, counts)] += share

    image = prod(counts) * shape[-1] * out.itemsize
    in_pieces(block, image_blocks(len(out), image), prod(out.shape[:-1]) * weights.size // groups)
    return result


def _to_input(kind: Kind) -> Kernel:
    def kernel(xp: Any, sizes: Any, filters: Any, g: Any, **attrs: Any) -> Any:
        window, first = kind.window(filters.shape[:-2], attrs)
        batch, channels, lengths = spatial_dims(tuple(map(int, sizes)), first, kind.axes)
        weights, out = kind.weights(xp, filters), last(xp, g, first)
        groups = _groups(channels, weights.shape)
        counts = known(window.counts(lengths))
        _check_result(out.shape, (batch, *counts, weights.shape[-1]), sizes, filters.shape)
        inner = weights.shape[-1] if kind.depthwise else channels
        shape = (batch, *window.padded_lengths(lengths), inner)
        wide = _spread(out, weights, window, shape, groups, kind.depthwise)
        image = unpadded(wide, window, lengths)
        return back(xp, kind.merged(xp, image, filters.shape), first)

    return kernel


def _of_filter(wide: Any, out: Any, window: Window, shape: tuple[int, ...], groups: int) -> Any:
    """The gradient of a filter of that shape, from a padded image and what comes back."""
    counts = out.shape[1:-1]
    blocks = _patch_blocks(wide, window, counts)
    totals = np.zeros(
        (min(_RUNS, len(blocks)), groups, prod(shape[:-1]), shape[-1] // groups), out.dtype
    )

    def run(number: int) -> None:
        for images in blocks[number::_RUNS]:
            patches = _patches(wide[images], window, counts, groups)
            totals[number] += np.matmul(patches.swapaxes(1, 2), _pixels(out[images], groups))

    in_pieces(run, range(len(totals)), prod(out.shape[:-1]) * prod(shape) // groups)
    return np.moveaxis(totals.sum(axis=0), 0, 1).reshape(shape)


def _of_channels(wide: Any, out: Any, window: Window) -> Any:
    """The gradient of a depthwise filter."""
    parts = (wide[window.cut(place, out.shape[1:-1])] for place in window.places())
    return np.stack([np.einsum("nhwc,nhwc->c", part, out) for part in parts])


def _to_filter(kind: Kind) -> Kernel:
    def kernel(xp: Any, x: Any, sizes: Any, g: Any, **attrs: Any) -> Any:
        shape = tuple(map(int, sizes))
        window, first = kind.window(shape[:-2], attrs)
        image, out = last(xp, x, first), last(xp, g, first)
        counts = known(window.counts(image.shape[1:-1]))
        _check_result(out.shape, (len(image), *counts, kind.channels(shape)), x.shape, shape)
        wide = padded(xp, kind.repeated(xp, image, shape), window)
        if kind.depthwise:
            return _of_channels(wide, out, window).reshape(shape)
        return _of_filter(wide, out, window, shape, image.shape[-1] // shape[-2])

    return kernel


def _check_result(
    out: Sequence[int], fitting: Sequence[int], image: Sequence[Any], filters: Sequence[int]
) -> None:
    if tuple(out) != tuple(fitting):
        raise ValueError(
            f"the gradient of the result has shape {list(out)}, but an image of shape "
            f"{list(map(int, image))} and a filter of shape {list(filters)} give "
            f"{list(fitting)}, channels last"
        )


def _check_ranks(image: Sequence[Any], filters: Sequence[Any], axes: int) -> None:
    for what, dims in (("input", image), ("filter", filters)):
        if len(dims) != axes + 2:
            raise ValueError(f"{what} must be {axes + 2}-dimensional: {list(dims)}")


def _forward_spec(kind: Kind) -> Infer:
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


def family(names: tuple[str, str, str], kind: Kind, samples: Any) -> tuple[Op, Op, Op]:
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

    two = {"filter": FLOAT, "out_backprop": FLOAT}
    return (
        one(0, {"input": FLOAT, "filter": FLOAT}, _forward_spec(kind), _forward(kind), forward),
        one(1, {"input_sizes": INT32, **two}, _input_spec, _to_input(kind), to_input),
        one(
            2,
            {"input": FLOAT, "filter_sizes": INT32, "out_backprop": FLOAT},
            _filter_spec,
            _to_filter(kind),
            to_filter,
        ),
    )


def sample_attrs(padding: str, data_format: str, stride: int = 1, dilation: int = 1) -> Any:
    """Attributes, for samples."""
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


def op_samples(x: Any, w: Any, out: Any, **attrs: Any) -> tuple[Any, Any, Any]:
    """One sample for each op of a family: image, filter, and what comes back."""
    return (
        sample(x, w, **attrs),
        sample(np.array(x.shape, np.int32), w, out, **attrs),
        sample(x, np.array(w.shape, np.int32), out, **attrs),
    )


def by_op(rows: Sequence[tuple[Any, Any, Any]]) -> Any:
    """The samples of each op of a family, from rows of one sample for each."""
    return tuple(zip(*rows, strict=True))


def arguments(
    axes: int, strides: Any, padding: Any, data_format: str | None, dilations: Any
) -> dict[str, Any]:
    """The attributes of an op, from the arguments of a public function."""
    first = channels_first(data_format, axes)
    apart = entries(dilations, axes, "dilations", 1 if first else axes + 1)
    return {**moving(axes, strides, padding, data_format), "dilations": outer(apart, first)}


def flat_arguments(
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
