"""Lines of tables: numbers and texts with commas between them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import MIXED, STRING, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import define_op
from runtime.ops.string_elements import invalid

CSV_DTYPES = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)
"""Dtypes of columns."""


def split_fields(line: bytes, delim: bytes, quotes: bool) -> list[bytes]:
    """Split a record into its fields (RFC 4180).

    Raises:
      InvalidArgumentError: for quotes inside a field that does not begin with one.

    >>> split_fields(b'1,"a, b"', b",", True)
    [b'1', b'a, b']
    """
    if b'"' not in line and b"\r" not in line and b"\n" not in line:
        return line.split(delim)
    found = []
    rest: bytes | None = line
    while rest is not None:
        if quotes and rest.startswith(b'"'):
            field, rest = _quoted(rest, delim)
        else:
            field, comma, tail = rest.partition(delim)
            rest = tail if comma else None
            if quotes and any(sign in field for sign in (b'"', b"\r", b"\n")):
                raise invalid("Unquoted fields cannot have quotes/CRLFs inside")
        found.append(field)
    return found


def _quoted(text: bytes, delim: bytes) -> tuple[bytes, bytes | None]:
    """The field in quotes at the beginning, and what is behind the delimiter after it."""
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


def _number(kind: Callable[[str], Any], dtype: DType, field: bytes) -> Any:
    text = field.decode("ascii").strip()
    if "_" in text:
        raise ValueError("Python's separator of digits is no part of a number in a file")
    value = kind(text)
    if dtype.is_integer and not dtype.min <= value <= dtype.max:
        raise ValueError(f"{value} is no {dtype.name}")
    return value


def field_value(field: bytes, dtype: DType, place: str) -> Any:
    """Return the value of a field.

    Args:
      field: its text.
      dtype: float32, float64, int32, int64 or string.
      place: where it is, for messages.

    Raises:
      InvalidArgumentError: if the text is no number of that dtype.

    >>> field_value(b" 3 ", dtypes.int32, "0")
    3
    """
    if dtype is dtypes.string:
        return field
    try:
        return _number(int if dtype.is_integer else float, dtype, field)
    except ValueError:
        shown = field.decode(errors="replace")
        word = dtype.type_word
        raise invalid(f"Field {place} is not a valid {word}: {shown}") from None


def _decode(
    xp: Any,
    records: Any,
    *defaults: Any,
    field_delim: str,
    use_quote_delim: bool,
    na_value: str,
    select_cols: tuple[int, ...],
) -> tuple[Any, ...]:
    lines = np.asarray(records, object)
    kinds = [dtypes.from_numpy(np.asarray(default).dtype) for default in defaults]
    results = [np.zeros(lines.shape, np.asarray(default).dtype) for default in defaults]
    empty = {b"", na_value.encode()}
    for number, line in enumerate(lines.ravel().tolist()):
        fields = split_fields(line, field_delim.encode(), use_quote_delim)
        if select_cols:
            fields = [fields[column] for column in select_cols if column < len(fields)]
        if len(fields) != len(defaults):
            raise invalid(
                f"Expect {len(defaults)} fields but have {len(fields)} in record {number}"
            )
        for at, (field, default) in enumerate(zip(fields, defaults, strict=True)):
            if field not in empty:
                value = field_value(field, kinds[at], f"{at} in record {number}")
            elif np.size(default):
                value = np.ravel(default)[0]
            else:
                raise invalid(f"Field {at} is required but missing in record {number}!")
            results[at].reshape(-1)[number] = value
    return tuple(results)


def _specs(records: Tensor, *defaults: Tensor, **attrs: Any) -> tuple[TensorSpec, ...]:
    return tuple(records.spec.with_dtype(default.dtype) for default in defaults)


_DECODE = define_op(
    "DecodeCSV",
    {"records": STRING, "*record_defaults": MIXED},
    _specs,
    _decode,
    outputs=None,
    samples=(
        sample(
            ["1,a", ",b"],
            5,
            "",
            field_delim=",",
            use_quote_delim=True,
            na_value="",
            select_cols=(),
        ),
    ),
)


def decode_csv(
    records: TensorLike,
    record_defaults: Sequence[TensorLike],
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """The columns of a table, of which each record is a line.

    Args:
      records: strings.
      record_defaults: for each column a value of its dtype (float32, float64, int32, int64 or
        string), which stands for fields that are empty; or an empty vector if there must be none.
      field_delim: what stands between fields, one character.
      use_quote_delim: whether double quotes enclose fields.
      na_value: what stands for an empty field too.
      select_cols: the numbers of the columns that count, increasing; None: all.
      name: the name of the operation.

    Returns: a tensor for each column, of the shape of `records`.
    Raises: InvalidArgumentError for lines with other fields; ValueError for arguments that do not
      fit.

    >>> numbers, words = decode_csv(["1,a", ",b"], [5, ""])
    >>> print(numbers, words)
    tf.Tensor([1 5], shape=(2,), dtype=int32) tf.Tensor([b'a' b'b'], shape=(2,), dtype=string)
    """
    defaults = [_default(value) for value in record_defaults]
    columns = tuple(select_cols or ())
    if any(a >= b for a, b in itertools.pairwise(columns)):
        raise ValueError("select_cols is not strictly increasing.")
    if columns and columns[0] < 0:
        raise ValueError("select_cols contains negative values.")
    if select_cols is not None and len(columns) != len(defaults):
        raise ValueError("Length of select_cols and record_defaults do not match.")
    if len(field_delim) != 1:
        raise invalid(f"field_delim should be only 1 char, not {field_delim!r}")
    outputs = _DECODE.outputs(
        records,
        *defaults,
        field_delim=field_delim,
        use_quote_delim=bool(use_quote_delim),
        na_value=na_value,
        select_cols=columns,
        name=name,
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
