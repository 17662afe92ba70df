"""Strings: tensors of bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import MIXED, STRING, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.define import define_op
from runtime.ops.output import format_value


def _each(function: Any, array: Any, dtype: Any) -> Any:
    flat = [function(element) for element in np.asarray(array).ravel()]
    result = np.empty(len(flat), dtype=dtype)
    result[:] = flat
    return result.reshape(np.shape(array))


def _as_bytes(element: Any) -> bytes:
    if isinstance(element, np.bool_):
        return b"true" if element else b"false"
    if isinstance(element, (np.floating, float)):
        return f"{float(element):f}".encode()
    return element if isinstance(element, bytes) else format_value(element).encode()


_AS_STRING = define_op(
    "AsString",
    {"input": MIXED},
    lambda x: x.spec.with_dtype(dtypes.string),
    lambda xp, x: _each(_as_bytes, x, object),
    samples=(sample([1, 2]), sample(1.5), sample(True)),
)
_TO_NUMBER = define_op(
    "StringToNumber",
    {"string_tensor": STRING},
    lambda x, out_type: x.spec.with_dtype(out_type),
    lambda xp, x, out_type: _each(out_type.as_numpy_dtype, x, out_type.numpy_dtype),
    samples=(sample(["1", "2.5"], out_type=dtypes.float32),),
)
_LENGTH = define_op(
    "StringLength",
    {"input": STRING},
    lambda x: x.spec.with_dtype(dtypes.int32),
    lambda xp, x: _each(len, x, np.int32),
    samples=(sample(["a", "bcd"]),),
)


def as_string(input: TensorLike, name: str | None = None) -> Tensor:
    """Numbers and truth values as text.

    >>> print(as_string([1, 2]))
    tf.Tensor([b'1' b'2'], shape=(2,), dtype=string)
    """
    return _AS_STRING(input, name=name)


def to_number(input: TensorLike, out_type: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """The numbers that strings hold.

    Raises: InvalidArgumentError if a string holds none.

    >>> print(to_number("2.5"))
    tf.Tensor(2.5, shape=(), dtype=float32)
    """
    return _TO_NUMBER(input, out_type=dtypes.as_dtype(out_type), name=name)


def length(input: TensorLike, name: str | None = None) -> Tensor:
    """The number of bytes in each string.

    >>> print(length("abc"))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return _LENGTH(input, name=name)
