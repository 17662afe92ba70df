"""Numbers out of the bytes that hold them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.dtypes import DType
from runtime.core.opdef import STRING, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import define_op
from runtime.ops.strings.elements import invalid

_HELD = (
    "float16", "float32", "float64", "int32", "uint16", "uint8", "int16", "int8", "int64",
    "complex64", "complex128", "bool",
)  # fmt: skip


def _spec(data: Tensor, out_type: DType, little_endian: bool) -> TensorSpec:
    dims = data.spec.dims
    return spec_of(out_type, None if dims is None else (*dims, None))


def _decode(xp: object, data: Array, out_type: DType, little_endian: bool) -> Any:
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
    kind = np.dtype(out_type.numpy_dtype)
    stored = kind.newbyteorder("<" if little_endian else ">")
    width = len(rows[0]) // size if rows else 0
    numbers = np.frombuffer(b"".join(rows), stored)
    return numbers.astype(kind).reshape(*np.shape(data), width)


_RAW = define_op(
    "DecodeRaw",
    {"bytes": STRING},
    _spec,
    _decode,
    samples=(sample([b"\1\0\2\0", b"\3\0\4\0"], out_type=dtypes.int16, little_endian=True),),
)


def decode_raw(
    input_bytes: TensorLike,
    out_type: object,
    little_endian: bool = True,
    *,
    name: str | None = None,
) -> Tensor:
    """Decode the numbers that strings hold as bytes.

    Args:
      input_bytes: strings of one length.
      out_type: the dtype of the numbers.
      little_endian: whether the first byte of a number is its lowest.
      name: the name of the operation.

    Returns: the shape of the strings, with the numbers of each along one more dimension.
    Raises: InvalidArgumentError if lengths differ or are not multiples of the size of a number, or
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
    return _RAW(input_bytes, out_type=dtype, little_endian=little, name=name)
