"""What convolutions and pooling have in common: windows that move over an image."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from runtime.core.errors import InvalidArgumentError, UnimplementedError
from runtime.core.shapes import Dims

Padding = str | tuple[tuple[int, int], ...]

CACHED = 1 << 20
"""Bytes that kernels process at a time: with their temporaries they fit in a 2 MiB L2 cache."""

_KINDS = ("SAME", "VALID")


def _not_allowed(attr: str, value: Any, known: Sequence[str]) -> str:
    return (
        f"Value for attr '{attr}' of \"{value}\" is not in the list of allowed values: "
        + ", ".join(f'"{word}"' for word in known)
    )


@dataclass(frozen=True)
class Window:
    """How a window moves, for each spatial axis.

    Attributes:
      sizes: its lengths.
      strides: how far it moves at a time.
      dilations: how far apart the elements are that it meets.
      padding: "SAME", "VALID", or how much is added before and behind.
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    padding: Padding

    def __post_init__(self) -> None:
        """Raise ValueError unless the window moves forward over what the padding leaves."""
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
        """How many elements it spans."""
        return (self.sizes[axis] - 1) * self.dilations[axis] + 1

    def margins(self, axis: int, length: int) -> tuple[int, int]:
        """How much is added before and behind."""
        if self.padding == "VALID":
            return 0, 0
        if self.padding == "SAME":
            stride = self.strides[axis]
            missing = (-(-length // stride) - 1) * stride + self.reach(axis) - length
            missing = max(missing, 0)
            return missing // 2, missing - missing // 2
        assert not isinstance(self.padding, str)
        return self.padding[axis]

    def positions(self, axis: int, length: int | None) -> int | None:
        """In how many places it stops. Raises ValueError if it does not fit."""
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
        """In how many places it stops along each axis."""
        return tuple(self.positions(axis, length) for axis, length in enumerate(lengths))

    def overlaps(self) -> bool:
        """Whether two positions of the window share elements."""
        return any(self.reach(axis) > stride for axis, stride in enumerate(self.strides))

    def padded_lengths(self, lengths: Sequence[int]) -> tuple[int, ...]:
        """The lengths of an image with its margins."""
        return tuple(n + sum(self.margins(axis, n)) for axis, n in enumerate(lengths))

    def places(self) -> Iterator[tuple[int, ...]]:
        """The places inside the window."""
        return product(*map(range, self.sizes))

    def cut(self, place: tuple[int, ...], counts: Sequence[int]) -> tuple[slice, ...]:
        """The elements of a padded image that one place of the window meets."""
        steps = zip(place, self.dilations, self.strides, counts, strict=True)
        return (
            slice(None),
            *(slice(p * d, p * d + (n - 1) * s + 1 if n else p * d, s) for p, d, s, n in steps),
        )


def entries(value: Any, count: int, what: str, channel_axis: int) -> tuple[int, ...]:
    """One number for each spatial axis, from one number, as many, or one for every axis.

    Raises: ValueError for another number of entries; UnimplementedError if batch or channels are
      to be skipped.
    """
    if value is None:
        return (1,) * count
    if not isinstance(value, (list, tuple)):
        return (int(value),) * count
    numbers = tuple(int(entry) for entry in value)
    if len(numbers) == 1:
        return numbers * count
    if len(numbers) == count:
        return numbers
    if len(numbers) != count + 2:
        raise ValueError(
            f"{what} should be of length 1, {count} or {count + 2}. Received: {what}={value} of "
            f"length {len(numbers)}"
        )
    if numbers[0] != 1 or numbers[channel_axis] != 1:
        raise UnimplementedError.of(
            f"Current implementation does not yet support {what} in the batch and depth "
            f"dimensions. Received: {what}={value}",
        )
    return numbers[1:-1] if channel_axis in (-1, count + 1) else numbers[2:]


def channels_first(data_format: str | None, count: int) -> bool:
    """Whether channels come first. Raises InvalidArgumentError for an unknown format."""
    letters = "DHW"[-count:]
    known = (f"N{letters}C", f"NC{letters}")
    if data_format not in (None, *known):
        raise InvalidArgumentError.of(_not_allowed("data_format", data_format, known))
    return data_format == known[1]


def padding_of(padding: Any, count: int, first: bool) -> Padding:
    """A padding argument in one form. Raises InvalidArgumentError or ValueError if it is none."""
    if isinstance(padding, str):
        if padding.upper() not in ("SAME", "VALID"):
            raise InvalidArgumentError.of(
                f"Value for attr 'padding' of \"{padding}\" is not in the list of allowed values: "
                '"SAME", "VALID", or a list of pairs',
            )
        return padding.upper()
    pairs = tuple((int(before), int(behind)) for before, behind in padding)
    if len(pairs) != count + 2:
        raise ValueError(
            f"An explicit `padding` needs one pair for each of {count + 2} axes. Received: "
            f"padding={padding}"
        )
    return pairs[2:] if first else pairs[1:-1]


def outer(inner: tuple[int, ...], first: bool) -> tuple[int, ...]:
    """Numbers for the spatial axes as numbers for every axis: 1 for batch and channels."""
    return (1, 1, *inner) if first else (1, *inner, 1)


def moving(axes: int, strides: Any, padding: Any, data_format: str | None) -> dict[str, Any]:
    """The attributes that say how a window moves over images, from the arguments of a user."""
    first = channels_first(data_format, axes)
    kind = padding_of(padding, axes, first)
    explicit: tuple[int, ...] = ()
    if not isinstance(kind, str):
        explicit = tuple(entry for pair in padding for entry in map(int, pair))
    return {
        "strides": outer(entries(strides, axes, "strides", 1 if first else axes + 1), first),
        "padding": kind if isinstance(kind, str) else "EXPLICIT",
        "explicit_paddings": explicit,
        "data_format": data_format or {1: "NWC", 2: "NHWC", 3: "NDHWC"}[axes],
    }


def described(
    attrs: Mapping[str, Any], sizes: Sequence[Any], dilations: tuple[int, ...] | None = None
) -> tuple[Window, bool]:
    """The window that the attributes of an op describe, and whether channels come first.

    Args:
      attrs: what `moving` gives.
      sizes: the lengths of the window.
      dilations: one for every axis; None: 1.
    """
    axes = len(sizes)
    first = channels_first(attrs["data_format"], axes)
    apart = (1,) * (axes + 2) if dilations is None else dilations
    window = Window(
        tuple(sizes),
        inner_entries("strides", attrs["strides"], axes, first),
        inner_entries("dilations", apart, axes, first),
        _padding(attrs["padding"], attrs["explicit_paddings"], axes, first),
    )
    return window, first


def inner_entries(attr: str, numbers: Sequence[int], axes: int, first: bool) -> tuple[int, ...]:
    """The entries for the spatial axes; the others have to be 1."""
    if len(numbers) != axes + 2:
        raise ValueError(f"{attr} must contain {axes + 2} values, but got: {len(numbers)}")
    inner = tuple(numbers[2:]) if first else tuple(numbers[1:-1])
    if outer(inner, first) != tuple(numbers):
        raise UnimplementedError.of(
            f"Current implementation does not yet support {attr} in the batch and depth "
            f"dimensions. Received: {attr}={list(numbers)}",
        )
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


def last(xp: Any, x: Any, first: bool) -> Any:
    """The array with its channels last."""
    return xp.moveaxis(x, 1, -1) if first else x


def back(xp: Any, x: Any, first: bool) -> Any:
    """The array with its channels where they were."""
    return xp.moveaxis(x, -1, 1) if first else x


def padded(xp: Any, x: Any, window: Window, value: Any = 0) -> Any:
    """The image, channels last, with what the window reaches beyond it."""
    margins = [window.margins(axis, length) for axis, length in enumerate(x.shape[1:-1])]
    if not any(map(any, margins)):
        return x
    return xp.pad(x, [(0, 0), *margins, (0, 0)], constant_values=value)


def unpadded(x: Any, window: Window, lengths: Sequence[int]) -> Any:
    """The image without what was added to it."""
    starts = [window.margins(axis, length)[0] for axis, length in enumerate(lengths)]
    parts = zip(starts, lengths, strict=True)
    return x[(slice(None), *(slice(start, start + length) for start, length in parts))]


def image_blocks(count: int, size: int) -> list[slice]:
    """Ranges of the images of a batch that fit in the cache, at least one image each.

    Args:
      count: number of images.
      size: bytes that the work on one image takes.

    >>> image_blocks(3, CACHED // 2)
    [slice(0, 2, None), slice(2, 4, None)]
    """
    step = max(1, CACHED // max(1, size))
    return [slice(at, at + step) for at in range(0, count, step)]


def spatial_dims(dims: Dims, first: bool, count: int) -> tuple[Any, Any, tuple[Any, ...]]:
    """Batch, channels and spatial lengths of an image."""
    if dims is None:
        return None, None, (None,) * count
    if len(dims) != count + 2:
        raise ValueError(f"input must be {count + 2}-dimensional: {list(dims)}")
    return (dims[0], dims[1], dims[2:]) if first else (dims[0], dims[-1], dims[1:-1])


def image_dims(batch: Any, channels: Any, lengths: Sequence[Any], first: bool) -> tuple[Any, ...]:
    """The shape of an image."""
    return (batch, channels, *lengths) if first else (batch, *lengths, channels)
