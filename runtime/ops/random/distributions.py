"""Random numbers of many distributions, made from the bits of a stream.

Wherever the number of bits that one result needs depends on chance, results begin at fixed places
of the stream, `RESERVED` blocks apart, so that each is independent of how many there are.

Sources: Box and Muller (1958) for normal numbers; Marsaglia and Tsang (2000) for gamma; Knuth and
Hormann (1993) for Poisson and binomial numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.random.philox import (
    WORDS,
    Stream,
    uint64s,
    unit_float16,
    unit_float32,
    unit_float64,
)

RESERVED = 256
"""Blocks of the stream that belong to one result."""

_RESERVED_FOR_FEW = 42

_SMALLEST = 1e-7
_TRUNCATION = 2.0
_lgamma = np.frompyfunc(math.lgamma, 1, 1)


def _words(stream: Stream, count: int, each: int) -> Any:
    return stream.first(count * each)


def uniform(stream: Stream, shape: tuple[int, ...], dtype: Any) -> Any:
    """Numbers from 0 to, exclusively, 1."""
    count = math.prod(shape)
    if dtype == np.float64:
        return unit_float64(_words(stream, count, 2)).reshape(shape)
    convert = unit_float16 if dtype == np.float16 else unit_float32
    return convert(_words(stream, count, 1)).reshape(shape)


def full_integers(stream: Stream, shape: tuple[int, ...], dtype: Any) -> Any:
    """Integers of all values that the dtype has."""
    count = math.prod(shape)
    if np.dtype(dtype).itemsize == 8:
        bits = uint64s(_words(stream, count, 2))
    else:
        bits = _words(stream, count, 1)
    return bits.astype(dtype).reshape(shape)


def integers(stream: Stream, shape: tuple[int, ...], low: Any, high: Any) -> Any:
    """Integers from `low` to, exclusively, `high`; of their dtype.

    Raises: ValueError if there are none.
    """
    if not low < high:
        raise ValueError(f"Need minval < maxval, got {low} >= {high}")
    dtype = np.dtype(low.dtype)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    span = np.array(int(high) - int(low), unsigned)
    bits = full_integers(stream, shape, unsigned)
    return (bits % span + np.asarray(low).astype(unsigned)).astype(dtype)


def _polar32(words: Any) -> Any:
    """Two normal numbers of each two words along the last axis, side by side."""
    radius = np.maximum(unit_float32(words[..., ::2]), np.float32(_SMALLEST))
    angle = np.float32(2 * math.pi) * unit_float32(words[..., 1::2])
    length = np.sqrt(np.float32(-2) * np.log(radius))
    pairs = np.stack([np.sin(angle) * length, np.cos(angle) * length], axis=-1)
    return pairs.reshape(words.shape)


def _polar64(words: Any) -> Any:
    """Two normal numbers of each four words along the last axis, side by side."""
    units = unit_float64(words)
    radius = np.maximum(units[..., ::2], _SMALLEST)
    angle = 2 * math.pi * units[..., 1::2]
    length = np.sqrt(-2 * np.log(radius))
    pairs = np.stack([np.sin(angle) * length, np.cos(angle) * length], axis=-1)
    return pairs.reshape(units.shape)


def normal(stream: Stream, shape: tuple[int, ...], dtype: Any) -> Any:
    """Numbers from the standard normal distribution."""
    count = math.prod(shape)
    if dtype == np.float64:
        made = _polar64(stream.words(np.arange(-(-count // 2))))
    else:
        made = _polar32(stream.words(np.arange(-(-count // WORDS))))
    return made.reshape(-1)[:count].reshape(shape).astype(dtype)


def truncated_normal(stream: Stream, shape: tuple[int, ...], dtype: Any) -> Any:
    """Numbers from the standard normal distribution that lie between -2 and 2."""
    count = math.prod(shape)
    polar, size = (_polar64, 2) if dtype == np.float64 else (_polar32, WORDS)
    groups = -(-count // size)
    places = np.arange(groups, dtype=np.uint64) * np.uint64(size * RESERVED // WORDS)
    result = _within_bounds(polar, stream, places, size)
    return result.reshape(-1)[:count].reshape(shape).astype(dtype)


def _within_bounds(
    polar: Callable[[Any], Any], stream: Stream, places: Any, size: int, tried: int = 2
) -> Any:
    """The first `size` numbers behind each place that are not cut off; `tried` blocks may do."""
    offsets = places[:, None] + np.arange(tried, dtype=np.uint64)
    numbers = polar(stream.words(offsets)).reshape(len(places), -1)
    inside = np.abs(numbers) < _TRUNCATION
    order = np.argsort(~inside, axis=1, kind="stable")[:, :size]
    result = np.take_along_axis(numbers, order, axis=1)
    lacking = np.flatnonzero(inside.sum(axis=1) < size)
    if len(lacking):
        result[lacking] = _within_bounds(polar, stream, places[lacking], size, 2 * tried)
    return result


class _Draws:
    """Numbers in double precision for many results, each of which draws as many as it needs."""

    def __init__(self, stream: Stream, places: Any, reserved: int = RESERVED) -> None:
        """Begins at one place of the stream for each result, `reserved` blocks for each."""
        self._stream = stream
        self._next = np.asarray(places).astype(np.uint64) * np.uint64(reserved)
        count = len(self._next)
        self._left = {"uniform": np.zeros(count, int), "normal": np.zeros(count, int)}
        self._made = {name: np.zeros((count, 2)) for name in self._left}

    def uniform(self, which: Any) -> Any:
        """One number from 0 to 1 for each of the results with the numbers `which`."""
        return self._drawn("uniform", unit_float64, which)

    def normal(self, which: Any) -> Any:
        """One normal number for each of the results with the numbers `which`."""
        return self._drawn("normal", _polar64, which)

    def _drawn(self, name: str, convert: Callable[[Any], Any], which: Any) -> Any:
        left, made = self._left[name], self._made[name]
        empty = which[left[which] == 0]
        made[empty] = convert(self._stream.words(self._next[empty]))
        self._next[empty] += np.uint64(1)
        left[empty] = 2
        left[which] -= 1
        return made[which, left[which]]


def gamma(stream: Stream, places: Any, alpha: Any) -> Any:
    """Numbers from gamma distributions with rate 1, in double precision.

    Args:
      stream: the bits.
      places: the place of each result.
      alpha: the shape parameter of each, float64, of the same length.
    """
    draws = _Draws(stream, places)
    result = np.zeros(len(alpha))
    simple = np.flatnonzero(alpha == 1.0)
    result[simple] = -np.log1p(-draws.uniform(simple))
    small = alpha < 1
    d = alpha + np.where(small, 2.0 / 3, -1.0 / 3)
    c = 1.0 / 3 / np.sqrt(d)
    open_ = np.flatnonzero(alpha != 1.0)
    while open_.size:
        x = draws.normal(open_)
        v = 1 + c[open_] * x
        positive = np.flatnonzero(v > 0)
        tried, x, v = open_[positive], x[positive], v[positive] ** 3
        u = draws.uniform(tried)
        squeezed = u < 1 - 0.0331 * x**4
        taken = squeezed | (np.log(u) < 0.5 * x * x + d[tried] * (1 - v + np.log(v)))
        done = tried[taken]
        result[done] = d[done] * v[taken]
        boosted = done[small[done]]
        result[boosted] *= draws.uniform(boosted) ** (1 / alpha[boosted])
        open_ = np.delete(open_, positive[taken])
    return result


def poisson(stream: Stream, places: Any, rate: Any) -> Any:
    """Counts from Poisson distributions, as float64; NaN for a rate that is negative or infinite.

    Arguments as in `gamma`.
    """
    draws = _Draws(stream, places)
    result = np.full(len(rate), np.nan)
    valid = np.isfinite(rate) & (rate >= 0)
    _poisson_few(draws, rate, np.flatnonzero(valid & (rate < 10)), result)
    _poisson_many(draws, rate, np.flatnonzero(valid & (rate >= 10)), result)
    return result


def _poisson_few(draws: _Draws, rate: Any, open_: Any, result: Any) -> None:
    """Counts how many uniform numbers can be multiplied before the product is below exp(-rate)."""
    limit = np.exp(-rate)
    product = np.ones(len(rate))
    result[open_] = 0
    while open_.size:
        product[open_] *= draws.uniform(open_)
        open_ = open_[product[open_] > limit[open_]]
        result[open_] += 1


def _poisson_many(draws: _Draws, rate: Any, open_: Any, result: Any) -> None:
    """Transformed rejection."""
    b = 0.931 + 2.53 * np.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    while open_.size:
        u = draws.uniform(open_) - 0.5
        v = draws.uniform(open_)
        mean, wide, narrow = rate[open_], b[open_], a[open_]
        rest = 0.5 - np.abs(u)
        k = np.floor((2 * narrow / rest + wide) * u + mean + 0.43)
        taken = (rest >= 0.07) & (v <= 0.9277 - 3.6224 / (wide - 2))
        possible = ~taken & (k >= 0) & ~((rest < 0.013) & (v > rest))
        have = np.log(v * inverse[open_] / (narrow / (rest * rest) + wide))
        want = -mean + k * np.log(mean) - _lgamma(np.maximum(k, 0) + 1).astype(np.float64)
        taken |= possible & (have <= want)
        result[open_[taken]] = k[taken]
        open_ = open_[~taken]


def binomial(stream: Stream, places: Any, counts: Any, probs: Any) -> Any:
    """Numbers of successes in `counts` trials, as float64; NaN where the arguments make no sense.

    Arguments as in `gamma`; `probs` is the probability of a success.
    """
    result = np.full(len(counts), np.nan)
    valid = np.isfinite(counts) & (counts >= 0) & (probs >= 0) & (probs <= 1)
    rare = np.minimum(probs, 1 - probs)
    certain = valid & ((rare <= 0) | (counts == 0))
    result[certain] = 0
    few = counts * rare < 10
    draws = _Draws(stream, places, _RESERVED_FOR_FEW)
    _binomial_few(draws, counts, rare, np.flatnonzero(valid & ~certain & few), result)
    draws = _Draws(stream, places)
    _binomial_many(draws, counts, rare, np.flatnonzero(valid & ~certain & ~few), result)
    return np.where(probs > 0.5, counts - result, result)


def _binomial_few(draws: _Draws, counts: Any, probs: Any, open_: Any, result: Any) -> None:
    """Adds up the distances from one success to the next until the trials are used up."""
    used = np.zeros(len(counts))
    result[open_] = 0
    while open_.size:
        used[open_] += np.ceil(np.log(draws.uniform(open_)) / np.log1p(-probs[open_]))
        open_ = open_[used[open_] <= counts[open_]]
        result[open_] += 1


def _binomial_many(draws: _Draws, counts: Any, probs: Any, open_: Any, result: Any) -> None:
    """Transformed rejection."""
    while open_.size:
        n, p = counts[open_], probs[open_]
        spread = np.sqrt(n * p * (1 - p))
        b = 1.15 + 2.53 * spread
        a = -0.0873 + 0.0248 * b + 0.01 * p
        u = draws.uniform(open_) - 0.5
        v = draws.uniform(open_)
        rest = 0.5 - np.abs(u)
        k = np.floor((2 * a / rest + b) * u + n * p + 0.5)
        taken = (rest >= 0.07) & (v <= 0.92 - 4.2 / b)
        possible = ~taken & (k >= 0) & (k <= n)
        have = np.log(v * (2.83 + 5.1 / b) * spread / (a / (rest * rest) + b))
        taken |= possible & (have <= _log_ratio(n, p, np.clip(k, 0, n)))
        result[open_[taken]] = k[taken]
        open_ = open_[~taken]


def _log_ratio(n: Any, p: Any, k: Any) -> Any:
    """The logarithm of the probability of `k` successes over that of the likeliest number."""
    mode = np.floor((n + 1) * p)
    return _log_ways(n, k) - _log_ways(n, mode) + (k - mode) * np.log(p / (1 - p))


def _log_ways(n: Any, k: Any) -> Any:
    terms = _lgamma(n + 1) - _lgamma(k + 1) - _lgamma(n - k + 1)
    return terms.astype(np.float64)


def categorical(stream: Stream, logits: Any, count: int) -> Any:
    """Classes drawn for each row of logits; an infinite or NaN logit counts as impossible.

    Args:
      stream: the bits.
      logits: matrix [rows, classes].
      count: how many to draw for each row.

    Returns: int64 [rows, count].
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


def permutation(stream: Stream, count: int) -> Any:
    """The numbers from 0 to `count` in random order."""
    places = np.arange(count)
    others = places + stream.first(count) % (count - places)
    result = np.arange(count)
    # Numbers are reached through it faster than in an array, and nearer to each other than in a
    # list.
    order = result.data
    for i, other in enumerate(others.tolist()):
        order[i], order[other] = order[other], order[i]
    return result
