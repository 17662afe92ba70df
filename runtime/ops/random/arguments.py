"""Arguments and scaling of random numbers, for the ops with a state and those without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import shape_operand
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, DTypeLike, ShapeLike
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.math.arithmetic import add, multiply, subtract
from runtime.ops.random import distributions
from runtime.ops.random.philox import Stream

FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)

Fill = Callable[[Stream, tuple[int, ...], Any], Array]
"""A function of `distributions` that fills a shape with samples of a dtype."""


def dims_of(shape: Array) -> tuple[int, ...]:
    """Return the value of a shape tensor. Raise ValueError for a negative dimension."""
    dims = tuple(int(dim) for dim in np.ravel(shape))
    for dim in dims:
        if dim < 0:
            raise ValueError(f"Dimension {dim} must be >= 0")
    return dims


def shape_tensor(shape: ShapeLike) -> Any:
    """Return a shape argument as the operand of an op."""
    operand = shape_operand(shape)
    return np.array(operand, np.int32) if isinstance(operand, tuple) else operand


def of_dtype(value: TensorLike | None, dtype: DType) -> Tensor:
    """Convert a parameter of a distribution to the dtype of the result."""
    return cast_to(convert_to_tensor(value, dtype_hint=dtype), dtype)


def checked_dtype(dtype: DTypeLike, allowed: tuple[DType, ...]) -> DType:
    """Return the dtype of samples. Raise ValueError if there are none of that dtype."""
    wanted = dtypes.as_dtype(dtype)
    if wanted not in allowed:
        names = ", ".join(f"tf.{other.name}" for other in allowed)
        raise ValueError(
            f"Argument `dtype` got invalid value {wanted}. Accepted dtypes are ({names})."
        )
    return wanted


def scaled(numbers: Tensor, factor: TensorLike, shift: TensorLike, name: str | None) -> Tensor:
    """Return `numbers * factor + shift`."""
    return add(multiply(numbers, factor), shift, name=name)


def between(
    numbers: Tensor, low: TensorLike | None, high: TensorLike, dtype: DType, name: str | None
) -> Tensor:
    """Map samples from [0, 1) to [low, high)."""
    first, last = of_dtype(low, dtype), of_dtype(high, dtype)
    return scaled(numbers, subtract(last, first), first, name)


def classes_spec(logits: Tensor, count: Tensor, output_dtype: DType, **attrs: object) -> TensorSpec:
    """Return the spec of classes drawn for rows of logits."""
    dims = logits.spec.dims
    _check_matrix(dims)
    return spec_of(output_dtype, (None if dims is None else dims[0], rules.known_int(count)))


def _check_matrix(dims: Any) -> None:
    if dims is not None and len(dims) != 2:
        raise ValueError(f"logits should be a matrix, got shape {list(dims)}")


def classes(stream: Stream, logits: Array, count: Array, output_dtype: DType) -> Array:
    """Draw classes for rows of logits. Raise ValueError unless they are a matrix with columns."""
    _check_matrix(logits.shape)
    if logits.shape[1] == 0:
        raise ValueError("num_classes should be positive, got 0")
    drawn = distributions.categorical(stream, logits, int(count))
    return drawn.astype(output_dtype.numpy_dtype)
