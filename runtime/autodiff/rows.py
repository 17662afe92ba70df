"""Jacobians row by row: the gradient of each element of a tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.backprop.walk import Gradient, dense
from runtime.control_flow.rows import vectorized_map
from runtime.core.tensor import Tensor
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.dimensions import shape
from runtime.ops.array.joining import concat
from runtime.ops.array.one_hot import one_hot
from runtime.ops.array.ranges import range as range_of
from runtime.ops.array.shaping import reshape

Slopes = Callable[[Tensor], Sequence[Gradient | None]]
"""A function from a vector `v` to the vector-Jacobian products for several sources."""


def rows_of(
    slopes: Slopes, output: Tensor, count: Tensor, batch: bool = False
) -> list[Tensor | None]:
    """Return, for each source, the gradients of the elements of a tensor as rows; None if
    unconnected.

    Args:
      slopes: computes vector-Jacobian products.
      output: the tensor.
      count: the number of its elements.
      batch: whether `count` is the number of elements of each row of `output`; then one gradient
        serves the same element of all rows.
    """
    connected: list[bool] = []

    def gradients_of(index: Tensor) -> tuple[Tensor, ...]:
        seed = one_hot(index, count, dtype=output.dtype)
        whole = shape(output)
        if batch:
            seed = seed + zeros_like(reshape(output, concat([whole[:1], [-1]], 0)))
        found = slopes(reshape(seed, whole))
        connected[:] = [each is not None for each in found]
        return tuple(dense(each) for each in found if each is not None)

    made = iter(vectorized_map(gradients_of, range_of(count)))
    return [next(made) if flag else None for flag in connected]
