"""Base64 in its form for URLs: `-` and `_` in place of `+` and `/`."""

from __future__ import annotations

import base64
import re

from runtime.core.opdef import sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.string_elements import invalid, string_op

_ALPHABET = re.compile(rb"[A-Za-z0-9_-]*={0,2}")


def _encoded(data: bytes, pad: bool) -> bytes:
    text = base64.urlsafe_b64encode(data)
    return text if pad else text.rstrip(b"=")


def _decoded(data: bytes) -> bytes:
    if not _ALPHABET.fullmatch(data):
        raise invalid("Invalid character found in base64.")
    text = data.rstrip(b"=")
    if len(text) % 4 == 1:
        raise invalid("Base64 string length cannot be 1 modulo 4.")
    return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))


_ENCODE = string_op("EncodeBase64", _encoded, sample(["ab", ""], pad=False))
_DECODE = string_op("DecodeBase64", _decoded, sample(["YWI", ""]))


def encode_base64(input: TensorLike, pad: bool = False, name: str | None = None) -> Tensor:
    """Strings in base64, in its form for URLs.

    Args:
      input: strings.
      pad: whether `=` fills the last group of four characters.
      name: the name of the operation.

    >>> print(encode_base64("hi?>"))
    tf.Tensor(b'aGk_Pg', shape=(), dtype=string)
    """
    return _ENCODE(input, pad=bool(pad), name=name)


def decode_base64(input: TensorLike, name: str | None = None) -> Tensor:
    """The strings that `encode_base64` was given.

    Args:
      input: strings in base64, in its form for URLs, with or without `=` at their ends.
      name: the name of the operation.

    Raises: InvalidArgumentError for a string that is not base64.

    >>> print(decode_base64("aGk_Pg"))
    tf.Tensor(b'hi?>', shape=(), dtype=string)
    """
    return _DECODE(input, name=name)
