"""Pooling by the mean of each window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.opdef import FLOAT, INT32, sample
from runtime.core.shapes import known
from runtime.core.spec import spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.conv.pooling_windows import (
    DEEP,
    FLAT,
    axes_of,
    parts_of,
    pooled,
    pooled_spec,
    window_of,
)
from runtime.ops.conv.windows import Window, back, last, padded, spatial_dims, unpadded


def _counts(xp: Any, lengths: Sequence[int], window: Window, dtype: Any) -> Any:
    """How many elements of the image itself each stop of the window meets."""
    ones = padded(xp, xp.ones((1, *lengths, 1), dtype), window)
    stops = known(window.counts(lengths))
    return sum(ones[window.cut(place, stops)] for place in window.places())


def _mean(xp: Any, x: Any, **attrs: Any) -> Any:
    parts, window, first = parts_of(xp, x, attrs, 0)
    lengths = last(xp, x, first).shape[1:-1]
    return back(xp, sum(parts) / _counts(xp, lengths, window, x.dtype), first)


def _mean_back(xp: Any, sizes: Any, g: Any, **attrs: Any) -> Any:
    window, first = window_of(attrs)
    axes = len(window.sizes)
    batch, channels, lengths = spatial_dims(tuple(map(int, sizes)), first, axes)
    gradient = last(xp, g, first) / _counts(xp, lengths, window, g.dtype)
    wide = padded(np, np.zeros((batch, *lengths, channels), g.dtype), window)
    for place in window.places():
        wide[window.cut(place, gradient.shape[1:-1])] += gradient
    return back(xp, unpadded(wide, window, lengths), first)


def _mean_family(suffix: str, cases: Any) -> Op:
    names = (f"AvgPool{suffix}", f"AvgPool{suffix}Grad")

    def grad(g: Tensor, y: Tensor, x: Tensor, **attrs: Any) -> tuple[Tensor]:
        return (call(names[1], shape_of(x), g, **attrs),)

    def back_grad(u: Tensor, z: Tensor, sizes: Tensor, g: Tensor, **attrs: Any) -> Any:
        return None, call(names[0], u, **attrs)

    define_op(
        names[1],
        {"orig_input_shape": INT32, "grad": FLOAT},
        lambda sizes, g, **attrs: spec_of(g.spec.dtype, static_dims(sizes)),
        _mean_back,
        grad=back_grad,
        samples=tuple(sample(np.array(x.shape, np.int32), y, **attrs) for x, y, attrs in cases),
    )
    return define_op(
        names[0],
        {"value": FLOAT},
        pooled_spec,
        _mean,
        grad=grad,
        samples=tuple(sample(x, **attrs) for x, _, attrs in cases),
    )


_AVG = {4: _mean_family("", FLAT), 5: _mean_family("3D", DEEP)}


def avg_pool1d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:
    """The mean of the elements that a window meets; arguments as in `avg_pool2d`.

    >>> print(avg_pool1d([[[1.0], [3.0], [2.0], [0.0]]], 2, 2, "VALID")[0, :, 0])
    tf.Tensor([2. 1.], shape=(2,), dtype=float32)
    """
    return pooled(_AVG, input, 1, ksize, strides, padding, data_format, name or "AvgPool1D")


def avg_pool2d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of the elements that a window meets; what padding adds does not count.

    Args:
      input: floating-point numbers, shape [batch, height, width, channels].
      ksize, strides, data_format: as in `max_pool2d`.
      padding: "SAME" or "VALID".

    >>> print(avg_pool2d([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2, 2, "VALID")[0, 0, 0])
    tf.Tensor([2.5], shape=(1,), dtype=float32)
    """
    return pooled(_AVG, input, 2, ksize, strides, padding, data_format, name or "AvgPool2D")


def avg_pool3d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of the elements that a window meets in volumes; arguments as in `avg_pool2d`.

    >>> avg_pool3d([[[[[1.0]]]]], 1, 1, "VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    return pooled(_AVG, input, 3, ksize, strides, padding, data_format, name or "AvgPool3D")


def avg_pool(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """`avg_pool1d`, `avg_pool2d` or `avg_pool3d`, by the rank of the input.

    >>> print(avg_pool([[[1.0], [3.0]]], 2, 2, "VALID")[0, 0])
    tf.Tensor([2.], shape=(1,), dtype=float32)
    """
    x = convert_to_tensor(input)
    axes = axes_of(x, data_format)
    return pooled(_AVG, x, axes, ksize, strides, padding, data_format, name or "AvgPool")
