"""Parsing of `Example` and `SequenceExample` messages into dense tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError

from runtime.core import dtypes
from runtime.core.opdef import STRING, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.io.features import (
    Column,
    FixedLenSequenceFeature,
    column_of,
    columns_of,
    unsupported,
)
from runtime.io.messages import Example, SequenceExample
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op
from runtime.ops.strings.elements import invalid


def _parse(
    xp: object, serialized: object, *names: object, columns: tuple[Column, ...], rank: int
) -> tuple[Any, ...]:
    if rank == 0:
        return _columns(_parsed(Example, serialized).features, columns)
    messages = np.asarray(serialized, object).tolist()
    labels = np.asarray(names[0]).tolist() if names else []
    places = [f", Index: {number}" for number in range(len(messages))]
    for number, label in enumerate(labels):
        places[number] += f", Name: {label.decode(errors='replace')}"
    examples = [_parsed(Example, *each) for each in zip(messages, places, strict=True)]
    features = [example.features.feature for example in examples]
    return tuple(column.of_batch(features, places) for column in columns)


def _parse_sequence(
    xp: object,
    serialized: object,
    context: tuple[Column, ...],
    sequences: tuple[Column, ...],
    optional: tuple[bool, ...],
) -> tuple[Any, ...]:
    example = _parsed(SequenceExample, serialized)
    lists = example.feature_lists.feature_list
    pairs = zip(sequences, optional, strict=True)
    steps = (column.steps(lists, missing) for column, missing in pairs)
    return (*_columns(example.context, context), *steps)


def _parsed(kind: Any, serialized: Any, place: str = "") -> Any:
    """Return the message in a string; `place` says for errors where it is."""
    data = serialized if isinstance(serialized, bytes) else np.asarray(serialized, object)[()]
    try:
        return kind.FromString(data)
    except DecodeError as error:
        raise invalid(f"Could not parse an example{place}: {error}") from None


def _columns(features: Any, columns: tuple[Column, ...]) -> tuple[Any, ...]:
    """Return the arrays of one example, or of the context of a sequence example."""
    return tuple(column.one(features.feature.get(column.key), "") for column in columns)


_ONE = Example()
_ONE.features.feature["a"].int64_list.value.append(1)
_SEQUENCE = SequenceExample()
_SEQUENCE.feature_lists.feature_list["a"].feature.add().int64_list.value.append(1)
_INTEGER = Column("a", dtypes.int64, (), False, None)
_INTEGERS = Column("a", dtypes.int64, (), True, np.int64(0))

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

    >>> from runtime.io import FixedLenFeature
    >>> from runtime.train import Example, Feature, Features, Int64List
    >>> age = Feature(int64_list=Int64List(value=[29]))
    >>> one = Example(features=Features(feature={"age": age})).SerializeToString()
    >>> parse_example([one, one], {"age": FixedLenFeature([], "int64")})["age"].numpy()
    array([29, 29])
    """
    data = convert_to_tensor(serialized, dtypes.string)
    columns = columns_of(features)
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
      ValueError: if `serialized` is not a scalar.

    >>> from runtime.io import FixedLenFeature
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
    context = columns_of(context_features) if context_features else ()
    keys = sorted(sequence_features or {})
    features = [_sequence_feature(key, (sequence_features or {})[key]) for key in keys]
    outputs = _PARSE_SEQUENCE.outputs(
        data,
        context=context,
        sequences=tuple(map(column_of, keys, features)),
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
        raise unsupported(key, feature, "FixedLenSequenceFeature")
    return feature._replace(allow_missing=True)
