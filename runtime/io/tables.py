"""Lines of tables: numbers and texts with commas between them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import MIXED, STRING, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op
from runtime.ops.strings.elements import invalid

CSV_DTYPES = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)
"""Dtypes of columns."""


class Column(NamedTuple):
    """One column that is read.

    Attributes:
      position: that among the fields.
      dtype: dtype of its values.
      default: value of empty fields; None if every record must have one.
    """

    position: int
    dtype: DType
    default: Any


def split_fields(line: bytes, delim: bytes = b",") -> list[bytes]:
    """Split a record into its fields (RFC 4180).

    Raises: InvalidArgumentError for quotes inside a field that does not begin with one.

    >>> split_fields(b'1,"a, b"')
    [b'1', b'a, b']
    """
    if b'"' not in line and b"\r" not in line and b"\n" not in line:
        return line.split(delim)
    found = []
    rest: bytes | None = line
    while rest is not None:
        if rest.startswith(b'"'):
            field, rest = _quoted(rest, delim)
        else:
            field, comma, tail = rest.partition(delim)
            rest = tail if comma else None
            if any(sign in field for sign in (b'"', b"\r", b"\n")):
                raise invalid("Unquoted fields cannot have quotes/CRLFs inside")
        found.append(field)
    return found


def _quoted(text: bytes, delim: bytes) -> tuple[bytes, bytes | None]:
    """Return the field in quotes at the beginning, and the text after its delimiter."""
    at = 1
    while True:
        end = text.find(b'"', at)
        if end < 0:
            raise invalid("Quoted field has to end with quote followed by delim or end")
        if text[end + 1 : end + 2] != b'"':
            break
        at = end + 2
    field, tail = text[1:end].replace(b'""', b'"'), text[end + 1 :]
    if tail and not tail.startswith(delim):
        raise invalid("Quoted field has to end with quote followed by delim or end")
    return field, tail[len(delim) :] if tail else None


def field_value(field: bytes, dtype: DType, place: str) -> Any:
    """Return the value of a field.

    Raises: InvalidArgumentError if the text is not a number of that dtype.

    >>> field_value(b" 3 ", dtypes.int32, "0")
    np.int32(3)
    """
    if dtype is dtypes.string:
        return field
    try:
        text = field.decode("ascii").strip()
        # Python's separator of digits is no part of a number in a file.
        value = (int if dtype.is_integer else float)("x" if "_" in text else text)
        if dtype.is_integer and not dtype.min <= value <= dtype.max:
            raise ValueError(f"{value} is no {dtype.name}")
    except ValueError:
        shown = field.decode(errors="replace")
        raise invalid(f"Field {place} is not a valid {dtype.type_word}: {shown}") from None
    return dtype.as_numpy_dtype(value)


def row(
    fields: Sequence[bytes], columns: Sequence[Column], place: Callable[[int], str]
) -> tuple[Any, ...]:
    """Return the values of columns in one record.

    Raises: InvalidArgumentError for a field that is not a value of its column.
    """
    values = []
    for at, dtype, default in columns:
        if fields[at]:
            values.append(field_value(fields[at], dtype, place(at)))
        elif default is None:
            raise invalid(
                f"Field {place(at)} is required but missing: a default value in place of the "
                "dtype makes it optional."
            )
        else:
            values.append(default)
    return tuple(values)


def require_increasing(positions: Sequence[int]) -> None:
    """Raise ValueError unless positions of columns are increasing and not negative."""
    if any(a >= b for a, b in itertools.pairwise((-1, *positions))):
        raise ValueError(f"select_cols should be strictly increasing, but it is {positions}.")


def _decode(
    xp: object, records: object, *defaults: object, field_delim: str, select_cols: tuple[int, ...]
) -> tuple[Any, ...]:
    lines = np.asarray(records, object)
    arrays = [np.asarray(default) for default in defaults]
    columns = [
        Column(i, dtypes.from_numpy(array.dtype), array.ravel()[0] if array.size else None)
        for i, array in enumerate(arrays)
    ]
    results = [np.zeros(lines.shape, array.dtype) for array in arrays]
    for number, line in enumerate(lines.ravel().tolist()):
        fields = split_fields(line, field_delim.encode())
        if select_cols:
            fields = [fields[column] for column in select_cols if column < len(fields)]
        if len(fields) != len(columns):
            raise invalid(f"Expect {len(columns)} fields but have {len(fields)} in record {number}")
        values = row(fields, columns, lambda i, number=number: f"{i} in record {number}")  # type: ignore[misc]
        for result, value in zip(results, values, strict=True):
            result.reshape(-1)[number] = value
    return tuple(results)


_DECODE = define_op(
    "DecodeCSV",
    {"records": STRING, "*record_defaults": MIXED},
    lambda records, *defaults, **attrs: tuple(
        records.spec.with_dtype(default.dtype) for default in defaults
    ),
    _decode,
    outputs=None,
    samples=(sample(["1,a", ",b"], 5, "", field_delim=",", select_cols=()),),
)


def decode_csv(
    records: TensorLike,
    record_defaults: Sequence[TensorLike],
    field_delim: str = ",",
    *,
    select_cols: Sequence[int] | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """Decode the columns of a table, of which each record is a line (RFC 4180).

    Args:
      records: strings.
      record_defaults: for each column a value of its dtype (float32, float64, int32, int64 or
        string), which replaces empty fields; or an empty vector if there must be none.
      field_delim: the character between fields.
      select_cols: positions of the columns to decode, increasing; None: all.

    Returns: a tensor for each column, of the shape of `records`.
    Raises: InvalidArgumentError for lines with other fields; ValueError for arguments that do not
      fit.

    >>> numbers, words = decode_csv(["1,a", ",b"], [5, ""])
    >>> print(numbers, words)
    tf.Tensor([1 5], shape=(2,), dtype=int32) tf.Tensor([b'a' b'b'], shape=(2,), dtype=string)
    """
    defaults = [_default(value) for value in record_defaults]
    columns = tuple(select_cols or ())
    require_increasing(columns)
    if select_cols is not None and len(columns) != len(defaults):
        raise ValueError("Length of select_cols and record_defaults do not match.")
    if len(field_delim) != 1:
        raise invalid(f"field_delim should be only 1 char, not {field_delim!r}")
    outputs = _DECODE.outputs(
        records, *defaults, field_delim=field_delim, select_cols=columns, name=name
    )
    return list(outputs)


def _default(value: TensorLike) -> Tensor:
    tensor = convert_to_tensor(value)
    if tensor.dtype not in CSV_DTYPES:
        raise TypeError(
            "a column is one of float32, float64, int32, int64, string, but the default "
            f"{value!r} is {tensor.dtype.name}"
        )
    return tensor
