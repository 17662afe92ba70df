"""The bytes of `Example` messages: where the values of features are, without a message object.

A batch of messages by one writer mostly has one layout: the same keys in the same order. All
messages with the layout of the first are followed at once, with arrays of offsets; others, and all
messages of small batches, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.dtypes import DType
from runtime.export.scalars import LENGTH, DecodeError, field_at, read_varint, signed

Span = tuple[int, int]

_KINDS = {1: dtypes.string, 2: dtypes.float32, 3: dtypes.int64}
"""Dtypes by the field numbers of `Feature`."""

_FEW = 32
"""Messages below which one by one is faster than with arrays of offsets."""

_TAG, _SECOND_TAG = 1 << 3 | LENGTH, 2 << 3 | LENGTH
_TAGS = {dtype: number << 3 | LENGTH for number, dtype in _KINDS.items()}


def inner_spans(data: bytes, span: Span, number: int) -> Iterator[Span]:
    """Yield the spans of one field of a message, which holds bytes or a message.

    Raises: DecodeError if the bytes are no message.
    """
    at, end = span
    while at < end:
        tag, start, at = field_at(data, at, end)
        if tag == number << 3 | LENGTH:
            yield start, at


def entries(data: bytes, number: int) -> dict[bytes, Span]:
    """Return the spans of values by key, of the map in one field of a message.

    Raises: DecodeError if the bytes are no message.
    """
    return {
        data[slice(*max(inner_spans(data, entry, 1), default=(0, 0)))]: max(
            inner_spans(data, entry, 2), default=(0, 0)
        )
        for outer in inner_spans(data, (0, len(data)), number)
        for entry in inner_spans(data, outer, 1)
    }


def values(data: bytes, span: Span) -> tuple[DType | None, list[Any]]:
    """Return the dtype and the values of a `Feature`; no dtype if it has none.

    Raises: DecodeError if the bytes are no message.
    """
    found, at = 0, span[0]
    lists: list[Span] = []
    while at < span[1]:
        tag, start, at = field_at(data, at, span[1])
        number = tag >> 3
        if number in _KINDS and tag & 7 == LENGTH:
            lists = [*lists, (start, at)] if number == found else [(start, at)]
            found = number
    if not found:
        return None, []
    return _KINDS[found], [each for own in lists for each in _VALUES[found](data, own)]


def _texts(data: bytes, span: Span) -> Iterator[bytes]:
    return (data[start:stop] for start, stop in inner_spans(data, span, 1))


def _packed(data: bytes, span: Span) -> Iterator[tuple[bool, Span]]:
    """Yield the spans of numbers, each with whether it holds several."""
    at, end = span
    while at < end:
        tag, start, at = field_at(data, at, end)
        if tag >> 3 == 1:
            yield tag & 7 == LENGTH, (start, at)


def _floats(data: bytes, span: Span) -> Iterator[float]:
    for _, (start, stop) in _packed(data, span):
        if (stop - start) % 4:
            raise DecodeError("Wire format was corrupt: a floating-point number is cut off")
        yield from np.frombuffer(data, "<f4", (stop - start) // 4, start).tolist()


def _integers(data: bytes, span: Span) -> Iterator[int]:
    for _, (at, stop) in _packed(data, span):
        while at < stop:
            number, at = read_varint(data, at)
            yield signed(number)


_VALUES: dict[int, Any] = {1: _texts, 2: _floats, 3: _integers}


class ExampleBatch:
    """Several `Example` messages, one after the other.

    Args:
      messages: the messages.

    Attributes:
      data: their bytes.
    """

    def __init__(self, messages: Sequence[bytes]) -> None:
        """Join the messages."""
        self.messages = messages
        self.data = b"".join(messages)
        self._stops = np.cumsum([0, *map(len, messages)])
        # Offsets of damaged messages may lead a little past the end.
        self._bytes = np.frombuffer(self.data + bytes(16), np.uint8)

    def spans(self, keys: Sequence[bytes]) -> tuple[dict[bytes, Any], DecodeError | None, int]:
        """Return for each key the starts and stops of its features, -1 where there is none.

        Returns:
          Arrays of shape [messages, 2] by key, the error of the first message that is none, and
          its number.
        """
        found = {key: np.full((len(self.messages), 2), -1) for key in keys}
        left = np.arange(len(self.messages))
        waiting = np.ones(len(left), bool)
        while len(left) >= _FEW:
            same = self._follow(left, found)
            waiting[same] = False
            left = np.flatnonzero(waiting)
            if 4 * len(same) < len(left):
                break
        for number in left.tolist():
            try:
                own = entries(self.messages[number], 1)
            except DecodeError as error:
                return found, error, number
            start = int(self._stops[number])
            for key, spans in found.items():
                at, stop = own.get(key, (-1 - start, -1 - start))
                spans[number] = at + start, stop + start
        return found, None, 0

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

    def dense(self, spans: Array, dtype: DType, size: int) -> Any | None:
        """Return the values of features that all have `size` values of a dtype, packed.

        Returns: An array of shape [messages, size]; None if a feature is another.
        """
        start, stop = spans[:, 0], spans[:, 1]
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
        result[:, 0] = [self.data[a:b] for a, b in pairs]
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
