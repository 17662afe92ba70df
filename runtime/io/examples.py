"""Parsing of `Example` and `SequenceExample` messages into dense tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import STRING, sample
from runtime.core.shapes import as_dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.export.scalars import DecodeError
from runtime.io import example_bytes
from runtime.io.example_bytes import ExampleBatch, Span
from runtime.io.messages import Example, SequenceExample
from runtime.ops.base.aliases import DTypeLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op
from runtime.ops.base.values import to_array
from runtime.ops.strings.elements import invalid

_DTYPES = (dtypes.string, dtypes.float32, dtypes.int64)


class FixedLenFeature(NamedTuple):
    """A feature with the same number of values in every example.

    Args:
      shape: shape of the tensor of one example, without unknown dimensions.
      dtype: float32, int64 or string.
      default_value: value of examples without the feature; None makes it required.

    >>> FixedLenFeature([], "int64").default_value is None
    True
    """

    shape: Any
    dtype: Any
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """A feature with any number of rows; batches are padded to the longest.

    Args:
      shape: shape of one row, without unknown dimensions.
      dtype: float32, int64 or string.
      allow_missing: whether an example without the feature has no rows. `parse_example` and
        `parse_single_example` require True.
      default_value: padding of batches; None pads with 0 or an empty string.

    >>> FixedLenSequenceFeature([], "int64", allow_missing=True).allow_missing
    True
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class VarLenFeature:
    """Refuses: sparse tensors do not exist here.

    Args:
      dtype: float32, int64 or string.

    Raises: NotImplementedError always; names the feature to use.

    >>> VarLenFeature("int64")
    Traceback (most recent call last):
    ...
    NotImplementedError: VarLenFeature makes sparse tensors, which do not exist here: use \
FixedLenSequenceFeature([], tf.int64, allow_missing=True), which pads the rows of a batch
    """

    def __init__(self, dtype: DTypeLike) -> None:
        """Refuse."""
        raise NotImplementedError(
            "VarLenFeature makes sparse tensors, which do not exist here: use "
            f"FixedLenSequenceFeature([], tf.{dtypes.as_dtype(dtype).name}, allow_missing=True), "
            "which pads the rows of a batch"
        )


@dataclass(frozen=True, eq=False)
class _Column:
    """One feature of all examples.

    Attributes:
      key: name of the feature.
      dtype: dtype of the values.
      dims: shape of one example, or of one row of a sequence.
      sequence: whether an example has any number of rows.
      default: value of an example without the feature, or padding of a sequence; None if the
        feature is required.
    """

    key: str
    dtype: DType
    dims: tuple[int, ...]
    sequence: bool
    default: Any

    def spec(self, batch: tuple[int | None, ...]) -> TensorSpec:
        """Return what is known of the tensor, after the dimensions of a batch."""
        rows = (None,) if self.sequence else ()
        return spec_of(self.dtype, (*batch, *rows, *self.dims))

    @property
    def size(self) -> int:
        """The number of values of one example, or of one row of a sequence."""
        return math.prod(self.dims)

    def one(self, data: bytes, span: Span | None, place: str) -> Any:
        """Return the array of one example, of the bytes of its feature."""
        found, values = (None, []) if span is None else example_bytes.values(data, span)
        if found is not None:
            return self._array(values, found, place)
        if self.sequence:
            return np.zeros((0, *self.dims), self.dtype.numpy_dtype)
        if self.default is None:
            raise invalid(
                f"Feature: {self.key} (data type: {self.dtype.name}) is required but could not be "
                f"found{place}. A default_value makes it optional."
            )
        return self.default

    def _array(self, values: Sequence[Any], found: DType, place: str) -> Any:
        if found is not self.dtype:
            raise invalid(
                f"Key: {self.key}{place}. Data types don't match. Data type: {found.name} but "
                f"expected type: {self.dtype.name}."
            )
        if self.sequence and len(values) % max(self.size, 1):
            raise invalid(
                f"Key: {self.key}{place}. The number of values, {len(values)}, is no multiple of "
                f"{self.size}, the number of values in a row of shape {list(self.dims)}."
            )
        if not self.sequence and len(values) != self.size:
            raise invalid(
                f"Key: {self.key}{place}. Number of {found.name} values != expected. Values size: "
                f"{len(values)} but output shape: {list(self.dims)}. For examples with different "
                "numbers of values use FixedLenSequenceFeature."
            )
        array = np.empty(len(values), self.dtype.numpy_dtype)
        array[:] = values
        return array.reshape(-1, *self.dims) if self.sequence else array.reshape(self.dims)

    def of_batch(self, batch: ExampleBatch, spans: Any, places: Callable[[int], str]) -> Any:
        """Return the array of several examples."""
        if not self.sequence and len(spans) and (spans[:, 0] >= 0).all():
            dense = batch.dense(spans, self.dtype, self.size)
            if dense is not None:
                return dense.reshape(-1, *self.dims)
        return self.stack(
            [
                self.one(batch.data, None if span[0] < 0 else span, places(number))
                for number, span in enumerate(spans.tolist())
            ]
        )

    def stack(self, rows: Sequence[Any]) -> Any:
        """Stack the arrays of several examples; pad sequences."""
        if not self.sequence:
            kind = self.dtype.numpy_dtype
            return np.stack(rows) if rows else np.zeros((0, *self.dims), kind)
        longest = max(map(len, rows), default=0)
        result = np.empty((len(rows), longest, *self.dims), self.dtype.numpy_dtype)
        result[...] = self.default
        for number, row in enumerate(rows):
            result[number, : len(row)] = row
        return result

    def steps(self, data: bytes, span: Span | None, allow_missing: bool) -> Any:
        """Return the rows of a sequence, of which each step is a feature."""
        if span is None and not allow_missing:
            raise invalid(
                f"Feature list '{self.key}' is required but could not be found. With "
                "allow_missing=True it may be absent."
            )
        own = _Column(self.key, self.dtype, self.dims, False, None)
        found = [] if span is None else example_bytes.inner_spans(data, span, 1)
        return own.stack(
            [own.one(data, step, f", Index: {number}") for number, step in enumerate(found)]
        )


