"""Datasets of the lines and records of files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from runtime.core import dtypes
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.data import ops, pipelines
from runtime.data.dataset import Dataset
from runtime.data.pipelines import Element, Pipeline, text
from runtime.data.transformations import AUTOTUNE
from runtime.io import compressed, records
from runtime.ops.base.convert import convert_to_tensor

FileNames = TensorLike | os.PathLike[str] | Sequence[os.PathLike[str]] | Dataset

_STRING = spec_of(dtypes.string, ())
_READS_AT_ONCE = 2
"""Files that take turns with `num_parallel_reads=AUTOTUNE`."""


def _lines(path: str, compression_type: str) -> Iterator[Element]:
    with compressed.open_stream(path, compression_type) as file:
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
            type(self)._read, compression_type=compressed.require_compression(compression_type)
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


def read_files(
    filenames: FileNames,
    read: Callable[[str], Iterator[Element]],
    num_parallel_reads: int | None = None,
) -> Tensor:
    """Return the variant of a dataset of the elements in files.

    Args:
      filenames: as in `TextLineDataset`.
      read: yields the elements of one file.
      num_parallel_reads: as in `TextLineDataset`.
    """
    cycle = _READS_AT_ONCE if num_parallel_reads == AUTOTUNE else num_parallel_reads
    if cycle is not None and cycle < 1:
        raise ValueError(f"`num_parallel_reads` must be 1 or more, not {num_parallel_reads}.")
    block = sys.maxsize if num_parallel_reads is None else 1

    def elements(name: Any) -> Pipeline:
        return Pipeline(lambda: read(os.fsdecode(np.asarray(name, object).item())))

    def make(names: Pipeline) -> Pipeline:
        return pipelines.interleaved(names, elements, cycle or 1, block)

    return ops.PLAIN(_names(filenames).variant_tensor, make=make)


def _names(filenames: FileNames) -> Dataset:
    if isinstance(filenames, Dataset):
        _require_strings(filenames.element_spec)
        return filenames
    tensor = convert_to_tensor(_plain(filenames))
    _require_strings(tensor.spec.with_dims(()))
    return Dataset(ops.PLAIN(tensor, make=_flat), _STRING)


def _flat(names: object) -> Pipeline:
    return pipelines.slices(np.asarray(names, object).ravel())


def _plain(filenames: object) -> Any:
    if isinstance(filenames, (list, tuple)):
        return [_plain(name) for name in filenames]
    return os.fspath(filenames) if isinstance(filenames, os.PathLike) else filenames


def _require_strings(spec: object) -> None:
    if not isinstance(spec, TensorSpec) or spec.dtype is not dtypes.string or spec.dims:
        raise TypeError(f"The `filenames` argument must contain strings, but it contains {spec}.")
