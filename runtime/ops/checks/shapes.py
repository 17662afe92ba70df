"""Checks of ranks, during tracing where they are known."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from runtime.core import dtypes
from runtime.core.operation import Operation
from runtime.core.static import static_value
from runtime.core.tensor import TensorLike
from runtime.ops.array.dimensions import rank as rank_of
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.checks.values import name_in_graph, nothing_left, prefix
from runtime.ops.effects.output import Assert


def _check_rank(
    x: TensorLike,
    rank: TensorLike,
    fits: Callable[[Any, Any], Any],
    wanted: str,
    message: str | None,
) -> Operation | None:
    """Check `fits(rank of x, rank)`, a relation of ints and of tensors."""
    tensor, limit = convert_to_tensor(x), convert_to_tensor(rank)
    if limit.dtype is not dtypes.int32:
        raise TypeError(
            f"{name_in_graph(limit) or 'tensor'} must be of type tf.int32; got {limit.dtype!r}"
        )
    if limit.shape.rank not in (0, None):
        raise ValueError("Rank must be a scalar.")
    have, known = tensor.shape.rank, static_value(limit)
    text = f"{prefix(message)}Tensor {name_in_graph(tensor)} must have rank{wanted}"
    if have is None or known is None:
        data = [text, limit, "Received shape: ", shape_of(tensor)]
        return Assert(fits(rank_of(tensor), limit), data)
    if fits(have, int(known)):
        return nothing_left()
    raise ValueError(f"{text} {int(known)}.  Received rank {have}, shape {tensor.shape}")


def assert_rank(
    x: TensorLike, rank: TensorLike, message: str | None = None, name: str | None = None
) -> Operation | None:
    """Check the rank of a tensor.

    Args:
      x: Tensor.
      rank: int32 scalar.
      message: first words of the error.
      name: not used.

    Returns: The operation in a graph built by hand, None otherwise.
    Raises:
      ValueError: if the rank is known to be another.
      InvalidArgumentError: if it is another when the graph runs.

    >>> assert_rank([1, 2], 1)
    """
    return _check_rank(x, rank, operator.eq, "", message)


def assert_rank_at_least(
    x: TensorLike, rank: TensorLike, message: str | None = None, name: str | None = None
) -> Operation | None:
    """Check that the rank of a tensor is at least `rank`.

    Args:
      x, rank, message, name: as of `assert_rank`, which raises the same errors.

    >>> assert_rank_at_least([1, 2], 1)
    """
    return _check_rank(x, rank, operator.ge, " at least", message)