def _columns(features: Mapping[str, Any]) -> tuple[_Column, ...]:
    """Check the features of examples; the columns are in the order of their keys."""
    if not features:
        raise ValueError("Invalid argument: features cannot be empty.")
    return tuple(_column(key, features[key]) for key in sorted(features))


def _column(key: str, feature: object) -> _Column:
    if isinstance(feature, FixedLenSequenceFeature):
        if not feature.allow_missing:
            raise ValueError(
                f"FixedLenSequenceFeature requires allow_missing=True for feature {key!r}."
            )
        dims, dtype = _dims(key, feature), _dtype(key, feature)
        empty = b"" if dtype is dtypes.string else 0
        default = empty if feature.default_value is None else feature.default_value
        return _Column(key, dtype, dims, True, _default(key, default, dtype, ()))
    if not isinstance(feature, FixedLenFeature):
        raise _unsupported(key, feature, "FixedLenFeature or FixedLenSequenceFeature")
    dims, dtype = _dims(key, feature), _dtype(key, feature)
    if feature.default_value is None:
        return _Column(key, dtype, dims, False, None)
    return _Column(key, dtype, dims, False, _default(key, feature.default_value, dtype, dims))


def _unsupported(key: str, feature: object, wanted: str) -> ValueError:
    return ValueError(f"Unsupported {type(feature).__name__} for key {key!r}: use {wanted}.")


def _dims(key: str, feature: FixedLenFeature | FixedLenSequenceFeature) -> tuple[int, ...]:
    dims = as_dims(feature.shape)
    known = [int(dim) for dim in dims or () if dim is not None]
    if dims is None or len(known) != len(dims):
        raise ValueError(
            f"The shape {feature.shape} of feature {key!r} has unknown dimensions: for examples "
            "with different numbers of rows use FixedLenSequenceFeature."
        )
    return tuple(known)


def _dtype(key: str, feature: FixedLenFeature | FixedLenSequenceFeature) -> DType:
    dtype = dtypes.as_dtype(feature.dtype)
    if dtype not in _DTYPES:
        raise ValueError(
            f"Feature {key!r} has dtype {dtype.name}, but examples hold float32, int64 and string: "
            "parse one of these, then use tf.cast or tf.io.decode_raw."
        )
    return dtype


def _default(key: str, value: object, dtype: DType, dims: tuple[int, ...]) -> Any:
    array = np.asarray(to_array(value, dtype))
    if array.size != math.prod(dims):
        raise ValueError(
            f"The default_value of feature {key!r} has {array.size} values, but its shape is "
            f"{list(dims)}."
        )
    return array.reshape(dims)


def _bytes(serialized: object) -> bytes:
    return serialized if isinstance(serialized, bytes) else np.asarray(serialized, object)[()]  # type: ignore[return-value]


