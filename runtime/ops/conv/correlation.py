"""Kernels of cross-correlation, which deep learning calls convolution, and of its gradients.

The patches that a filter covers become the rows of a matrix (im2col: Chellapilla, Puri and Simard,
"High performance convolutional neural networks for document processing", 2006), which is multiplied
by the filter, or transposed by the gradient of the result. The gradient of the image is summed
offset by offset of the filter, which needs no matrix of patches. Each processes as many images at a
time as fit in the cache.

A filter with fewer channels than the image works on groups of channels. Images are padded and have
channels last: [batch, *lengths, channels]; filters have shape [*sizes, channels of a group, all
results].
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from runtime.core.aliases import Array
from runtime.core.machine.blas import in_pieces
from runtime.ops.conv.windows import Window, image_blocks

_PARTIAL_SUMS = 8
"""Number of partial sums of the gradient of a filter. It is fixed, so that results do not depend on
the number of threads, and small, because each partial sum takes the memory of a filter."""


def correlate(
    image: Array, filters: Array, window: Window, counts: Sequence[int], groups: int
) -> Array:
    """Return the cross-correlation of an image with a filter.

    `counts` are the numbers of positions of the window along each axis.
    """
    image, matrices = np.ascontiguousarray(image), _by_group(filters, groups)
    result = np.empty((len(image), *counts, filters.shape[-1]), image.dtype)

    def block(images: slice) -> None:
        target = _pixels(result[images], groups)
        np.matmul(_patches(image[images], window, counts, groups), matrices, out=target)

    size = (prod(result.shape[:-1]), prod(filters.shape[:-1]), filters.shape[-1])
    in_pieces(block, _patch_blocks(image, window, counts), *size)
    return result


def image_gradient(
    gradient: Array, filters: Array, window: Window, shape: Sequence[int], groups: int
) -> Array:
    """Return the gradient of a padded image of that shape, given that of the result."""
    result = np.zeros(shape, gradient.dtype)
    counts = gradient.shape[1:-1]

    def block(images: slice) -> None:
        target, own = result[images], gradient[images]
        pixels = _pixels(own, groups)
        share = np.empty((*own.shape[:-1], shape[-1]), gradient.dtype)
        for offset in window.offsets():
            matrices = _by_group(filters[offset], groups).swapaxes(1, 2)
            np.matmul(pixels, matrices, out=_pixels(share, groups))
            target[window.cut(offset, counts)] += share

    image = prod(counts) * shape[-1] * gradient.itemsize
    size = (prod(gradient.shape[:-1]), filters.shape[-1], prod(filters.shape[:-1]))
    in_pieces(block, image_blocks(len(gradient), image), *size)
    return result


def filter_gradient(
    image: Array, gradient: Array, window: Window, shape: tuple[int, ...], groups: int
) -> Array:
    """Return the gradient of a filter of that shape; arguments as of `image_gradient`."""
    image, counts = np.ascontiguousarray(image), gradient.shape[1:-1]
    blocks = _patch_blocks(image, window, counts)
    sums = min(_PARTIAL_SUMS, len(blocks))
    totals = np.zeros((sums, groups, prod(shape[:-1]), shape[-1] // groups), gradient.dtype)

    def run(number: int) -> None:
        for images in blocks[number::_PARTIAL_SUMS]:
            patches = _patches(image[images], window, counts, groups)
            totals[number] += np.matmul(patches.swapaxes(1, 2), _pixels(gradient[images], groups))

    size = (prod(shape[:-1]), prod(gradient.shape[:-1]), shape[-1])
    in_pieces(run, range(sums), *size)
    return totals.sum(axis=0).swapaxes(0, 1).reshape(shape)


def _by_group(filters: Array, groups: int) -> Array:
    """Return one matrix for each group: [groups, elements of a patch, results of a group]."""
    elements = prod(filters.shape[:-1])
    return filters.reshape(elements, groups, filters.shape[-1] // groups).swapaxes(0, 1)


def _pixels(image: Array, groups: int) -> Array:
    """Return one matrix for each group: [groups, pixels, channels of a group]."""
    pixels = prod(image.shape[:-1])
    return image.reshape(pixels, groups, image.shape[-1] // groups).swapaxes(0, 1)


def _patches(image: Array, window: Window, counts: Sequence[int], groups: int) -> Array:
    """Return the patches that the window covers: [groups, positions, elements of a patch].

    The image is in C order: a view is made of its buffer, which takes a fraction of the time of
    `as_strided`.
    """
    batch, by_row, by_column, step = image.strides
    (rows, columns), (along_rows, along_columns) = window.strides, window.dilations
    channels = image.shape[-1] // groups
    positions = (image.shape[0], *counts)
    elements = (*window.sizes, channels)
    strides = (
        *(channels * step, batch, rows * by_row, columns * by_column),
        *(along_rows * by_row, along_columns * by_column, step),
    )
    view: Array = np.ndarray((groups, *positions, *elements), image.dtype, image, 0, strides)
    # The innermost axes of the copy are those with the longer contiguous runs.
    if window.sizes[-1] * channels >= counts[-1]:
        return view.reshape(groups, prod(positions), prod(elements))
    turned = view.transpose(0, 4, 5, 6, 1, 2, 3)
    return turned.reshape(groups, prod(elements), prod(positions)).swapaxes(1, 2)


def _patch_blocks(image: Array, window: Window, counts: Sequence[int]) -> list[slice]:
    """Divide a batch into ranges of images whose patches fit in the cache."""
    size = prod(counts) * prod(window.sizes) * image.shape[-1] * image.itemsize
    return image_blocks(len(image), size)
