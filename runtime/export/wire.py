"""Protocol buffers' binary form: numbers, lengths and fields."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5

_MASK = (1 << 64) - 1
_FIXED = {FIXED64: 8, FIXED32: 4}
"""Sizes in bytes of wire types that have one."""


class DecodeError(ValueError):
    """Bytes are no message of the type that is wanted."""


def varint(number: int) -> bytes:
    """A number as bytes of seven bits; negative ones as 64-bit two's complement.

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
    """The number at a place, and the place behind it. Raises DecodeError if it is cut off."""
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
    """What a number of so many bits stands for in two's complement.

    >>> signed(2**64 - 1)
    -1
    """
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def field_at(data: bytes, at: int, end: int) -> tuple[int, int, int]:
    """The tag of the field at a place, and where its value begins and ends, without its length.

    Raises: DecodeError if it is cut off at `end`, or is no field.
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
    """The fields of a message: number, wire type, value, and the bytes of the whole field.

    The value is an int, or bytes for everything but VARINT.

    Raises: DecodeError if the bytes are cut off, or are no fields.
    """
    at = 0
    while at < len(data):
        begin = at
        tag, start, at = field_at(data, at, len(data))
        is_number = tag & 7 == VARINT
        value = read_varint(data, start)[0] if is_number else data[start:at]
        yield tag >> 3, tag & 7, value, data[begin:at]


def varints(data: bytes) -> Iterator[int]:
    """Numbers one after the other."""
    at = 0
    while at < len(data):
        number, at = read_varint(data, at)
        yield number


def floats(data: bytes, code: str) -> tuple[float, ...]:
    """Floats one after the other; `code` is that of `struct`, "f" or "d".

    Raises: DecodeError if the last is cut off.
    """
    size = struct.calcsize(code)
    if len(data) % size:
        raise DecodeError("Wire format was corrupt: a floating-point number is cut off")
    return struct.unpack(f"<{len(data) // size}{code}", data)


def field(number: int, wire_type: int, payload: bytes) -> bytes:
    """A field as bytes; a LENGTH field gets its length here."""
    head = varint(number << 3 | wire_type)
    return head + (varint(len(payload)) if wire_type == LENGTH else b"") + payload