def _parse(
    xp: object, serialized: object, *names: object, columns: tuple[_Column, ...], rank: int
) -> tuple[Any, ...]:
    if rank == 0:
        return _parsed(_bytes(serialized), columns)
    labels = np.asarray(names[0]).tolist() if names else []

    def place(number: int) -> str:
        name = f", Name: {labels[number].decode(errors='replace')}" if labels else ""
        return f", Index: {number}{name}"

    batch = ExampleBatch(np.asarray(serialized, object).tolist())
    spans, error, number = batch.spans([column.key.encode() for column in columns])
    if error is not None:
        raise invalid(f"Could not parse an example{place(number)}: {error}")
    return tuple(
        column.of_batch(batch, own, place)
        for column, own in zip(columns, spans.values(), strict=True)
    )


def _parsed(data: bytes, columns: tuple[_Column, ...]) -> tuple[Any, ...]:
    """Return the arrays of one example, or of the context of a sequence example."""
    try:
        found = example_bytes.entries(data, 1)
        return tuple(column.one(data, found.get(column.key.encode()), "") for column in columns)
    except DecodeError as error:
        raise invalid(f"Could not parse an example: {error}") from None


def _parse_sequence(
    xp: object,
    serialized: object,
    context: tuple[_Column, ...],
    sequences: tuple[_Column, ...],
    optional: tuple[bool, ...],
) -> tuple[Any, ...]:
    data = _bytes(serialized)
    own = _parsed(data, context)
    lists = example_bytes.entries(data, 2)
    pairs = zip(sequences, optional, strict=True)
    steps = (each.steps(data, lists.get(each.key.encode()), missing) for each, missing in pairs)
    return (*own, *steps)


_ONE = Example()
_ONE.features.feature["a"].int64_list.value.append(1)
_SEQUENCE = SequenceExample()
_SEQUENCE.feature_lists.feature_list["a"].feature.add().int64_list.value.append(1)
_INTEGER = _Column("a", dtypes.int64, (), False, None)
_INTEGERS = _Column("a", dtypes.int64, (), True, np.int64(0))

_PARSE = define_op(
    "ParseDenseExample",
    {"serialized": STRING, "*names": STRING},
    lambda serialized, *names, columns, rank: tuple(
        column.spec(serialized.spec.dims or ()) for column in columns
    ),
    _parse,
    outputs=None,
    samples=(
        sample([_ONE.SerializeToString()], ["one"], columns=(_INTEGER,), rank=1),
        sample(_ONE.SerializeToString(), columns=(_INTEGERS,), rank=0),
    ),
)
_PARSE_SEQUENCE = define_op(
    "ParseDenseSequenceExample",
    {"serialized": STRING},
    lambda serialized, context, sequences, optional: tuple(
        column.spec(()) for column in (*context, *sequences)
    ),
    _parse_sequence,
    outputs=None,
    samples=(
        sample(
            _SEQUENCE.SerializeToString(), context=(), sequences=(_INTEGERS,), optional=(False,)
        ),
    ),
)


def parse_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> dict[str, Tensor]:
    """Parse a batch of `Example` messages.

    Args:
      serialized: string tensor of shape [batch], or a scalar for one example.
      features: a `FixedLenFeature` or `FixedLenSequenceFeature` for each key.
      example_names: string tensor of shape [batch]: names of the examples, for messages.

    Returns:
      A dict from each key, in sorted order, to a tensor of shape [batch, *shape], or
      [batch, longest, *shape] for a `FixedLenSequenceFeature`.

    Raises:
      InvalidArgumentError: if a required feature is missing, or has another dtype or number of
        values; names key and index.
      ValueError: if `features` is empty or holds anything else.

    >>> from runtime.train import Example, Feature, Features, Int64List
    >>> age = Feature(int64_list=Int64List(value=[29]))
    >>> one = Example(features=Features(feature={"age": age})).SerializeToString()
    >>> parse_example([one, one], {"age": FixedLenFeature([], "int64")})["age"].numpy()
    array([29, 29])
    """
    data = convert_to_tensor(serialized, dtypes.string)
    columns = _columns(features)
    rank = data.shape.rank
    if rank not in (0, 1):
        raise invalid(f"Expected serialized to be a scalar or vector, got shape: {data.shape}")
    names = () if example_names is None else (example_names,)
    outputs = _PARSE.outputs(data, *names, columns=columns, rank=rank, name=name)
    return dict(zip(sorted(features), outputs, strict=True))


