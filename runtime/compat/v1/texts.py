"""Strings under the arguments of version 1."""

from __future__ import annotations

from typing import Any

from runtime.compat.v1.renamed import either, needed
from runtime.core import dtypes
from runtime.core.errors import UnimplementedError
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import string_hashing, string_joining, string_numbers, strings


def length(input: TensorLike, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """The length of each string; see `runtime.strings.length`.

    >>> print(length("abc"))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return strings.length(input, unit, name)


def substr(
    input: TensorLike,
    pos: TensorLike,
    len: TensorLike,
    name: str | None = None,
    unit: str = "BYTE",
) -> Tensor:
    """Parts of strings; see `runtime.strings.substr`.

    >>> print(substr("hello", 1, 3))
    tf.Tensor(b'ell', shape=(), dtype=string)
    """
    return strings.substr(input, pos, len, unit, name)


def to_number(
    string_tensor: TensorLike | None = None,
    out_type: Any = dtypes.float32,
    name: str | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """The numbers that strings show; see `runtime.strings.to_number`.

    Args:
      string_tensor, input: the strings, under one of the names.
      out_type: the dtype of the numbers.
      name: the name of the operation.

    >>> print(to_number("1.5"))
    tf.Tensor(1.5, shape=(), dtype=float32)
    """
    text = either("input", input, "string_tensor", string_tensor)
    return string_numbers.to_number(needed("to_number", "input", text), out_type, name)


def to_hash_bucket(
    string_tensor: TensorLike | None = None,
    num_buckets: int | None = None,
    name: str | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """A number for each string; see `runtime.strings.to_hash_bucket`.

    >>> print(to_hash_bucket("a", 1000))
    tf.Tensor(868, shape=(), dtype=int64)
    """
    own = "to_hash_bucket"
    text = needed(own, "input", either("input", input, "string_tensor", string_tensor))
    return string_hashing.to_hash_bucket(text, needed(own, "num_buckets", num_buckets), name)


def split(
    input: TensorLike | None = None,
    sep: str | None = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The parts of one string; see `runtime.strings.split`.

    Args:
      input, source: the string, a scalar, under one of the names.
      sep, maxsplit, name: as there.
      result_type: only "RaggedTensor", which for one string is a dense tensor.

    Raises: UnimplementedError for a sparse result, which is the default, and for several strings.

    >>> print(split("a b", result_type="RaggedTensor"))
    tf.Tensor([b'a' b'b'], shape=(2,), dtype=string)
    """
    _require_dense("strings.split", result_type)
    text = needed("split", "input", either("input", input, "source", source))
    return string_joining.split(text, sep, maxsplit, name)


def _require_dense(function: str, result_type: str) -> None:
    if result_type == "SparseTensor":
        raise UnimplementedError(
            None,
            None,
            f"compat.v1.{function} gives a SparseTensor, and there are only dense tensors here: "
            "split one string, with result_type='RaggedTensor' or runtime.strings.split",
        )
    if result_type != "RaggedTensor":
        raise ValueError(f"result_type must be one of (RaggedTensor, SparseTensor): {result_type}")
