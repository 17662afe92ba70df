"""Elements of blocks as separate members of a batch, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import ANY, DTypes, sample
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import stack
from runtime.ops.base.arguments import static_ints
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call, define_op
from runtime.ops.base.sample_values import numbers

_BLOCKS = DTypes("int32 or int64", dtypes.int32, dtypes.int64)
_MARGINS = DTypes("int32 or int64", dtypes.int32, dtypes.int64)


def _pairs(block_shape: Any, margins: Any, rank: int, what: str) -> tuple[list[int], Any]:
    """The block and what is added to or cut off each axis. Raises ValueError if they do not fit."""
    if np.ndim(block_shape) != 1:
        raise ValueError(f"block_shape rank should be 1 instead of {np.ndim(block_shape)}")
    block = [int(size) for size in block_shape]
    if rank < len(block) + 1:
        raise ValueError(f"input rank should be >= {len(block) + 1} instead of {rank}")
    if np.shape(margins) != (len(block), 2):
        raise ValueError(
            f"{what.lower()} should have shape [{len(block)}, 2] instead of {np.shape(margins)}"
        )
    for at, size in enumerate(block):
        if size < 1:
            raise ValueError(
                f"All values in block_shape must be positive, got value, {size} at index {at}."
            )
    if np.any(np.asarray(margins) < 0):
        raise ValueError(f"{what} must be non-negative")
    return block, [(int(before), int(behind)) for before, behind in margins]


def _split_length(at: int, length: int, size: int, pair: tuple[int, int]) -> int:
    full = length + sum(pair)
    if full % size:
        raise ValueError(f"padded_shape[{at}]={full} is not divisible by block_shape[{at}]={size}")
    return full // size


def _joined_length(at: int, length: int, size: int, pair: tuple[int, int]) -> int:
    rest = length * size - sum(pair)
    if rest < 0:
        raise ValueError(f"cropped_shape[{at}]={rest} must be non-negative")
    return rest


def _smaller_batch(batch: int, block: Sequence[int]) -> int:
    if batch % prod(block):
        raise ValueError(
            f"Input batch dimension ({batch}) is not divisible by product of block sizes "
            f"({prod(block)})"
        )
    return batch // prod(block)


def _spec(
    x: Tensor, block_shape: Tensor, margins: Tensor, what: str, batch: Any, length: Any
) -> TensorSpec:
    block, pairs, dims = static_value(block_shape), static_value(margins), x.spec.dims
    if dims is None:
        return x.spec
    if block is None:
        axes = block_shape.shape.rank == 1 and block_shape.shape[0]
        changed = len(dims) if not axes else axes + 1
        return x.spec.with_dims(((None,) * changed + dims[changed:])[: len(dims)])
    filler = np.zeros((len(block), 2), np.int32) if np.ndim(block) == 1 else [[0, 0]]
    sizes, both = _pairs(block, filler if pairs is None else pairs, len(dims), what)
    lengths = [
        None if own is None or pairs is None else length(at, own, size, pair)
        for at, (own, size, pair) in enumerate(zip(dims[1:], sizes, both, strict=False))
    ]
    first = None if dims[0] is None else batch(dims[0], sizes)
    return x.spec.with_dims((first, *lengths, *dims[len(sizes) + 1 :]))


def _split_spec(x: Tensor, block_shape: Tensor, paddings: Tensor) -> TensorSpec:
    def batch(own: int, sizes: Sequence[int]) -> int:
        return own * prod(sizes)

    return _spec(x, block_shape, paddings, "Paddings", batch, _split_length)


def _joined_spec(x: Tensor, block_shape: Tensor, crops: Tensor) -> TensorSpec:
    return _spec(x, block_shape, crops, "Crops", _smaller_batch, _joined_length)


def _split(xp: Any, x: Any, block_shape: Any, paddings: Any) -> Any:
    block, pairs = _pairs(block_shape, paddings, x.ndim, "Paddings")
    axes, rest = len(block), x.shape[len(block) + 1 :]
    wide = xp.pad(x, [(0, 0), *pairs, *[(0, 0)] * len(rest)]) if any(map(any, pairs)) else x
    counts = [
        _split_length(at, *parts)
        for at, parts in enumerate(zip(x.shape[1 : axes + 1], block, pairs, strict=True))
    ]
    cut = [entry for pair in zip(counts, block, strict=True) for entry in pair]
    parts = xp.reshape(wide, (x.shape[0], *cut, *rest))
    order = [*range(2, 2 * axes + 1, 2), 0, *range(1, 2 * axes, 2)]
    moved = xp.transpose(parts, (*order, *range(2 * axes + 1, parts.ndim)))
    return xp.reshape(moved, (x.shape[0] * prod(block), *counts, *rest))


def _join(xp: Any, x: Any, block_shape: Any, crops: Any) -> Any:
    block, pairs = _pairs(block_shape, crops, x.ndim, "Crops")
    axes, lengths, rest = len(block), x.shape[1 : len(block) + 1], x.shape[len(block) + 1 :]
    batch = _smaller_batch(x.shape[0], block)
    for at, parts in enumerate(zip(lengths, block, pairs, strict=True)):
        _joined_length(at, *parts)
    parts = xp.reshape(x, (*block, batch, *lengths, *rest))
    order = [axes, *(place for axis in range(axes) for place in (axes + 1 + axis, axis))]
    moved = xp.transpose(parts, (*order, *range(2 * axes + 1, parts.ndim)))
    full = [length * size for length, size in zip(lengths, block, strict=True)]
    whole = xp.reshape(moved, (batch, *full, *rest))
    kept = [slice(a, n - b) for (a, b), n in zip(pairs, full, strict=True)]
    return whole[(slice(None), *kept)]


_SPLIT = define_op(
    "SpaceToBatchND",
    {"input": ANY, "block_shape": _BLOCKS, "paddings": _MARGINS},
    _split_spec,
    _split,
    grad=lambda g, y, x, block, paddings: (call("BatchToSpaceND", g, block, paddings), None, None),
    samples=(
        sample(numbers(1, 4, 3, 1), [2, 3], [[0, 0], [1, 2]]),
        sample(numbers(2, 2, 3), [2], [[1, 1]]),
    ),
)
_JOIN = define_op(
    "BatchToSpaceND",
    {"input": ANY, "block_shape": _BLOCKS, "crops": _MARGINS},
    _joined_spec,
    _join,
    grad=lambda g, y, x, block, crops: (_SPLIT(g, block, crops), None, None),
    samples=(
        sample(numbers(4, 2, 3, 1), [2, 2], [[0, 1], [2, 1]]),
        sample(numbers(2, 2, 3), [2], [[0, 0]]),
    ),
)


def space_to_batch_nd(
    input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None
) -> Tensor:
    """Elements at the same place of blocks, together as members of a batch.

    Args:
      input: shape [batch, *spatial, ...].
      block_shape: int32 or int64 vector, the lengths of a block along each spatial axis.
      paddings: int32 or int64 [axes, 2], how many zeros are added before and behind; the lengths
        with them are multiples of the block's.
      name: the name of the operation.

    Returns: shape [batch * elements of a block, *blocks, ...].
    Raises: InvalidArgumentError if the numbers do not fit.

    >>> print(space_to_batch_nd([[1, 2, 3, 4]], [2], [[0, 0]]))
    tf.Tensor(
    [[1 3]
     [2 4]], shape=(2, 2), dtype=int32)
    """
    return _SPLIT(input, block_shape, paddings, name=name)


def space_to_batch(
    input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None
) -> Tensor:
    """Another name of `space_to_batch_nd`.

    >>> space_to_batch([[[1], [2]]], [2], [[0, 0]]).shape
    TensorShape([2, 1, 1])
    """
    return space_to_batch_nd(input, block_shape, paddings, name)


def batch_to_space(
    input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None
) -> Tensor:
    """Undoes `space_to_batch_nd`.

    Args:
      input: what that gives.
      block_shape: as there; an int stands for two axes.
      crops: int32 or int64 [axes, 2], how many elements are cut off before and behind.
      name: the name of the operation.

    Raises: InvalidArgumentError if the numbers do not fit.

    >>> print(batch_to_space([[1, 3], [2, 4]], [2], [[1, 0]]))
    tf.Tensor([[2 3 4]], shape=(1, 3), dtype=int32)
    """
    if isinstance(block_shape, int):
        block_shape = np.array([block_shape, block_shape], np.int64)
    return _JOIN(input, block_shape, crops, name=name)


def required_space_to_batch_paddings(
    input_shape: TensorLike,
    block_shape: TensorLike,
    base_paddings: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """What has to be added so that blocks fit, and what to cut off afterwards.

    Args:
      input_shape: int32 vector, the spatial lengths.
      block_shape: int32 vector, the lengths of a block.
      base_paddings: int32 [axes, 2], what is added in any case; None: nothing.
      name: not used.

    Returns: `paddings` for `space_to_batch` and `crops` for `batch_to_space`.

    >>> paddings, crops = required_space_to_batch_paddings([5], [2])
    >>> print(paddings, crops)
    tf.Tensor([[0 1]], shape=(1, 2), dtype=int32) tf.Tensor([[0 1]], shape=(1, 2), dtype=int32)
    """
    lengths = convert_to_tensor(input_shape, dtype=dtypes.int32)
    block = convert_to_tensor(block_shape, dtype=dtypes.int32)
    if block.shape.rank != 1 or block.shape[0] is None:
        raise ValueError(f"`block_shape` has to be a vector of known length, not {block.shape}")
    base = convert_to_tensor(
        np.zeros((block.shape[0], 2), np.int32) if base_paddings is None else base_paddings,
        dtype=dtypes.int32,
    )
    lengths.shape.assert_is_compatible_with([block.shape[0]])
    base.shape.assert_is_compatible_with([block.shape[0], 2])
    values = [static_value(tensor) for tensor in (lengths, block, base)]
    if any(value is None for value in values):
        return _required(lengths, block, base)
    return _required(*map(convert_to_tensor, values))


def _required(lengths: Tensor, block: Tensor, base: Tensor) -> tuple[Tensor, Tensor]:
    before, behind = base[:, 0], base[:, 1]
    full = lengths + before + behind
    more = (block - full % block) % block
    return stack([before, behind + more], 1), stack([more - more, more], 1)


def with_space_to_batch(
    input: TensorLike,
    dilation_rate: TensorLike,
    padding: str,
    op: Callable[[Tensor, int, str], Tensor],
    filter_shape: TensorLike | None = None,
    spatial_dims: Sequence[int] | None = None,
    data_format: str | None = None,
) -> Tensor:
    """Lets an op meet elements that are `dilation_rate` apart.

    Args:
      input: the batch.
      dilation_rate: how far apart along each spatial axis.
      padding: "SAME" or "VALID".
      op: called as `op(batch, number of spatial axes, padding)`.
      filter_shape: the spatial lengths of the filter, which "SAME" needs.
      spatial_dims: the spatial axes; None: those that follow the batch, or the batch and channels.
      data_format: one that begins with "NC" if channels come before the spatial axes.

    Raises: ValueError for arguments that make no sense.

    >>> rows = [[[1], [2], [3], [4]]]
    >>> print(with_space_to_batch(rows, [2], "VALID", lambda x, n, p: x * n)[0, :, 0])
    tf.Tensor([1 2 3 4], shape=(4,), dtype=int32)
    """
    x = convert_to_tensor(input)
    rates = static_ints("dilation_rate", dilation_rate)
    if min(rates, default=1) < 1:
        raise ValueError(f"`dilation_rate` must be positive. Received: dilation_rate={list(rates)}")
    first = 2 if (data_format or "").startswith("NC") else 1
    places = list(range(first, first + len(rates)) if spatial_dims is None else spatial_dims)
    if sorted(set(places)) != places or min(places, default=1) < 1:
        raise ValueError(
            "`spatial_dims` must be a monotonically increasing sequence of positive integers. "
            f"Received: spatial_dims={places}"
        )
    if all(rate == 1 for rate in rates):
        return op(x, len(rates), padding)
    base = _base_paddings(padding, filter_shape, rates)
    lengths = call("Shape", x, out_type=dtypes.int32)
    paddings, crops = required_space_to_batch_paddings(
        stack([lengths[place] for place in places]), rates, base
    )
    return _blockwise(x, op, rates, places, paddings, crops)


def _base_paddings(padding: str, filter_shape: Any, rates: Sequence[int]) -> Any:
    if padding == "VALID":
        return np.zeros((len(rates), 2), np.int32)
    if padding != "SAME":
        raise ValueError(f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding}")
    if filter_shape is None:
        raise ValueError(
            "`filter_shape` must be specified for `padding='SAME'`. Received: filter_shape=None "
            "and padding=SAME"
        )
    sizes = static_ints("filter_shape", filter_shape)[: len(rates)]
    missing = [(size - 1) * rate for size, rate in zip(sizes, rates, strict=True)]
    return np.array([[total // 2, total - total // 2] for total in missing], np.int32)


def _blockwise(
    x: Tensor,
    op: Callable[[Tensor, int, str], Tensor],
    rates: Sequence[int],
    places: Sequence[int],
    paddings: Tensor,
    crops: Tensor,
) -> Tensor:
    """Splits a batch into blocks, of length 1 along the axes between, and joins the results."""
    axes = range(1, places[-1] + 1)
    nothing = np.zeros(2, np.int32)
    block = [rates[places.index(axis)] if axis in places else 1 for axis in axes]
    before, behind = (
        stack([pairs[places.index(axis)] if axis in places else nothing for axis in axes])
        for pairs in (paddings, crops)
    )
    result = op(_SPLIT(x, block, before), len(rates), "VALID")
    return _JOIN(result, block, behind)
