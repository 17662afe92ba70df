"""Compressed files."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from runtime.core.errors import DataLossError
from runtime.io import file_system

_DAMAGE = (zlib.error, gzip.BadGzipFile, EOFError)


class _Inflated(io.RawIOBase):
    """The bytes of a ZLIB stream, in order."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._stream = zlib.decompressobj()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer. Raises EOFError if the file ends before the stream does."""
        data = b""
        while not data and not self._stream.eof:
            given = self._stream.unconsumed_tail or self._file.read(len(buffer))
            if not given:
                raise EOFError("the file ended before the end-of-stream marker was reached")
            data = self._stream.decompress(given, len(buffer))
        buffer[: len(data)] = data
        return len(data)


_STREAMS: dict[str, Callable[[BinaryIO], BinaryIO]] = {
    "": lambda file: file,
    "ZLIB": lambda file: cast(BinaryIO, io.BufferedReader(_Inflated(file))),
    "GZIP": lambda file: cast(BinaryIO, gzip.GzipFile(fileobj=file)),
}


def require_compression(compression_type: str | None) -> str:
    """Return the name of a compression of files; None means none.

    Raises: ValueError if there is no such compression.
    """
    kind = compression_type or ""
    if kind not in _STREAMS:
        raise ValueError(
            f"compression_type {compression_type!r} is unknown: use 'GZIP', 'ZLIB', or ''."
        )
    return kind


@contextmanager
def open_stream(path: file_system.Named, compression_type: str) -> Iterator[BinaryIO]:
    """Open a file for reading the bytes that were compressed.

    Args:
      path: the file.
      compression_type: "GZIP", "ZLIB", or "".

    Raises: DataLossError while reading, if the data is damaged or of another format.
    """
    with file_system.opened(path, "rb") as file:
        try:
            yield _STREAMS[compression_type](file)
        except _DAMAGE as error:
            raise DataLossError.of(
                f"{file_system.text_of(path)}: no readable {compression_type} data: {error}"
            ) from error
