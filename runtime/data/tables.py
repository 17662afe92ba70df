"""Datasets of the rows of CSV files (RFC 4180)."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, BinaryIO

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import EagerTensor
from runtime.data.dataset import Dataset
from runtime.data.pipelines import Element, text
from runtime.data.reading import FileNames, read_files
from runtime.io import file_system
from runtime.io.tables import CSV_DTYPES, Column, field_value, require_increasing, row, split_fields
from runtime.ops.base.values import to_array
from runtime.ops.strings.elements import invalid

_INFERRED = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string)
"""Dtypes that `make_csv_dataset` tries for a column, in this order."""

_INFERENCE = 100
"""Number of rows that decide the dtypes."""


@dataclass(frozen=True)
class Layout:
    """Conversion of the records of a file to rows.

    Attributes:
      columns: the columns of a row, in its order.
      width: number of fields of every record; None if there may be more than the columns use.
      header: whether the first record holds the names of columns.
      delimiter: the byte between fields.
      compression: "GZIP", "ZLIB", or "".
      skips: whether records with wrong fields are left out.
    """

    columns: Sequence[Column]
    width: int | None
    header: bool = False
    delimiter: bytes = b","
    compression: str = ""
    skips: bool = False


def _rows(path: str, layout: Layout) -> Iterator[Element]:
    """Yield the rows of a file; errors name file, line and column."""
    with file_system.open_stream(path, layout.compression) as file:
        names: Sequence[bytes] = ()
        for line, record in _records(path, file):
            try:
                fields = split_fields(record, layout.delimiter)
                if layout.header and not names:
                    names = fields
                    continue
                yield _row(fields, names, layout)
            except InvalidArgumentError as error:
                if not layout.skips:
                    raise error.with_message(f"{path}, line {line}: {error.message}") from None
        if layout.header and not names:
            raise invalid(f"{path}: the file is empty, but header=True needs a line of names.")


def _records(path: str, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the records of a file, each with the number of its first line.

    A quoted field may hold line ends: as long as a quote is open, the record goes on.
    """
    number = 0
    while record := file.readline():
        first = number = number + 1
        while record.count(b'"') % 2:
            more = file.readline()
            number += 1
            if not more:
                raise invalid(f"{path}, line {first}: the quoted field has no closing quote.")
            record += more
        yield first, record.removesuffix(b"\n").removesuffix(b"\r")


def _row(fields: Sequence[bytes], names: Sequence[bytes], layout: Layout) -> Element:
    least = layout.width or max(column.position for column in layout.columns) + 1
    if len(fields) < least or (layout.width is not None and len(fields) > least):
        raise invalid(f"Expect {least} fields but have {len(fields)} in record.")

    def place(index: int) -> str:
        known = index < len(names)
        return f"{index} ({names[index].decode(errors='replace')})" if known else str(index)

    return tuple(map(text, row(fields, layout.columns, place)))


class CsvDataset(Dataset):
    """The rows of CSV files: a tuple of scalars for each record.

    Args:
      filenames: as in `TextLineDataset`.
      record_defaults: for each column read a dtype (float32, float64, int32, int64 or string), if
        every record must have a value, or a value for empty fields.
      compression_type: "GZIP", "ZLIB", or "" and None for no compression.
      buffer_size: no effect.
      header: whether the first record of each file holds the names of columns.
      field_delim: the character between fields.
      select_cols: positions of the columns to read, increasing; None reads all.

    Raises:
      ValueError: for defaults or columns that do not fit.
      InvalidArgumentError: in a loop, for a record with wrong fields; names file, line and column.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     path = pathlib.Path(home, "people.csv")
    ...     size = path.write_text("name,age\\nAda,36\\nBob,\\n")
    ...     for name, age in CsvDataset(path, ["", -1], header=True):
    ...         print(name.numpy(), age.numpy())
    b'Ada' 36
    b'Bob' -1
    """

    def __init__(
        self,
        filenames: FileNames,
        record_defaults: Sequence[Any],
        compression_type: str | None = None,
        buffer_size: int | None = None,
        header: bool = False,
        field_delim: str = ",",
        *,
        select_cols: Sequence[int] | None = None,
    ) -> None:
        count = len(record_defaults)
        indices = range(count) if select_cols is None else select_cols
        require_increasing(indices)
        if len(indices) != count:
            raise ValueError(
                f"select_cols has {len(indices)} columns, but record_defaults has {count}."
            )
        columns = [Column(i, *_default(v)) for i, v in zip(indices, record_defaults, strict=True)]
        layout = Layout(
            columns,
            count if select_cols is None else None,
            header,
            _delimiter(field_delim),
            file_system.require_compression(compression_type),
        )
        spec = tuple(spec_of(column.dtype, ()) for column in columns)
        super().__init__(read_files(filenames, partial(_rows, layout=layout)), spec)


