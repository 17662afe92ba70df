"""Numbers out of the bytes that hold them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import INT32, STRING, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.define import define_op
from runtime.ops.string_elements import invalid

_HELD = (
    "float16", "float32", "float64", "int32", "uint16", "uint8", "int16", "int8", "int64",
    "complex64", "complex128", "bool",
)  # fmt: skip


def _spec(*inputs: Tensor, out_type: DType, little_endian: bool) -> TensorSpec:
    dims = inputs[0].spec.dims
    return spec_of(out_type, None if dims is None else (*dims, None))


def _numbers(rows: list[bytes], shape: tuple[int, ...], dtype: DType, little: bool) -> Any:
    kind = np.dtype(dtype.numpy_dtype)
    stored = kind.newbyteorder("<" if little else ">")
    data = np.frombuffer(b"".join(rows), stored)
    width = len(rows[0]) // kind.itemsize if rows else 0
    return data.astype(kind).reshape(*shape, width)


def _decode(xp: Any, data: Any, out_type: DType, little_endian: bool) -> Any:
    rows = np.asarray(data, object).ravel().tolist()
    size = np.dtype(out_type.numpy_dtype).itemsize
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(
                "DecodeRaw requires input strings to all be the same size, but element "
                f"{number} has size {len(row)} != {len(rows[0])}"
            )
    if rows and len(rows[0]) % size:
        raise ValueError(
            f"Input to DecodeRaw has length {len(rows[0])} that is not a multiple of {size}, the "
            f"size of {out_type.name}"
        )
    return _numbers(rows, np.shape(data), out_type, little_endian)


def _decode_padded(
    xp: Any, data: Any, fixed_length: Any, out_type: DType, little_endian: bool
) -> Any:
    length = int(fixed_length)
    size = np.dtype(out_type.numpy_dtype).itemsize
    if length <= 0:
        raise ValueError(f"fixed_length must be greater than zero, but is {length}")
    if length % size:
        raise ValueError(
            f"fixed_length ({length}) must be a multiple of the size of out_type ({size})"
        )
    rows = [row[:length].ljust(length, b"\0") for row in np.asarray(data, object).ravel().tolist()]
    return _numbers(rows, np.shape(data), out_type, little_endian)


_RAW = define_op(
    "DecodeRaw",
    {"bytes": STRING},
    _spec,
    _decode,
    samples=(sample([b"\1\0\2\0", b"\3\0\4\0"], out_type=dtypes.int16, little_endian=True),),
)
_PADDED = define_op(
    "DecodePaddedRaw",
    {"input_bytes": STRING, "fixed_length": INT32},
    _spec,
    _decode_padded,
    samples=(sample([b"\1\0", b"\3"], 4, out_type=dtypes.int16, little_endian=True),),
)


def decode_raw(
    input_bytes: TensorLike,
    out_type: Any,
    little_endian: bool = True,
    fixed_length: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The numbers that strings hold as bytes.

    Args:
      input_bytes: strings of one length.
      out_type: the dtype of the numbers.
      little_endian: whether the first byte of a number is its lowest.
      fixed_length: how many bytes of each string count; shorter ones are filled with zeros. None:
        all of them.
      name: the name of the operation.

    Returns: the shape of the strings, with the numbers of each along one more dimension.
    Raises: InvalidArgumentError if lengths differ or are no multiple of the size of a number, or
      for a dtype that is not held as bytes.

    >>> print(decode_raw([b"\\1\\0\\2\\0"], "int16"))
    tf.Tensor([[1 2]], shape=(1, 2), dtype=int16)
    """
    dtype = dtypes.as_dtype(out_type)
    if dtype.name not in _HELD:
        raise invalid(
            f"Value for attr 'out_type' of {dtype.name} is not in the list of allowed values: "
            f"{', '.join(_HELD)}"
        )
    little = bool(little_endian) if dtype.size > 1 else sys.byteorder == "little"
    if fixed_length is None:
        return _RAW(input_bytes, out_type=dtype, little_endian=little, name=name)
    return _PADDED(input_bytes, fixed_length, out_type=dtype, little_endian=little, name=name)
