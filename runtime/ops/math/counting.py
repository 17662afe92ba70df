"""Counts of integers."""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.aliases import DTypeLike
from runtime.core.opdef import INDEX
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import ones
from runtime.ops.array.dimensions import shape, size
from runtime.ops.array.shaping import reshape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.checks.values import assert_non_negative
from runtime.ops.items.selecting import where
from runtime.ops.math.arithmetic import maximum, minimum, multiply
from runtime.ops.math.casting import cast
from runtime.ops.reduce.reduction import reduce_max
from runtime.ops.reduce.segments import unsorted_segment_sum


def bincount(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: TensorLike | None = None,
    maxlength: TensorLike | None = None,
    dtype: DTypeLike = dtypes.int32,
    *,
    name: str | None = None,
) -> Tensor:
    """Count the occurrences of each number 0, 1, ...

    Args:
      arr: integer tensor, >= 0.
      weights: tensor of the shape of `arr`, the weight of each element; None: 1.
      minlength: lower bound of the length of the result; the default is 1 + the largest number.
      maxlength: upper bound of the length; larger numbers are left out.
      dtype: the dtype of the result if `weights` is None.

    Returns: Vector.
    Raises: InvalidArgumentError if a number is negative.

    >>> print(bincount([1, 1, 3]).numpy())
    [0 2 0 1]
    """
    values = convert_to_tensor(arr)
    if values.dtype not in INDEX:
        values = cast(values, dtypes.int32)
    assert_non_negative(values, "Input arr must be non-negative!")
    count = _length(values, minlength, maxlength)
    flat = reshape(values, [-1])
    amounts = ones(shape(flat), dtype) if weights is None else reshape(weights, [-1])
    # A sum of segments leaves out elements of a negative segment.
    bins = where(flat < cast(count, flat.dtype), flat, -1)
    return unsorted_segment_sum(amounts, bins, count, name=name)


def _length(values: Tensor, least: TensorLike | None, most: TensorLike | None) -> Tensor:
    some = cast(size(values) > 0, values.dtype)
    largest = reduce_max(values) if values.shape.num_elements() != 0 else convert_to_tensor(0)
    # The largest of no numbers is the lowest of the dtype: 1 more would wrap around.
    count = multiply.op(some, maximum(cast(largest, values.dtype), -1) + 1)
    if least is not None:
        count = maximum(count, cast(convert_to_tensor(least), values.dtype))
    if most is not None:
        count = minimum(count, cast(convert_to_tensor(most), values.dtype))
    return count
