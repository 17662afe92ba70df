"""Pooling by the largest element of each window."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import REAL, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.sample_values import numbers
from runtime.ops.conv.pooling_windows import (
    DEEP,
    FLAT,
    PADDED,
    axes_of,
    parts_of,
    pooled,
    pooled_spec,
    window_of,
)
from runtime.ops.conv.windows import (
    back,
    entries,
    image_blocks,
    last,
    padded,
    padding_of,
    unpadded,
)


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _largest(xp: Any, x: Any, **attrs: Any) -> Any:
    parts, _, first = parts_of(xp, x, attrs, _lowest(x.dtype))
    result = parts[0].copy()
    for part in parts[1:]:
        xp.maximum(result, part, out=result)
    return back(xp, result, first)


def _larger(xp: Any, parts: Sequence[Any]) -> list[Any]:
    """For each place of the window but the first, whether its element exceeds all before it."""
    best, larger = parts[0], []
    for part in parts[1:]:
        larger.append(part > best)
        best = xp.maximum(best, part)
    return larger


def _taken(xp: Any, parts: Sequence[Any]) -> Any:
    """The place of the window that holds the largest element, the first of several."""
    taken = xp.zeros(parts[0].shape, np.int32)
    for number, larger in enumerate(_larger(xp, parts), start=1):
        taken[larger] = number
    return taken


def _largest_back(xp: Any, x: Any, y: Any, g: Any, **attrs: Any) -> Any:
    """Send the gradient of each window to its largest element.

    The last place that exceeds all before it holds the largest element, so the places take their
    share in reverse order from what is left. Bit patterns times 0 or 1 select without branches,
    which a processor cannot predict here, and keep infinities apart.
    """
    window, first = window_of(attrs)
    image, gradient = last(xp, x, first), last(xp, g, first)
    cuts = [window.cut(place, gradient.shape[1:-1]) for place in window.places()]
    wide = padded(xp, image, window, _lowest(x.dtype))
    result = np.zeros(wide.shape, g.dtype)
    bits = np.dtype(f"i{g.dtype.itemsize}")
    for images in image_blocks(len(wide), wide[:1].nbytes):
        own, target = wide[images], result[images]
        left = gradient[images].copy().view(bits)
        # Copies: the loops over a part with few channels are short, and three functions read it.
        larger = _larger(np, [np.ascontiguousarray(own[cut]) for cut in cuts])
        shares = []
        for exceeds in larger[::-1]:
            shares.append(left * exceeds)
            left ^= shares[-1]
        for cut, share in zip(cuts, [left, *shares[::-1]], strict=True):
            if window.overlaps():
                target[cut] += share.view(g.dtype)
            else:
                target[cut] = share.view(g.dtype)
    return back(xp, unpadded(result, window, image.shape[1:-1]), first)


def _largest_on(xp: Any, x: Any, y: Any, g: Any, **attrs: Any) -> Any:
    parts, _, first = parts_of(xp, x, attrs, _lowest(x.dtype))
    taken = _taken(xp, parts)
    picked, _, _ = parts_of(xp, g, attrs, 0)
    result = xp.zeros(taken.shape, g.dtype)
    for number, part in enumerate(picked):
        result = xp.where(taken == number, part, result)
    return back(xp, result, first)


def _largest_family(suffix: str, cases: Any) -> Op:
    names = (f"MaxPool{suffix}", f"MaxPool{suffix}Grad", f"MaxPool{suffix}GradGrad")

    def grad(g: Tensor, y: Tensor, x: Tensor, **attrs: Any) -> tuple[Tensor]:
        return (call(names[1], x, y, g, **attrs),)

    def back_grad(u: Tensor, z: Tensor, x: Tensor, y: Tensor, g: Tensor, **attrs: Any) -> Any:
        return None, None, call(names[2], x, y, u, **attrs)

    def on_grad(u: Tensor, z: Tensor, x: Tensor, y: Tensor, g: Tensor, **attrs: Any) -> Any:
        return None, None, call(names[1], x, y, u, **attrs)

    three = {"orig_input": REAL, "orig_output": REAL, "grad": REAL}
    define_op(
        names[1],
        three,
        lambda x, y, g, **attrs: x.spec,
        _largest_back,
        grad=back_grad,
        samples=tuple(sample(x, y, y, **attrs) for x, y, attrs in cases),
    )
    define_op(
        names[2],
        three,
        lambda x, y, g, **attrs: y.spec,
        _largest_on,
        grad=on_grad,
        samples=tuple(sample(x, y, x, **attrs) for x, y, attrs in cases),
    )
    return define_op(
        names[0],
        {"input": REAL},
        pooled_spec,
        _largest,
        grad=grad,
        samples=tuple(sample(x, **attrs) for x, _, attrs in cases),
    )


_MAX = {4: _largest_family("", (*FLAT, PADDED)), 5: _largest_family("3D", DEEP)}


def max_pool1d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:
    """The largest of the elements that a window meets; arguments as in `max_pool2d`.

    >>> print(max_pool1d([[[1.0], [3.0], [2.0], [0.0]]], 2, 2, "VALID")[0, :, 0])
    tf.Tensor([3. 2.], shape=(2,), dtype=float32)
    """
    return pooled(_MAX, input, 1, ksize, strides, padding, data_format, name or "MaxPool1d")


def max_pool2d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The largest of the elements that a window meets.

    Args:
      input: real numbers, shape [batch, height, width, channels].
      ksize: the lengths of the window: one number, one for height and width each, or four.
      strides: how far the window moves, in the same form.
      padding: "SAME", "VALID", or a pair of what is added before and behind for each of the four
        axes.
      data_format: "NHWC", or "NCHW" for images with the channels first.

    Raises: ValueError for arguments of another form; InvalidArgumentError if the window is larger
      than the image.

    >>> print(max_pool2d([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2, 2, "VALID")[0, 0, 0])
    tf.Tensor([4.], shape=(1,), dtype=float32)
    """
    return pooled(_MAX, input, 2, ksize, strides, padding, data_format, name or "MaxPool2d")