def _delimiter(field_delim: str) -> bytes:
    if len(field_delim) != 1:
        raise ValueError(f"field_delim should be one character, but it is {field_delim!r}.")
    return field_delim.encode()


def _default(value: object) -> tuple[DType, Any]:
    """Return dtype and default of a column, of a dtype or a value."""
    if isinstance(value, DType):
        return _column_dtype(value), None
    array = np.asarray(to_array(value.array if isinstance(value, EagerTensor) else value))
    dtype = _column_dtype(dtypes.from_numpy(array.dtype))
    return dtype, array.ravel()[0] if array.size else None


def _column_dtype(dtype: DType) -> DType:
    if dtype not in CSV_DTYPES:
        raise ValueError(
            "A column is one of float32, float64, int32, int64 and string, but record_defaults has "
            f"{dtype.name}: read one of these, then use tf.cast."
        )
    return dtype


def make_csv_dataset(
    file_pattern: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    batch_size: int,
    column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None,
    select_columns: Sequence[int | str] | None = None,
    field_delim: str = ",",
    *,
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    num_parallel_reads: int | None = None,
    compression_type: str | None = None,
    ignore_errors: bool = False,
) -> Dataset:
    """Read CSV files into batches of columns, which are dicts.

    Args:
      file_pattern: paths or glob patterns.
      batch_size: number of rows per batch.
      column_names: names of all columns; None takes them from the header.
      column_defaults: for each column read a dtype, or a value for empty fields; None infers the
        dtype from the first 100 rows, and empty fields are 0 or an empty string.
      label_name: column that becomes the second part of an element.
      select_columns: names or positions of the columns to read; None reads all.
      field_delim, compression_type: as in `CsvDataset`.
      header: whether the first record of each file holds the names of columns.
      num_epochs: how often the rows are repeated; None repeats without end, and leaves out an
        incomplete last batch.
      shuffle: whether files and rows are shuffled.
      shuffle_buffer_size, shuffle_seed: as in `Dataset.shuffle`.
      num_parallel_reads: number of files that take turns, row by row; None reads one file after
        the other.
      ignore_errors: whether records with wrong fields are left out.

    Returns: A dataset of dicts from column names to tensors of shape [batch_size], or of pairs of
      such a dict and the labels.

    Raises:
      ValueError: if no file matches, or names and defaults do not fit the files.
      InvalidArgumentError: in a loop, as in `CsvDataset`.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     path = pathlib.Path(home, "people.csv")
    ...     size = path.write_text("name,age\\nAda,36\\nBob,41\\n")
    ...     people = make_csv_dataset(path, 2, label_name="age", num_epochs=1, shuffle=False)
    ...     for features, ages in people:
    ...         print(features["name"].numpy(), ages.numpy())
    [b'Ada' b'Bob'] [36 41]
    """
    paths = _match_paths(file_pattern)
    kind = file_system.require_compression(compression_type)
    plain = Layout((), None, header, _delimiter(field_delim), kind, ignore_errors)
    names = _column_names(paths, column_names, plain)
    if label_name is not None and label_name not in names:
        raise ValueError(
            f"`label_name` provided must be one of the columns: {names}. Received: {label_name}."
        )
    indices = _select(names, select_columns)
    columns = _columns(paths, names, indices, column_defaults, plain)
    features = {names[i]: columns[i] for i in indices if names[i] != label_name}
    label = None if label_name is None else columns[names.index(label_name)]
    # Components of a dict are in the order of its sorted keys; the label is the last one.
    order = [features[key] for key in sorted(features)] + ([label] if label else [])
    layout = replace(plain, columns=order, width=len(names))
    spec = _element_spec(features, label)
    files = Dataset.from_tensor_slices(paths)
    if shuffle:
        files = files.shuffle(len(paths), shuffle_seed)
    rows = Dataset(read_files(files, partial(_rows, layout=layout), num_parallel_reads), spec)
    if shuffle:
        rows = rows.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs != 1:
        rows = rows.repeat(num_epochs)
    return rows.batch(batch_size, drop_remainder=num_epochs is None).prefetch(1)


def _element_spec(features: Mapping[str, Column], label: Column | None) -> Any:
    specs: dict[str, TensorSpec] = {
        name: spec_of(column.dtype, ()) for name, column in features.items()
    }
    return specs if label is None else (specs, spec_of(label.dtype, ()))


