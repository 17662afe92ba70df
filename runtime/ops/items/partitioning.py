"""Partitioning of slices by number, and its inverse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import ANY, INT32, MIXED, sample
from runtime.core.shapes import compatible
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape, size
from runtime.ops.array.ranges import range as numbers
from runtime.ops.array.shaping import reshape
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import op
from runtime.ops.base.gradient_parts import given
from runtime.ops.items.gathering import gather
from runtime.ops.math.casting import cast


def _parts_spec(data: Tensor, partitions: Tensor, num_partitions: int) -> tuple[TensorSpec, ...]:
    dims, where = data.spec.dims, partitions.spec.dims
    if dims is None or where is None:
        return (data.spec.with_dims(None),) * num_partitions
    _check_prefix(dims, where)
    return (data.spec.with_dims((None, *dims[len(where) :])),) * num_partitions


def _check_prefix(data: Sequence[int | None], partitions: Sequence[int | None]) -> None:
    if not compatible(tuple(data[: len(partitions)]), tuple(partitions)):
        raise ValueError(
            f"data.shape must start with partitions.shape, got data.shape = {list(data)}, "
            f"partitions.shape = {list(partitions)}"
        )


def _parts(xp: Namespace, data: Array, partitions: Array, num_partitions: int) -> Array:
    wrong = np.argwhere((partitions < 0) | (partitions >= num_partitions))
    if len(wrong):
        at = ",".join(map(str, wrong[0]))
        raise ValueError(
            f"partitions[{at}] = {partitions[tuple(wrong[0])]} is not in [0, {num_partitions})"
        )
    _check_prefix(data.shape, partitions.shape)
    return tuple(data[partitions == number] for number in range(num_partitions))


def _parts_grad(
    g: Sequence[Tensor | None],
    y: Sequence[Tensor],
    data: Tensor,
    partitions: Tensor,
    num_partitions: int,
) -> tuple[Tensor, None]:
    places = reshape(numbers(size(partitions)), shape(partitions))
    indices = dynamic_partition(places, partitions, num_partitions)
    return reshape(dynamic_stitch(indices, given(g, y)), shape(data)), None


@op(
    "DynamicPartition",
    {"data": ANY, "partitions": INT32},
    infer=_parts_spec,
    kernel=_parts,
    outputs=None,
    grad=_parts_grad,
    samples=(
        sample([1.0, 2.0, 3.0], [1, 0, 1], num_partitions=2),
        sample([[1, 2], [3, 4]], [0, 2], num_partitions=3),
    ),
)
def dynamic_partition(
    data: TensorLike, partitions: TensorLike, num_partitions: int, name: str | None = None
) -> list[Tensor]:
    """Sort slices into parts.

    Args:
      data: any tensor.
      partitions: int32, the part of each slice; its shape is a prefix of that of `data`.
      num_partitions: the number of parts.
      name: name for the operation.

    Returns:
      For each part a tensor with its slices, in the order of `data`.

    Raises:
      InvalidArgumentError: if a part is out of range, or the shapes do not fit.

    >>> [part.numpy().tolist() for part in dynamic_partition([1, 2, 3], [1, 0, 1], 2)]
    [[2], [1, 3]]
    """
    count = int(num_partitions)
    return list(dynamic_partition.op.outputs(data, partitions, num_partitions=count, name=name))


def _halves(values: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    """Split the inputs of `DynamicStitch` into indices and data."""
    return values[: len(values) // 2], values[len(values) // 2 :]


def _stitch_spec(*values: Tensor) -> TensorSpec:
    indices: Sequence[Tensor]
    data: Sequence[Tensor]
    indices, data = _halves(values)
    known = [static_value(index) for index in indices]
    length = None
    if all(value is not None for value in known):
        length = max((int(np.max(value)) + 1 for value in known if np.size(value)), default=0)
    if data[0].spec.dims is None or indices[0].spec.dims is None:
        return data[0].spec.with_dims(None)
    return data[0].spec.with_dims((length, *data[0].spec.dims[len(indices[0].spec.dims) :]))


def _stitch(xp: Namespace, *values: Array) -> Array:
    indices, data = _halves(values)
    length = max((int(np.max(index)) + 1 for index in indices if np.size(index)), default=0)
    rest = data[0].shape[np.ndim(indices[0]) :]
    result = xp.zeros((length, *rest), data[0].dtype)
    for index, part in zip(indices, data, strict=True):
        if part.shape != (*np.shape(index), *rest):
            raise ValueError(
                f"data of shape {list(part.shape)} does not fit indices of shape "
                f"{list(np.shape(index))} and slices of shape {list(rest)}"
            )
        result[np.ravel(index)] = part.reshape(math.prod(np.shape(index)), *rest)
    return result


def _stitch_grad(g: Tensor, y: Tensor, *values: Tensor) -> list[Tensor | None]:
    indices, _ = _halves(values)
    none: list[Tensor | None] = [None] * len(indices)
    return none + [gather.op(g, index, axis=0) for index in indices]


@op(
    "DynamicStitch",
    {"*values": MIXED},
    infer=_stitch_spec,
    kernel=_stitch,
    grad=_stitch_grad,
    samples=(
        sample([0, 2], 1, [1.0, 2.0], 3.0),
        sample([1], [0, 2], [[1, 2]], [[3, 4], [5, 6]]),
    ),
)
def dynamic_stitch(
    indices: Sequence[TensorLike], data: Sequence[TensorLike], name: str | None = None
) -> Tensor:
    """Merge slices at the rows that their indices name; the inverse of `dynamic_partition`.

    Args:
      indices: list of int32 tensors.
      data: for each a tensor with a slice for each index; of repeated indices the last counts.
      name: name for the operation.

    Returns:
      Tensor of the dtype of the data, of length 1 + the largest index.

    Raises:
      ValueError: if there are not as many data as indices.
      InvalidArgumentError: if the shapes do not fit.

    >>> print(dynamic_stitch([[0, 2], [1]], [[10, 30], [20]]).numpy())
    [10 20 30]
    """
    if len(indices) != len(data) or not indices:
        raise ValueError(f"{len(indices)} indices and {len(data)} data are given")
    places = [cast(convert_to_tensor(index), dtypes.int32) for index in indices]
    parts, _ = one_dtype("DynamicStitch", [("data", part) for part in data])
    return dynamic_stitch.op(*places, *parts, name=name)
