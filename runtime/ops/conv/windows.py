"""Windows that move over images: the geometry that convolution, pooling and patches share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from runtime.core.errors import InvalidArgumentError, UnimplementedError
from runtime.core.node_form import NodeForm
from runtime.core.shapes import Dims, known
from runtime.ops.base.aliases import Array, Attrs, Ints, Namespace

Padding = str | tuple[tuple[int, int], ...]
""" "SAME", "VALID", or the padding before and after each spatial axis."""

WITHOUT_PADDINGS = NodeForm(fixed={"explicit_paddings": ()})
"""The form of an op type that has no explicit paddings in TensorFlow."""

PaddingArgument = str | Sequence[Sequence[int]]
""" "SAME", "VALID", or the padding before and after each axis, batch and channels included."""

CACHED = 1 << 20
"""Bytes that kernels process at a time: with their temporaries they fit in a 2 MiB L2 cache."""

_KINDS = ("SAME", "VALID")


@dataclass(frozen=True)
class Window:
    """A window over the spatial axes of an image, and how it moves.

    Attributes:
      sizes: its length along each axis.
      strides: the distance between positions of the window.
      dilations: the distance between the elements that it covers.
      padding: "SAME", "VALID", or the padding before and after each axis.
      channels_first: whether images have shape [batch, channels, ...].
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    padding: Padding
    channels_first: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown padding or a number that is too small."""
        if isinstance(self.padding, str):
            if self.padding not in _KINDS:
                raise ValueError(_not_allowed("padding", self.padding, (*_KINDS, "EXPLICIT")))
        elif any(margin < 0 for pair in self.padding for margin in pair):
            raise ValueError("All elements of explicit_paddings must be nonnegative")
        for stride in self.strides:
            if stride < 1:
                raise ValueError(f"Stride must be > 0, but got {stride}")
        for dilation in self.dilations:
            if dilation < 1:
                raise ValueError(f"Dilation rate must be >= 1, but got {dilation}")

    def reach(self, axis: int) -> int:
        """Return the number of elements from the first to the last one covered."""
        return (self.sizes[axis] - 1) * self.dilations[axis] + 1

    def margins(self, axis: int, length: int) -> tuple[int, int]:
        """Return the padding before and after an axis; "SAME" as TensorFlow's guide defines it."""
        if self.padding == "VALID":
            return 0, 0
        if self.padding == "SAME":
            stride = self.strides[axis]
            missing = (-(-length // stride) - 1) * stride + self.reach(axis) - length
            missing = max(missing, 0)
            return missing // 2, missing - missing // 2
        assert not isinstance(self.padding, str)
        return self.padding[axis]

    def _count(self, axis: int, length: int | None) -> int | None:
        if length is None:
            return None
        rest = length + sum(self.margins(axis, length)) - self.reach(axis)
        if rest < 0:
            raise ValueError(
                f"Computed output size would be negative: {rest // self.strides[axis] + 1} "
                f"[input_size: {length}, effective_filter_size: {self.reach(axis)}, stride: "
                f"{self.strides[axis]}]"
            )
        return rest // self.strides[axis] + 1

    def counts(self, lengths: Sequence[int | None]) -> tuple[int | None, ...]:
        """Return the number of positions along each axis. Raise ValueError if there are none."""
        return tuple(self._count(axis, length) for axis, length in enumerate(lengths))

    def overlaps(self) -> bool:
        """Return whether two positions of the window share elements."""
        return any(self.reach(axis) > stride for axis, stride in enumerate(self.strides))

    def padded_lengths(self, lengths: Sequence[int]) -> tuple[int, ...]:
        """Return the lengths of a padded image."""
        return tuple(n + sum(self.margins(axis, n)) for axis, n in enumerate(lengths))

    def offsets(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the elements of the window, in row-major order."""
        return product(*map(range, self.sizes))

    def cut(self, offset: tuple[int, ...], counts: Sequence[int]) -> tuple[slice, ...]:
        """Return the index of the elements that one offset covers, for all positions."""
        steps = zip(offset, self.dilations, self.strides, counts, strict=True)
        return (
            slice(None),
            *(slice(p * d, p * d + (n - 1) * s + 1 if n else p * d, s) for p, d, s, n in steps),
        )

    def views(self, xp: Namespace, image: Array, fill: float = 0) -> list[Array]:
        """Return for each offset what it covers of an image with channels last."""
        counts = known(self.counts(image.shape[1:-1]))
        wide = self.pad(xp, image, fill)
        return [wide[self.cut(offset, counts)] for offset in self.offsets()]

    def pad(self, xp: Namespace, image: Array, fill: float = 0) -> Array:
        """Pad an image with channels last."""
        margins = [self.margins(axis, length) for axis, length in enumerate(image.shape[1:-1])]
        if not any(map(any, margins)):
            return image
        return xp.pad(image, [(0, 0), *margins, (0, 0)], constant_values=fill)

    def unpad(self, image: Array, lengths: Sequence[int]) -> Array:
        """Remove the padding of an image that had these lengths."""
        starts = [self.margins(axis, length)[0] for axis, length in enumerate(lengths)]
        parts = zip(starts, lengths, strict=True)
        return image[(slice(None), *(slice(start, start + length) for start, length in parts))]

    def channels_last(self, xp: Namespace, image: Array) -> Array:
        """Move the channels of an image last."""
        return xp.moveaxis(image, 1, -1) if self.channels_first else image

    def restore(self, xp: Namespace, image: Array) -> Array:
        """Undo `channels_last`."""
        return xp.moveaxis(image, -1, 1) if self.channels_first else image

    def split(self, dims: Dims) -> tuple[Any, Any, tuple[Any, ...]]:
        """Return batch, channels and lengths of a shape. Raise ValueError for another rank."""
        return split_dims(dims, len(self.sizes), self.channels_first)

    def join(self, batch: object, channels: object, lengths: Sequence[Any]) -> tuple[Any, ...]:
        """Return the shape of an image; undoes `split`."""
        return join_dims(batch, channels, lengths, self.channels_first)


def split_dims(dims: Dims, axes: int, first: bool) -> tuple[Any, Any, tuple[Any, ...]]:
    """Return batch, channels and lengths of a shape. Raise ValueError for another rank."""
    if dims is None:
        return None, None, (None,) * axes
    if len(dims) != axes + 2:
        raise ValueError(f"input must be {axes + 2}-dimensional: {list(dims)}")
    return (dims[0], dims[1], dims[2:]) if first else (dims[0], dims[-1], dims[1:-1])


def join_dims(
    batch: object, channels: object, lengths: Sequence[Any], first: bool
) -> tuple[Any, ...]:
    """Return the shape of an image; undoes `split_dims`."""
    return (batch, channels, *lengths) if first else (batch, *lengths, channels)


def image_blocks(count: int, size: int) -> list[slice]:
    """Divide a batch into ranges of images that fit in the cache, at least one image each.

    Args:
      count: number of images.
      size: bytes that the work on one image takes.

    >>> image_blocks(3, CACHED // 2)
    [slice(0, 2, None), slice(2, 4, None)]
    """
    step = max(1, CACHED // max(1, size))
    return [slice(at, at + step) for at in range(0, count, step)]


def _not_allowed(attr: str, value: object, known: Sequence[str]) -> str:
    return (
        f"Value for attr '{attr}' of \"{value}\" is not in the list of allowed values: "
        + ", ".join(f'"{word}"' for word in known)
    )


def _across_images(attr: str, value: object) -> UnimplementedError:
    return UnimplementedError.of(
        f"Current implementation does not yet support {attr} in the batch and depth dimensions. "
        f"Received: {attr}={value}"
    )


def entries(value: Ints, axes: int, what: str, channel_axis: int) -> tuple[int, ...]:
    """Return one number for each spatial axis.

    Args:
      value: one number, one for each spatial axis, or one for every axis; None: 1.
      axes: number of spatial axes.
      what: the name of the argument.
      channel_axis: where an argument for every axis has that of the channels.

    Raises:
      ValueError: for another number of entries, or no integers.
      UnimplementedError: if the entry of batch or channels is not 1.
    """
    if value is None:
        return (1,) * axes
    try:
        given = value if isinstance(value, (list, tuple)) else (value,)
        numbers = tuple(int(entry) for entry in given)
    except (TypeError, ValueError):
        raise ValueError(f"{what} should be integers. Received: {what}={value!r}") from None
    if len(numbers) == 1:
        return numbers * axes
    if len(numbers) == axes:
        return numbers
    if len(numbers) != axes + 2:
        raise ValueError(
            f"{what} should be of length 1, {axes} or {axes + 2}. Received: {what}={value} of "
            f"length {len(numbers)}"
        )
    if numbers[0] != 1 or numbers[channel_axis] != 1:
        raise _across_images(what, value)
    return numbers[1:-1] if channel_axis in (-1, axes + 1) else numbers[2:]


def channels_first(data_format: str | None, axes: int) -> bool:
    """Return whether channels come first. Raise InvalidArgumentError for an unknown format."""
    letters = "HW"[-axes:]
    formats = (f"N{letters}C", f"NC{letters}")
    if data_format not in (None, *formats):
        raise InvalidArgumentError.of(_not_allowed("data_format", data_format, formats))
    return data_format == formats[1]


def padding_of(padding: PaddingArgument, axes: int, first: bool) -> Padding:
    """Check a padding argument. Raise InvalidArgumentError or ValueError for another form."""
    if isinstance(padding, str):
        if padding.upper() not in _KINDS:
            text = _not_allowed("padding", padding, _KINDS)
            raise InvalidArgumentError.of(f"{text}, or a list of pairs")
        return padding.upper()
    pairs = tuple((int(before), int(after)) for before, after in padding)
    if len(pairs) != axes + 2:
        raise ValueError(
            f"An explicit `padding` needs one pair for each of {axes + 2} axes. Received: "
            f"padding={padding}"
        )
    return pairs[2:] if first else pairs[1:-1]


def outer(inner: tuple[int, ...], first: bool) -> tuple[int, ...]:
    """Return entries for every axis: 1 for batch and channels."""
    return join_dims(1, 1, inner, first)


def window_attrs(
    axes: int, strides: Ints, padding: PaddingArgument, data_format: str | None
) -> dict[str, Any]:
    """Return the attributes that all ops over windows have, from the arguments of a user."""
    first = channels_first(data_format, axes)
    kind = padding_of(padding, axes, first)
    explicit = () if isinstance(kind, str) else [int(margin) for pair in padding for margin in pair]
    return {
        "strides": outer(entries(strides, axes, "strides", 1 if first else axes + 1), first),
        "padding": kind if isinstance(kind, str) else "EXPLICIT",
        "explicit_paddings": tuple(explicit),
        "data_format": data_format or {1: "NWC", 2: "NHWC"}[axes],
    }


def window_of(attrs: Attrs, sizes: Sequence[Any]) -> Window:
    """Return the window that the attributes of an op describe.

    Args:
      attrs: those of `window_attrs`, and "dilations" with one number for every axis if there are.
      sizes: the lengths of the window.
    """
    axes = len(sizes)
    first = channels_first(attrs["data_format"], axes)
    return Window(
        tuple(sizes),
        inner_entries("strides", attrs["strides"], axes, first),
        inner_entries("dilations", attrs.get("dilations", (1,) * (axes + 2)), axes, first),
        _padding(attrs["padding"], attrs["explicit_paddings"], axes, first),
        first,
    )


def inner_entries(attr: str, numbers: Sequence[int], axes: int, first: bool) -> tuple[int, ...]:
    """Return the entries of an attribute for the spatial axes; the others must be 1."""
    if len(numbers) != axes + 2:
        raise ValueError(f"{attr} must contain {axes + 2} values, but got: {len(numbers)}")
    inner = tuple(numbers[2:]) if first else tuple(numbers[1:-1])
    if outer(inner, first) != tuple(numbers):
        raise _across_images(attr, list(numbers))
    return inner


def _padding(kind: str, explicit: Sequence[int], axes: int, first: bool) -> Padding:
    if kind != "EXPLICIT":
        if explicit:
            raise ValueError(
                "explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT"
            )
        return kind
    if len(explicit) != 2 * (axes + 2):
        raise ValueError(
            f"explicit_paddings attribute must contain {2 * (axes + 2)} values, but got: "
            f"{len(explicit)}"
        )
    pairs = tuple(zip(explicit[::2], explicit[1::2], strict=True))
    inner = pairs[2:] if first else pairs[1:-1]
    if sum(map(any, pairs)) != sum(map(any, inner)):
        raise ValueError(
            "Nonzero explicit padding in the batch or depth dimensions is not supported"
        )
    return inner
