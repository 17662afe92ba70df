"""Windows that move over images: the geometry that convolution and pooling share.

Images have their channels last: [batch, *lengths, channels].
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from runtime.core.aliases import Array, Ints, Namespace
from runtime.core.errors import UnimplementedError
from runtime.core.node_form import NodeForm
from runtime.core.shapes import Dims, known

CACHED = 1 << 20
"""Bytes that kernels process at a time: with their temporaries they fit in a 2 MiB L2 cache."""

FORM = NodeForm(
    encode=dict.fromkeys(("ksize", "strides", "dilations"), lambda inner: (1, *inner, 1))
)
"""The form of op types over windows: TensorFlow's attributes name batch and channels too."""


@dataclass(frozen=True)
class Window:
    """A window over the spatial axes of an image, and how it moves.

    Attributes:
      sizes: its length along each axis.
      strides: the distance between positions of the window.
      padding: "SAME" or "VALID".
      dilations: the distance between the elements that it covers.
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    padding: str
    dilations: tuple[int, ...] = (1, 1)

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown padding or a number that is too small."""
        if self.padding not in ("SAME", "VALID"):
            raise ValueError(
                f"Value for attr 'padding' of \"{self.padding}\" is not in the list of allowed "
                'values: "SAME", "VALID"; runtime.pad adds other margins'
            )
        if not len(self.sizes) == len(self.strides) == len(self.dilations):
            raise ValueError(f"strides and dilations must contain {len(self.sizes)} values")
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
        stride = self.strides[axis]
        missing = max((-(-length // stride) - 1) * stride + self.reach(axis) - length, 0)
        return missing // 2, missing - missing // 2

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

    def result(self, image: Dims, channels: int | None) -> tuple[int | None, ...]:
        """Return the shape of a result with an element for each position."""
        if image is None:
            return (*(None,) * (len(self.sizes) + 1), channels)
        return (image[0], *self.counts(image[1:-1]), channels)

    def overlaps(self) -> bool:
        """Return whether two positions of the window share elements."""
        return any(self.reach(axis) > stride for axis, stride in enumerate(self.strides))

    def padded(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Return the shape of a padded image."""
        batch, *lengths, channels = map(int, shape)
        return (batch, *(n + sum(self.margins(i, n)) for i, n in enumerate(lengths)), channels)

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

    def cuts(self, lengths: tuple[int, ...]) -> tuple[tuple[slice, ...], ...]:
        """Return `cut` of each offset, for images of these lengths."""
        return _cuts(self, lengths)

    def views(self, xp: Namespace, image: Array, fill: float = 0) -> list[Array]:
        """Return for each offset what it covers of an image."""
        wide = self.pad(xp, image, fill)
        return [wide[cut] for cut in self.cuts(image.shape[1:-1])]

    def pad(self, xp: Namespace, image: Array, fill: float = 0) -> Array:
        """Pad an image."""
        if self.padding == "VALID":
            return image
        margins = [self.margins(axis, length) for axis, length in enumerate(image.shape[1:-1])]
        if not any(map(any, margins)):
            return image
        return xp.pad(image, [(0, 0), *margins, (0, 0)], constant_values=fill)

    def unpad(self, image: Array, shape: Sequence[int]) -> Array:
        """Remove the padding of an image that had this shape."""
        if self.padding == "VALID":
            return image
        lengths = list(map(int, shape[1:-1]))
        starts = [self.margins(axis, length)[0] for axis, length in enumerate(lengths)]
        parts = zip(starts, lengths, strict=True)
        return image[(slice(None), *(slice(start, start + length) for start, length in parts))]


@functools.lru_cache(maxsize=1024)
def _cuts(window: Window, lengths: tuple[int, ...]) -> tuple[tuple[slice, ...], ...]:
    counts = known(window.counts(lengths))
    return tuple(window.cut(offset, counts) for offset in window.offsets())


def check_rank(what: str, dims: Dims) -> None:
    """Raise ValueError unless a shape is that of images, or of a filter for them."""
    if dims is not None and len(dims) != 4:
        raise ValueError(f"{what} must be 4-dimensional: {list(dims)}")


def image_blocks(count: int, size: int) -> list[slice]:
    """Divide a batch into ranges of images that fit in the cache, `size` bytes for each.

    >>> image_blocks(3, CACHED // 2)
    [slice(0, 2, None), slice(2, 4, None)]
    """
    step = max(1, CACHED // max(1, size))
    return [slice(at, at + step) for at in range(0, count, step)]


def window_attrs(
    axes: int, padding: str, data_format: str | None, **numbers: Ints
) -> dict[str, Any]:
    """Return the attributes of an op over windows of two axes, from the arguments of a user.

    Args:
      axes: number of spatial axes; a sequence is an image with one row.
      padding, data_format: as of `conv2d`.
      **numbers: arguments with a number for each axis; see `_entries`.

    Raises: ValueError, UnimplementedError for arguments of another form.
    """
    form = f"N{'HW'[-axes:]}C"
    if data_format not in (None, form):
        raise UnimplementedError.of(
            f"`data_format` is {data_format!r}, but images have their channels last: {form!r}; "
            "runtime.transpose moves them"
        )
    inner = {what: _entries(value, axes, what) for what, value in numbers.items()}
    rows = (1,) * (2 - axes)
    return {"padding": str(padding).upper(), **{what: rows + own for what, own in inner.items()}}


def _entries(value: Ints, axes: int, what: str) -> tuple[int, ...]:
    """Return one number for each spatial axis, from one, one for each, or one for every axis."""
    try:
        given = value if isinstance(value, (list, tuple)) else (1 if value is None else value,)
        numbers = tuple(int(entry) for entry in given)
    except (TypeError, ValueError, OverflowError):
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
    if numbers[0] != 1 or numbers[-1] != 1:
        raise UnimplementedError.of(
            f"Current implementation does not yet support {what} in the batch and depth "
            f"dimensions. Received: {what}={value}"
        )
    return numbers[1:-1]
