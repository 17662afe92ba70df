"""Datasets of the lines and records of files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

from runtime.core import dtypes
from runtime.core.spec import spec_of
from runtime.data.dataset import Dataset
from runtime.data.pipelines import Element, text
from runtime.data.reading import FileNames, read_files
from runtime.io import file_system, records

_STRING = spec_of(dtypes.string, ())


def _lines(path: str, compression_type: str) -> Iterator[Element]:
    with file_system.open_stream(path, compression_type) as file:
        for line in file:
            yield (text(line.removesuffix(b"\n").replace(b"\r", b"")),)


def _records(path: str, compression_type: str) -> Iterator[Element]:
    return ((text(record),) for record in records.records(path, compression_type))


class _DatasetOfFiles(Dataset):
    """The strings in files, of which `_read` yields those of one."""

    _read: ClassVar[Callable[..., Iterator[Element]]]

    def __init__(
        self,
        filenames: FileNames,
        compression_type: str | None = None,
        buffer_size: int | None = None,
        num_parallel_reads: int | None = None,
        name: str | None = None,
    ) -> None:
        read = partial(
            type(self)._read, compression_type=file_system.require_compression(compression_type)
        )
        super().__init__(read_files(filenames, read, num_parallel_reads), _STRING)


class TextLineDataset(_DatasetOfFiles):
    """The lines of text files, without their ends.

    Args:
      filenames: string tensor of any shape, paths, or a dataset of string scalars.
      compression_type: "GZIP", "ZLIB", or "" and None for no compression.
      buffer_size: no effect.
      num_parallel_reads: number of files that take turns, line by line; None reads one file after
        the other.
      name: no effect.

    Raises:
      TypeError: if the names are not strings.
      ValueError: if there is no such compression, or `num_parallel_reads` is less than 1.
      NotFoundError: in a loop, if a file does not exist; names the file.

    As in TensorFlow, a line is bytes and carriage returns are dropped wherever they are.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as home:
    ...     path = pathlib.Path(home, "words.txt")
    ...     size = path.write_text("one\\ntwo\\n")
    ...     print(list(TextLineDataset(path).as_numpy_iterator()))
    [b'one', b'two']
    """

    _read = staticmethod(_lines)


class TFRecordDataset(_DatasetOfFiles):
    """The records of record files, as string scalars.

    Args:
      filenames, compression_type, buffer_size, num_parallel_reads, name: as in `TextLineDataset`.

    Raises:
      TypeError: if the names are not strings.
      NotFoundError: in a loop, if a file does not exist; names the file.
      DataLossError: in a loop, at a record that is cut off or damaged; names file and offset.

    >>> import tempfile
    >>> import runtime as tf
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with tf.io.TFRecordWriter(f"{home}/a", "GZIP") as writer:
    ...         writer.write(b"record")
    ...     print(list(TFRecordDataset(f"{home}/a", "GZIP").as_numpy_iterator()))
    [b'record']
    """

    _read = staticmethod(_records)