def _match_paths(pattern: Any) -> list[str]:
    patterns = pattern if isinstance(pattern, (list, tuple)) else [pattern]
    paths = sorted(path for one in patterns for path in file_system.matching(one))
    if not paths:
        raise ValueError(f"No files match `file_pattern` {pattern}.")
    return paths


def _column_names(paths: Sequence[str], given: Sequence[str] | None, layout: Layout) -> list[str]:
    if given is None and not layout.header:
        raise ValueError("Expected `column_names` or `header` arguments. Neither is provided.")
    names = list(given) if given is not None else _header(paths[0], layout)
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"The columns {repeated} of {paths[0]} have the same name.")
    for path in paths[1:] if given is None else ():
        other = _header(path, layout)
        if other != names:
            raise ValueError(
                "All CSV files need the same names in the first line, but the names of "
                f"{paths[0]} are {names}, those of {path} {other}."
            )
    return names


def _header(path: str, layout: Layout) -> list[str]:
    with file_system.open_stream(path, layout.compression) as file:
        for _, record in _records(path, file):
            try:
                return [name.decode() for name in split_fields(record, layout.delimiter)]
            except UnicodeDecodeError as error:
                raise ValueError(
                    f"{path}: the names in the first line are not utf-8; set `column_names`."
                ) from error
    raise ValueError(f"{path} is empty, but header=True needs a line of names.")


def _select(names: Sequence[str], select: Sequence[int | str] | None) -> list[int]:
    """Return the positions of the selected columns, ascending."""
    if select is None:
        return list(range(len(names)))
    indices = []
    for column in select:
        if isinstance(column, str) and column not in names:
            raise ValueError(
                f"Column {column} specified in `select_columns` must be one of the columns: "
                f"{list(names)}."
            )
        index = names.index(column) if isinstance(column, str) else column
        if not 0 <= index < len(names):
            raise ValueError(f"`select_columns` has {column}, but there are {len(names)} columns.")
        if index in indices:
            raise ValueError(f"`select_columns` has column {names[index]} twice.")
        indices.append(index)
    return sorted(indices)


def _columns(
    paths: Sequence[str],
    names: Sequence[str],
    indices: Sequence[int],
    defaults: Sequence[Any] | None,
    layout: Layout,
) -> dict[int, Column]:
    """Return the columns to read, by position."""
    if defaults is None:
        dtypes_found = _infer_dtypes(paths, len(names), indices, layout)
        return {i: Column(i, dtype, _EMPTY[dtype]) for i, dtype in dtypes_found.items()}
    if len(defaults) != len(indices):
        raise ValueError(
            f"`column_defaults` has {len(defaults)} values, but {len(indices)} columns are read: "
            f"{[names[i] for i in indices]}."
        )
    return {i: Column(i, *_default(value)) for i, value in zip(indices, defaults, strict=True)}


_EMPTY: dict[DType, Any] = {
    dtype: b"" if dtype is dtypes.string else dtype.as_numpy_dtype(0) for dtype in _INFERRED
}


def _infer_dtypes(
    paths: Sequence[str], width: int, indices: Sequence[int], layout: Layout
) -> dict[int, DType]:
    """Return for each column the first dtype that fits the fields of the first rows."""
    least = dict.fromkeys(indices, -1)
    for path, line, record in itertools.islice(_data_records(paths, layout), _INFERENCE):
        fields = split_fields(record, layout.delimiter)
        if len(fields) != width:
            raise ValueError(
                f"{path}, line {line} has {len(fields)} fields, but there are {width} columns: "
                "column_defaults and ignore_errors=True leave such lines out."
            )
        for index in indices:
            if fields[index]:
                while not _FITS[max(least[index], 0)](fields[index]):
                    least[index] = max(least[index], 0) + 1
                least[index] = max(least[index], 0)
    return {index: _INFERRED[place] for index, place in least.items()}


def _data_records(paths: Sequence[str], layout: Layout) -> Iterator[tuple[str, int, bytes]]:
    for path in paths:
        with file_system.open_stream(path, layout.compression) as file:
            records = _records(path, file)
            for line, record in itertools.islice(records, int(layout.header), None):
                yield path, line, record


def _fits(dtype: DType) -> Callable[[bytes], bool]:
    def fits(field: bytes) -> bool:
        try:
            value = field_value(field, dtype, "")
        except InvalidArgumentError:
            return False
        return not dtype.is_floating or float(dtype.min) <= value <= float(dtype.max)

    return fits


_FITS = [_fits(dtype) for dtype in _INFERRED]
