"""Moving the elements of blocks into members of a batch and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import ANY, INDEX, DTypes, sample
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import stack
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.arguments import static_ints
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op
from runtime.ops.base.gradient_parts import shape_of
from runtime.ops.base.sample_values import numbers

# Its dtype may differ from that of `block_shape`.
_MARGINS = DTypes("int32 or int64", dtypes.int32, dtypes.int64)

_NO_PADDING = np.zeros(2, np.int32)

_Pairs = list[tuple[int, int]]


def _checked(block_shape: Array, margins: Array, rank: int, what: str) -> tuple[list[int], _Pairs]:
    """Return the lengths of a block, and the padding or cropping of each axis.

    Raises:
      ValueError: if they fit neither each other nor the rank.
    """
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
    return block, [(int(before), int(after)) for before, after in margins]


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


def _joined_batch(batch: int, block: Sequence[int]) -> int:
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
    sizes, both = _checked(block, filler if pairs is None else pairs, len(dims), what)
    lengths = [
        None if own is None or pairs is None else length(at, own, size, pair)
        for at, (own, size, pair) in enumerate(zip(dims[1:], sizes, both, strict=False))
    ]
    first = None if dims[0] is None else batch(dims[0], sizes)
    return x.spec.with_dims((first, *lengths, *dims[len(sizes) + 1 :]))


def _lengths(x: Array, block: Sequence[int], pairs: _Pairs, length: Any) -> list[int]:
    axes = zip(x.shape[1:], block, pairs, strict=False)
    return [length(at, *parts) for at, parts in enumerate(axes)]


def _split(xp: Namespace, x: Array, block_shape: Array, paddings: Array) -> Array:
    block, pairs = _checked(block_shape, paddings, x.ndim, "Paddings")
    axes, rest = len(block), x.shape[len(block) + 1 :]
    counts = _lengths(x, block, pairs, _split_length)
    wide = xp.pad(x, [(0, 0), *pairs, *[(0, 0)] * len(rest)]) if any(map(any, pairs)) else x
    cut = [entry for pair in zip(counts, block, strict=True) for entry in pair]
    parts = xp.reshape(wide, (x.shape[0], *cut, *rest))
    order = [*range(2, 2 * axes + 1, 2), 0, *range(1, 2 * axes, 2)]
    moved = xp.transpose(parts, (*order, *range(2 * axes + 1, parts.ndim)))
    return xp.reshape(moved, (x.shape[0] * prod(block), *counts, *rest))


def _join(xp: Namespace, x: Array, block_shape: Array, crops: Array) -> Array:
    block, pairs = _checked(block_shape, crops, x.ndim, "Crops")
    axes, lengths, rest = len(block), x.shape[1 : len(block) + 1], x.shape[len(block) + 1 :]
    batch = _joined_batch(x.shape[0], block)
    kept = _lengths(x, block, pairs, _joined_length)
    parts = xp.reshape(x, (*block, batch, *lengths, *rest))
    order = [axes, *(place for axis in range(axes) for place in (axes + 1 + axis, axis))]
    moved = xp.transpose(parts, (*order, *range(2 * axes + 1, parts.ndim)))
    full = [length * size for length, size in zip(lengths, block, strict=True)]
    whole = xp.reshape(moved, (batch, *full, *rest))
    cut = [slice(before, before + n) for (before, _), n in zip(pairs, kept, strict=True)]
    return whole[(slice(None), *cut)]


def _space_to_batch_grad(
    g: Tensor, y: Tensor, x: Tensor, block: Tensor, paddings: Tensor
) -> tuple[Tensor | None, ...]:
    return (batch_to_space.op(g, block, paddings), None, None)


@op(
    "SpaceToBatchND",
    {"input": ANY, "block_shape": INDEX, "paddings": _MARGINS},
    infer=lambda x, block, paddings: _spec(
        x, block, paddings, "Paddings", lambda n, sizes: n * prod(sizes), _split_length
    ),
    kernel=_split,
    grad=_space_to_batch_grad,
    samples=(
        sample(numbers(1, 4, 3, 1), [2, 3], [[0, 0], [1, 2]]),
        sample(numbers(2, 2, 3), [2], [[1, 1]]),
    ),
)
def space_to_batch_nd(
    input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None
) -> Tensor:
    """Move elements with the same offset in their blocks into one member of the batch.

    Args:
      input: Tensor of shape [batch, *spatial, ...].
      block_shape: int32 or int64 vector, the length of a block along each spatial axis.
      paddings: int32 or int64 Tensor of shape [axes, 2], the zeros added before and after; padded
        lengths are multiples of `block_shape`.
      name: name for the operation.

    Returns:
      Tensor of shape [batch * elements of a block, *blocks, ...].

    Raises:
      InvalidArgumentError: if the numbers do not fit.

    >>> print(space_to_batch_nd([[1, 2, 3, 4]], [2], [[0, 0]]))
    tf.Tensor(
    [[1 3]
     [2 4]], shape=(2, 2), dtype=int32)
    """
    return space_to_batch_nd.op(input, block_shape, paddings, name=name)


def space_to_batch(
    input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None
) -> Tensor:
    """Call `space_to_batch_nd`.

    >>> space_to_batch([[[1], [2]]], [2], [[0, 0]]).shape
    TensorShape([2, 1, 1])
    """
    return space_to_batch_nd(input, block_shape, paddings, name)


@op(
    "BatchToSpaceND",
    {"input": ANY, "block_shape": INDEX, "crops": _MARGINS},
    infer=lambda x, block, crops: _spec(x, block, crops, "Crops", _joined_batch, _joined_length),
    kernel=_join,
    grad=lambda g, y, x, block, crops: (space_to_batch_nd.op(g, block, crops), None, None),
    samples=(
        sample(numbers(4, 2, 3, 1), [2, 2], [[0, 1], [2, 1]]),
        sample(numbers(2, 2, 3), [2], [[0, 0]]),
    ),
)
def batch_to_space(
    input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None
) -> Tensor:
    """Invert `space_to_batch_nd`.

    Args:
      input: Tensor of shape [batch * elements of a block, *blocks, ...].
      block_shape: as of `space_to_batch_nd`; an int is the length along two axes.
      crops: int32 or int64 Tensor of shape [axes, 2], the elements removed before and after.
      name: name for the operation.

    Returns:
      Tensor of shape [batch, *spatial, ...].

    Raises:
      InvalidArgumentError: if the numbers do not fit.

    >>> print(batch_to_space([[1, 3], [2, 4]], [2], [[1, 0]]))
    tf.Tensor([[2 3 4]], shape=(1, 3), dtype=int32)
    """
    if isinstance(block_shape, int):
        block_shape = np.array([block_shape, block_shape], np.int64)
    return batch_to_space.op(input, block_shape, crops, name=name)


def required_space_to_batch_paddings(
    input_shape: TensorLike,
    block_shape: TensorLike,
    base_paddings: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the padding that makes blocks fit, and the cropping that removes it.

    Args:
      input_shape: int32 vector, the spatial lengths.
      block_shape: int32 vector, the lengths of a block.
      base_paddings: int32 Tensor of shape [axes, 2], padding to add in any case; None: zeros.
      name: not used.

    Returns:
      `paddings` for `space_to_batch` and `crops` for `batch_to_space`.

    >>> paddings, crops = required_space_to_batch_paddings([5], [2])
    >>> print(paddings, crops)
    tf.Tensor([[0 1]], shape=(1, 2), dtype=int32) tf.Tensor([[0 1]], shape=(1, 2), dtype=int32)
    """
    lengths = convert_to_tensor(input_shape, dtype=dtypes.int32)
    block = convert_to_tensor(block_shape, dtype=dtypes.int32)
    if block.shape.rank != 1 or block.shape[0] is None:
        raise ValueError(f"`block_shape` must be a vector of known length, not {block.shape}")
    base = convert_to_tensor(
        np.zeros((block.shape[0], 2), np.int32) if base_paddings is None else base_paddings,
        dtype=dtypes.int32,
    )
    lengths.shape.assert_is_compatible_with([block.shape[0]])
    base.shape.assert_is_compatible_with([block.shape[0], 2])
    values = [static_value(tensor) for tensor in (lengths, block, base)]
    if all(value is not None for value in values):
        # In a graph too, paddings of known shapes are constants, so that shapes stay known.
        lengths, block, base = map(convert_to_tensor, values)
    before, after = base[:, 0], base[:, 1]
    missing = -(lengths + before + after) % block
    return stack([before, after + missing], 1), stack([missing - missing, missing], 1)


