"""Protocol buffers' binary form: numbers, lengths and fields."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5

_MASK = (1 << 64) - 1


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


def fields(data: bytes) -> Iterator[tuple[int, int, Any, bytes]]:
    """The fields of a message: number, wire type, value, and the bytes of the whole field.

    The value is an int, or bytes for everything but VARINT.

    Raises: DecodeError if the bytes are cut off, or are no fields.
    """
    at = 0
    while at < len(data):
        start = at
        tag, at = read_varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        if not 0 < number < 1 << 29:
            raise DecodeError(f"Wire format was corrupt: there is no field number {number}")
        value: Any
        if wire_type == VARINT:
            value, at = read_varint(data, at)
        else:
            length, at = _length(data, at, wire_type)
            if length > len(data) - at:
                raise DecodeError(
                    f"Wire format was corrupt: field {number} has {length} bytes, of which "
                    f"{len(data) - at} are there"
                )
            value = data[at : at + length]
            at += length
        yield number, wire_type, value, data[start:at]


def _length(data: bytes, at: int, wire_type: int) -> tuple[int, int]:
    if wire_type == LENGTH:
        return read_varint(data, at)
    fixed = {FIXED64: 8, FIXED32: 4}.get(wire_type)
    if fixed is None:
        raise DecodeError(f"Wire format was corrupt: there is no wire type {wire_type}")
    return fixed, at


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
