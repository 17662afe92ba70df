"""Decoding of strings under the arguments of version 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.compat.v1.renamed import either, needed
from runtime.core.tensor import Tensor, TensorLike
from runtime.io import examples, raw_bytes, tables


def decode_raw(
    input_bytes: TensorLike | None = None,
    out_type: Any = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: TensorLike | None = None,
) -> Tensor:
    """The numbers that strings hold as bytes; see `runtime.io.decode_raw`.

    Args:
      input_bytes, bytes: the strings, under one of the names.
      out_type, little_endian, name: as there.

    >>> print(decode_raw(b"\\1\\0", "int16"))
    tf.Tensor([1], shape=(1,), dtype=int16)
    """
    data = needed("decode_raw", "input_bytes", either("input_bytes", input_bytes, "bytes", bytes))
    dtype = needed("decode_raw", "out_type", out_type)
    return raw_bytes.decode_raw(data, dtype, little_endian, name=name)


def decode_csv(
    records: TensorLike,
    record_defaults: Sequence[TensorLike],
    field_delim: str = ",",
    use_quote_delim: bool = True,
    name: str | None = None,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
) -> list[Tensor]:
    """The columns of a table, of which each record is a line; see `runtime.io.decode_csv`.

    >>> print(*decode_csv("5", [0]))
    tf.Tensor(5, shape=(), dtype=int32)
    """
    return tables.decode_csv(
        records, record_defaults, field_delim, use_quote_delim, na_value, select_cols, name
    )


def parse_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    name: str | None = None,
    example_names: TensorLike | None = None,
) -> dict[str, Tensor]:
    """Parse a batch of `Example` messages; see `runtime.io.parse_example`.

    >>> from runtime.io import FixedLenFeature
    >>> parse_example([""], {"a": FixedLenFeature([], "int64", 5)})["a"].numpy()
    array([5])
    """
    return examples.parse_example(serialized, features, example_names, name)


def parse_single_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    name: str | None = None,
    example_names: TensorLike | None = None,
) -> dict[str, Tensor]:
    """Parse one `Example` message; see `runtime.io.parse_single_example`.

    >>> from runtime.io import FixedLenFeature
    >>> parse_single_example("", {"a": FixedLenFeature([], "int64", 5)})["a"].numpy()
    np.int64(5)
    """
    return examples.parse_single_example(serialized, features, example_names, name)
