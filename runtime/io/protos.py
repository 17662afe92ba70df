"""Fields of serialized messages, read by the library `protobuf`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
from google.protobuf.message import Error

from runtime.core import dtypes
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.effects.python import numpy_function
from runtime.ops.strings.elements import invalid

_BYTES = "bytes://"

_DTYPES = {
    "CPPTYPE_INT32": (dtypes.int32,), "CPPTYPE_INT64": (dtypes.int64,),
    "CPPTYPE_UINT32": (dtypes.uint32, dtypes.int64), "CPPTYPE_UINT64": (dtypes.uint64,),
    "CPPTYPE_FLOAT": (dtypes.float32, dtypes.float64), "CPPTYPE_DOUBLE": (dtypes.float64,),
    "CPPTYPE_BOOL": (dtypes.bool,), "CPPTYPE_ENUM": (dtypes.int32,),
    "CPPTYPE_STRING": (dtypes.string,), "CPPTYPE_MESSAGE": (dtypes.string,),
}  # fmt: skip
"""The dtypes in which the values of a field can be held."""


class DecodedProto(NamedTuple):
    """The result of `decode_proto`.

    Attributes:
      sizes: int32, the number of values of each field in each message, [..., fields].
      values: a tensor [..., most values of a message] for each field.
    """

    sizes: Tensor
    values: list[Tensor]


def decode_proto(
    bytes: TensorLike,
    message_type: str,
    field_names: Sequence[str],
    output_types: Sequence[Any],
    descriptor_source: Any = "local://",
    message_format: str = "binary",
    sanitize: bool = False,
    name: str | None = None,
) -> DecodedProto:
    """Return the values of fields of serialized messages.

    Args:
      bytes: string Tensor of any shape, a message each.
      message_type: the full name of the type of the messages.
      field_names: the names of the fields.
      output_types: a dtype for each field: its own, string for messages, int32 for enumerations.
      descriptor_source: "local://" for the types whose modules the program imported; the path of a
        file with a serialized `FileDescriptorSet`; or `b"bytes://"` followed by one.
      message_format: "binary" or "text".
      sanitize: ignored.

    Returns:
      A `DecodedProto`. Zeros or empty strings fill up the shorter rows; a field that a message does
      not have is its default.

    Raises:
      InvalidArgumentError: for another type, field or dtype, or a message that cannot be parsed.

    >>> from google.protobuf import wrappers_pb2
    >>> found = decode_proto(
    ...     wrappers_pb2.Int64Value(value=7).SerializeToString(),
    ...     "google.protobuf.Int64Value", ["value"], [dtypes.int64])
    >>> print(found.sizes.numpy(), found.values[0].numpy())
    [1] [7]
    """
    if message_format not in ("binary", "text"):
        raise invalid(f"message_format is 'binary' or 'text', not {message_format!r}")
    kind = _message_class(descriptor_source, message_type)
    fields = [_field(kind.DESCRIPTOR, field) for field in field_names]
    types = [dtypes.as_dtype(each) for each in output_types]
    for field, dtype in zip(fields, types, strict=True):
        allowed = _DTYPES[_cpp_type(field)]
        if dtype not in allowed:
            names = " or ".join(each.name for each in allowed)
            raise invalid(f"field {field.full_name} is {names}, not {dtype.name}")

    def decode(texts: Any) -> list[Any]:
        messages = [_parsed(kind, text, message_format) for text in np.ravel(texts)]
        columns = [[_values(message, field) for message in messages] for field in fields]
        sizes = [[count for count, _ in column] for column in columns]
        shape = np.shape(texts)
        found = np.array(sizes, np.int32).reshape(len(fields), -1).T
        return [
            found.reshape(*shape, len(fields)),
            *(_rows(column, each, shape) for column, each in zip(columns, types, strict=True)),
        ]

    serialized = convert_to_tensor(bytes, dtypes.string)
    outer = serialized.shape.dims
    every = [
        TensorSpec(None if outer is None else [*outer, last], dtype)
        for dtype, last in [(dtypes.int32, len(fields)), *((each, None) for each in types)]
    ]
    found = numpy_function(decode, [serialized], every, stateful=False, name=name)
    sizes, *values = found if isinstance(found, list) else [found]
    return DecodedProto(sizes, values)


def _message_class(source: Any, name: str) -> Any:
    """Return the class of a message type. Raises InvalidArgumentError if there is none."""
    pool = descriptor_pool.Default() if source == "local://" else _pool(source)
    try:
        found = pool.FindMessageTypeByName(name)
    except KeyError:
        raise invalid(
            f"there is no message type {name!r} in {source!r}. Import the module of the type, or "
            "pass `descriptor_source`, the path of a file that `protoc --descriptor_set_out` wrote"
        ) from None
    return message_factory.GetMessageClass(found)


def _pool(source: Any) -> Any:
    start = _BYTES if isinstance(source, str) else _BYTES.encode()
    text = source[len(start) :] if source.startswith(start) else Path(source).read_bytes()
    pool = descriptor_pool.DescriptorPool()
    try:
        for file in descriptor_pb2.FileDescriptorSet.FromString(text).file:
            pool.AddSerializedFile(file.SerializeToString())
    except (Error, TypeError) as error:
        raise invalid(f"{source!r} is not a serialized FileDescriptorSet: {error}") from None
    return pool


def _field(message: Any, name: str) -> Any:
    if name not in message.fields_by_name:
        known = ", ".join(message.fields_by_name)
        raise invalid(f"message {message.full_name} has no field {name!r}; it has {known}")
    return message.fields_by_name[name]


def _cpp_type(field: Any) -> str:
    names = (name for name in _DTYPES if getattr(field, name) == field.cpp_type)
    return next(names)


def _parsed(kind: Any, text: Any, message_format: str) -> Any:
    try:
        if message_format == "binary":
            return kind.FromString(text)
        return text_format.Parse(text, kind())
    except (Error, text_format.Error) as error:
        name = kind.DESCRIPTOR.full_name
        raise invalid(f"a message of type {name} cannot be parsed: {error}") from None


def _values(message: Any, field: Any) -> tuple[int, list[Any]]:
    """Return the number of values of a field in a message, and them or the default."""
    value = getattr(message, field.name)
    if field.is_repeated:
        return len(value), [_element(each, field) for each in value]
    has = message.HasField(field.name) if field.has_presence else value != field.default_value
    return int(has), [_element(value, field)]


def _element(value: Any, field: Any) -> Any:
    if _cpp_type(field) == "CPPTYPE_MESSAGE":
        return value.SerializeToString()
    return value.encode() if isinstance(value, str) else value


def _rows(column: list[tuple[int, list[Any]]], dtype: Any, shape: tuple[int, ...]) -> Any:
    """Return values as rows of one length."""
    width = max([1, *(len(values) for _, values in column)])
    empty = b"" if dtype is dtypes.string else 0
    kind = object if dtype is dtypes.string else dtype.numpy_dtype
    rows = np.full((len(column), width), empty, kind)
    for row, (_, values) in zip(rows, column, strict=True):
        row[: len(values)] = values
    return rows.reshape(*shape, width)
