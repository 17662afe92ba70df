"""What both kinds of pooling have in common: windows, shapes, arguments, samples."""

from __future__ import annotations

from typing import Any

from runtime.core.shapes import known
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims, squeeze
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op
from runtime.ops.base.sample_values import numbers
from runtime.ops.conv.windows import (
    Window,
    channels_first,
    described,
    entries,
    image_dims,
    inner_entries,
    last,
    moving,
    outer,
    padded,
    spatial_dims,
)


def window_of(attrs: Any) -> tuple[Window, bool]:
    """The window that the attributes describe, and whether channels come first."""
    axes = max(1, min(3, len(attrs["data_format"]) - 2))
    first = channels_first(attrs["data_format"], axes)
    sizes = inner_entries("ksize", attrs["ksize"], axes, first)
    if min(sizes) < 1:
        raise ValueError(f"ksize must be positive. Received: ksize={attrs['ksize']}")
    return described(attrs, sizes)


def pooled_spec(x: Tensor, **attrs: Any) -> TensorSpec:
    """Dtype and shape of a pooled image."""
    window, first = window_of(attrs)
    axes = len(window.sizes)
    batch, channels, lengths = spatial_dims(x.spec.dims, first, axes)
    return x.spec.with_dims(image_dims(batch, channels, window.counts(lengths), first))


def parts_of(xp: Any, x: Any, attrs: Any, fill: Any) -> tuple[list[Any], Window, bool]:
    """What each place of the window meets, channels last."""
    window, first = window_of(attrs)
    spatial_dims(x.shape, first, len(window.sizes))
    image = last(xp, x, first)
    counts = known(window.counts(image.shape[1:-1]))
    _check_margins(window)
    wide = padded(xp, image, window, fill)
    return [wide[window.cut(place, counts)] for place in window.places()], window, first


def _check_margins(window: Window) -> None:
    """Raises ValueError if some stop of the window would meet nothing of the image."""
    if isinstance(window.padding, str):
        return
    for pair, size in zip(window.padding, window.sizes, strict=True):
        for margin in pair:
            if margin >= size:
                raise ValueError(f"Padding {margin} needs to be smaller than kernel size {size}")


def sample_attrs(
    size: int, stride: int, padding: str, data_format: str = "NHWC", explicit: tuple[int, ...] = ()
) -> dict[str, Any]:
    """Attributes, for samples."""
    axes = len(data_format) - 2
    first = data_format[1] == "C"
    sizes, strides = (size,) * axes, (stride,) * axes
    return {
        "ksize": (1, 1, *sizes) if first else (1, *sizes, 1),
        "strides": (1, 1, *strides) if first else (1, *strides, 1),
        "padding": padding,
        "explicit_paddings": explicit,
        "data_format": data_format,
    }


FLAT = (
    (numbers(1, 4, 3, 2), numbers(1, 2, 2, 2), sample_attrs(2, 2, "SAME")),
    (numbers(1, 1, 3, 3), numbers(1, 1, 2, 2), sample_attrs(2, 1, "VALID", "NCHW")),
)
PADDED = (
    numbers(1, 2, 2, 1),
    numbers(1, 2, 3, 1),
    sample_attrs(2, 1, "EXPLICIT", explicit=(0, 0, 1, 0, 1, 1, 0, 0)),
)
DEEP = ((numbers(1, 3, 2, 2, 1), numbers(1, 2, 1, 1, 1), sample_attrs(2, 2, "SAME", "NDHWC")),)


def pooled(
    ops: dict[int, Op],
    input: TensorLike,
    axes: int,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    name: str | None,
) -> Tensor:
    """Pools along 1, 2 or 3 axes, with arguments as the public functions have them.

    Args:
      ops: the op for images with 4 and with 5 dimensions.
      input, ksize, strides, padding, data_format, name: as in the public functions.
      axes: how many axes are pooled.
    """
    first = channels_first(data_format, axes)
    sizes = entries(ksize, axes, "ksize", 1 if first else axes + 1)
    attrs = moving(axes, strides, padding, data_format)
    if min(sizes) <= 0:
        raise ValueError(f"ksize must be positive. Received: ksize={ksize}")
    x = convert_to_tensor(input)
    if axes == 1:
        return _pooled_flat(
            ops, x, sizes, attrs["strides"][2 if first else 1], padding, first, name
        )
    return ops[axes + 2](x, name=name, ksize=outer(sizes, first), **attrs)


def _pooled_flat(
    ops: dict[int, Op],
    x: Tensor,
    sizes: tuple[int, ...],
    step: int,
    padding: Any,
    first: bool,
    name: str | None,
) -> Tensor:
    """Pooling of a sequence: of an image with one row."""
    if not isinstance(padding, str):
        padding = list(padding)
        padding.insert(2 if first else 1, [0, 0])
    axis, form = (2, "NCHW") if first else (1, "NHWC")
    wide = expand_dims(x, axis)
    image = pooled(ops, wide, 2, [1, *sizes], [1, step], padding, form, None)
    return squeeze(image, axis, name=name)


def axes_of(x: Tensor, data_format: str | None) -> int:
    """How many axes are pooled. Raises ValueError unless the image has 3, 4 or 5 dimensions."""
    rank = x.shape.rank if data_format is None else len(data_format)
    if rank not in (3, 4, 5):
        raise ValueError(
            f"Input tensor must be of rank 3, 4 or 5 but was {rank if rank is not None else x}."
        )
    return rank - 2
