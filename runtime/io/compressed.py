"""Compressed strings."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

from runtime.core.errors import DataLossError
from runtime.core.opdef import sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.string_elements import invalid, string_op

_KINDS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "ZLIB": zlib.decompress,
    "GZIP": gzip.decompress,
}


def _expanded(data: bytes, compression_type: str) -> bytes:
    try:
        return _KINDS[compression_type](data)
    except (zlib.error, gzip.BadGzipFile, EOFError) as error:
        raise DataLossError(None, None, f"inflate() failed with error: {error}") from error


_DECODE = string_op(
    "DecodeCompressed", _expanded, sample([zlib.compress(b"abc")], compression_type="ZLIB")
)


def decode_compressed(
    bytes: TensorLike, compression_type: str = "", name: str | None = None
) -> Tensor:
    """The strings that were compressed.

    Args:
      bytes: compressed strings.
      compression_type: "ZLIB", "GZIP", or "" for strings that are not compressed.
      name: the name of the operation.

    Raises: InvalidArgumentError for another type; DataLossError for damaged strings.

    >>> print(decode_compressed(zlib.compress(b"abc"), "ZLIB"))
    tf.Tensor(b'abc', shape=(), dtype=string)
    """
    if compression_type not in _KINDS:
        raise invalid(
            f"Only ZLIB, GZIP or NONE are supported compressions, not {compression_type!r}"
        )
    return _DECODE(bytes, compression_type=compression_type, name=name)
