"""The file system of this computer, and compressed files; errors are those of operations."""

from __future__ import annotations

import errno
import glob as globbing
import gzip
import io
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from runtime.core.errors import (
    AlreadyExistsError,
    DataLossError,
    FailedPreconditionError,
    NotFoundError,
    PermissionDeniedError,
    StatusError,
    UnknownError,
)

Named = str | bytes | os.PathLike[Any]

_KINDS: dict[int, type[StatusError]] = {
    errno.ENOENT: NotFoundError,
    errno.ENOTDIR: FailedPreconditionError,
    errno.EISDIR: FailedPreconditionError,
    errno.ENOTEMPTY: FailedPreconditionError,
    errno.EEXIST: AlreadyExistsError,
    errno.EACCES: PermissionDeniedError,
    errno.EPERM: PermissionDeniedError,
}


@contextmanager
def reported(path: Named) -> Iterator[None]:
    """Turns errors of the system into those of operations, which name the path."""
    try:
        yield
    except OSError as error:
        kind = _KINDS.get(error.errno or 0, UnknownError)
        words = error.strerror or str(error)
        raise kind.of(f"{os.fsdecode(path)}; {words}") from error


@contextmanager
def opened(path: Named, mode: str) -> Iterator[BinaryIO]:
    """Open a file of bytes."""
    # Of an int `open` would make the file of this descriptor.
    with reported(path), open(os.fspath(path), mode) as file:
        yield file  # type: ignore[misc]  # the modes are those of bytes


def matching(pattern: Named) -> list[str]:
    """Return the paths that match a glob pattern, sorted.

    >>> matching("/no/such/*")
    []
    """
    return sorted(globbing.glob(os.fsdecode(pattern)))


def makedirs(path: Named) -> None:
    """Create a directory, and those above it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     makedirs(f"{home}/a/b")
    ...     os.listdir(f"{home}/a")
    ['b']
    """
    with reported(path):
        os.makedirs(path, exist_ok=True)


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
def open_stream(path: Named, compression_type: str) -> Iterator[BinaryIO]:
    """Open a file for reading the bytes that were compressed.

    Raises: DataLossError while reading, if the data is damaged or of another format.
    """
    with opened(path, "rb") as file:
        try:
            yield _STREAMS[compression_type](file)
        except _DAMAGE as error:
            raise DataLossError.of(
                f"{os.fsdecode(path)}: no readable {compression_type} data: {error}"
            ) from error
