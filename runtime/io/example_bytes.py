"""The bytes of many `Example` messages: where the values of features are, without message objects.

A batch of messages by one writer mostly has few layouts: the same keys in the same order. All
messages with the layout of the first are followed at once, with arrays of offsets; those whose
layout is rare, and small batches, are parsed one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError
from numpy.lib.stride_tricks import as_strided

from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.dtypes import DType
from runtime.io.messages import Example, Feature

_FEW = 32
"""Messages below which one by one is faster than with arrays of offsets."""

_LENGTH = 2
"""The wire type of a field of bytes, and of a message: a length precedes it."""

_TAG, _SECOND_TAG = 1 << 3 | _LENGTH, 2 << 3 | _LENGTH
_TAGS = {
    dtype: number << 3 | _LENGTH
    for number, dtype in ((1, dtypes.string), (2, dtypes.float32), (3, dtypes.int64))
}
"""The tags of the lists in a `Feature`."""


class DamagedExampleError(ValueError):
    """A message of a batch is not an `Example`.

    Args:
      number: the number of the message.
      reason: what is wrong with it.
    """

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


class ExampleBatch:
    """Several `Example` messages, one after the other.

    Args:
      messages: the messages.
      keys: the keys of the features to find.

    Raises: DamagedExampleError for the first message that is none.

    Attributes:
      spans: for each key the starts and stops of its features, shape [messages, 2], -1 where there
        is none or the message was parsed.
      parsed: the messages that were parsed, by number.
    """

    def __init__(self, messages: Sequence[bytes], keys: Sequence[str]) -> None:
        self._data = b"".join(messages)
        self._stops = np.cumsum([0, *map(len, messages)])
        # Offsets of damaged messages may lead a little past the end.
        self._bytes = np.frombuffer(self._data + bytes(16), np.uint8)
        self.spans = {key: np.full((len(messages), 2), -1) for key in keys}
        found = {key.encode(): spans for key, spans in self.spans.items()}
        left = np.arange(len(messages))
        waiting = np.ones(len(left), bool)
        while len(left) >= _FEW:
            same = self._follow(left, found)
            waiting[same] = False
            left = np.flatnonzero(waiting)
            if 4 * len(same) < len(left):
                break
        self.parsed: dict[int, Any] = {}
        for number in left.tolist():
            try:
                self.parsed[number] = Example.FromString(messages[number])
            except DecodeError as error:
                raise DamagedExampleError(number, str(error)) from None

    def feature(self, key: str, number: int) -> Any:
        """Return the `Feature` of a message; None if it has none."""
        if number in self.parsed:
            return self.parsed[number].features.feature.get(key)
        start, stop = self.spans[key][number].tolist()
        return None if start < 0 else Feature.FromString(self._data[start:stop])

    def _enter(self, tag: int, at: Array) -> tuple[Any, Any, Any]:
        """Read a tag and a length: whether it is that tag, and the spans of the fields."""
        take = self._bytes.take
        same = take(at, mode="clip") == tag
        byte, at = take(at + 1, mode="clip"), at + 2
        more = byte >= 0x80
        length, shift = (byte & 0x7F).astype(np.int64), 7
        while shift < 35 and more.any():
            byte = take(at, mode="clip")
            length |= np.where(more, byte & 0x7F, 0).astype(np.int64) << shift
            at = at + more
            more &= byte >= 0x80
            shift += 7
        return same & ~more, at, at + length

    def _rows(self, at: Array, size: int) -> Any:
        """Return `size` bytes from each offset, which must be one of the data."""
        count = len(self._bytes) - size + 1
        return as_strided(self._bytes, (count, size), (1, 1), writeable=False)[at]

    def _follow(self, rows: Array, found: dict[bytes, Any]) -> Any:
        """Find the features of all messages with the layout of the first; return their rows."""
        none = rows[:0]
        ends = self._stops[rows + 1]
        fits, at, stop = self._enter(_TAG, self._stops[rows])
        fits &= stop == ends
        while fits[0]:
            fit = slice(None) if fits.all() else fits
            rows, at, stop = rows[fit], at[fit], stop[fit]
            if at[0] == stop[0]:
                return rows[at == stop]
            is_entry, entry, entry_stop = self._enter(_TAG, at)
            is_key, key, key_stop = self._enter(_TAG, entry)
            is_value, value, value_stop = self._enter(_SECOND_TAG, key_stop)
            size = key_stop[0] - key[0]
            fits = is_entry & is_key & is_value & (key_stop - key == size) & (at < stop)
            fits &= (value_stop == entry_stop) & (entry_stop <= stop)
            if not fits[0]:
                return none
            own = self._bytes[key[0] : key_stop[0]]
            fits &= (self._rows(np.where(fits, key, 0), size) == own).all(1)
            if own.tobytes() in found:
                found[own.tobytes()][rows[fits]] = np.stack([value, value_stop], 1)[fits]
            at = entry_stop
        return none

    def dense(self, key: str, dtype: DType, size: int) -> Any | None:
        """Return the values of features that all have `size` values of a dtype, packed.

        Returns: An array of shape [messages, size]; None if a feature is another, or a message was
          parsed.
        """
        start, stop = self.spans[key].T
        if not len(start) or start.min() < 0:
            return None
        is_kind, at, end = self._enter(_TAGS[dtype], start)
        if not (is_kind & (end == stop)).all():
            return None
        if dtype is dtypes.string:
            return self._texts(at, end) if size == 1 else None
        is_list, at, end = self._enter(_TAG, at)
        if not (is_list & (end == stop)).all():
            return None
        if dtype is dtypes.float32:
            if (end - at != 4 * size).any():
                return None
            return self._rows(at, 4 * size).view("<f4")
        return self._integers(at, end, size)

    def _texts(self, at: object, end: object) -> Any | None:
        is_text, start, stop = self._enter(_TAG, at)
        if not (is_text & (stop == end)).all():
            return None
        result = np.empty((len(start), 1), object)
        pairs = zip(start.tolist(), stop.tolist(), strict=True)
        result[:, 0] = [self._data[a:b] for a, b in pairs]
        return result

    def _integers(self, at: Array, end: Array, size: int) -> Any | None:
        lengths = end - at
        ends = np.cumsum(lengths)
        flat = self._bytes[np.arange(lengths.sum()) + np.repeat(at - (ends - lengths), lengths)]
        last = flat < 0x80
        counts = np.diff(np.concatenate([[0], np.cumsum(last)[ends - 1]]))
        if (counts != size).any() or not last[ends - 1].all():
            return None
        stops = np.flatnonzero(last)
        starts = np.concatenate([[0], stops[:-1] + 1])
        widths = stops - starts + 1
        if widths.max() > 10:
            return None
        result = np.zeros(len(starts), np.uint64)
        for place in range(int(widths.max())):
            has = widths > place
            byte = flat[starts[has] + place].astype(np.uint64) & np.uint64(0x7F)
            result[has] |= byte << np.uint64(7 * place)
        return result.view(np.int64).reshape(-1, size)