def parse_single_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> dict[str, Tensor]:
    """Parse one `Example` message.

    Args:
      serialized: string scalar.
      features, example_names, name: as in `parse_example`.

    Returns:
      A dict from each key, in sorted order, to a tensor of shape `shape`, or [rows, *shape] for a
      `FixedLenSequenceFeature`.

    Raises:
      InvalidArgumentError: as in `parse_example`.
      ValueError: if `serialized` is no scalar.

    >>> from runtime.train import Example, Feature, Features, FloatList
    >>> x = Feature(float_list=FloatList(value=[0.5, 1.5]))
    >>> one = Example(features=Features(feature={"x": x})).SerializeToString()
    >>> parse_single_example(one, {"x": FixedLenFeature([2], "float32")})["x"].numpy()
    array([0.5, 1.5], dtype=float32)
    """
    data = convert_to_tensor(serialized, dtypes.string)
    _require_scalar("parse_single_example", data)
    return parse_example(data, features, example_names, name)


def _require_scalar(function: str, data: Tensor) -> None:
    if data.shape.rank != 0:
        raise ValueError(
            f"{function} takes one serialized example, a scalar, but its shape is {data.shape}. "
            "For a batch use parse_example."
        )


def parse_single_sequence_example(
    serialized: TensorLike,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    example_name: TensorLike | None = None,
    name: str | None = None,
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Parse one `SequenceExample` message.

    Args:
      serialized: string scalar.
      context_features: a `FixedLenFeature` for each key of the context.
      sequence_features: a `FixedLenSequenceFeature` for each key of the feature lists.
      example_name: no effect.

    Returns: Two dicts of tensors: of the context, and of the sequences, with shape [steps, *shape].
    Raises:
      InvalidArgumentError: as in `parse_example`.
      ValueError: if both are None, or for features of other classes.

    >>> from runtime.train import SequenceExample
    >>> example = SequenceExample()
    >>> for word in (b"a", b"b"):
    ...     step = example.feature_lists.feature_list["words"].feature.add()
    ...     step.bytes_list.value.append(word)
    >>> wanted = {"words": FixedLenSequenceFeature([], "string")}
    >>> _, sequences = parse_single_sequence_example(
    ...     example.SerializeToString(), sequence_features=wanted)
    >>> sequences["words"].numpy()
    array([b'a', b'b'], dtype=object)
    """
    if context_features is None and sequence_features is None:
        raise ValueError(
            "Both context_features and sequence_features are None, but at least one should have "
            "values."
        )
    data = convert_to_tensor(serialized, dtypes.string)
    _require_scalar("parse_single_sequence_example", data)
    context = _columns(context_features) if context_features else ()
    keys = sorted(sequence_features or {})
    features = [_sequence_feature(key, (sequence_features or {})[key]) for key in keys]
    outputs = _PARSE_SEQUENCE.outputs(
        data,
        context=context,
        sequences=tuple(map(_column, keys, features)),
        optional=tuple((sequence_features or {})[key].allow_missing for key in keys),
        name=name,
    )
    first = len(context)
    names = [column.key for column in context]
    return (
        dict(zip(names, outputs[:first], strict=True)),
        dict(zip(keys, outputs[first:], strict=True)),
    )


def _sequence_feature(key: str, feature: object) -> FixedLenSequenceFeature:
    if not isinstance(feature, FixedLenSequenceFeature):
        raise _unsupported(key, feature, "FixedLenSequenceFeature")
    return feature._replace(allow_missing=True)


def decode_proto(
    bytes: TensorLike,
    message_type: str,
    field_names: Sequence[str],
    output_types: Sequence[Any],
    descriptor_source: str = "local://",
    message_format: str = "binary",
    sanitize: bool = False,
    name: str | None = None,
) -> NoReturn:
    """Refuse: descriptors of messages are linked into TensorFlow's binary.

    Raises: NotImplementedError always; names what to use.

    >>> decode_proto(b"", "tensorflow.Example", ["features"], ["string"])
    Traceback (most recent call last):
    ...
    NotImplementedError: decode_proto: the runtime has no descriptor of tensorflow.Example: use \
tf.io.parse_example for examples, for other messages their Python class in tf.numpy_function
    """
    raise NotImplementedError(
        f"decode_proto: the runtime has no descriptor of {message_type}: use tf.io.parse_example "
        "for examples, for other messages their Python class in tf.numpy_function"
    )
