"""Length, case, whitespace and substrings of each string."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import INDEX, STRING, sample
from runtime.core.shapes import broadcast
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import OpFunction, op, publish
from runtime.ops.strings.elements import check_allowed, decoded, each, encoded, invalid, string_map

_UNITS = ("BYTE", "UTF8_CHAR")


@op(
    "StringLength",
    {"input": STRING},
    infer=lambda x, unit: x.spec.with_dtype(dtypes.int32),
    kernel=lambda xp, x, unit: each(
        len if unit == "BYTE" else lambda data: len(decoded(data)), np.int32, x
    ),
    samples=(sample(["a", "bcd"], unit="BYTE"), sample(["é"], unit="UTF8_CHAR")),
)
def length(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """Return the length of each string.

    Args:
      input: Tensor of strings.
      unit: "BYTE", or "UTF8_CHAR" for characters.

    Returns: int32 Tensor of the shape of `input`.
    Raises: InvalidArgumentError for another unit.

    >>> print(length("é").numpy(), length("é", "UTF8_CHAR").numpy())
    2 1
    """
    return length.op(input, unit=check_allowed("unit", unit, _UNITS), name=name)


def _case(method: str, about: str, example: str) -> OpFunction[..., Tensor]:
    """Define a function that converts the case of strings by a method of `str` and `bytes`."""

    def converted(data: bytes, encoding: str) -> bytes:
        value = decoded(data) if encoding else data
        result = getattr(value, method)()
        return encoded(result) if encoding else result

    defined = string_map(
        f"String{method.capitalize()}", converted, sample(["Ab", "É"], encoding="utf-8")
    )

    def function(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
        if encoding not in ("", "utf-8"):
            raise invalid(f"only utf-8 or '' (no encoding) is supported, received {encoding}")
        return defined(input, encoding=encoding, name=name)

    rest = """
        Args:
          input: Tensor of strings.
          encoding: "" to convert ASCII letters only, "utf-8" to convert all letters.

        Returns: Tensor of the shape of `input`.
        Raises: InvalidArgumentError for another encoding.
        """
    return publish(function, __name__, method, defined, about, rest, example)


lower = _case("lower", "Convert strings to lower case.", "\"ABC\" -> b'abc'")
upper = _case("upper", "Convert strings to upper case.", "\"abc\" -> b'ABC'")
_STRIP = string_map("StringStrip", lambda data: data.strip(), sample([" a b\n"]))


def strip(input: TensorLike, name: str | None = None) -> Tensor:
    """Remove ASCII whitespace at both ends of strings.

    Args:
      input: Tensor of strings.

    Returns: Tensor of the shape of `input`.

    >>> print(strip("  a b  ").numpy())
    b'a b'
    """
    return _STRIP(input, name=name)


def _substring(data: bytes, pos: int, size: int, unit: str) -> bytes:
    whole: Any = data if unit == "BYTE" else decoded(data)
    start = pos + len(whole) if pos < 0 else pos
    if not 0 <= start <= len(whole):
        raise invalid(f"pos {pos} out of range for string {data!r}")
    if unit != "BYTE":
        return encoded(whole[start : start + max(size, 0)])
    # TensorFlow's kernel takes the rest for a negative length of bytes.
    part: bytes = whole[start:] if size < 0 else whole[start : start + size]
    return part


def _substr_spec(x: Tensor, pos: Tensor, size: Tensor, unit: str) -> TensorSpec:
    if not pos.shape.is_compatible_with(size.shape):
        raise ValueError(
            f"pos and len should have the same shape, got: {pos.shape} vs. {size.shape}"
        )
    return x.spec.with_dims(broadcast(x.spec.dims, pos.spec.dims))


@op(
    "Substr",
    {"input": STRING, "pos": INDEX, "len": INDEX},
    infer=_substr_spec,
    kernel=lambda xp, x, pos, size, unit: each(
        lambda data, start, count: _substring(data, int(start), int(count), unit),
        object,
        x,
        pos,
        size,
    ),
    samples=(sample(["hello", "you"], 1, 2, unit="BYTE"), sample("né", -1, 1, unit="UTF8_CHAR")),
)
def substr(
    input: TensorLike, pos: TensorLike, len: TensorLike, unit: str = "BYTE", name: str | None = None
) -> Tensor:
    """Return substrings.

    Args:
      input: Tensor of strings.
      pos: int32 or int64 Tensor that broadcasts with `input`, the starts; negative ones count from
        the end.
      len: Tensor of the dtype and shape of `pos`, the maximum lengths.
      unit: what positions and lengths count: "BYTE" or "UTF8_CHAR".

    Returns: Tensor of the broadcast shape.
    Raises: InvalidArgumentError if a start is outside of its string.

    >>> print(substr("hello", 1, 3).numpy())
    b'ell'
    """
    return substr.op(input, pos, len, unit=check_allowed("unit", unit, _UNITS), name=name)
