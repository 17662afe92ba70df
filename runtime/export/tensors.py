"""Conversion of arrays to and from `TensorProto`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.dtypes import DType
from runtime.core.shapes import MAX_RANK, Dims
from runtime.core.spec import without_repetition
from runtime.export.messages import Message, TensorProto, TensorShapeProto

_LISTS = {
    "float32": "float_val", "float64": "double_val", "float16": "half_val",
    "int32": "int_val", "int16": "int_val", "int8": "int_val",
    "uint8": "int_val", "uint16": "int_val", "int64": "int64_val",
    "uint32": "uint32_val", "uint64": "uint64_val", "bool": "bool_val", "string": "string_val",
    "complex64": "scomplex_val", "complex128": "dcomplex_val",
}  # fmt: skip


def shape_message(dims: Dims) -> Message:
    """Convert a shape to a message.

    >>> print(shape_message((None, 2)))
    dim {
      size: -1
    }
    dim {
      size: 2
    }
    <BLANKLINE>
    """
    message = TensorShapeProto()
    message.SetInParent()
    if dims is None:
        message.unknown_rank = True
    for dim in dims or ():
        message.dim.add(size=-1 if dim is None else dim)
    return message


def dims_of(message: Message) -> Dims:
    """Return the shape of a message. Raises ValueError for a dimension below -1."""
    if message.unknown_rank:
        return None
    if len(message.dim) > MAX_RANK:
        raise ValueError(f"a shape has {len(message.dim)} dimensions, more than {MAX_RANK}")
    for dim in message.dim:
        if dim.size < -1:
            raise ValueError(f"a shape has a dimension of size {dim.size}")
    return tuple(None if dim.size < 0 else dim.size for dim in message.dim)


def dtype_of(number: int) -> DType:
    """Return the dtype of a number. Raises ValueError if it is unsupported."""
    for dtype in dtypes.ALL:
        if dtype.enum == number:
            return dtype
    raise ValueError(f"tensors of type number {number} are not known here")


def tensor_message(array: object, dtype: DType) -> Message:
    """Convert an array to a message: single elements and strings as numbers, others as bytes.

    >>> print(tensor_message(np.float32(2), dtypes.float32))
    dtype: DT_FLOAT
    tensor_shape {
    }
    float_val: 2
    <BLANKLINE>
    """
    value = np.asarray(array)
    message = TensorProto(dtype=dtype.enum)
    message.tensor_shape.CopyFrom(shape_message(value.shape))
    held = _LISTS[dtype.name]
    value = np.asarray(without_repetition(value))
    if value.size > 1 and held not in ("string_val", "bool_val"):
        little = value.astype(value.dtype.newbyteorder("<"), copy=False)
        message.tensor_content = np.ascontiguousarray(little).tobytes()
    else:
        getattr(message, held).extend(_elements(value, dtype))
    return message


def _elements(value: Any, dtype: DType) -> list[Any]:
    flat = value.ravel()
    if dtype.is_complex:
        return [part for number in flat.tolist() for part in (number.real, number.imag)]
    if dtype is dtypes.float16:
        return [int(bits) for bits in flat.view(np.uint16)]
    return list(flat.tolist())


def array_of(message: Message) -> Any:
    """Return the array of a message.

    Raises: ValueError if the elements do not fit the shape, or the dtype is unsupported.

    >>> array_of(tensor_message(np.arange(3), dtypes.int64))
    array([0, 1, 2])
    """
    dtype = dtype_of(message.dtype)
    held = _LISTS.get(dtype.name)
    dims = dims_of(message.tensor_shape)
    if held is None or dims is None or None in dims:
        raise ValueError(f"a constant of {dtype.name} with shape {dims} has no value")
    count = math.prod(dim or 0 for dim in dims)
    if message.tensor_content:
        return _from_bytes(message.tensor_content, dtype, dims, count)
    return _filled(_from_elements(getattr(message, held), dtype), dtype, dims, count)


def _from_bytes(data: bytes, dtype: DType, dims: Dims, count: int) -> Any:
    if dtype.kind == "O" or len(data) != count * dtype.numpy_dtype.itemsize:
        raise ValueError(
            f"a constant of {dtype.name} with shape {dims} has {len(data)} bytes, which do not fit"
        )
    stored = np.frombuffer(data, dtype.numpy_dtype.newbyteorder("<"))
    return stored.astype(dtype.numpy_dtype).reshape(dims)


def _from_elements(values: list[Any], dtype: DType) -> Any:
    if dtype.is_complex:
        parts = np.array(values, np.float64)
        return (parts[::2] + 1j * parts[1::2]).astype(dtype.numpy_dtype)
    if dtype is dtypes.float16:
        return np.array(values, np.uint16).view(np.float16)
    if dtype.kind == "O":
        array = np.empty(len(values), object)
        array[:] = values
        return array
    return np.array(values).astype(dtype.numpy_dtype)


def _filled(found: Array, dtype: DType, dims: Any, count: int) -> Any:
    """Reshape the elements; the last one fills missing ones."""
    if len(found) > count:
        raise ValueError(f"{len(found)} elements do not fit into a constant of shape {dims}")
    if len(found) == count:
        return found.reshape(dims)
    last = found[-1] if len(found) else (b"" if dtype.kind == "O" else dtype.numpy_dtype.type(0))
    if len(found) <= 1:
        return np.broadcast_to(np.array(last, dtype.numpy_dtype), dims)
    if count > _LIMIT:
        raise ValueError(
            f"a constant of shape {dims} has {count} elements, of which {len(found)} are given; at "
            f"most {_LIMIT} may be left out"
        )
    array = np.full(count, last, dtype.numpy_dtype)
    array[: len(found)] = found
    return array.reshape(dims)


_LIMIT = 1 << 20
"""Maximum number of elements of a constant whose message contains several, but not all, of them.

A constant of one repeated element is a view of that element, whatever its shape.
"""
