"""Arguments, scaling and kernels that stateful and stateless random ops share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import FLOAT, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import shape_operand
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, DTypeLike, ShapeLike
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.base.define import define_op
from runtime.ops.base.gradient_parts import zeros_of
from runtime.ops.math.arithmetic import add, divide, maximum, multiply, subtract
from runtime.ops.random import distributions
from runtime.ops.random.philox import Stream
from runtime.ops.special import gamma_kernels
from runtime.ops.special.family import in_double

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


def of_rate(
    draw: Callable[[Tensor], Tensor],
    alpha: TensorLike,
    beta: TensorLike | None,
    dtype: DType,
    name: str,
) -> Tensor:
    """Return gamma samples of rate `beta`, from a function that draws those of rate 1."""
    rate = of_dtype(1 if beta is None else beta, dtype)
    drawn = draw(add(of_dtype(alpha, dtype), zeros_of(rate)))
    # A sample that underflows to 0 would have a probability density of 0.
    return maximum(divide(drawn, rate), np.finfo(dtype.numpy_dtype).tiny, name=name)


_GAMMA_BY_SHAPE = define_op(
    "RandomGammaGrad",
    {"alpha": FLOAT, "sample": FLOAT},
    rules.broadcasted,
    in_double(gamma_kernels.gamma_by_shape),
    elementwise=True,
    fusable=False,
    samples=(sample([[0.5], [2.0]], [0.3, 1.5]), sample(3e5, 3.01e5)),
)


def gamma_gradient(g: Tensor, y: Tensor, alpha: Tensor) -> Tensor:
    """Return the gradient by the shape parameter: samples keep their quantile.

    Source: Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients" (2018).
    """
    return multiply(g, _GAMMA_BY_SHAPE(alpha, y))


def classes_spec(logits: Tensor, count: Tensor, output_dtype: DType, **attrs: object) -> TensorSpec:
    """Return the spec of classes drawn for rows of logits."""
    dims = logits.spec.dims
    _check_matrix(dims)
    number = static_value(count)
    return spec_of(
        output_dtype, (None if dims is None else dims[0], None if number is None else int(number))
    )


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
