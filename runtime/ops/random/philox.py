"""Random bits: the counter-based generator Philox-4x32 with ten rounds.

The numbers at a place of the stream depend on that place and the key alone, so any part of it can
be computed at any time, and many parts at once.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_WORD = 2**32 - 1
_LONG = 2**64 - 1
_SCRAMBLING_KEY = 0x02461E293EC8F720
_BLOCK = 1 << 13
"""Of so many numbers all that is computed on the way stays near the processor."""

WORDS = 4
"""The 32-bit words of one block."""


@dataclass(frozen=True)
class Stream:
    """A stream of blocks of four words.

    Attributes:
      key: the key, 64 bits.
      counter: the number of the first block, 128 bits.

    >>> Stream(key=0, counter=0).words(np.arange(1))[0].tolist()
    [1713891541, 3781805453, 3159862348, 2600524760]
    """

    key: int
    counter: int

    @classmethod
    def of_seeds(cls, seed: int, seed2: int) -> Stream:
        """The stream of an operation that keeps a count of what it drew."""
        return cls(seed & _LONG, (seed2 & _LONG) << 64)

    @classmethod
    def of_pair(cls, first: int, second: int) -> Stream:
        """The stream of an operation that gets a seed of two integers at each call.

        Scrambling lets seeds that differ in one bit have nothing in common.
        """
        mixed = cls(_SCRAMBLING_KEY, (first & _LONG) | (second & _LONG) << 64).words(np.arange(1))
        a, b, c, d = (int(word) for word in mixed[0])
        return cls(a | b << 32, c << 64 | d << 96)

    def skipped(self, blocks: int) -> Stream:
        """The stream without its first blocks."""
        return Stream(self.key, (self.counter + blocks) % 2**128)

    def words(self, offsets: Any) -> Any:
        """The blocks at these places, counted from the beginning of the stream.

        Args:
          offsets: integers of any shape.

        Returns: uint32, with one more dimension, of length 4.
        """
        places = np.asarray(offsets).astype(np.uint64)
        flat = places.reshape(-1)
        result = np.empty((flat.size, WORDS), np.uint32)
        for at in range(0, flat.size, _BLOCK):
            self._write(flat[at : at + _BLOCK], result[at : at + _BLOCK])
        return result.reshape(*places.shape, WORDS)

    def _write(self, offsets: Any, result: Any) -> None:
        blocks = _counters(self.counter, offsets)
        keys = [self.key & _WORD, self.key >> 32]
        for _ in range(_ROUNDS):
            blocks = _round(blocks, keys)
            keys = [(k + step) & _WORD for k, step in zip(keys, _KEY_STEPS, strict=True)]
        for i, block in enumerate(blocks):
            result[:, i] = block

    def first(self, count: int) -> Any:
        """The first `count` words."""
        return self.words(np.arange(-(-count // WORDS))).reshape(-1)[:count]


def _counters(start: int, offsets: Any) -> list[Any]:
    """The words of `start + offsets`, each in 64 bits."""
    low = np.uint64(start & _LONG)
    with np.errstate(over="ignore"):
        sums = offsets + low
        high = np.uint64(start >> 64) + (sums < low).astype(np.uint64)
    return [sums & _LOW, sums >> _HALF, high & _LOW, high >> _HALF]


def _round(blocks: list[Any], keys: list[int]) -> list[Any]:
    first, second = (blocks[i] * factor for i, factor in zip((0, 2), _MULTIPLIERS, strict=True))
    return [
        (second >> _HALF) ^ blocks[1] ^ np.uint64(keys[0]),
        second & _LOW,
        (first >> _HALF) ^ blocks[3] ^ np.uint64(keys[1]),
        first & _LOW,
    ]


def unit_float16(words: Any) -> Any:
    """Numbers from 0 to, exclusively, 1: one of each word."""
    bits = (words & np.uint32(0x3FF)).astype(np.uint16) | np.uint16(0x3C00)
    return bits.view(np.float16) - np.float16(1)


def unit_float32(words: Any) -> Any:
    """Numbers from 0 to, exclusively, 1: one of each word."""
    bits = (words & np.uint32(0x7FFFFF)) | np.uint32(0x3F800000)
    return bits.view(np.float32) - np.float32(1)


def unit_float64(words: Any) -> Any:
    """Numbers from 0 to, exclusively, 1: one of each two words along the last axis."""
    high = (words[..., ::2] & np.uint32(0xFFFFF)) | np.uint32(0x3FF00000)
    bits = (high.astype(np.uint64) << _HALF) | words[..., 1::2]
    return bits.view(np.float64) - 1.0


def uint64s(words: Any) -> Any:
    """One integer of each two words along the last axis."""
    return words[..., ::2].astype(np.uint64) | (words[..., 1::2].astype(np.uint64) << _HALF)
