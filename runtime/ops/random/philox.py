"""Random bits: the counter-based generator Philox-4x32 with ten rounds.

A block depends on its number and the key alone, so any part of a stream can be computed at any
time, and many parts at once.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011); the
multipliers, key increments (Weyl sequence) and number of rounds are from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.aliases import Array

_FACTORS = (0xD2511F53, 0xCD9E8D57)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10
_WORD = 2**32 - 1
_LONG = 2**64 - 1
_SCRAMBLING_KEY = 0x02461E293EC8F720
"""The key that TensorFlow's `GenerateKey` scrambles seeds with."""

_BLOCK = 1 << 13
"""Blocks computed at a time; all temporaries of them fit in the L2 cache."""

WORDS = 4
"""Number of 32-bit words of one block."""

_FEW = 8
"""Blocks that Python computes faster: one takes 10 us, and as many as these 110 us by NumPy."""


@dataclass(frozen=True)
class Stream:
    """A stream of blocks of four words.

    Attributes:
      key: the key, 64 bits.
      counter: the number of the first block, 128 bits.

    The example is the first known answer of the authors' test suite.

    >>> Stream(key=0, counter=0).words(np.arange(1))[0].tolist()
    [1713891541, 3781805453, 3159862348, 2600524760]
    """

    key: int
    counter: int

    @classmethod
    def of_seeds(cls, seed: int, seed2: int) -> Stream:
        """Return the stream of an operation that advances with each draw."""
        return cls(seed & _LONG, (seed2 & _LONG) << 64)

    @classmethod
    def of_pair(cls, first: int, second: int) -> Stream:
        """Return the stream of a seed of two integers.

        The seed is scrambled, so that streams of similar seeds are independent.
        """
        mixed = cls(_SCRAMBLING_KEY, (first & _LONG) | (second & _LONG) << 64).words(np.arange(1))
        a, b, c, d = (int(word) for word in mixed[0])
        return cls(a | b << 32, c << 64 | d << 96)

    def skipped(self, blocks: int) -> Stream:
        """Return the stream without its first blocks."""
        return Stream(self.key, (self.counter + blocks) % 2**128)

    def words(self, offsets: Array) -> Array:
        """Return the blocks with these numbers, as uint32 along a last axis of length 4."""
        numbers = np.asarray(offsets).astype(np.uint64)
        flat = numbers.reshape(-1)
        if flat.size <= _FEW:
            few = [self._block(int(number)) for number in flat]
            return np.array(few, np.uint32).reshape(*numbers.shape, WORDS)
        result = np.empty((flat.size, WORDS), np.uint32)
        for at in range(0, flat.size, _BLOCK):
            self._write(flat[at : at + _BLOCK], result[at : at + _BLOCK])
        return result.reshape(*numbers.shape, WORDS)

    def _block(self, offset: int) -> list[int]:
        number = (self.counter + offset) % 2**128
        return self._mixed([number >> shift & _WORD for shift in (0, 32, 64, 96)])

    def _write(self, offsets: Array, result: Array) -> None:
        for i, words in enumerate(self._mixed(_counters(self.counter, offsets))):
            result[:, i] = words

    def _mixed(self, block: list[Any]) -> list[Any]:
        """Return the bits of blocks from the words of their numbers: ints, or uint64 arrays."""
        a, b, c, d = block
        first_key, second_key = self.key & _WORD, self.key >> 32
        for _ in range(_ROUNDS):
            first, second = a * _FACTORS[0], c * _FACTORS[1]
            a, b = second >> 32 ^ b ^ first_key, second & _WORD
            c, d = first >> 32 ^ d ^ second_key, first & _WORD
            first_key = (first_key + _KEY_STEPS[0]) & _WORD
            second_key = (second_key + _KEY_STEPS[1]) & _WORD
        return [a, b, c, d]

    def first(self, count: int) -> Array:
        """Return the first `count` words."""
        return self.words(np.arange(-(-count // WORDS))).reshape(-1)[:count]


def _counters(start: int, offsets: Array) -> list[Array]:
    """Return the four words of `start + offsets`, each in 64 bits."""
    low = np.uint64(start & _LONG)
    with np.errstate(over="ignore"):
        sums = offsets + low
        high = np.uint64(start >> 64) + (sums < low).astype(np.uint64)
    return [sums & _WORD, sums >> 32, high & _WORD, high >> 32]


def unit_float16(words: Array) -> Array:
    """Return a float16 of [0, 1) for each word: its low bits are the mantissa in [1, 2)."""
    bits = (words & np.uint32(0x3FF)).astype(np.uint16) | np.uint16(0x3C00)
    return bits.view(np.float16) - np.float16(1)


def unit_float32(words: Array) -> Array:
    """Return a float32 of [0, 1) for each word."""
    bits = (words & np.uint32(0x7FFFFF)) | np.uint32(0x3F800000)
    return bits.view(np.float32) - np.float32(1)


def unit_float64(words: Array) -> Array:
    """Return a float64 of [0, 1) for each two words along the last axis."""
    high = (words[..., ::2] & np.uint32(0xFFFFF)) | np.uint32(0x3FF00000)
    bits = (high.astype(np.uint64) << 32) | words[..., 1::2]
    return bits.view(np.float64) - 1.0


def uint64s(words: Array) -> Array:
    """Return an integer for each two words along the last axis, the low word first."""
    return words[..., ::2].astype(np.uint64) | (words[..., 1::2].astype(np.uint64) << 32)
