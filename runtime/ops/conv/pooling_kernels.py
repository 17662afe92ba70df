"""Kernels and shape rule of pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.shapes import known
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.ops.base.aliases import Array, Attrs, Namespace
from runtime.ops.conv.windows import Window, channels_first, image_blocks, inner_entries, window_of


def pool_window(attrs: Attrs) -> Window:
    """Return the window that the attributes describe."""
    first = channels_first(attrs["data_format"], 2)
    sizes = inner_entries("ksize", attrs["ksize"], 2, first)
    check_sizes(sizes, attrs["ksize"])
    return window_of(attrs, sizes)


def check_sizes(sizes: Sequence[int], ksize: object) -> None:
    """Raise ValueError unless all lengths of the window are positive."""
    if min(sizes) < 1:
        raise ValueError(f"ksize must be positive. Received: ksize={ksize}")


def infer(x: Tensor, **attrs: object) -> TensorSpec:
    """Return dtype and shape of the result."""
    window = pool_window(attrs)
    batch, channels, lengths = window.split(x.spec.dims)
    return x.spec.with_dims(window.join(batch, channels, window.counts(lengths)))


def _views(xp: Namespace, x: Array, window: Window, fill: float) -> list[Array]:
    """Return what each offset of the window covers, channels last."""
    window.split(x.shape)
    if not isinstance(window.padding, str):
        for pair, size in zip(window.padding, window.sizes, strict=True):
            for margin in pair:
                # A position inside the padding would cover no element of the image.
                if margin >= size:
                    raise ValueError(
                        f"Padding {margin} needs to be smaller than kernel size {size}"
                    )
    return window.views(xp, window.channels_last(xp, x), fill)


def _lowest(dtype: Any) -> float:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def maximum(xp: Namespace, x: Array, **attrs: object) -> Array:
    """Return the largest element of each position."""
    window = pool_window(attrs)
    views = _views(xp, x, window, _lowest(x.dtype))
    result = views[0].copy()
    for view in views[1:]:
        xp.maximum(result, view, out=result)
    return window.restore(xp, result)


def _exceeds(xp: Namespace, views: Sequence[Array]) -> list[Array]:
    """Return for each offset but the first whether its element exceeds all before it."""
    best, exceeds = views[0], []
    for view in views[1:]:
        exceeds.append(view > best)
        best = xp.maximum(best, view)
    return exceeds


def _argmax(xp: Namespace, views: Sequence[Array]) -> Array:
    """Return the number of the offset that holds the largest element, the first of several."""
    result = xp.zeros(views[0].shape, np.int32)
    for number, exceeds in enumerate(_exceeds(xp, views), start=1):
        result[exceeds] = number
    return result


def maximum_gradient(xp: Namespace, x: Array, y: Array, g: Array, **attrs: object) -> Array:
    """Send the gradient of each position to its largest element.

    The last offset that exceeds all before it holds the largest element, so the offsets take their
    share in reverse order from what is left. Bit patterns times 0 or 1 select without branches,
    which a processor cannot predict here, and keep infinities apart.
    """
    window = pool_window(attrs)
    image, gradient = window.channels_last(xp, x), window.channels_last(xp, g)
    cuts = [window.cut(offset, gradient.shape[1:-1]) for offset in window.offsets()]
    wide = window.pad(xp, image, _lowest(x.dtype))
    result = np.zeros(wide.shape, g.dtype)
    bits = np.dtype(f"i{g.dtype.itemsize}")
    for images in image_blocks(len(wide), wide[:1].nbytes):
        own, target = wide[images], result[images]
        left = gradient[images].copy().view(bits)
        # Copies: the inner loops over a view with few channels are short, and three functions
        # read it.
        exceeds = _exceeds(np, [np.ascontiguousarray(own[cut]) for cut in cuts])
        shares = []
        for larger in exceeds[::-1]:
            shares.append(left * larger)
            left ^= shares[-1]
        for cut, share in zip(cuts, [left, *shares[::-1]], strict=True):
            if window.overlaps():
                target[cut] += share.view(g.dtype)
            else:
                target[cut] = share.view(g.dtype)
    return window.restore(xp, window.unpad(result, image.shape[1:-1]))


def at_maximum(xp: Namespace, x: Array, y: Array, g: Array, **attrs: object) -> Array:
    """Return the elements of `g` where `x` has the largest element of each position."""
    window = pool_window(attrs)
    taken = _argmax(xp, _views(xp, x, window, _lowest(x.dtype)))
    result = xp.zeros(taken.shape, g.dtype)
    for number, view in enumerate(_views(xp, g, window, 0)):
        result = xp.where(taken == number, view, result)
    return window.restore(xp, result)


def _element_counts(xp: Namespace, lengths: Sequence[int], window: Window, dtype: object) -> Array:
    """Return how many elements of the image itself each position covers."""
    return sum(window.views(xp, xp.ones((1, *lengths, 1), dtype)))


def mean(xp: Namespace, x: Array, **attrs: object) -> Array:
    """Return the mean of each position."""
    window = pool_window(attrs)
    views = _views(xp, x, window, 0)
    lengths = window.channels_last(xp, x).shape[1:-1]
    return window.restore(xp, sum(views) / _element_counts(xp, lengths, window, x.dtype))


def mean_gradient(xp: Namespace, sizes: Array, g: Array, **attrs: object) -> Array:
    """Return the gradient of an image of shape `sizes` by the mean."""
    window = pool_window(attrs)
    batch, channels, lengths = window.split(tuple(map(int, sizes)))
    counts = known(window.counts(lengths))
    gradient = window.channels_last(xp, g) / _element_counts(xp, lengths, window, g.dtype)
    wide = np.zeros((batch, *window.padded_lengths(lengths), channels), g.dtype)
    for offset in window.offsets():
        wide[window.cut(offset, counts)] += gradient
    return window.restore(xp, window.unpad(wide, lengths))
