"""Tensors as the bytes of a `TensorProto`."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import ANY, STRING, sample
from runtime.core.spec import spec_of, spec_of_array
from runtime.core.tensor import Tensor, TensorLike
from runtime.export.messages import TensorProto
from runtime.export.tensors import array_of, dtype_of, tensor_message
from runtime.ops.base.define import define_op


def serialize_array(array: Array) -> bytes:
    """Return an array as the bytes of a `TensorProto`.

    >>> len(serialize_array(np.float32([1.0, 2.0])))
    18
    """
    message = tensor_message(array, spec_of_array(array).dtype)
    if array.dtype != object:
        numbers = TensorProto(dtype=message.dtype, tensor_shape=message.tensor_shape)
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        numbers.tensor_content = little.tobytes()
        message = numbers
    data: bytes = message.SerializeToString()
    return data


_SERIALIZE = define_op(
    "SerializeTensor",
    {"tensor": ANY},
    lambda x: spec_of(dtypes.string, ()),
    lambda xp, x: np.array(serialize_array(np.asarray(x)), object),
    samples=(sample([1.0, 2.0]), sample(["a", "b"]), sample(3)),
)


def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Encode a tensor as the bytes of a `TensorProto`, which TensorFlow reads too.

    Args:
      tensor: numbers or strings.
      name: the name of the operation.

    Returns: a string, a scalar.

    >>> parse_tensor(serialize_tensor([1, 2]), "int32").numpy()
    array([1, 2], dtype=int32)
    """
    return _SERIALIZE(tensor, name=name)


def _parse(xp: Namespace, serialized: Array, out_type: DType) -> Any:
    if np.ndim(serialized):
        raise InvalidArgumentError.of(
            f"Expected `serialized` to be a scalar, got shape: {list(np.shape(serialized))}"
        )
    data = serialized if isinstance(serialized, bytes) else serialized[()]
    try:
        message = TensorProto.FromString(data)
        found = dtype_of(message.dtype)
        array = array_of(message)
    except (DecodeError, ValueError, TypeError) as error:
        shown = base64.b64encode(data[:60]).decode()
        raise InvalidArgumentError.of(
            f"Could not parse `serialized` as TensorProto, base64: {shown}: {error}"
        ) from error
    if found is not out_type:
        raise InvalidArgumentError.of(
            f"Type mismatch between parsed tensor ({found.type_word}) and dtype "
            f"({out_type.type_word})"
        )
    return array


_PARSE = define_op(
    "ParseTensor",
    {"serialized": STRING},
    lambda serialized, out_type: spec_of(out_type, None),
    _parse,
    samples=(sample(b'\x08\x03\x12\x04\x12\x02\x08\x01"\x04\x05\0\0\0', out_type=dtypes.int32),),
)


def parse_tensor(serialized: TensorLike, out_type: object, name: str | None = None) -> Tensor:
    """Decode a tensor; the inverse of `serialize_tensor`.

    Args:
      serialized: a string, a scalar.
      out_type: the dtype of the tensor.
      name: the name of the operation.

    Returns:
      The tensor, of dtype `out_type`.

    Raises: InvalidArgumentError for bytes that are not a tensor, or one of another dtype.

    >>> print(parse_tensor(serialize_tensor("a"), "string"))
    tf.Tensor(b'a', shape=(), dtype=string)
    """
    return _PARSE(serialized, out_type=dtypes.as_dtype(out_type), name=name)
