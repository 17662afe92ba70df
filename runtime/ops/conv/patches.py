"""What a moving window meets at each stop, as channels, and what grows from such windows."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError, UnimplementedError
from runtime.core.opdef import INT32, NUMERIC, REAL, sample
from runtime.core.shapes import known
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.arranging import reverse
from runtime.ops.array.joining import concat
from runtime.ops.array.one_hot import one_hot
from runtime.ops.array.shaping import expand_dims, reshape
from runtime.ops.base.define import call, define_op
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.base.sample_values import numbers
from runtime.ops.conv.windows import Window, padded, padding_of, spatial_dims, unpadded
from runtime.ops.math.elementwise import negative
from runtime.ops.reduce.reduction import reduce_sum


def _inner(ksizes: Any, strides: Any, rates: Any, padding: str) -> Window:
    """The window that attributes with an entry for each axis describe."""
    return Window(tuple(ksizes[1:-1]), tuple(strides[1:-1]), tuple(rates[1:-1]), padding)


def _volume(ksizes: Any, strides: Any, padding: str) -> Window:
    return _inner(ksizes, strides, (1,) * len(ksizes), padding)


def _unfolded_spec(x: Tensor, window: Window) -> TensorSpec:
    batch, channels, lengths = spatial_dims(x.spec.dims, False, len(window.sizes))
    many = None if channels is None else channels * int(np.prod(window.sizes))
    return x.spec.with_dims((batch, *window.counts(lengths), many))


def _unfolded(xp: Any, x: Any, window: Window) -> Any:
    spatial_dims(x.shape, False, len(window.sizes))
    counts = known(window.counts(x.shape[1:-1]))
    wide = padded(xp, x, window)
    return xp.concatenate([wide[window.cut(place, counts)] for place in window.places()], axis=-1)


def _folded(xp: Any, x: Any, shape: Any, window: Window) -> Any:
    batch, *lengths, channels = (int(dim) for dim in shape)
    result = padded(np, np.zeros((batch, *lengths, channels), x.dtype), window)
    counts = known(window.counts(lengths))
    for at, place in enumerate(window.places()):
        result[window.cut(place, counts)] += x[..., at * channels : (at + 1) * channels]
    return unpadded(result, window, lengths)


_UNFOLD = define_op(
    "UnfoldPatches",
    {"input": NUMERIC},
    lambda x, **attrs: _unfolded_spec(x, _inner(**attrs)),
    lambda xp, x, **attrs: _unfolded(xp, x, _inner(**attrs)),
    grad=lambda g, y, x, **attrs: (call("FoldPatches", g, shape_of(x), **attrs),),
    samples=(
        sample(
            numbers(1, 4, 3, 2),
            ksizes=(1, 2, 2, 1),
            strides=(1, 1, 2, 1),
            rates=(1, 2, 1, 1),
            padding="SAME",
        ),
    ),
)
"""What a window meets at each of its stops, as channels."""

_FOLD = define_op(
    "FoldPatches",
    {"input": NUMERIC, "shape": INT32},
    lambda x, shape, **attrs: spec_of(x.spec.dtype, static_dims(shape)),
    lambda xp, x, shape, **attrs: _folded(xp, x, shape, _inner(**attrs)),
    grad=lambda g, y, x, shape, **attrs: (_UNFOLD(g, **attrs), None),
    samples=(
        sample(
            numbers(1, 2, 2, 8),
            [1, 3, 3, 2],
            ksizes=(1, 2, 2, 1),
            strides=(1, 1, 1, 1),
            rates=(1, 1, 1, 1),
            padding="VALID",
        ),
    ),
)
"""The image of whose elements `UnfoldPatches` has made channels, with the sums of their copies."""


def _volume_grad(
    g: Tensor, y: Tensor, x: Tensor, ksizes: Any, strides: Any, padding: str
) -> tuple[Tensor]:
    attrs = {"ksizes": ksizes, "strides": strides, "padding": padding}
    return (_FOLD(g, shape_of(x), rates=(1,) * len(ksizes), **attrs),)


_VOLUMES = define_op(
    "ExtractVolumePatches",
    {"input": REAL},
    lambda x, **attrs: _unfolded_spec(x, _volume(**attrs)),
    lambda xp, x, **attrs: _unfolded(xp, x, _volume(**attrs)),
    grad=_volume_grad,
    samples=(
        sample(
            numbers(1, 3, 3, 2, 1),
            ksizes=(1, 2, 2, 1, 1),
            strides=(1, 2, 1, 1, 1),
            padding="SAME",
        ),
    ),
)


def _entries(name: str, value: Any, count: int, what: str) -> tuple[int, ...]:
    """Numbers for every axis. Raises InvalidArgumentError or UnimplementedError if they are not."""
    found = tuple(int(entry) for entry in value)
    if len(found) < count:
        raise InvalidArgumentError.of(
            f"Length for attr '{name}' of {len(found)} must be at least minimum {count}"
        )
    if len(found) > count:
        raise InvalidArgumentError.of(f"`{name}` has {len(found)} entries, not {count}")
    if found[0] != 1 or found[-1] != 1:
        raise UnimplementedError.of(f"{what} Received: {name}={list(found)}")
    if min(found) < 1:
        raise InvalidArgumentError.of(f"`{name}` must be positive. Received: {name}={list(found)}")
    return found


def extract_volume_patches(
    input: TensorLike, ksizes: Any, strides: Any, padding: str, name: str | None = None
) -> Tensor:
    """The parts of volumes that a moving window meets, each as a row of channels.

    Args:
      input: real numbers, shape [batch, depth, height, width, channels].
      ksizes: the lengths of the window, five numbers; the first and the last are 1.
      strides: how far it moves, five numbers like these.
      padding: "SAME" or "VALID".
      name: the name of the operation.

    Raises: InvalidArgumentError or UnimplementedError for other numbers.

    >>> extract_volume_patches([[[[[1.0], [2.0]]]]], [1, 1, 1, 2, 1], [1] * 5, "VALID").shape
    TensorShape([1, 1, 1, 1, 2])
    """
    attrs = {
        "ksizes": _entries("ksizes", ksizes, 5, "Only support ksizes across space."),
        "strides": _entries("strides", strides, 5, "Only support strides across space."),
        "padding": padding_of(padding, 3, False),
    }
    return _VOLUMES(input, name=name, **attrs)


def _met(xp: Any, x: Any, filter: Any, attrs: Any) -> Any:
    """The elements that each place of a filter meets, with those of the filter: one row a place."""
    window = _grown_window(filter.shape, **attrs)
    _check_depth(x.shape, filter.shape)
    least = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    wide = padded(xp, x, window, least)
    counts = known(window.counts(x.shape[1:-1]))
    inside = padded(xp, xp.ones(x.shape, bool), window, False)
    rows = []
    for place in window.places():
        cut = window.cut(place, counts)
        rows.append(xp.where(inside[cut], wide[cut] + filter[place], wide[cut]))
    return xp.stack(rows)


def _grown_window(filter: Any, strides: Any, rates: Any, padding: str) -> Window:
    return _inner((1, *filter[:2], 1), strides, rates, padding)


def _check_depth(image: Any, filter: Any) -> None:
    if len(image) != 4:
        raise ValueError(f"input must be 4-dimensional: {list(image)}")
    if len(filter) != 3:
        raise ValueError(f"filter must be 3-dimensional: {list(filter)}")
    if None not in (image[-1], filter[-1]) and image[-1] != filter[-1]:
        raise ValueError(f"input and filter must have the same depth: {image[-1]} vs {filter[-1]}")


def _grown_spec(x: Tensor, filter: Tensor, **attrs: Any) -> TensorSpec:
    image, sizes = x.spec.dims, filter.spec.dims
    if image is None or sizes is None:
        return x.spec.with_dims((None,) * 4)
    _check_depth(image, sizes)
    if None in sizes[:2]:
        return x.spec.with_dims((image[0], None, None, image[-1]))
    counts = _grown_window(sizes, **attrs).counts(image[1:-1])
    return x.spec.with_dims((image[0], *counts, image[-1]))


def _grown_grad(g: Tensor, y: Tensor, x: Tensor, filter: Tensor, **attrs: Any) -> Any:
    """What comes back goes to the element that was the greatest, and its place of the filter."""
    if not filter.shape.is_fully_defined():
        raise UnimplementedError.of(
            "the gradient of dilation2d needs a filter whose shape is known"
        )
    sizes = known(filter.shape.as_list())
    window = {"ksizes": (1, *sizes[:2], 1), **attrs}
    count = int(np.prod(sizes[:2]))
    shares = one_hot(_PLACES(x, filter, **attrs), count, axis=3, dtype=g.dtype)
    parts = shares * expand_dims(g, 3)
    outer = concat([shape_of(g)[:3], [count * sizes[-1]]], 0)
    by_image = _FOLD(reshape(parts, outer), shape_of(x), **window)
    return by_image, reshape(reduce_sum(parts, [0, 1, 2]), sizes)


_GROWING = sample(
    numbers(1, 4, 3, 2),
    0.1 * numbers(2, 2, 2),
    strides=(1, 1, 2, 1),
    rates=(1, 2, 1, 1),
    padding="SAME",
)
_GROWN = define_op(
    "Dilation2D",
    {"input": REAL, "filter": REAL},
    _grown_spec,
    lambda xp, x, filter, **attrs: xp.max(_met(xp, x, filter, attrs), axis=0),
    grad=_grown_grad,
    samples=(_GROWING,),
)
_PLACES = define_op(
    "Dilation2DPlaces",
    {"input": REAL, "filter": REAL},
    lambda x, filter, **attrs: _grown_spec(x, filter, **attrs).with_dtype(dtypes.int64),
    lambda xp, x, filter, **attrs: xp.argmax(_met(xp, x, filter, attrs), axis=0).astype(np.int64),
    samples=(_GROWING,),
)
"""At which place of the filter `Dilation2D` has found the greatest sum."""


def _growing(strides: Any, padding: str, data_format: str, dilations: Any) -> dict[str, Any]:
    if data_format != "NHWC":
        raise ValueError(
            "`data_format` values other  than 'NHWC' are not supported. Received: "
            f"data_format={data_format}"
        )
    only = "is only supported across spatial dimensions."
    return {
        "strides": _entries("strides", strides, 4, f"Stride {only}"),
        "rates": _entries("rates", dilations, 4, f"Rate {only}"),
        "padding": padding_of(padding, 2, False),
    }


def dilation2d(
    input: TensorLike,
    filters: TensorLike,
    strides: Any,
    padding: str,
    data_format: str,
    dilations: Any,
    name: str | None = None,
) -> Tensor:
    """The greatest sums of a filter and the parts of images that it meets, each channel by itself.

    Args:
      input: real numbers, shape [batch, height, width, channels].
      filters: of the same dtype, shape [height, width, channels].
      strides: how far the filter moves, four numbers; the first and the last are 1.
      padding: "SAME" or "VALID".
      data_format: "NHWC".
      dilations: how far apart the elements are that the filter meets, four numbers like these.
      name: the name of the operation.

    Raises: ValueError for another format; InvalidArgumentError or UnimplementedError for other
      numbers, or if the shapes do not fit.

    >>> image = [[[[1.0], [5.0], [2.0]]]]
    >>> print(dilation2d(image, [[[0.0], [1.0]]], [1] * 4, "VALID", "NHWC", [1] * 4)[0, 0, :, 0])
    tf.Tensor([6. 5.], shape=(2,), dtype=float32)
    """
    attrs = _growing(strides, padding, data_format, dilations)
    return _GROWN(input, filters, name=name, **attrs)


def erosion2d(
    value: TensorLike,
    filters: TensorLike,
    strides: Any,
    padding: str,
    data_format: str,
    dilations: Any,
    name: str | None = None,
) -> Tensor:
    """The smallest differences of the parts of images that a turned filter meets, and the filter.

    Arguments as in `dilation2d`.

    >>> image = [[[[1.0], [5.0], [2.0]]]]
    >>> print(erosion2d(image, [[[0.0], [1.0]]], [1] * 4, "VALID", "NHWC", [1] * 4)[0, 0, :, 0])
    tf.Tensor([-0.  2.], shape=(2,), dtype=float32)
    """
    attrs = _growing(strides, padding, data_format, dilations)
    grown = _GROWN(negative(value), reverse(filters, [0, 1]), **attrs)
    return negative(grown, name=name)
