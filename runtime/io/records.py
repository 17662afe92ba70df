"""Record files: any number of byte strings, each with its length and checksums.

A record is a little-endian uint64 length, the masked CRC-32C of these eight bytes, the data, and
the masked CRC-32C of the data (https://www.tensorflow.org/tutorials/load_data/tfrecord).
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from runtime.core.errors import DataLossError, FailedPreconditionError
from runtime.io import file_system
from runtime.io.checksums import masked_crc32c

_HEADER = struct.Struct("<QI")
_FOOTER = struct.Struct("<I")
_CHUNK = 1 << 26
"""Bytes per read: a length in a hostile file allocates no more than the file holds."""


@dataclass(frozen=True)
class TFRecordOptions:
    """Options of `TFRecordWriter`.

    Args:
      compression_type: "GZIP", "ZLIB", or "" and None for no compression.
      compression_level: from 0 (none) to 9 (small); None is 6.

    >>> TFRecordOptions("GZIP").compression_type
    'GZIP'
    """

    compression_type: str | None = None
    compression_level: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the compression."""
        file_system.require_compression(self.compression_type)


class _Deflated:
    """A file whose bytes are compressed when they are written."""

    def __init__(self, file: BinaryIO, options: TFRecordOptions) -> None:
        level = options.compression_level
        # 16 more bits ask zlib for the header of gzip.
        bits = zlib.MAX_WBITS + (16 if options.compression_type == "GZIP" else 0)
        self._file = file
        self._stream = zlib.compressobj(-1 if level is None else level, wbits=bits)

    def write(self, data: bytes) -> None:
        self._file.write(self._stream.compress(data))

    def flush(self) -> None:
        self._file.write(self._stream.flush(zlib.Z_SYNC_FLUSH))
        self._file.flush()

    def close(self) -> None:
        self._file.write(self._stream.flush())
        self._file.close()


class TFRecordWriter:
    """Writes a record file, which TensorFlow reads too.

    Args:
      path: the file; one with this name is replaced.
      options: a `TFRecordOptions`, or the name of a compression.

    Raises:
      NotFoundError: if the directory does not exist.
      ValueError: if there is no such compression.

    >>> import tempfile
    >>> import runtime as tf
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with TFRecordWriter(f"{home}/data.tfrecord") as writer:
    ...         writer.write(b"first")
    ...         writer.write(b"second")
    ...     dataset = tf.data.TFRecordDataset(f"{home}/data.tfrecord")
    ...     print(list(dataset.as_numpy_iterator()))
    [b'first', b'second']
    """

    def __init__(
        self, path: file_system.Named, options: TFRecordOptions | str | None = None
    ) -> None:
        """Open the file."""
        chosen = options if isinstance(options, TFRecordOptions) else TFRecordOptions(options)
        self._path = path
        self._file: BinaryIO | _Deflated | None = None
        with file_system.reported(path):
            file = open(os.fspath(path), "wb")  # noqa: SIM115 - open until `close`
        self._file = _Deflated(file, chosen) if chosen.compression_type else file

    def _open(self) -> BinaryIO | _Deflated:
        if self._file is None:
            raise FailedPreconditionError.of(f"The writer of {os.fsdecode(self._path)} is closed.")
        return self._file

    def write(self, record: bytes | str) -> None:
        """Append a record.

        Args:
          record: bytes, or a string, which is encoded.

        Raises:
          TypeError: if `record` is neither bytes nor text.
          FailedPreconditionError: if the writer is closed.
        """
        if not isinstance(record, (bytes, str)):
            raise TypeError(
                f"write takes bytes, not {type(record).__name__}: of a string tensor use "
                "`tensor.numpy()`, of an example `example.SerializeToString()`."
            )
        data = record.encode() if isinstance(record, str) else record
        file = self._open()
        with file_system.reported(self._path):
            file.write(frame(data))

    def flush(self) -> None:
        """Hand all records to the operating system."""
        file = self._open()
        with file_system.reported(self._path):
            file.flush()

    def close(self) -> None:
        """Write what is buffered and close the file. Further calls have no effect."""
        if self._file is not None:
            with file_system.reported(self._path):
                self._file.close()
            self._file = None

    def __enter__(self) -> TFRecordWriter:
        """Return the writer."""
        return self

    def __exit__(self, *details: object) -> None:
        """Close the file."""
        self.close()

    def __del__(self) -> None:
        """Close the file of a writer that nobody refers to."""
        if getattr(self, "_file", None) is not None:
            self.close()


def frame(data: bytes) -> bytes:
    """Return data with its length and checksums.

    >>> len(frame(b"abc"))
    19
    """
    length = struct.pack("<Q", len(data))
    parts = length, _FOOTER.pack(masked_crc32c(length)), data, _FOOTER.pack(masked_crc32c(data))
    return b"".join(parts)


def records(path: file_system.Named, compression_type: str = "") -> Iterator[bytes]:
    """Yield the records of a file.

    Raises:
      NotFoundError: if there is no such file.
      DataLossError: at the first record that is cut off or damaged; names file and offset.
    """
    with file_system.open_stream(path, compression_type) as file:
        offset = 0
        while head := file.read(_HEADER.size):
            if len(head) < _HEADER.size:
                raise _lost(path, "truncated", offset, "its length is cut off")
            length, checksum = _HEADER.unpack(head)
            if masked_crc32c(head[:8]) != checksum:
                hint = "the checksum of its length is wrong"
                if offset == 0:
                    hint += "; the file is not a record file, or compression_type does not fit"
                raise _lost(path, "corrupted", offset, hint)
            yield _data(path, file, offset, length)
            offset += _HEADER.size + length + _FOOTER.size


def _data(path: file_system.Named, file: BinaryIO, offset: int, length: int) -> bytes:
    """Read and check the data of a record of known length."""
    body = _read(file, length + _FOOTER.size)
    if len(body) < length + _FOOTER.size:
        missing = length + _FOOTER.size - len(body)
        raise _lost(path, "truncated", offset, f"{missing} bytes are missing at its end")
    data = body[:length]
    if masked_crc32c(data) != _FOOTER.unpack(body[length:])[0]:
        raise _lost(path, "corrupted", offset, "the checksum of its data is wrong")
    return data


def _read(file: BinaryIO, count: int) -> bytes:
    """Read `count` bytes, or fewer at the end of the file."""
    chunks = []
    while count and (chunk := file.read(min(count, _CHUNK))):
        chunks.append(chunk)
        count -= len(chunk)
    return b"".join(chunks)


def _lost(path: file_system.Named, state: str, offset: int, hint: str) -> DataLossError:
    text = f"{os.fsdecode(path)}: {state} record at byte {offset}: {hint}."
    return DataLossError.of(text)
