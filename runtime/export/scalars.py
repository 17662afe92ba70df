"""The wire format of protocol buffers, and scalar kinds of message fields in bytes and in text."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from runtime.core import dtypes

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

    Raises: DecodeError if the field extends past `end`, or is malformed.
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


def fields(data: bytes) -> Iterator[tuple[int, int, Any]]:
    """Yield the fields of a message: number, wire type, value (an int for VARINT, else bytes).

    Raises: DecodeError if the bytes are truncated or malformed.
    """
    at = 0
    while at < len(data):
        tag, start, at = field_at(data, at, len(data))
        is_number = tag & 7 == VARINT
        yield tag >> 3, tag & 7, read_varint(data, start)[0] if is_number else data[start:at]


def unpacked(data: bytes, wire_type: int) -> Iterator[Any]:
    """Yield consecutive values of a wire type, which a field of LENGTH packs.

    Raises: DecodeError if the last one is truncated, or the values are not packed.
    """
    at = 0
    size = _FIXED.get(wire_type)
    if wire_type == LENGTH or (size and len(data) % size):
        raise DecodeError("Wire format was corrupt: a number is cut off")
    while at < len(data):
        if size:
            value: Any = data[at : at + size]
            at += size
        else:
            value, at = read_varint(data, at)
        yield value


def field(number: int, wire_type: int, payload: bytes) -> bytes:
    """Encode a field; a LENGTH field is prefixed with its length."""
    head = varint(number << 3 | wire_type)
    return head + (varint(len(payload)) if wire_type == LENGTH else b"") + payload


_TYPE_WORDS = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}
TYPE_NAMES = {0: "DT_INVALID"} | {
    dtype.enum: f"DT_{_TYPE_WORDS.get(dtype.name, dtype.name.upper())}" for dtype in dtypes.ALL
}
"""The name of each dtype number."""


@dataclass(frozen=True)
class Kind:
    """One scalar kind.

    Attributes:
      wire_type, default: as in the format.
      checked: `checked(field, value)` returns the stored value, or raises TypeError or ValueError.
      encode, decode: conversion to bytes, without the length, and from what `fields` yields.
      text: formats a value.
    """

    wire_type: int
    default: Any
    checked: Callable[[str, Any], Any]
    encode: Callable[[Any], bytes]
    decode: Callable[[Any], Any]
    text: Callable[[Any], str]


def is_default(value: object, kind: Kind) -> bool:
    """Return whether a value is the default and need not be written; -0.0 differs from 0.0."""
    if isinstance(value, float) and value == 0.0:
        return math.copysign(1.0, value) > 0
    return bool(value == kind.default)


def _wrong(field: str, value: object, wanted: str) -> TypeError:
    return TypeError(f"field `{field}` takes {wanted}, not {value!r} ({type(value).__name__})")


def _integer(low: int, high: int) -> Callable[[str, Any], int]:
    def checked(field: str, value: object) -> int:
        if isinstance(value, (str, bytes, float)) or not hasattr(value, "__index__"):
            raise _wrong(field, value, "an integer")
        number = int(value.__index__())
        if not low <= number < high:
            raise ValueError(f"Value out of range: field `{field}` cannot hold {number}")
        return number

    return checked


def _number(field: str, value: object) -> float:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise _wrong(field, value, "a number")
    return float(value)


def _single(field: str, value: object) -> float:
    number = _number(field, value)
    if math.isfinite(number) and abs(number) > 3.4028235677973366e38:
        return math.copysign(math.inf, number)
    return float(struct.unpack("<f", struct.pack("<f", number))[0])


def _string(field: str, value: object) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise _wrong(field, value, "a string")
    return value


def _bytes(field: str, value: object) -> bytes:
    if not isinstance(value, (bytes, bytearray)):
        raise _wrong(field, value, "bytes")
    return bytes(value)


def _text_of(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise DecodeError("String field had bad UTF-8") from None


_ESCAPES = {10: "\\n", 13: "\\r", 9: "\\t", 34: '\\"', 39: "\\'", 92: "\\\\"}


def _quoted(value: str | bytes) -> str:
    if isinstance(value, str):
        shown = [letter if ord(letter) > 127 else _escaped(ord(letter)) for letter in value]
    else:
        shown = list(map(_escaped, value))
    return f'"{"".join(shown)}"'


def _escaped(code: int) -> str:
    return _ESCAPES.get(code) or (chr(code) if 32 <= code < 127 else f"\\{code:03o}")


def _float_text(short: int, exact: int, code: str) -> Callable[[float], str]:
    def text(value: float) -> str:
        shown = f"{value:.{short}g}"
        same = struct.pack(code, float(shown)) == struct.pack(code, value)
        return shown if same or math.isnan(value) else f"{value:.{exact}g}"

    return text


def _data_type(field: str, value: object) -> int:
    number = value.enum if isinstance(value, dtypes.DType) else value
    return _integer(-(2**31), 2**31)(field, number)


def _varint_kind(bits: int, is_signed: bool = True) -> Kind:
    low, high = (-(1 << bits - 1), 1 << bits - 1) if is_signed else (0, 1 << bits)
    decode = (lambda number: signed(number, bits)) if is_signed else (lambda number: number % high)
    return Kind(VARINT, 0, _integer(low, high), varint, decode, str)


def _float_kind(code: str, wire_type: int, short: int, exact: int) -> Kind:
    packing = struct.Struct(f"<{code}")
    return Kind(
        wire_type,
        0.0,
        _single if code == "f" else _number,
        packing.pack,
        lambda data: packing.unpack(data)[0],
        _float_text(short, exact, code),
    )


KINDS: dict[str, Kind] = {
    "int32": _varint_kind(32),
    "int64": _varint_kind(64),
    "uint32": _varint_kind(32, False),
    "uint64": _varint_kind(64, False),
    "bool": Kind(
        VARINT,
        False,
        lambda field, value: bool(_integer(0, 2)(field, value)),
        varint,
        bool,
        lambda value: str(value).lower(),
    ),
    "DataType": Kind(
        VARINT,
        0,
        _data_type,
        varint,
        lambda number: signed(number, 32),
        lambda value: TYPE_NAMES.get(value, str(value)),
    ),
    "float": _float_kind("f", FIXED32, 6, 9),
    "double": _float_kind("d", FIXED64, 15, 17),
    "string": Kind(LENGTH, "", _string, str.encode, _text_of, _quoted),
    "bytes": Kind(LENGTH, b"", _bytes, bytes, bytes, _quoted),
}
