"""Strings one by one: their length, case, ends and parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import INDEX, STRING, sample
from runtime.core.shapes import broadcast
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import define_op
from runtime.ops.strings.elements import decoded, each, encoded, invalid, string_op

_UNITS = ("BYTE", "UTF8_CHAR")


def _check_unit(unit: str) -> str:
    if unit not in _UNITS:
        raise invalid(
            f"Value for attr 'unit' of \"{unit}\" is not in the list of allowed values: "
            '"BYTE", "UTF8_CHAR"'
        )
    return unit


_LENGTH = define_op(
    "StringLength",
    {"input": STRING},
    lambda x, unit: x.spec.with_dtype(dtypes.int32),
    lambda xp, x, unit: each(
        len if unit == "BYTE" else lambda data: len(decoded(data)), np.int32, x
    ),
    samples=(sample(["a", "bcd"], unit="BYTE"), sample(["é"], unit="UTF8_CHAR")),
)


def length(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """The length of each string.

    Args:
      input: strings.
      unit: "BYTE", or "UTF8_CHAR" for characters.
      name: the name of the operation.

    Raises: InvalidArgumentError for another unit.

    >>> print(length("abc"))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return _LENGTH(input, unit=_check_unit(unit), name=name)


_LOWER = string_op(
    "StringLower",
    lambda data, encoding: encoded(decoded(data).lower()) if encoding else data.lower(),
    sample(["Ab", "É"], encoding="utf-8"),
)
_UPPER = string_op(
    "StringUpper",
    lambda data, encoding: encoded(decoded(data).upper()) if encoding else data.upper(),
    sample(["Ab", "é"], encoding=""),
)
_STRIP = string_op("StringStrip", lambda data: data.strip(), sample([" a b\n"]))


def _check_encoding(encoding: str) -> str:
    if encoding not in ("", "utf-8"):
        raise invalid(f"only utf-8 or '' (no encoding) is supported, received {encoding}")
    return encoding


def lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """The strings in lower case.

    Args:
      input: strings.
      encoding: "": only the letters of ASCII change; "utf-8": all letters do.
      name: the name of the operation.

    Raises: InvalidArgumentError for another encoding.

    >>> print(lower("ABC"))
    tf.Tensor(b'abc', shape=(), dtype=string)
    """
    return _LOWER(input, encoding=_check_encoding(encoding), name=name)


def upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """The strings in upper case; arguments as in `lower`.

    >>> print(upper("abc"))
    tf.Tensor(b'ABC', shape=(), dtype=string)
    """
    return _UPPER(input, encoding=_check_encoding(encoding), name=name)


def strip(input: TensorLike, name: str | None = None) -> Tensor:
    """The strings without white space at their ends.

    >>> print(strip("  a b  "))
    tf.Tensor(b'a b', shape=(), dtype=string)
    """
    return _STRIP(input, name=name)


def _part(data: bytes, pos: int, size: int, unit: str) -> bytes:
    whole: Any = data if unit == "BYTE" else decoded(data)
    start = pos + len(whole) if pos < 0 else pos
    if not 0 <= start <= len(whole):
        raise invalid(f"pos {pos} out of range for string {data!r}")
    if unit != "BYTE":
        return encoded(whole[start : start + max(size, 0)])
    part: bytes = whole[start:] if size < 0 else whole[start : start + size]
    return part


def _part_spec(x: Tensor, pos: Tensor, size: Tensor, unit: str) -> TensorSpec:
    if not pos.shape.is_compatible_with(size.shape):
        raise ValueError(
            f"pos and len should have the same shape, got: {pos.shape} vs. {size.shape}"
        )
    return x.spec.with_dims(broadcast(x.spec.dims, pos.spec.dims))


_SUBSTR = define_op(
    "Substr",
    {"input": STRING, "pos": INDEX, "len": INDEX},
    _part_spec,
    lambda xp, x, pos, size, unit: each(
        lambda data, start, count: _part(data, int(start), int(count), unit), object, x, pos, size
    ),
    samples=(sample(["hello", "you"], 1, 2, unit="BYTE"), sample("né", -1, 1, unit="UTF8_CHAR")),
)


def substr(
    input: TensorLike,
    pos: TensorLike,
    len: TensorLike,
    unit: str = "BYTE",
    name: str | None = None,
) -> Tensor:
    """Parts of strings.

    Args:
      input: strings.
      pos: where the parts begin; negative ones count from the end.
      len: how long they are at most; of the dtype and shape of `pos`.
      unit: what is counted: "BYTE" or "UTF8_CHAR".
      name: the name of the operation.

    Raises: InvalidArgumentError if a part begins outside of its string.

    >>> print(substr("hello", 1, 3))
    tf.Tensor(b'ell', shape=(), dtype=string)
    """
    return _SUBSTR(input, pos, len, unit=_check_unit(unit), name=name)
