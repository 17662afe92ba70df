"""Scalar kinds of message fields, in bytes and in text."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from runtime.core import dtypes
from runtime.export import wire
from runtime.export.wire import FIXED32, FIXED64, LENGTH, VARINT, DecodeError

_MORE_TYPES = {
    0: "DT_INVALID", 11: "DT_QINT8", 12: "DT_QUINT8", 13: "DT_QINT32", 14: "DT_BFLOAT16",
    15: "DT_QINT16", 16: "DT_QUINT16",
}  # fmt: skip
_TYPE_WORDS = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}
TYPE_NAMES = _MORE_TYPES | {
    dtype.enum: f"DT_{_TYPE_WORDS.get(dtype.name, dtype.name.upper())}" for dtype in dtypes.ALL
}
"""The name of each dtype number."""
_REFERENCE = 100
TYPE_NAMES |= {
    number + _REFERENCE: f"{name}_REF" for number, name in list(TYPE_NAMES.items()) if number
}
TYPE_NUMBERS = {name: number for number, name in TYPE_NAMES.items()}


@dataclass(frozen=True)
class Kind:
    """One scalar kind.

    Attributes:
      wire_type, default: as in the format.
      checked: `checked(field, value)` returns the stored value, or raises TypeError or ValueError.
      encode, decode: conversion to and from bytes, without the length.
      decode_all: decodes packed values.
      text: formats a value.
    """

    wire_type: int
    default: Any
    checked: Callable[[str, Any], Any]
    encode: Callable[[Any], bytes]
    decode: Callable[[Any], Any]
    decode_all: Callable[[bytes], Iterable[Any]]
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


def _text_of(data: Any) -> str:
    try:
        return bytes(data).decode()
    except UnicodeDecodeError:
        raise DecodeError("String field had bad UTF-8") from None


_ESCAPES = {10: "\\n", 13: "\\r", 9: "\\t", 34: '\\"', 39: "\\'", 92: "\\\\"}


def quoted(value: str | bytes) -> str:
    """Return a quoted string with escapes."""
    if isinstance(value, str):
        shown = [letter if ord(letter) > 127 else _escaped(ord(letter), letter) for letter in value]
    else:
        shown = [_escaped(byte, chr(byte)) for byte in value]
    return f'"{"".join(shown)}"'


def _escaped(code: int, letter: str) -> str:
    if code in _ESCAPES:
        return _ESCAPES[code]
    return letter if 32 <= code < 127 else f"\\{code:03o}"


def _float_text(short: int, exact: int, code: str) -> Callable[[float], str]:
    def text(value: float) -> str:
        if not math.isfinite(value):
            return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
        shown = f"{value:.{short}g}"
        same = struct.pack(code, float(shown)) == struct.pack(code, value)
        return shown if same else f"{value:.{exact}g}"

    return text


def _flag_text(value: bool) -> str:
    return "true" if value else "false"


def _type_text(value: int) -> str:
    return TYPE_NAMES.get(value, str(value))


def _data_type(field: str, value: object) -> int:
    if isinstance(value, dtypes.DType):
        return value.enum
    if isinstance(value, str) and value in TYPE_NUMBERS:
        return TYPE_NUMBERS[value]
    return _integer(-(2**31), 2**31)(field, value)


def _varint_kind(low: int, high: int, bits: int | None) -> Kind:
    def decode(number: int) -> int:
        return wire.signed(number, bits) if bits else number % high

    return Kind(
        VARINT,
        0,
        _integer(low, high),
        wire.varint,
        decode,
        lambda data: map(decode, wire.varints(data)),
        str,
    )


def _float_kind(code: str, wire_type: int, short: int, exact: int) -> Kind:
    return Kind(
        wire_type,
        0.0,
        _single if code == "f" else _number,
        lambda value: struct.pack(f"<{code}", value),
        lambda data: struct.unpack(f"<{code}", data)[0],
        lambda data: wire.floats(data, code),
        _float_text(short, exact, f"<{code}"),
    )


def _none(data: bytes) -> Iterable[Any]:
    raise DecodeError("strings are not packed")


KINDS: dict[str, Kind] = {
    "int32": _varint_kind(-(2**31), 2**31, 32),
    "int64": _varint_kind(-(2**63), 2**63, 64),
    "uint32": _varint_kind(0, 2**32, None),
    "uint64": _varint_kind(0, 2**64, None),
    "bool": Kind(
        VARINT,
        False,
        lambda field, value: bool(_integer(0, 2)(field, value)),
        lambda value: wire.varint(int(value)),
        bool,
        lambda data: map(bool, wire.varints(data)),
        _flag_text,
    ),
    "DataType": Kind(
        VARINT,
        0,
        _data_type,
        wire.varint,
        lambda number: wire.signed(number, 32),
        lambda data: (wire.signed(number, 32) for number in wire.varints(data)),
        _type_text,
    ),
    "float": _float_kind("f", FIXED32, 6, 9),
    "double": _float_kind("d", FIXED64, 15, 17),
    "string": Kind(LENGTH, "", _string, lambda value: str(value).encode(), _text_of, _none, quoted),
    "bytes": Kind(LENGTH, b"", _bytes, bytes, bytes, _none, quoted),
}
