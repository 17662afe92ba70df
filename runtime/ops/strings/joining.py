"""Ops that join strings, and take them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import INDEX, STRING, sample
from runtime.core.shapes import TensorShape, as_dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import reshape
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_ints, static_text
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.base.define import define_op
from runtime.ops.strings.elements import each, invalid


def _join_spec(*inputs: Tensor, separator: str) -> TensorSpec:
    shape = TensorShape(None)
    for tensor in inputs:
        if tensor.shape.rank == 0:
            continue
        if not shape.is_compatible_with(tensor.shape):
            raise ValueError(f"Input shapes do not match: {shape} vs. {tensor.shape}")
        shape = shape.merge_with(tensor.shape)
    if all(tensor.shape.rank == 0 for tensor in inputs):
        shape = TensorShape([])
    return spec_of(dtypes.string, as_dims(shape))


_JOIN = define_op(
    "StringJoin",
    {"*inputs": STRING},
    _join_spec,
    lambda xp, *inputs, separator: each(
        lambda *parts: separator.encode().join(parts), object, *inputs
    ),
    samples=(sample(["a", "b"], "c", separator="-"), sample("a", separator="")),
)


def join(inputs: Sequence[TensorLike], separator: str = "", name: str | None = None) -> Tensor:
    """Strings put together element by element.

    Args:
      inputs: tensors of strings, of one shape; scalars fit every shape.
      separator: what stands between the strings.
      name: the name of the operation.

    Raises: InvalidArgumentError if the shapes differ.

    >>> print(join([["a", "b"], "c"], separator="-"))
    tf.Tensor([b'a-c' b'b-c'], shape=(2,), dtype=string)
    """
    tensors = [convert_to_tensor(part, dtypes.string) for part in inputs]
    ranked = [tensor.shape for tensor in tensors if tensor.shape.rank != 0]
    for shape in ranked[1:]:
        if not shape.is_compatible_with(ranked[0]):
            raise invalid(f"Input shapes do not match: {ranked[0]} vs. {shape}")
    return _JOIN(*tensors, separator=separator, name=name)


def _reduced(xp: Any, x: Any, axis: tuple[int, ...], keepdims: bool, separator: str) -> Any:
    places = [rules.normal_axis(entry, x.ndim) for entry in axis]
    kept = [i for i in range(x.ndim) if i not in places]
    rows = np.transpose(x, [*kept, *reversed(places)]).reshape(*(x.shape[i] for i in kept), -1)
    result = np.empty(rows.shape[:-1], object)
    for position in np.ndindex(result.shape):
        result[position] = separator.encode().join(rows[position])
    if keepdims:
        return result.reshape([1 if i in places else n for i, n in enumerate(x.shape)])
    return result


_REDUCE_JOIN = define_op(
    "ReduceJoin",
    {"inputs": STRING},
    lambda x, axis, keepdims, separator: x.spec.with_dims(
        rules.reduced_dims(x.spec.dims, axis, keepdims)
    ),
    _reduced,
    samples=(
        sample([["a", "b"], ["c", "d"]], axis=(0,), keepdims=False, separator="+"),
        sample([["a", "b"], ["c", "d"]], axis=(1, 0), keepdims=True, separator=""),
    ),
)


def reduce_join(
    inputs: TensorLike,
    axis: Any = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """The strings along axes put together.

    Args:
      inputs: strings.
      axis: an int, or several in the order in which they are joined; None: all, the last first.
      keepdims: whether the reduced dimensions stay, with length 1.
      separator: what stands between the strings.
      name: the name of the operation.

    Raises: InvalidArgumentError if there is no such axis; ValueError if all axes are meant and
      kept, but their number is not known.

    >>> print(reduce_join([["a", "b"], ["c", "d"]], axis=0, separator="+"))
    tf.Tensor([b'a+c' b'b+d'], shape=(2,), dtype=string)
    """
    x = convert_to_tensor(inputs, dtypes.string)
    if axis is not None:
        chosen = static_ints("axis", axis)
    elif x.shape.rank is not None:
        chosen = tuple(reversed(range(x.shape.rank)))
    elif keepdims:
        raise ValueError("reduce_join over all axes needs to know how many there are; give `axis`")
    else:
        x, chosen = reshape(x, [-1]), (0,)
    return _REDUCE_JOIN(x, axis=chosen, keepdims=bool(keepdims), separator=separator, name=name)


def _cut(data: bytes, sep: str, maxsplit: int) -> list[bytes]:
    return data.split(sep.encode() if sep else None, maxsplit)


def _object_array(parts: list[bytes]) -> Any:
    result = np.empty(len(parts), object)
    result[:] = parts
    return result


_SPLIT = define_op(
    "StringSplitScalar",
    {"input": STRING},
    lambda x, **attrs: x.spec.with_dims((None,)),
    lambda xp, x, sep, maxsplit: _object_array(_cut(np.asarray(x).item(), sep, maxsplit)),
    samples=(sample("a b c", sep="", maxsplit=-1),),
)
_BYTES_SPLIT = define_op(
    "StringBytesSplitScalar",
    {"input": STRING},
    lambda x: x.spec.with_dims((None,)),
    lambda xp, x: _object_array([bytes([byte]) for byte in np.asarray(x).item()]),
    samples=(sample("abc"),),
)


def _scalar(function: str, input: TensorLike) -> Tensor:
    x = convert_to_tensor(input, dtypes.string)
    if x.shape.rank != 0:
        raise UnimplementedError.of(
            f"{function} of {x.spec}: the parts of several strings have different numbers, and "
            "there are no ragged tensors; split one string at a time, for instance in a loop that "
            "appends to a list, or cut strings of one length with runtime.strings.substr",
        )
    return x


def split(
    input: TensorLike, sep: str | None = None, maxsplit: int = -1, name: str | None = None
) -> Tensor:
    """The parts of one string.

    Args:
      input: a string, a scalar.
      sep: what stands between the parts; None or "": any white space.
      maxsplit: how often it is split at most; -1: as often as possible.
      name: the name of the operation.

    Raises: UnimplementedError for several strings, whose parts would make a ragged tensor.

    >>> print(split("a b c"))
    tf.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    """
    separator = "" if sep is None else static_text("sep", sep)
    return _SPLIT(_scalar("strings.split", input), sep=separator, maxsplit=maxsplit, name=name)


def bytes_split(input: TensorLike, name: str | None = None) -> Tensor:
    """The bytes of one string.

    Raises: UnimplementedError for several strings, whose parts would make a ragged tensor.

    >>> print(bytes_split("abc"))
    tf.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    """
    return _BYTES_SPLIT(_scalar("strings.bytes_split", input), name=name)


def _segments(xp: Any, x: Any, ids: Any, num_segments: Any, separator: str) -> Any:
    count = int(num_segments)
    if ids.size and (ids.min() < 0 or ids.max() >= count):
        raise ValueError(
            "segment_ids are not allowed to exceed num_segments or to have out of range values"
        )
    rest = x.shape[ids.ndim :]
    rows = x.reshape(-1, *rest)
    result = np.empty((count, *rest), object)
    for number in range(count):
        own = rows[ids.reshape(-1) == number]
        for position in np.ndindex(rest):
            result[(number, *position)] = separator.encode().join(own[(slice(None), *position)])
    return result


def _segments_spec(x: Tensor, ids: Tensor, num_segments: Tensor, separator: str) -> TensorSpec:
    dims, where, count = x.spec.dims, ids.spec.dims, static_value(num_segments)
    if dims is None or where is None:
        return x.spec.with_dims(None)
    return x.spec.with_dims((None if count is None else int(count), *dims[len(where) :]))


_SEGMENT_JOIN = define_op(
    "UnsortedSegmentJoin",
    {"inputs": STRING, "segment_ids": INDEX, "num_segments": INDEX},
    _segments_spec,
    _segments,
    samples=(sample(["a", "b", "c"], [0, 1, 0], 2, separator=":"),),
)


def unsorted_segment_join(
    inputs: TensorLike,
    segment_ids: TensorLike,
    num_segments: TensorLike,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """The strings of each segment put together.

    Args:
      inputs: strings.
      segment_ids: the number of the segment for each; its shape begins that of `inputs`.
      num_segments: how many segments there are.
      separator: what stands between the strings.
      name: the name of the operation.

    Raises: InvalidArgumentError if a number is out of range.

    >>> print(unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2, separator=":"))
    tf.Tensor([b'a:c' b'b'], shape=(2,), dtype=string)
    """
    places = convert_to_tensor(segment_ids)
    count = cast_to(convert_to_tensor(num_segments), places.dtype)
    return _SEGMENT_JOIN(inputs, places, count, separator=separator, name=name)
