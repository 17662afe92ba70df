"""What all convolutions have in common: kernels, shape rules, gradients, arguments, samples.

For each place of the filter the elements that it meets are cut out, and multiplied with the weights
at that place as matrices. Where a filter has fewer channels than the image, it takes them in
groups. A depthwise filter takes each channel by itself: the image is repeated until it has as many
channels as the result, and multiplied element by element.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core.blas import product
from runtime.core.opdef import FLOAT, INT32, Grad, Infer, Kernel, sample
from runtime.core.shapes import known
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor
from runtime.ops.define import Op, call, define_op
from runtime.ops.gradient_parts import shape_of
from runtime.ops.windows import (
    Window,
    back,
    channels_first,
    described,
    entries,
    image_dims,
    last,
    moving,
    outer,
    padded,
    spatial_dims,
    unpadded,
)


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


def _met(xp: Any, kind: Kind, part: Any, weights: Any, place: tuple[int, ...], groups: int) -> Any:
    """The products with the weights at a place; for each group of channels unless depthwise."""
    if kind.depthwise:
        return part * weights[place]
    return product(xp, _grouped(xp, part, groups), _weights_of(xp, weights, place, groups))


def _forward(kind: Kind) -> Kernel:
    def kernel(xp: Any, x: Any, filters: Any, **attrs: Any) -> Any:
        _check_ranks(x.shape, filters.shape, kind.axes)
        window, first = kind.window(filters.shape[:-2], attrs)
        image, weights = last(xp, x, first), kind.weights(xp, filters)
        groups = _groups(image.shape[-1], weights)
        counts = known(window.counts(image.shape[1:-1]))
        wide = padded(xp, kind.repeated(xp, image, filters.shape), window)
        total: Any = None
        for place in window.places():
            part = _met(xp, kind, wide[window.cut(place, counts)], weights, place, groups)
            if total is None:
                total = part
            else:
                total += part
        shape = (image.shape[0], *counts, weights.shape[-1])
        return back(xp, total if kind.depthwise else _ungrouped(xp, total, shape), first)

    return kernel


def _sent_back(
    xp: Any, kind: Kind, flat: Any, weights: Any, place: tuple[int, ...], groups: int
) -> Any:
    """What comes back to the elements that the weights at a place met."""
    if kind.depthwise:
        return flat * weights[place]
    own = _weights_of(xp, weights, place, groups)
    return xp.moveaxis(product(xp, flat, xp.swapaxes(own, -1, -2)), 0, 1)


def _to_input(kind: Kind) -> Kernel:
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
        inner = weights.shape[-1] if kind.depthwise else channels
        wide = padded(np, np.zeros((batch, *lengths, inner), g.dtype), window)
        flat = out if kind.depthwise else _grouped(xp, out, groups)
        for place in window.places():
            part = _sent_back(xp, kind, flat, weights, place, groups)
            wide[window.cut(place, counts)] += xp.reshape(part, (batch, *counts, inner))
        image = unpadded(wide, window, lengths)
        return back(xp, kind.merged(xp, image, filters.shape), first)

    return kernel


def _of_place(xp: Any, kind: Kind, part: Any, out: Any, groups: int) -> Any:
    """The gradient of the weights at a place, from what they met and what comes back."""
    if kind.depthwise:
        return xp.einsum("nhwc,nhwc->c", part, out)
    met, flat = _grouped(xp, part, groups), _grouped(xp, out, groups)
    own = product(xp, xp.swapaxes(met, -1, -2), flat)
    return xp.reshape(xp.moveaxis(own, 0, 1), (own.shape[1], -1))


def _to_filter(kind: Kind) -> Kernel:
    def kernel(xp: Any, x: Any, sizes: Any, g: Any, **attrs: Any) -> Any:
        shape = tuple(map(int, sizes))
        window, first = kind.window(shape[:-2], attrs)
        image, out = last(xp, x, first), last(xp, g, first)
        wide = padded(xp, kind.repeated(xp, image, shape), window)
        parts = []
        for place in window.places():
            part = wide[window.cut(place, out.shape[1:-1])]
            parts.append(_of_place(xp, kind, part, out, image.shape[-1] // shape[-2]))
        return xp.reshape(xp.stack(parts), shape)

    return kernel


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
