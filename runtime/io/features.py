"""Features of examples, as programs state them, and their columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.shapes import as_dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.ops.base.values import to_array
from runtime.ops.strings.elements import invalid

_KINDS = {
    "bytes_list": dtypes.string,
    "float_list": dtypes.float32,
    "int64_list": dtypes.int64,
}
"""The dtypes of the lists in a `Feature`."""


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


@dataclass(frozen=True, eq=False)
class Column:
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

    def one(self, feature: Any, place: str) -> Any:
        """Return the array of one example."""
        kind = None if feature is None else feature.WhichOneof("kind")
        if kind is not None:
            return self._array(getattr(feature, kind).value, _KINDS[kind], place)
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
                f"Key: {self.key}{place}. The number of values, {len(values)}, is not a multiple "
                f"of {self.size}, the number of values in a row of shape {list(self.dims)}."
            )
        if not self.sequence and len(values) != self.size:
            raise invalid(
                f"Key: {self.key}{place}. Number of {found.name} values != expected. Values size: "
                f"{len(values)} but output shape: {list(self.dims)}. For examples with different "
                "numbers of values use FixedLenSequenceFeature."
            )
        array = np.array(values[:], self.dtype.numpy_dtype)
        return array.reshape(-1, *self.dims) if self.sequence else array.reshape(self.dims)

    def of_batch(self, examples: Sequence[Mapping[str, Any]], places: Sequence[str]) -> Any:
        """Return the array of the features of several examples."""
        own = (features.get(self.key) for features in examples)
        return self.stack([self.one(*each) for each in zip(own, places, strict=True)])

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

    def steps(self, lists: Mapping[str, Any], allow_missing: bool) -> Any:
        """Return the rows of a sequence, of which each step is a feature."""
        if self.key not in lists and not allow_missing:
            raise invalid(
                f"Feature list '{self.key}' is required but could not be found. With "
                "allow_missing=True it may be absent."
            )
        own = Column(self.key, self.dtype, self.dims, False, None)
        steps = lists[self.key].feature if self.key in lists else ()
        return own.stack([own.one(step, f", Index: {number}") for number, step in enumerate(steps)])


def columns_of(features: Mapping[str, Any]) -> tuple[Column, ...]:
    """Check the features of examples; the columns are in the order of their keys."""
    if not features:
        raise ValueError("Invalid argument: features cannot be empty.")
    return tuple(column_of(key, features[key]) for key in sorted(features))


def column_of(key: str, feature: object) -> Column:
    """Return the column of a feature. Raises ValueError for a feature that cannot be parsed."""
    if isinstance(feature, FixedLenSequenceFeature):
        if not feature.allow_missing:
            raise ValueError(
                f"FixedLenSequenceFeature requires allow_missing=True for feature {key!r}."
            )
        dims, dtype = _dims(key, feature), _dtype(key, feature)
        empty = b"" if dtype is dtypes.string else 0
        default = empty if feature.default_value is None else feature.default_value
        return Column(key, dtype, dims, True, _default(key, default, dtype, ()))
    if not isinstance(feature, FixedLenFeature):
        raise unsupported(key, feature, "FixedLenFeature or FixedLenSequenceFeature")
    dims, dtype = _dims(key, feature), _dtype(key, feature)
    if feature.default_value is None:
        return Column(key, dtype, dims, False, None)
    return Column(key, dtype, dims, False, _default(key, feature.default_value, dtype, dims))


def unsupported(key: str, feature: object, wanted: str) -> ValueError:
    """Return the error for a feature of another class."""
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
    if dtype not in _KINDS.values():
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
