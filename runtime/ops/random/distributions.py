"""Samples of distributions, from the words of a stream; equal to TensorFlow's for equal seeds.

Where the number of words that one sample needs is random, samples begin `RESERVED` blocks apart, so
that each is independent of the number of samples.

Normal samples: Box and Muller, "A note on the generation of random normal deviates" (1958).
"""

from __future__ import annotations

import math

import numpy as np

from runtime.core.aliases import Array
from runtime.ops.random.philox import (
    WORDS,
    Stream,
    uint64s,
    unit_float16,
    unit_float32,
    unit_float64,
)

RESERVED = 256
"""Blocks between samples: `kReservedSamplesPerOutput` of TensorFlow's random ops."""

_SMALLEST = 1e-7
"""Lower bound of the uniform sample whose logarithm Box and Muller take, as in TensorFlow."""

_TRUNCATION = 2.0
"""The truncated normal distribution lies within this many standard deviations, as in TensorFlow."""


def uniform(stream: Stream, shape: tuple[int, ...], dtype: object) -> Array:
    """Draw uniform samples from [0, 1)."""
    count = math.prod(shape)
    if dtype == np.float64:
        return unit_float64(stream.first(count * 2)).reshape(shape)
    convert = unit_float16 if dtype == np.float16 else unit_float32
    return convert(stream.first(count)).reshape(shape)


def integers(stream: Stream, shape: tuple[int, ...], low: Array, high: Array) -> Array:
    """Draw integers from [low, high), of their dtype. Raise ValueError for an empty range.

    The remainder is not exactly uniform unless `high - low` is a power of two, as in TensorFlow.
    """
    if not low < high:
        raise ValueError(f"Need minval < maxval, got {low} >= {high}")
    dtype = np.dtype(low.dtype)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    span = np.array(int(high) - int(low), unsigned)
    count = math.prod(shape)
    bits = uint64s(stream.first(count * 2)) if dtype.itemsize == 8 else stream.first(count)
    return (bits.astype(unsigned) % span + low.astype(unsigned)).astype(dtype).reshape(shape)


def _polar(stream: Stream, blocks: Array, dtype: object) -> Array:
    """Return the normal samples of some blocks, along the last axis (Box and Muller)."""
    unit, kind = (unit_float64, np.float64) if dtype == np.float64 else (unit_float32, np.float32)
    units = unit(stream.words(blocks))
    radius = np.maximum(units[..., ::2], kind(_SMALLEST))
    angle = kind(2 * math.pi) * units[..., 1::2]
    length = np.sqrt(kind(-2) * np.log(radius))
    pairs = np.stack([np.sin(angle) * length, np.cos(angle) * length], axis=-1)
    return pairs.reshape(units.shape)


def _of_block(dtype: object) -> int:
    """Return the number of samples that one block makes."""
    return 2 if dtype == np.float64 else WORDS


def normal(stream: Stream, shape: tuple[int, ...], dtype: object) -> Array:
    """Draw samples from the standard normal distribution."""
    count = math.prod(shape)
    made = _polar(stream, np.arange(-(-count // _of_block(dtype))), dtype)
    return made.reshape(-1)[:count].reshape(shape).astype(dtype)


def truncated_normal(stream: Stream, shape: tuple[int, ...], dtype: object) -> Array:
    """Draw samples from the standard normal distribution truncated to (-2, 2)."""
    count, size = math.prod(shape), _of_block(dtype)
    starts = np.arange(-(-count // size), dtype=np.uint64) * np.uint64(size * RESERVED // WORDS)
    result = _accepted(stream, starts, size, dtype)
    return result.reshape(-1)[:count].reshape(shape).astype(dtype)


def _accepted(stream: Stream, starts: Array, size: int, dtype: object, blocks: int = 2) -> Array:
    """Return the first `size` samples within the bounds from each start, trying `blocks` first."""
    offsets = starts[:, None] + np.arange(blocks, dtype=np.uint64)
    numbers = _polar(stream, offsets, dtype).reshape(len(starts), -1)
    inside = np.abs(numbers) < _TRUNCATION
    order = np.argsort(~inside, axis=1, kind="stable")[:, :size]
    result = np.take_along_axis(numbers, order, axis=1)
    lacking = np.flatnonzero(inside.sum(axis=1) < size)
    if len(lacking):
        result[lacking] = _accepted(stream, starts[lacking], size, dtype, 2 * blocks)
    return result


def categorical(stream: Stream, logits: Array, count: int) -> Array:
    """Draw classes for each row of logits; one with an infinite or NaN logit never.

    Returns: int64 array of shape [rows, count].
    """
    rows = len(logits)
    units = unit_float64(stream.first(rows * count * 2)).reshape(rows, count)
    values = np.asarray(logits, np.float64)
    finite = np.isfinite(values)
    peak = np.max(values, axis=1, keepdims=True, where=finite, initial=-np.inf)
    weights = np.exp(values - peak, where=finite, out=np.zeros_like(values))
    sums = np.cumsum(weights, axis=1)
    result = np.empty((rows, count), np.int64)
    for row in range(rows):
        result[row] = np.searchsorted(sums[row], units[row] * sums[row, -1], side="right")
    return result


def permutation(stream: Stream, count: int) -> Array:
    """Return the integers of [0, count) in random order (Fisher and Yates)."""
    indices = np.arange(count)
    others = indices + stream.first(count) % (count - indices)
    result = np.arange(count)
    # A memoryview is indexed faster than an array, and its elements are closer to each other in
    # memory than those of a list.
    order = result.data
    for i, other in enumerate(others.tolist()):
        order[i], order[other] = order[other], order[i]
    return result
