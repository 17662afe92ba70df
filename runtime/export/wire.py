"""The wire format of protocol buffers: varints, lengths and fields."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5

_MASK = (1 << 64) - 1
_FIXED = {FIXED64: 8, FIXED32: 4}
"""Sizes in bytes of the fixed-size wire types."""


class DecodeError(ValueError):
    """Bytes are not a message of the expected type."""


def varint(number: int) -> bytes:
    """Encode a number as a varint; negative ones as 64-bit two's complement.

    >>> varint(300)
    b'\\xac\\x02'
    """
    rest = number & _MASK
    out = bytearray()
    while rest > 0x7F:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)
    return bytes(out)


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Decode a varint at an offset; return (value, next offset). Raises DecodeError if
    truncated.
    """
    if at < len(data) and data[at] < 0x80:
        return data[at], at + 1
    result = shift = 0
    while shift < 70:
        if at >= len(data):
            raise DecodeError("Wire format was corrupt: a number is cut off")
        byte = data[at]
        at += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result & _MASK, at
        shift += 7
    raise DecodeError("Wire format was corrupt: a number has more than ten bytes")


def signed(number: int, bits: int = 64) -> int:
    """Interpret an unsigned number as two's complement of `bits` bits.

    >>> signed(2**64 - 1)
    -1
    """
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def field_at(data: bytes, at: int, end: int) -> tuple[int, int, int]:
    """Decode a field header at an offset; return (tag, start of the value, end of the value).

    Raises:
      DecodeError: if the field extends past `end`, or is malformed.
    """
    tag, at = read_varint(data, at)
    number, wire_type = tag >> 3, tag & 7
    if not 0 < number < 1 << 29:
        raise DecodeError(f"Wire format was corrupt: there is no field number {number}")
    if wire_type == LENGTH:
        length, at = read_varint(data, at)
        stop = at + length
    elif wire_type == VARINT:
        _, stop = read_varint(data, at)
    elif wire_type in _FIXED:
        stop = at + _FIXED[wire_type]
    else:
        raise DecodeError(f"Wire format was corrupt: there is no wire type {wire_type}")
    if stop > end:
        raise DecodeError(
            f"Wire format was corrupt: field {number} has {stop - at} bytes, of which "
            f"{max(end - at, 0)} are there"
        )
    return tag, at, stop


def fields(data: bytes) -> Iterator[tuple[int, int, Any, bytes]]:
    """Yield the fields of a message: number, wire type, value, and the bytes of the whole field.

    The value is an int for VARINT, else bytes.

    Raises:
      DecodeError: if the bytes are truncated or malformed.
    """
    at = 0
    while at < len(data):
        begin = at
        tag, start, at = field_at(data, at, len(data))
        is_number = tag & 7 == VARINT
        value = read_varint(data, start)[0] if is_number else data[start:at]
        yield tag >> 3, tag & 7, value, data[begin:at]


def varints(data: bytes) -> Iterator[int]:
    """Yield consecutive varints."""
    at = 0
    while at < len(data):
        number, at = read_varint(data, at)
        yield number


def floats(data: bytes, code: str) -> tuple[float, ...]:
    """Decode consecutive floats; `code` is the format of `struct`, "f" or "d".

    Raises:
      DecodeError: if the last one is truncated.
    """
    size = struct.calcsize(code)
    if len(data) % size:
        raise DecodeError("Wire format was corrupt: a floating-point number is cut off")
    return struct.unpack(f"<{len(data) // size}{code}", data)


def field(number: int, wire_type: int, payload: bytes) -> bytes:
    """Encode a field; a LENGTH field is prefixed with its length."""
    head = varint(number << 3 | wire_type)
    return head + (varint(len(payload)) if wire_type == LENGTH else b"") + payload
