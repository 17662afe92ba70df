"""Patches that a window covers: as channels, and morphology with a structuring element."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
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
from runtime.ops.base.aliases import Array, Attrs, Namespace
from runtime.ops.base.define import call, define_op, op
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.base.sample_values import numbers
from runtime.ops.conv.windows import Window, padding_of
from runtime.ops.math.elementwise import negative
from runtime.ops.reduce.reduction import reduce_sum


def _window(
    ksizes: Sequence[Any], strides: Sequence[int], padding: str, rates: Sequence[int] | None = None
) -> Window:
    """Return the window that attributes with an entry for each axis describe."""
    dilations = tuple(rates[1:-1]) if rates else (1,) * (len(ksizes) - 2)
    return Window(tuple(ksizes[1:-1]), tuple(strides[1:-1]), dilations, padding)


def _unfolded_spec(x: Tensor, **attrs: Any) -> TensorSpec:
    window = _window(**attrs)
    batch, channels, lengths = window.split(x.spec.dims)
    depth = None if channels is None else channels * prod(window.sizes)
    return x.spec.with_dims((batch, *window.counts(lengths), depth))


def _unfold(xp: Namespace, x: Array, **attrs: Any) -> Array:
    window = _window(**attrs)
    window.split(x.shape)
    return xp.concatenate(window.views(xp, x), axis=-1)


def _fold(xp: Namespace, x: Array, shape: Array, **attrs: Any) -> Array:
    window = _window(**attrs)
    batch, *lengths, channels = (int(dim) for dim in shape)
    result = np.zeros((batch, *window.padded_lengths(lengths), channels), x.dtype)
    counts = known(window.counts(lengths))
    for at, offset in enumerate(window.offsets()):
        result[window.cut(offset, counts)] += x[..., at * channels : (at + 1) * channels]
    return window.unpad(result, lengths)


# The patches of a window as channels.
_UNFOLD = define_op(
    "UnfoldPatches",
    {"input": NUMERIC},
    _unfolded_spec,
    _unfold,
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

# The transpose of `UnfoldPatches`: an image with the sum of the copies of each element.
_FOLD = define_op(
    "FoldPatches",
    {"input": NUMERIC, "shape": INT32},
    lambda x, shape, **attrs: spec_of(x.spec.dtype, static_dims(shape)),
    _fold,
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


def _entries(name: str, value: Sequence[int], count: int, only: str) -> tuple[int, ...]:
    """Return one number for each axis.

    Raises:
      InvalidArgumentError: for another number of entries, or one below 1.
      UnimplementedError: if the entry of batch or channels is not 1.
    """
    numbers = tuple(int(entry) for entry in value)
    if len(numbers) < count:
        raise InvalidArgumentError.of(
            f"Length for attr '{name}' of {len(numbers)} must be at least minimum {count}",
        )
    if len(numbers) > count:
        raise InvalidArgumentError.of(f"`{name}` has {len(numbers)} entries, not {count}")
    if numbers[0] != 1 or numbers[-1] != 1:
        raise UnimplementedError.of(f"{only} Received: {name}={list(numbers)}")
    if min(numbers) < 1:
        raise InvalidArgumentError.of(
            f"`{name}` must be positive. Received: {name}={list(numbers)}"
        )
    return numbers


@op(
    "ExtractVolumePatches",
    {"input": REAL},
    infer=_unfolded_spec,
    kernel=_unfold,
    grad=lambda g, y, x, ksizes, **attrs: (
        _FOLD(g, shape_of(x), ksizes=ksizes, rates=(1,) * len(ksizes), **attrs),
    ),
    samples=(
        sample(
            numbers(1, 3, 3, 2, 1),
            ksizes=(1, 2, 2, 1, 1),
            strides=(1, 2, 1, 1, 1),
            padding="SAME",
        ),
    ),
)
def extract_volume_patches(
    input: TensorLike,
    ksizes: Sequence[int],
    strides: Sequence[int],
    padding: str,
    name: str | None = None,
) -> Tensor:
    """Return the patches of volumes that a window covers, each as channels.

    Args:
      input: Tensor of shape [batch, depth, height, width, channels], real.
      ksizes: lengths of the window, five numbers; the first and the last are 1.
      strides: distances between positions of the window, five numbers likewise.
      padding: "SAME" or "VALID".
      name: name for the operation.

    Returns:
      Tensor of shape [batch, planes, rows, columns, elements of the window * channels].

    Raises:
      InvalidArgumentError, UnimplementedError: for other numbers.

    >>> volume = [[[[[1.0], [2.0], [3.0]]]]]
    >>> print(extract_volume_patches(volume, [1, 1, 1, 2, 1], [1] * 5, "VALID")[0, 0, 0].numpy())
    [[1. 2.]
     [2. 3.]]
    """
    return extract_volume_patches.op(
        input,
        name=name,
        ksizes=_entries("ksizes", ksizes, 5, "Only support ksizes across space."),
        strides=_entries("strides", strides, 5, "Only support strides across space."),
        padding=padding_of(padding, 3, False),
    )


def _check_depth(image: Sequence[Any], filter: Sequence[Any]) -> None:
    if len(image) != 4:
        raise ValueError(f"input must be 4-dimensional: {list(image)}")
    if len(filter) != 3:
        raise ValueError(f"filter must be 3-dimensional: {list(filter)}")
    if None not in (image[-1], filter[-1]) and image[-1] != filter[-1]:
        raise ValueError(f"input and filter must have the same depth: {image[-1]} vs {filter[-1]}")


def _sums(xp: Namespace, x: Array, filter: Array, attrs: Attrs) -> Array:
    """Return the sums of elements and filter: [offsets, batch, rows, columns, channels]."""
    _check_depth(x.shape, filter.shape)
    window = _window((1, *filter.shape[:2], 1), **attrs)
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    views = window.views(xp, x, lowest)
    inside = window.views(xp, xp.ones(x.shape, bool), False)
    parts = zip(window.offsets(), views, inside, strict=True)
    return xp.stack([xp.where(own, view + filter[offset], view) for offset, view, own in parts])


def _dilated_spec(x: Tensor, filter: Tensor, **attrs: Any) -> TensorSpec:
    image, sizes = x.spec.dims, filter.spec.dims
    if image is None or sizes is None:
        return x.spec.with_dims((None,) * 4)
    _check_depth(image, sizes)
    if None in sizes[:2]:
        return x.spec.with_dims((image[0], None, None, image[-1]))
    counts = _window((1, *sizes[:2], 1), **attrs).counts(image[1:-1])
    return x.spec.with_dims((image[0], *counts, image[-1]))


def _dilation_grad(g: Tensor, y: Tensor, x: Tensor, filter: Tensor, **attrs: Any) -> Any:
    """Send the gradient to the element and the filter entry of each largest sum."""
    if not filter.shape.is_fully_defined():
        raise UnimplementedError.of(
            "the gradient of dilation2d needs a filter whose shape is known"
        )
    sizes = known(filter.shape.as_list())
    count = prod(sizes[:2])
    shares = one_hot(_ARGMAX(x, filter, **attrs), count, axis=3, dtype=g.dtype)
    parts = shares * expand_dims(g, 3)
    channels = concat([shape_of(g)[:3], [count * sizes[-1]]], 0)
    by_image = _FOLD(reshape(parts, channels), shape_of(x), ksizes=(1, *sizes[:2], 1), **attrs)
    return by_image, reshape(reduce_sum(parts, [0, 1, 2]), sizes)


_SAMPLE = sample(
    numbers(1, 4, 3, 2),
    0.1 * numbers(2, 2, 2),
    strides=(1, 1, 2, 1),
    rates=(1, 2, 1, 1),
    padding="SAME",
)


@op(
    "Dilation2D",
    {"input": REAL, "filter": REAL},
    infer=_dilated_spec,
    kernel=lambda xp, x, filter, **attrs: xp.max(_sums(xp, x, filter, attrs), axis=0),
    grad=_dilation_grad,
    samples=(_SAMPLE,),
)
def dilation2d(
    input: TensorLike,
    filters: TensorLike,
    strides: Sequence[int],
    padding: str,
    data_format: str,
    dilations: Sequence[int],
    name: str | None = None,
) -> Tensor:
    """Grayscale dilation: the largest sum of the filter and the elements that it covers.

    Args:
      input: Tensor of shape [batch, height, width, channels], real.
      filters: Tensor of the same dtype, of shape [height, width, channels].
      strides: distances between positions of the filter, four numbers; the first and the last
        are 1.
      padding: "SAME" or "VALID"; padding is never the largest.
      data_format: "NHWC".
      dilations: distances between the elements that the filter covers, four numbers likewise.
      name: name for the operation.

    Returns:
      Tensor of shape [batch, rows, columns, channels].

    Raises:
      ValueError: for another format.
      InvalidArgumentError, UnimplementedError: for other numbers, or if the shapes do not fit.

    >>> image = [[[[1.0], [5.0], [2.0]]]]
    >>> print(dilation2d(image, [[[0.0], [1.0]]], [1] * 4, "VALID", "NHWC", [1] * 4)[0, 0, :, 0])
    tf.Tensor([6. 5.], shape=(2,), dtype=float32)
    """
    attrs = _dilation_attrs(strides, padding, data_format, dilations)
    return dilation2d.op(input, filters, name=name, **attrs)


# The offset of the filter that has the largest sum.
_ARGMAX = define_op(
    "Dilation2DPlaces",
    {"input": REAL, "filter": REAL},
    lambda x, filter, **attrs: _dilated_spec(x, filter, **attrs).with_dtype(dtypes.int64),
    lambda xp, x, filter, **attrs: xp.argmax(_sums(xp, x, filter, attrs), axis=0).astype(np.int64),
    samples=(_SAMPLE,),
)


def _dilation_attrs(
    strides: Sequence[int], padding: str, data_format: str, dilations: Sequence[int]
) -> Attrs:
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


def erosion2d(
    value: TensorLike,
    filters: TensorLike,
    strides: Sequence[int],
    padding: str,
    data_format: str,
    dilations: Sequence[int],
    name: str | None = None,
) -> Tensor:
    """Grayscale erosion: the smallest difference of the elements and the reversed filter.

    Args:
      value: the input of `dilation2d`.
      filters, strides, padding, data_format, dilations, name: as of `dilation2d`.

    >>> image = [[[[1.0], [5.0], [2.0]]]]
    >>> print(erosion2d(image, [[[0.0], [1.0]]], [1] * 4, "VALID", "NHWC", [1] * 4)[0, 0, :, 0])
    tf.Tensor([-0.  2.], shape=(2,), dtype=float32)
    """
    attrs = _dilation_attrs(strides, padding, data_format, dilations)
    dilated = dilation2d.op(negative(value), reverse(filters, [0, 1]), **attrs)
    return negative(dilated, name=name)
