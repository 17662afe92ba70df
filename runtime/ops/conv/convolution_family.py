"""The three op types of a convolution: the result, and its gradients by image and by filter.

Each gradient is again a convolution of this family, so that gradients of any order need no further
op type. The kernels are those of `runtime.ops.conv.correlation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core.opdef import FLOAT, INT32, Sample, sample
from runtime.core.shapes import known
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor
from runtime.ops.base.aliases import Array, Attrs, Ints, Namespace
from runtime.ops.base.define import define_op
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.conv.correlation import (
    channel_filter_gradient,
    correlate,
    correlate_channels,
    filter_gradient,
    image_gradient,
)
from runtime.ops.conv.windows import (
    PaddingArgument,
    Window,
    channels_first,
    entries,
    outer,
    window_attrs,
    window_of,
)


class Convolution:
    """A convolution over two axes, with its gradients.

    The filter has shape [*sizes, channels of a group, results]. That of a depthwise convolution has
    shape [*sizes, channels, results of each channel]: the image is repeated until it has as many
    channels as the result, and multiplied element by element.

    Attributes:
      result, by_image, by_filter: the op types.
    """

    def __init__(
        self,
        names: tuple[str, str, str],
        samples: Sequence[tuple[Array, Array, Array, Attrs]],
        depthwise: bool = False,
    ) -> None:
        """Define the op types.

        Args:
          names: the names of the op types: result, gradient by image, gradient by filter.
          samples: image, filter, gradient of the result, and attributes.
          depthwise: whether each channel has a filter of its own.
        """
        self._depthwise = depthwise
        rows: list[tuple[Sample, Sample, Sample]] = [
            (
                sample(x, w, **attrs),
                sample(np.array(x.shape, np.int32), w, g, **attrs),
                sample(x, np.array(w.shape, np.int32), g, **attrs),
            )
            for x, w, g, attrs in samples
        ]
        of_result, of_image, of_filter = zip(*rows, strict=True)
        self.result = define_op(
            names[0],
            {"input": FLOAT, "filter": FLOAT},
            self._infer,
            self._kernel,
            grad=self._grad,
            samples=of_result,
        )
        self.by_image = define_op(
            names[1],
            {"input_sizes": INT32, "filter": FLOAT, "out_backprop": FLOAT},
            lambda sizes, w, g, **attrs: spec_of(g.spec.dtype, static_dims(sizes)),
            self._image_kernel,
            grad=self._image_grad,
            samples=of_image,
        )
        self.by_filter = define_op(
            names[2],
            {"input": FLOAT, "filter_sizes": INT32, "out_backprop": FLOAT},
            lambda x, sizes, g, **attrs: spec_of(g.spec.dtype, static_dims(sizes)),
            self._filter_kernel,
            grad=self._filter_grad,
            samples=of_filter,
        )

    def _kernel(self, xp: Namespace, x: Array, filters: Array, **attrs: object) -> Array:
        self._check_ranks(x.shape, filters.shape)
        window = window_of(attrs, filters.shape[:-2])
        image = window.channels_last(xp, x)
        groups = self._groups(image.shape[-1], filters.shape)
        counts = known(window.counts(image.shape[1:-1]))
        wide = window.pad(xp, self._repeated(xp, image, filters.shape))
        if self._depthwise:
            result = correlate_channels(wide, self._grouped(xp, filters), window, counts)
        else:
            result = correlate(wide, filters, window, counts, groups)
        return window.restore(xp, result)

    def _image_kernel(
        self, xp: Namespace, sizes: Array, filters: Array, g: Array, **attrs: object
    ) -> Array:
        window = window_of(attrs, filters.shape[:-2])
        batch, channels, lengths = window.split(tuple(map(int, sizes)))
        gradient = window.channels_last(xp, g)
        groups = self._groups(channels, filters.shape)
        self._check_gradient(window, gradient.shape, batch, lengths, sizes, filters.shape)
        inner = self._results(filters.shape) if self._depthwise else channels
        shape = (batch, *window.padded_lengths(lengths), inner)
        weights = self._grouped(xp, filters)
        wide = image_gradient(gradient, weights, window, shape, groups, self._depthwise)
        image = window.unpad(wide, lengths)
        if self._depthwise and filters.shape[-1] != 1:
            image = xp.sum(xp.reshape(image, (*image.shape[:-1], *filters.shape[-2:])), axis=-1)
        return window.restore(xp, image)

    def _filter_kernel(
        self, xp: Namespace, x: Array, sizes: Array, g: Array, **attrs: object
    ) -> Array:
        shape = tuple(map(int, sizes))
        window = window_of(attrs, shape[:-2])
        image, gradient = window.channels_last(xp, x), window.channels_last(xp, g)
        lengths = image.shape[1:-1]
        self._check_gradient(window, gradient.shape, len(image), lengths, x.shape, shape)
        wide = window.pad(xp, self._repeated(xp, image, shape))
        if self._depthwise:
            return channel_filter_gradient(wide, gradient, window).reshape(shape)
        return filter_gradient(wide, gradient, window, shape, image.shape[-1] // shape[-2])

    def _infer(self, x: Tensor, filters: Tensor, **attrs: object) -> TensorSpec:
        image, sizes = x.spec.dims, filters.spec.dims
        if image is not None and sizes is not None:
            self._check_ranks(image, sizes)
        if image is None or sizes is None or None in sizes[:-2]:
            return x.spec.with_dims((None,) * 4)
        window = window_of(attrs, sizes[:-2])
        batch, channels, lengths = window.split(image)
        if channels is not None and sizes[-2] is not None:
            self._groups(channels, sizes)
        return x.spec.with_dims(window.join(batch, self._results(sizes), window.counts(lengths)))

    def _grad(self, g: Tensor, y: Tensor, x: Tensor, w: Tensor, **attrs: Any) -> Any:
        by_image = self.by_image(shape_of(x), w, g, **attrs)
        return by_image, self.by_filter(x, shape_of(w), g, **attrs)

    def _image_grad(
        self, u: Tensor, y: Tensor, sizes: Tensor, w: Tensor, g: Tensor, **attrs: Any
    ) -> Any:
        return None, self.by_filter(u, shape_of(w), g, **attrs), self.result(u, w, **attrs)

    def _filter_grad(
        self, u: Tensor, y: Tensor, x: Tensor, sizes: Tensor, g: Tensor, **attrs: Any
    ) -> Any:
        return self.by_image(shape_of(x), u, g, **attrs), None, self.result(x, u, **attrs)

    def _grouped(self, xp: Namespace, filters: Array) -> Array:
        """Return a filter of shape [*sizes, channels of a group, results]."""
        if not self._depthwise:
            return filters
        return xp.reshape(filters, (*filters.shape[:-2], 1, prod(filters.shape[-2:])))

    def _repeated(self, xp: Namespace, image: Array, filters: Sequence[int]) -> Array:
        """Repeat the channels of a depthwise convolution, one copy for each result."""
        if not self._depthwise or filters[-1] == 1:
            return image
        return xp.repeat(image, filters[-1], axis=-1)

    def _results(self, filters: Sequence[Any]) -> Any:
        """Return the number of channels of the result."""
        if not self._depthwise:
            return filters[-1]
        return None if None in filters[-2:] else prod(filters[-2:])

    def _groups(self, channels: int, filters: Sequence[Any]) -> int:
        depth = 1 if self._depthwise else filters[-2]
        if depth == 0 or channels % depth:
            raise ValueError(
                f"input depth must be evenly divisible by filter depth: {channels} vs {depth}"
            )
        return int(channels // depth)

    def _check_ranks(self, image: Sequence[Any], filters: Sequence[Any]) -> None:
        for what, dims in (("input", image), ("filter", filters)):
            if len(dims) != 4:
                raise ValueError(f"{what} must be 4-dimensional: {list(dims)}")

    def _check_gradient(
        self,
        window: Window,
        gradient: Sequence[int],
        batch: int,
        lengths: Sequence[int],
        image: Sequence[Any],
        filters: Sequence[int],
    ) -> None:
        expected = (batch, *known(window.counts(lengths)), self._results(filters))
        if tuple(gradient) != expected:
            raise ValueError(
                f"the gradient of the result has shape {list(gradient)}, but an image of shape "
                f"{list(map(int, image))} and a filter of shape {list(filters)} give "
                f"{list(expected)}, channels last"
            )


def sample_attrs(padding: str, data_format: str, stride: int = 1, dilation: int = 1) -> Attrs:
    """Return attributes for a sample: the same stride and dilation along each spatial axis."""
    axes, first = len(data_format) - 2, not data_format.endswith("C")
    return {
        "strides": outer((stride,) * axes, first),
        "padding": padding,
        "explicit_paddings": (0, 0, 1, 0, 2, 1, 0, 0) if padding == "EXPLICIT" else (),
        "data_format": data_format,
        "dilations": outer((dilation,) * axes, first),
    }


def arguments(
    strides: Ints, padding: PaddingArgument, data_format: str | None, dilations: Ints
) -> dict[str, Any]:
    """Return the attributes of a convolution, from the arguments of a public function."""
    first = channels_first(data_format, 2)
    apart = entries(dilations, 2, "dilations", 1 if first else 3)
    return {**window_attrs(2, strides, padding, data_format), "dilations": outer(apart, first)}


def flat_arguments(
    stride: Ints, padding: PaddingArgument, data_format: str, dilations: Ints
) -> tuple[dict[str, Any], int]:
    """Return the arguments of a convolution of images with one row, and the axis of that row."""
    first = channels_first(data_format, 1)
    channel = 1 if first else 2
    (step,) = entries(stride, 1, "stride", channel)
    (gap,) = entries(dilations, 1, "dilations", channel)
    if not isinstance(padding, str):
        padding = [*padding]
        padding.insert(2 if first else 1, [0, 0])
    attrs = {
        "strides": [1, step],
        "padding": padding,
        "data_format": "NCHW" if first else "NHWC",
        "dilations": [1, gap],
    }
    return attrs, -2 if first else -3
