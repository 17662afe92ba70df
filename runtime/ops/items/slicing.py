"""Slices of a tensor by begin and size, and strided slices."""

from __future__ import annotations

import builtins

from runtime.core.aliases import Array, Namespace
from runtime.core.opdef import ANY, INDEX, sample
from runtime.core.spec import TensorSpec
from runtime.core.static import static_entries
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape
from runtime.ops.array.shaping import check_vector
from runtime.ops.base.define import call, op
from runtime.ops.base.samples import MATRIX


def _piece_spec(x: Tensor, begin: Tensor, size: Tensor) -> TensorSpec:
    _check_vectors(begin.shape.rank, size.shape.rank)
    dims, starts, sizes = x.spec.dims, static_entries(begin), static_entries(size)
    count = next((len(part) for part in (dims, sizes, starts) if part is not None), None)
    if count is None:
        return x.spec.with_dims(None)
    unknown: tuple[int | None, ...] = (None,) * count
    whole, first = dims or unknown, starts or unknown
    parts = tuple(sizes) if sizes is not None else unknown
    if not len(whole) == len(first) == len(parts):
        raise ValueError(f"begin {starts} and size {sizes} do not fit {len(whole)} dimensions")
    return x.spec.with_dims(tuple(map(_piece_length, whole, first, parts)))


def _check_vectors(begin: int | None, size: int | None) -> None:
    for rank in (begin, size):
        check_vector(rank, "Expected begin and size arguments to be 1-D tensors")


def _piece_length(length: int | None, start: int | None, size: int | None) -> int | None:
    if start is not None and length is not None and not 0 <= start <= length:
        raise ValueError(f"Expected begin in [0, {length}], but got {start}")
    rest = None if length is None or start is None else length - start
    if size == -1:
        return rest
    if size is not None and rest is not None and not 0 <= size <= rest:
        raise ValueError(f"Expected size in [0, {rest}], but got {size}")
    return size


def _piece(xp: Namespace, x: Array, begin: Array, size: Array) -> Array:
    _check_vectors(begin.ndim, size.ndim)
    lengths = []
    for length, start, count in zip(x.shape, begin.tolist(), size.tolist(), strict=True):
        lengths.append(_piece_length(length, start, count) or 0)
    return x[tuple(builtins.slice(b, b + n) for b, n in zip(begin.tolist(), lengths, strict=True))]


def _piece_grad(
    g: Tensor, y: Tensor, x: Tensor, begin: Tensor, size: Tensor
) -> tuple[Tensor, None, None]:
    lengths = shape.op(y, out_type=begin.dtype)
    after = shape.op(x, out_type=begin.dtype) - begin - lengths
    return call("Pad", g, call("Pack", begin, after, axis=1)), None, None


@op(
    "Slice",
    {"input": ANY, "begin": INDEX, "size": INDEX},
    infer=_piece_spec,
    kernel=_piece,
    grad=_piece_grad,
    samples=(
        sample(MATRIX, [0, 1], [2, 1]),
        sample(MATRIX, [1, 0], [-1, 2]),
        sample([1], [0], [1]),
    ),
)
def slice(
    input_: TensorLike, begin: TensorLike, size: TensorLike, name: str | None = None
) -> Tensor:
    """Extract a block.

    Args:
      input_: tensor of at least one dimension.
      begin: int32 or int64 vector, the first index along each dimension.
      size: vector of the same dtype, the length along each dimension; -1: up to the end.

    Returns: Tensor of the rank and dtype of `input_`.
    Raises: InvalidArgumentError if the block is not inside the tensor.

    >>> import runtime as tf
    >>> print(tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]).numpy())
    [[2 3]
     [5 6]]
    """
    return slice.op.apply((input_, begin, size), name)