def max_pool3d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The largest of the elements that a window meets in volumes; arguments as in `max_pool2d`.

    >>> max_pool3d([[[[[1.0]]]]], 1, 1, "VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    return pooled(_MAX, input, 3, ksize, strides, padding, data_format, name or "MaxPool3D")


def max_pool(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """`max_pool1d`, `max_pool2d` or `max_pool3d`, by the rank of the input.

    >>> print(max_pool([[[1.0], [3.0]]], 2, 2, "VALID")[0, 0])
    tf.Tensor([3.], shape=(1,), dtype=float32)
    """
    x = convert_to_tensor(input)
    axes = axes_of(x, data_format)
    return pooled(_MAX, x, axes, ksize, strides, padding, data_format, name or "MaxPool")


def _argmax_spec(
    x: Tensor, Targmax: DType, include_batch_in_index: bool, **attrs: Any
) -> tuple[TensorSpec, TensorSpec]:
    spec = pooled_spec(x, **attrs, data_format="NHWC")
    return spec, spec.with_dtype(Targmax)


def _with_argmax(
    xp: Any, x: Any, Targmax: DType, include_batch_in_index: bool, **attrs: Any
) -> tuple[Any, Any]:
    attrs["data_format"] = "NHWC"
    places = xp.arange(x.size).reshape(x.shape)
    if not include_batch_in_index:
        places = places % prod(x.shape[1:])
    parts, _, _ = parts_of(xp, x, attrs, _lowest(x.dtype))
    numbers, _, _ = parts_of(xp, places, attrs, 0)
    taken = _taken(xp, parts)[None]
    best = xp.take_along_axis(xp.stack(parts), taken, axis=0)[0]
    where = xp.take_along_axis(xp.stack(numbers), taken, axis=0)[0]
    return best, where.astype(Targmax.numpy_dtype)


def _argmax_grad(
    g: Any, y: Any, x: Tensor, Targmax: DType, include_batch_in_index: bool, **attrs: Any
) -> tuple[Tensor]:
    return (call("MaxPoolGrad", x, y[0], g[0], data_format="NHWC", **attrs),)


_WITH_ARGMAX = define_op(
    "MaxPoolWithArgmax",
    {"input": REAL},
    _argmax_spec,
    _with_argmax,
    outputs=2,
    grad=_argmax_grad,
    samples=(
        sample(
            numbers(2, 3, 2, 2),
            Targmax=dtypes.int64,
            include_batch_in_index=True,
            ksize=(1, 2, 2, 1),
            strides=(1, 1, 1, 1),
            padding="SAME",
            explicit_paddings=(),
        ),
    ),
)


def max_pool_with_argmax(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`max_pool2d`, and where in the flattened image each of the largest stands.

    Args:
      input, ksize, strides: as in `max_pool2d`.
      padding: "SAME" or "VALID".
      data_format: "NHWC".
      output_dtype: int32 or int64, the dtype of the positions.
      include_batch_in_index: whether positions count through all images.

    Raises: ValueError for another format.

    >>> print(max_pool_with_argmax([[[[1.0]], [[3.0]]]], [2, 1], 1, "VALID")[1][0, 0, 0])
    tf.Tensor([1], shape=(1,), dtype=int64)
    """
    if data_format != "NHWC":
        raise ValueError(f"`data_format` must be 'NHWC'. Received: data_format={data_format}")
    values, places = _WITH_ARGMAX.outputs(
        input,
        Targmax=dtypes.as_dtype(output_dtype),
        include_batch_in_index=bool(include_batch_in_index),
        ksize=(1, *entries(ksize, 2, "ksize", 3), 1),
        strides=(1, *entries(strides, 2, "strides", 3), 1),
        padding=padding_of(padding, 2, False),
        explicit_paddings=(),
        name=name,
    )
    return values, places
