"""Rules of the lowering: convolution and pooling.

No matrix of patches is made. What a row of positions of the window covers is a view of the image
with one more axis for each axis of the window, which a product reads where it is. The gradient of
the image is the convolution of the gradient, padded, with the filter turned around.

Images are [batch, *lengths, channels], filters [*sizes, channels, results].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from llvmlite import ir

from runtime.core.opdef import Emit
from runtime.core.operation import Operation
from runtime.core.shapes import Dims
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.limits import Unsupported
from runtime.engines.native.arrays import Dim, View
from runtime.engines.native.elements import Elements
from runtime.engines.native.lowering import Lowering, Rule, Value
from runtime.engines.native.products import LARGE, multiply
from runtime.engines.native.types import number, type_of

_OTHERS = "images whose number differs from that of their gradients"

Pair = tuple[int, int]
"""A number for the rows of images, and one for their columns."""


class _Window:
    """A window, and how it moves over images of static lengths.

    Attributes:
      sizes, strides, dilations: see `runtime.ops.conv.windows.Window`.
      counts: number of positions.
      margins: padding before and after each axis.
    """

    def __init__(self, op: Operation, sizes: Dims, image: Dims, result: Dims) -> None:
        inner = [None if dims is None else dims[1:3] for dims in (image, result)]
        known = [*(sizes or [None]), *(inner[0] or [None]), *(inner[1] or [None])]
        if None in known or 0 in known:
            raise Unsupported(f"the operation {op.type} of images of unknown size")
        self.sizes = _pair(sizes)
        self.strides = _pair(op.attrs["strides"])
        self.dilations = _pair(op.attrs.get("dilations", (1, 1)))
        self.lengths, self.counts = _pair(inner[0]), _pair(inner[1])
        if self.counts != tuple(self._count(op.attrs["padding"], axis) for axis in (0, 1)):
            raise Unsupported(f"the operation {op.type} of shapes that do not fit")
        self.margins = [self._margins(axis) for axis in (0, 1)]

    def reach(self, axis: int) -> int:
        """Return the number of elements from the first to the last one covered."""
        return (self.sizes[axis] - 1) * self.dilations[axis] + 1

    def _count(self, padding: str, axis: int) -> int:
        covered = 1 if padding == "SAME" else self.reach(axis)
        return (self.lengths[axis] - covered) // self.strides[axis] + 1

    def _margins(self, axis: int) -> Pair:
        last = (self.counts[axis] - 1) * self.strides[axis] + self.reach(axis)
        missing = max(last - self.lengths[axis], 0)
        return missing // 2, missing - missing // 2

    def offsets(self) -> list[Pair]:
        """Return the elements of the window, in row-major order."""
        return [(i, j) for i in range(self.sizes[0]) for j in range(self.sizes[1])]

    def cut(self, image: View, offset: Pair) -> View:
        """Return what one element of the window covers of a padded image."""
        start = image.offset
        steps = []
        for axis in (0, 1):
            stride = image.strides[axis + 1]
            start += offset[axis] * self.dilations[axis] * stride
            steps.append(self.strides[axis] * stride)
        dims = (image.dims[0], *self.counts, image.dims[3])
        strides = (image.strides[0], *steps, image.strides[3])
        return image.part(dims, strides, start)


def _pair(numbers: Sequence[Dim] | None) -> Pair:
    first, second = numbers or (0, 0)
    return first, second


def _array(lowering: Lowering, tensor: SymbolicTensor) -> View:
    """Return the elements of images or a filter: a copy, unless their places are known."""
    view = lowering.array(tensor)
    is_known = all(type(number) is int for number in (view.offset, *view.strides[1:]))
    return view if is_known else lowering.elements.copied(view)


def _padded(lowering: Lowering, image: View, margins: Sequence[Pair], fill: float) -> View:
    """Return an image with padding, or the image itself if there is none."""
    if not any(map(any, margins)):
        return image
    elements = lowering.elements
    batch, *lengths, channels = image.dims
    dims = [n + sum(own) for n, own in zip(lengths, margins, strict=True)]
    wide = elements.whole(elements.memory.new((batch, *dims, channels), image.dtype))
    elements.fill(wide, number(image.dtype, fill))
    elements.copy(image, _inner(wide, margins, lengths))
    return wide


def _inner(wide: View, margins: Sequence[Pair], lengths: Sequence[Dim]) -> View:
    """Return an image without its padding."""
    starts = (own[0] * step for own, step in zip(margins, wide.strides[1:3], strict=True))
    dims = (wide.dims[0], *lengths, wide.dims[3])
    return wide.part(dims, wide.strides, wide.offset + sum(starts))


# ---- convolution ----


def _check(op: Operation, image: Dims, filters: Dims, window: _Window) -> None:
    batch, channels = (None, None) if image is None else (image[0], image[-1])
    depth, results = (None, None) if filters is None else filters[2:]
    if channels is None or depth is None or results is None:
        raise Unsupported(f"the operation {op.type} of unknown channels")
    if channels != depth:
        raise Unsupported(f"the operation {op.type} by groups of channels")
    work = (batch or 1) * prod(window.counts) * prod(window.sizes) * channels * results
    if work >= LARGE:
        raise Unsupported("a convolution of large images, which threads share")


def _convolved(lowering: Lowering, op: Operation) -> Value:
    image, filters = (tensor.spec.dims for tensor in op.inputs)
    window = _Window(op, filters and filters[:2], image, op.outputs[0].spec.dims)
    _check(op, image, filters, window)
    x, w = (_array(lowering, tensor) for tensor in op.inputs)
    wide = _padded(lowering, x, window.margins, 0)
    return _correlated(lowering, wide, w, window.strides, window.dilations, window.counts)


def _correlated(
    lowering: Lowering, image: View, filters: View, strides: Pair, dilations: Pair, counts: Pair
) -> View:
    """Return the cross-correlation of a padded image with a filter."""
    elements = lowering.elements
    if filters.strides[-1] != 1 or not filters.is_contiguous:
        filters = elements.copied(filters)
    result = elements.whole(
        elements.memory.new((image.dims[0], *counts, filters.dims[3]), image.dtype)
    )
    with elements.nest(result.dims[:2]) as place:
        steps = (image.strides[0], strides[0] * image.strides[1])
        rows = _covered(_moved(elements, image, place, steps), filters, strides, dilations, counts)
        goal = _moved(elements, result, place, result.strides[:2])
        goal = goal.part(result.dims[2:], result.strides[2:])
        multiply(elements, *_merged(rows, filters, dilations), goal)
    return result


def _moved(elements: Elements, view: View, place: Sequence[Dim], strides: Sequence[Dim]) -> View:
    """Return a view that starts at another element."""
    offset = view.offset
    for index, stride in zip(place, strides, strict=True):
        offset = elements.plus(offset, elements.times(index, stride))
    return view.part(view.dims, view.strides, offset)


def _covered(image: View, filters: View, strides: Pair, dilations: Pair, counts: Pair) -> View:
    """Return what a row of positions covers, from its first element on: [positions, *sizes,
    channels].
    """
    _, by_row, by_column, by_channel = image.strides
    moves = (by_column * strides[1], by_row * dilations[0], by_column * dilations[1], by_channel)
    return image.part((counts[1], *filters.dims[:3]), moves)


def _is_run(image: View, dilations: Pair) -> bool:
    """Return whether the elements that a row of a window covers are a run in memory."""
    return dilations[1] == 1 and image.strides[2:] == (image.dims[3], 1)


def _merged(rows: View, filters: View, dilations: Pair) -> tuple[View, View]:
    """Return patches and a filter, whose columns and channels are one axis if they are a run."""
    positions, height, width, channels = rows.dims
    if not _is_run(rows, dilations):
        return rows, filters
    dims = (height, width * channels, filters.dims[3])
    packed = (width * channels * dims[2], dims[2], 1)
    merged = rows.part((positions, *dims[:2]), (*rows.strides[:2], 1))
    return merged, filters.part(dims, packed)


def _gradient_of_image(lowering: Lowering, op: Operation) -> Value:
    filters, gradient = (tensor.spec.dims for tensor in op.inputs[1:])
    image = op.outputs[0].spec.dims
    window = _Window(op, filters and filters[:2], image, gradient)
    _check(op, image, filters, window)
    if window.strides != (1, 1):
        raise Unsupported(f"the operation {op.type} with strides")
    w, g = (_array(lowering, tensor) for tensor in op.inputs[1:])
    sizes = lowering.index(op.inputs[0])
    if sizes is None or w.dims[3] != g.dims[3]:
        raise Unsupported(f"the operation {op.type} of shapes that do not fit")
    lowering.elements.require_equal(lowering.wide(sizes[0]), g.dims[0], _OTHERS)
    margins = []
    for axis, (before, after) in enumerate(window.margins):
        beyond = window.reach(axis) - 1
        margins.append((beyond - before, beyond - after))
    wide = _padded(lowering, g, margins, 0)
    return _correlated(lowering, wide, _turned(w), (1, 1), window.dilations, window.lengths)


def _turned(filters: View) -> View:
    """Return a filter with its elements in reverse order, and channels exchanged with results."""
    height, width, channels, results = filters.dims
    rows, columns, by_channel, by_result = filters.strides
    offset = filters.offset + (height - 1) * rows + (width - 1) * columns
    dims, strides = (height, width, results, channels), (-rows, -columns, by_result, by_channel)
    return filters.part(dims, strides, offset)


def _gradient_of_filter(lowering: Lowering, op: Operation) -> Value:
    """Add the products of the images one by one: such sums have smaller errors."""
    image, gradient = op.inputs[0].spec.dims, op.inputs[2].spec.dims
    filters = op.outputs[0].spec.dims
    window = _Window(op, filters and filters[:2], image, gradient)
    _check(op, image, filters, window)
    x, g = _array(lowering, op.inputs[0]), _array(lowering, op.inputs[2])
    elements = lowering.elements
    if filters is None or filters[-1] != g.dims[3]:
        raise Unsupported(f"the operation {op.type} of shapes that do not fit")
    elements.require_equal(x.dims[0], g.dims[0], _OTHERS)
    wide = _padded(lowering, x, window.margins, 0)
    if not g.is_contiguous:
        g = elements.copied(g)
    channels, results = wide.dims[3], g.dims[3]
    total = elements.whole(elements.memory.new((*window.sizes, channels, results), x.dtype))
    elements.fill(total, type_of(x.dtype)(0))
    turns, count = list(window.sizes), channels
    if _is_run(wide, window.dilations):
        turns[1], count = 1, window.sizes[1] * channels
    moves = [window.strides[axis] * wide.strides[axis + 1] for axis in (0, 1)]
    steps = [window.dilations[axis] * wide.strides[axis + 1] for axis in (0, 1)]
    with elements.nest((wide.dims[0], *turns)) as (each, *offset):
        first = _moved(elements, wide, [each, *offset], [wide.strides[0], *steps])
        rows = first.part((count, *window.counts), (wide.strides[3], *moves))
        own = _moved(elements, g, [each], g.strides[:1])
        own = own.part(g.dims[1:], g.strides[1:])
        goal = _moved(elements, total, offset, total.strides[:2])
        goal = goal.part((count, results), (results, 1))
        multiply(elements, rows, own, goal, adds=True)
    return total


# ---- pooling ----


def _pooling(op: Operation) -> _Window:
    dims = op.outputs[0].spec.dims if op.definition.emit is Emit.POOLED else op.inputs[1].spec.dims
    return _Window(op, op.attrs["ksize"], op.inputs[0].spec.dims, dims)


def _lowest(view: View) -> float:
    dtype = view.dtype
    return -np.inf if dtype.is_floating else np.iinfo(dtype.numpy_dtype).min


def _pooled(lowering: Lowering, op: Operation) -> Value:
    window, numbers = _pooling(op), lowering.numbers
    x = _array(lowering, op.inputs[0])
    wide = _padded(lowering, x, window.margins, _lowest(x))

    def largest(items: Sequence[ir.Value]) -> ir.Value:
        found, *others = items
        for other in others:
            found = numbers.extreme(">", x.dtype, found, other)
        return found

    # Column by column, as the kernel: which of two zeros is the result depends on the order.
    by_column = sorted(window.offsets(), key=lambda offset: offset[::-1])
    covered = [window.cut(wide, offset) for offset in by_column]
    return lowering.elements.elementwise(largest, covered, x.dtype)


def _pooled_back(lowering: Lowering, op: Operation) -> Value:
    """Send each element of the gradient to the first largest element of its position; the last one
    gets what the others leave.
    """
    window, elements = _pooling(op), lowering.elements
    if any(window.sizes[axis] > window.strides[axis] for axis in (0, 1)):
        raise Unsupported(f"the operation {op.type} of windows that overlap")
    x, y, g = (_array(lowering, tensor) for tensor in op.inputs)
    wide = _padded(lowering, x, window.margins, _lowest(x))
    result = elements.whole(elements.memory.new(wide.dims, g.dtype))
    if any(
        length + sum(own) != size * count
        for length, own, size, count in zip(
            window.lengths, window.margins, window.sizes, window.counts, strict=True
        )
    ):
        elements.fill(result, type_of(g.dtype)(0))
    offsets = window.offsets()
    covered = [window.cut(wide, offset) for offset in offsets]
    shares = []
    for place, offset in enumerate(offsets):
        operands = [*covered[: min(place + 1, len(offsets) - 1)], y, g]
        share = _share(lowering, x, place, is_last=place + 1 == len(offsets))
        shares.append((elements.elementwise(share, operands, g.dtype), window.cut(result, offset)))
    elements.run(shares)
    return _inner(result, window.margins, window.lengths)


def _share(
    lowering: Lowering, x: View, place: int, *, is_last: bool
) -> Callable[[Sequence[ir.Value]], ir.Value]:
    """Return the computation of the part of the gradient for one element of the window."""
    build, numbers = lowering.build, lowering.numbers

    def share(operands: Sequence[ir.Value]) -> ir.Value:
        *before, largest, gradient = operands
        zero = gradient.type(0)
        found = gradient
        for position, item in enumerate(before):
            is_largest = numbers.compare("==", x.dtype, item, largest)
            own = position == place and not is_last
            found = build.select(is_largest, *((found, zero) if own else (zero, found)))
        return found

    return share


WINDOW_RULES: dict[Emit, Rule] = {
    Emit.CORRELATED: _convolved,
    Emit.CORRELATED_BY_IMAGE: _gradient_of_image,
    Emit.CORRELATED_BY_FILTER: _gradient_of_filter,
    Emit.POOLED: _pooled,
    Emit.POOLED_BACK: _pooled_back,
}
"""The rule of each computation on windows that move over images."""
