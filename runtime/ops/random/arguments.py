"""Arguments and scaling of random numbers, for the ops with a state and those without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, DTypeLike, ShapeLike
from runtime.core.dtypes import DType
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import shape_operand
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.base.define import Op
from runtime.ops.math.arithmetic import add, multiply, subtract
from runtime.ops.random.philox import Stream

_FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)

Fill = Callable[[Stream, tuple[int, ...], Any], Array]
"""A function of `distributions` that fills a shape with samples of a dtype."""

Draw = Callable[..., Tensor]
"""`draw(op, *operands, **attrs)` calls an op of random numbers with its seed or stream."""


def dims_of(shape: Array) -> tuple[int, ...]:
    """Return the value of a shape tensor. Raise ValueError for a negative dimension."""
    dims = tuple(int(dim) for dim in np.ravel(shape))
    for dim in dims:
        if dim < 0:
            raise ValueError(f"Dimension {dim} must be >= 0")
    return dims


def of_dtype(value: TensorLike, dtype: DType) -> Tensor:
    """Convert a parameter of a distribution to the dtype of the result."""
    return cast_to(convert_to_tensor(value, dtype_hint=dtype), dtype)


def _checked_dtype(dtype: DTypeLike, *others: DType) -> DType:
    """Return the dtype of samples. Raise ValueError if there are none of that dtype."""
    wanted, allowed = dtypes.as_dtype(dtype), (*_FLOATS, *others)
    if wanted not in allowed:
        names = ", ".join(f"tf.{other.name}" for other in allowed)
        raise ValueError(
            f"Argument `dtype` got invalid value {wanted}. Accepted dtypes are ({names})."
        )
    return wanted


def uniform_samples(
    draw: Draw,
    ops: tuple[Op, Op],
    shape: ShapeLike,
    minval: TensorLike,
    maxval: TensorLike | None,
    dtype: DTypeLike,
    name: str,
) -> Tensor:
    """Draw uniform samples from [minval, maxval); arguments as of `uniform`.

    The two ops draw floating-point numbers from [0, 1), and integers from their bounds.
    """
    wanted = _checked_dtype(dtype, dtypes.int32, dtypes.int64)
    floats, integers = ops
    if wanted.is_integer:
        if maxval is None:
            raise ValueError(f"Must specify maxval for integer dtype {wanted!r}")
        bounds = of_dtype(minval, wanted), of_dtype(maxval, wanted)
        return draw(integers, shape_operand(shape), *bounds, name=name)
    high: TensorLike = 1 if maxval is None else maxval
    if type(minval) is type(high) is int and (minval, high) == (0, 1):
        return draw(floats, shape_operand(shape), dtype=wanted, name=name)
    drawn = draw(floats, shape_operand(shape), dtype=wanted)
    first = of_dtype(minval, wanted)
    return add(multiply(drawn, subtract(of_dtype(high, wanted), first)), first, name=name)


def scaled_samples(
    draw: Draw,
    op: Op,
    shape: ShapeLike,
    mean: TensorLike,
    stddev: TensorLike,
    dtype: DTypeLike,
    name: str,
) -> Tensor:
    """Draw samples of location 0 and scale 1; multiply by `stddev` and add `mean`."""
    wanted = _checked_dtype(dtype)
    drawn = draw(op, shape_operand(shape), dtype=wanted)
    return add(multiply(drawn, of_dtype(stddev, wanted)), of_dtype(mean, wanted), name=name)