def with_space_to_batch(
    input: TensorLike,
    dilation_rate: TensorLike,
    padding: str,
    op: Callable[[Tensor, int, str], Tensor],
    filter_shape: TensorLike | None = None,
    spatial_dims: Sequence[int] | None = None,
    data_format: str | None = None,
) -> Tensor:
    """Apply an op to elements that are `dilation_rate` apart.

    Args:
      input: Tensor with a batch dimension.
      dilation_rate: distance between the elements along each spatial axis.
      padding: "SAME" or "VALID".
      op: called as `op(batch, number of spatial axes, padding)`.
      filter_shape: the spatial lengths of the filter, which "SAME" needs.
      spatial_dims: the spatial axes; None: those after the batch, or after batch and channels.
      data_format: a format that begins with "NC" if channels come before the spatial axes.

    Raises:
      ValueError: for arguments that contradict each other.

    >>> rows = [[[1], [2], [3], [4]]]
    >>> print(with_space_to_batch(rows, [2], "VALID", lambda x, n, p: x * n)[0, :, 0])
    tf.Tensor([1 2 3 4], shape=(4,), dtype=int32)
    """
    x = convert_to_tensor(input)
    rates = static_ints("dilation_rate", dilation_rate)
    if min(rates, default=1) < 1:
        raise ValueError(f"`dilation_rate` must be positive. Received: dilation_rate={list(rates)}")
    first = 2 if (data_format or "").startswith("NC") else 1
    axes = list(range(first, first + len(rates)) if spatial_dims is None else spatial_dims)
    if sorted(set(axes)) != axes or min(axes, default=1) < 1:
        raise ValueError(
            "`spatial_dims` must be a monotonically increasing sequence of positive integers. "
            f"Received: spatial_dims={axes}"
        )
    if all(rate == 1 for rate in rates):
        return op(x, len(rates), padding)
    base = _base_paddings(padding, filter_shape, rates)
    lengths = shape_of(x)
    paddings, crops = required_space_to_batch_paddings(
        stack([lengths[axis] for axis in axes]), rates, base
    )
    # Blocks have length 1 along the axes between the spatial ones.
    between = range(1, axes[-1] + 1)
    block = [rates[axes.index(axis)] if axis in axes else 1 for axis in between]
    before, after = (
        stack([pairs[axes.index(axis)] if axis in axes else _NO_PADDING for axis in between])
        for pairs in (paddings, crops)
    )
    result = op(space_to_batch_nd(x, block, before), len(rates), "VALID")
    return batch_to_space(result, block, after)


def _base_paddings(padding: str, filter_shape: object, rates: Sequence[int]) -> Array:
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
