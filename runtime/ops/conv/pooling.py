"""Pooling: the largest element or the mean of each position of a window."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.aliases import Array, Ints, Namespace
from runtime.core.opdef import FLOAT, INT32, REAL, Emit, sample
from runtime.core.shapes import known
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims, squeeze
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, OpFunction, define_op, publish, shape_of
from runtime.ops.base.samples import numbers
from runtime.ops.conv.windows import FORM, Window, check_rank, image_blocks, window_attrs


def _window(ksize: tuple[int, ...], strides: tuple[int, ...], padding: str) -> Window:
    if min(ksize) < 1:
        raise ValueError(f"ksize must be positive. Received: ksize={ksize}")
    return Window(ksize, strides, padding)


def _pooled(x: Tensor, **attrs: Any) -> TensorSpec:
    dims = x.spec.dims
    check_rank("input", dims)
    return x.spec.with_dims(_window(**attrs).result(dims, None if dims is None else dims[-1]))


def _views(xp: Namespace, x: Array, window: Window, fill: float) -> list[Array]:
    """Return what each offset of the window covers."""
    check_rank("input", x.shape)
    return window.views(xp, x, fill)


def _lowest(dtype: np.dtype[Any]) -> float:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _maximum(xp: Namespace, x: Array, **attrs: Any) -> Array:
    """Return the largest elements: of the rows of each position, and then of its columns."""
    check_rank("input", x.shape)
    window = _window(**attrs)
    wide, width = window.pad(xp, x, _lowest(x.dtype)), window.sizes[1]
    cuts = window.cuts(x.shape[1:-1])
    largest = functools.reduce(xp.maximum, [wide[cut[:2]] for cut in cuts[::width]])
    whole = slice(None)
    first, *others = (_contiguous(largest[whole, whole, cut[2]]) for cut in cuts[:width])
    for other in others:
        xp.maximum(first, other, out=first)
    return first


def _contiguous(view: Array) -> Array:
    """Return a copy in C order of what an offset covers.

    The copy moves the channels of a pixel as one item. A function of the view itself would take
    twice as long for 16 channels: NumPy's inner loop is no longer than they are.
    """
    return _items(view).copy().view(view.dtype)


def _items(image: Array) -> Array:
    """View the channels of each pixel as one item."""
    size = image.shape[-1] * image.itemsize
    return image.view(f"V{size}") if size and image.strides[-1] == image.itemsize else image


def _maximum_gradient(xp: Namespace, x: Array, y: Array, g: Array, **attrs: Any) -> Array:
    """Send the gradient of each position to its largest element, the first of several.

    Each offset takes its share of what the offsets before it left, and the last one takes the rest.
    Bit patterns times 0 or 1 select without branches, which a processor cannot predict here, and
    keep infinities apart.
    """
    window = _window(**attrs)
    *cuts, last = window.cuts(x.shape[1:-1])
    wide = window.pad(xp, x, _lowest(x.dtype))
    result = np.zeros(wide.shape, g.dtype)
    bits = np.dtype(f"i{g.dtype.itemsize}")
    overlaps = window.overlaps()
    for images in image_blocks(len(wide), wide[:1].nbytes):
        own, largest, target = wide[images], y[images], result[images]
        left = g[images].copy().view(bits)
        for cut in cuts:
            share = left * (_contiguous(own[cut]) == largest)
            left ^= share
            _put(target, cut, share.view(g.dtype), overlaps)
        _put(target, last, left.view(g.dtype), overlaps)
    return window.unpad(result, x.shape)


def _put(target: Array, cut: tuple[slice, ...], share: Array, overlaps: bool) -> None:
    if overlaps:
        target[cut] += share
    else:
        _items(target)[cut] = _items(share)


def _at_maximum(xp: Namespace, x: Array, y: Array, g: Array, **attrs: Any) -> Array:
    """Return the elements of `g` where `x` has the largest element of each position."""
    window = _window(**attrs)
    candidates = _views(xp, x, window, _lowest(x.dtype))
    *views, found = _views(xp, g, window, 0)
    for candidate, view in zip(candidates[-2::-1], views[::-1], strict=True):
        found = xp.where(candidate == y, view, found)
    return found.copy()


def _element_counts(xp: Namespace, lengths: Sequence[int], window: Window, dtype: object) -> Array:
    """Return how many elements of the image itself each position covers."""
    return sum(window.views(xp, xp.ones((1, *lengths, 1), dtype)))


def _mean(xp: Namespace, x: Array, **attrs: Any) -> Array:
    window = _window(**attrs)
    views = _views(xp, x, window, 0)
    total = sum(map(_contiguous, views) if xp is np else views)
    return total / _element_counts(xp, x.shape[1:-1], window, x.dtype)


def _mean_gradient(xp: Namespace, sizes: Array, g: Array, **attrs: Any) -> Array:
    """Return the gradient of an image of shape `sizes` by the mean."""
    window, lengths = _window(**attrs), tuple(map(int, sizes[1:-1]))
    gradient = g / _element_counts(xp, lengths, window, g.dtype)
    wide = np.zeros(window.padded(sizes), g.dtype)
    for offset in window.offsets():
        wide[window.cut(offset, known(window.counts(lengths)))] += gradient
    return window.unpad(wide, sizes)


_SAME = {"ksize": (2, 2), "strides": (2, 2), "padding": "SAME"}
_VALID = {"ksize": (2, 2), "strides": (1, 1), "padding": "VALID"}
_CASES = tuple(
    (x, _maximum(np, x, **attrs), attrs)
    for x, attrs in ((numbers(1, 4, 3, 2), _SAME), (numbers(1, 3, 3, 1), _VALID))
)
"""Image, largest elements, and attributes."""

_THREE = {"orig_input": REAL, "orig_output": REAL, "grad": REAL}
_MAX_BACK: Op = define_op(
    "MaxPoolGrad",
    _THREE,
    lambda x, y, g, **attrs: x.spec,
    _maximum_gradient,
    grad=lambda u, z, x, y, g, **attrs: (None, None, _MAX_BACK_BACK(x, y, u, **attrs)),
    node=FORM,
    emit=Emit.POOLED_BACK,
    samples=tuple(sample(x, y, y, **attrs) for x, y, attrs in _CASES),
)
_MAX_BACK_BACK: Op = define_op(
    "MaxPoolGradGrad",
    _THREE,
    lambda x, y, g, **attrs: y.spec,
    _at_maximum,
    grad=lambda u, z, x, y, g, **attrs: (None, None, _MAX_BACK(x, y, u, **attrs)),
    node=FORM,
    samples=tuple(sample(x, y, x, **attrs) for x, y, attrs in _CASES),
)
_MAX = define_op(
    "MaxPool",
    {"input": REAL},
    _pooled,
    _maximum,
    grad=lambda g, y, x, **attrs: (_MAX_BACK(x, y, g, **attrs),),
    node=FORM,
    emit=Emit.POOLED,
    samples=tuple(sample(x, **attrs) for x, _, attrs in _CASES),
)
_MEAN_BACK: Op = define_op(
    "AvgPoolGrad",
    {"orig_input_shape": INT32, "grad": FLOAT},
    lambda sizes, g, **attrs: spec_of(g.spec.dtype, static_dims(sizes)),
    _mean_gradient,
    grad=lambda u, z, sizes, g, **attrs: (None, _AVG(u, **attrs)),
    node=FORM,
    samples=tuple(sample(np.array(x.shape, np.int32), y, **attrs) for x, y, attrs in _CASES),
)
_AVG: Op = define_op(
    "AvgPool",
    {"value": FLOAT},
    _pooled,
    _mean,
    grad=lambda g, y, x, **attrs: (_MEAN_BACK(shape_of(x), g, **attrs),),
    node=FORM,
    samples=tuple(sample(x, **attrs) for x, _, attrs in _CASES),
)

_SHAPES: dict[int | None, str] = {
    1: "[batch, width, channels]",
    2: "[batch, height, width, channels]",
    None: "[batch, ..., channels] with 1 or 2 spatial axes",
}
_FORMATS: dict[int | None, str | None] = {1: "NWC", 2: "NHWC", None: None}


def _row(
    name: str, label: str, op: Op, axes: int | None, about: str, example: str
) -> OpFunction[..., Tensor]:
    """Define a public function for `axes` spatial axes, or for any number (None)."""

    def function(
        input: TensorLike,
        ksize: Ints,
        strides: Ints,
        padding: str,
        data_format: str | None = _FORMATS[axes],
        name: str | None = None,
    ) -> Tensor:
        x = convert_to_tensor(input)
        count = axes or (x.shape.rank or 0) - 2
        if count not in (1, 2):
            raise ValueError(f"Input tensor must be of rank 3 or 4 but was {x.shape.rank}.")
        attrs = window_attrs(count, padding, data_format, ksize=ksize, strides=strides)
        if count == 2:
            return op(x, name=name or label, **attrs)
        return squeeze(op(expand_dims(x, 1), **attrs), 1, name=name or label)

    (group,) = op.definition.inputs.values()
    rest = f"""
        Args:
          input: Tensor of shape {_SHAPES[axes]}; each element is {group.name}.
          ksize: lengths of the window: one number, one for each spatial axis, or for every axis.
          strides: distance between positions of the window, in the form of `ksize`.
          padding: "SAME" or "VALID".
          data_format: None, or the letters for channels last.

        Returns: Tensor of the dtype and rank of `input`.
        Raises:
          ValueError, UnimplementedError: for arguments of another form.
          InvalidArgumentError: if the window is larger than the padded image.
        """
    return publish(function, __name__, name, op, about, rest, example)


_LARGEST = "Return the largest element of each position of a window."
_AVERAGE = "Return the mean of each position of a window; padding does not count."
_STEPS = '[[[1.0], [3.0], [2.0], [0.0]]], 2, 2, "VALID" -> '
_PIXELS = '[[[[1.0], [2.0]], [[3.0], [4.0]]]], 2, 2, "VALID" -> '

max_pool1d = _row("max_pool1d", "MaxPool1d", _MAX, 1, _LARGEST, f"{_STEPS}[[[3.]\n  [2.]]]")
max_pool2d = _row("max_pool2d", "MaxPool2d", _MAX, 2, _LARGEST, f"{_PIXELS}[[[[4.]]]]")
max_pool = _row("max_pool", "MaxPool", _MAX, None, _LARGEST, f"{_STEPS}[[[3.]\n  [2.]]]")
avg_pool1d = _row("avg_pool1d", "AvgPool1D", _AVG, 1, _AVERAGE, f"{_STEPS}[[[2.]\n  [1.]]]")
avg_pool2d = _row("avg_pool2d", "AvgPool2D", _AVG, 2, _AVERAGE, f"{_PIXELS}[[[[2.5]]]]")
avg_pool = _row("avg_pool", "AvgPool", _AVG, None, _AVERAGE, f"{_STEPS}[[[2.]\n  [1.]]]")
