"""Strings and bytes, and groups of number types."""

from __future__ import annotations


def as_bytes(bytes_or_text: object, encoding: str = "utf-8") -> bytes:
    """Convert a string or bytes to bytes.

    Args:
      bytes_or_text: a string or bytes.
      encoding: the encoding of a string.

    Raises:
      TypeError: for any other type.

    >>> as_bytes("é")
    b'\\xc3\\xa9'
    """
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text: object, encoding: str = "utf-8") -> str:
    """Convert a string or bytes to a string.

    Args:
      bytes_or_text: a string or bytes.
      encoding: the encoding of bytes.

    Raises:
      TypeError: for any other type.
      UnicodeDecodeError: for bytes in another encoding.

    >>> as_text(b"abc")
    'abc'
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value: object, encoding: str = "utf-8") -> str:
    """Decode bytes; convert any other value with `str`.

    Args:
      value: any value.
      encoding: the encoding of bytes.

    >>> as_str_any(b"abc"), as_str_any(3)
    ('abc', '3')
    """
    return value.decode(encoding) if isinstance(value, bytes) else str(value)
