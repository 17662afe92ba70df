"""Samples of distributions, from the words of a stream; equal to TensorFlow's for equal seeds.

Where the number of words that one sample needs is random, samples begin `RESERVED` blocks apart, so
that each is independent of the number of samples.

Sources:
- normal: Box and Muller, "A note on the generation of random normal deviates" (1958).
- gamma: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000).
- Poisson: Knuth, "The art of computer programming", volume 2, section 3.4.1, for small rates;
  Hörmann, "The transformed rejection method for generating Poisson random variables" (1993),
  algorithm PTRS, for others.
- binomial: Devroye, "Non-uniform random variate generation" (1986), chapter X, first waiting time
  algorithm, for small means; Hörmann, "The generation of binomial random variates" (1993),
  algorithm BTRS, for others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.base.aliases import Array
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


def full_integers(stream: Stream, shape: tuple[int, ...], dtype: Any) -> Array:
    """Draw integers uniformly from all values of the dtype."""
    count = math.prod(shape)
    if np.dtype(dtype).itemsize == 8:
        bits = uint64s(stream.first(count * 2))
    else:
        bits = stream.first(count)
    return bits.astype(dtype).reshape(shape)


def integers(stream: Stream, shape: tuple[int, ...], low: Array, high: Array) -> Array:
    """Draw integers from [low, high), of their dtype. Raise ValueError for an empty range.

    The remainder is not exactly uniform unless `high - low` is a power of two, as in TensorFlow.
    """
    if not low < high:
        raise ValueError(f"Need minval < maxval, got {low} >= {high}")
    dtype = np.dtype(low.dtype)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    span = np.array(int(high) - int(low), unsigned)
    bits = full_integers(stream, shape, unsigned)
    return (bits % span + np.asarray(low).astype(unsigned)).astype(dtype)


def _polar32(words: Array) -> Array:
    """Return two normal samples for each two words along the last axis (Box and Muller)."""
    radius = np.maximum(unit_float32(words[..., ::2]), np.float32(_SMALLEST))
    angle = np.float32(2 * math.pi) * unit_float32(words[..., 1::2])
    length = np.sqrt(np.float32(-2) * np.log(radius))
    pairs = np.stack([np.sin(angle) * length, np.cos(angle) * length], axis=-1)
    return pairs.reshape(words.shape)


def _polar64(words: Array) -> Array:
    """Return two normal samples for each four words along the last axis (Box and Muller)."""
    units = unit_float64(words)
    radius = np.maximum(units[..., ::2], _SMALLEST)
    angle = 2 * math.pi * units[..., 1::2]
    length = np.sqrt(-2 * np.log(radius))
    pairs = np.stack([np.sin(angle) * length, np.cos(angle) * length], axis=-1)
    return pairs.reshape(units.shape)


def normal(stream: Stream, shape: tuple[int, ...], dtype: object) -> Array:
    """Draw samples from the standard normal distribution."""
    count = math.prod(shape)
    if dtype == np.float64:
        made = _polar64(stream.words(np.arange(-(-count // 2))))
    else:
        made = _polar32(stream.words(np.arange(-(-count // WORDS))))
    return made.reshape(-1)[:count].reshape(shape).astype(dtype)


def truncated_normal(stream: Stream, shape: tuple[int, ...], dtype: object) -> Array:
    """Draw samples from the standard normal distribution truncated to (-2, 2)."""
    count = math.prod(shape)
    polar, size = (_polar64, 2) if dtype == np.float64 else (_polar32, WORDS)
    groups = -(-count // size)
    starts = np.arange(groups, dtype=np.uint64) * np.uint64(size * RESERVED // WORDS)
    result = _accepted(polar, stream, starts, size)
    return result.reshape(-1)[:count].reshape(shape).astype(dtype)


def _accepted(
    polar: Callable[[Array], Array], stream: Stream, starts: Array, size: int, blocks: int = 2
) -> Array:
    """Return the first `size` samples within the bounds from each start, trying `blocks` first."""
    offsets = starts[:, None] + np.arange(blocks, dtype=np.uint64)
    numbers = polar(stream.words(offsets)).reshape(len(starts), -1)
    inside = np.abs(numbers) < _TRUNCATION
    order = np.argsort(~inside, axis=1, kind="stable")[:, :size]
    result = np.take_along_axis(numbers, order, axis=1)
    lacking = np.flatnonzero(inside.sum(axis=1) < size)
    if len(lacking):
        result[lacking] = _accepted(polar, stream, starts[lacking], size, 2 * blocks)
    return result


def categorical(stream: Stream, logits: Array, count: int) -> Array:
    """Draw classes for each row of logits; one with an infinite or NaN logit never.

    Args:
      stream: the stream.
      logits: array of shape [rows, classes].
      count: number of samples for each row.

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
