"""Counts of integers."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, DTypeLike, Namespace
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import INDEX, NUMERIC, DTypes, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import size
from runtime.ops.array.shaping import reshape
from runtime.ops.base import rules
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op, select
from runtime.ops.items.gathering import gather
from runtime.ops.math.arithmetic import maximum, minimum, multiply
from runtime.ops.math.casting import cast
from runtime.ops.math.logic import less
from runtime.ops.reduce.reduction import reduce_max

_SIZE = DTypes("int32 or int64 (size)", *INDEX.members)


def _counted(xp: Namespace, x: Array, count: Array, weights: Array) -> Array:
    if xp.any(x < 0):
        raise InvalidArgumentError.of("Input arr must be non-negative!")
    length, inside = int(count), x < count
    if not weights.size:
        return xp.bincount(x[inside], minlength=length).astype(weights.dtype)
    result = xp.zeros(length, weights.dtype)
    xp.add.at(result, x[inside], weights[inside])
    return result


def _counted_grad(
    g: Tensor, y: Tensor, x: Tensor, count: Tensor, weights: Tensor
) -> tuple[None, None, Tensor | None]:
    """Gather for each weight the gradient of its bin."""
    if weights.shape.num_elements() == 0:
        return None, None, None
    inside = less(x, cast(count, x.dtype))
    return None, None, select(inside, gather.op(g, select(inside, x), axis=0))


@op(
    "DenseBincount",
    {"input": INDEX, "size": _SIZE, "weights": NUMERIC},
    infer=lambda x, count, weights: weights.spec.with_dims((rules.known_int(count),)),
    kernel=_counted,
    grad=_counted_grad,
    samples=(
        sample([1, 2, 1], 4, [1.5, 2.0, 3.0]),
        sample([1, 2, 9], 3, [1.5, 2.0, 3.0]),
        sample([1, 1], 3, np.zeros(0, np.int32)),
    ),
)
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
    count = _length(values, minlength, maxlength)
    if weights is None:
        amounts = convert_to_tensor(np.zeros(0, dtypes.as_dtype(dtype).numpy_dtype))
    else:
        amounts = reshape(weights, [-1])
    return bincount.op(reshape(values, [-1]), count, amounts, name=name)


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
