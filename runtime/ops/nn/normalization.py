"""Moments, normalization and dropout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core import dtypes
from runtime.core.aliases import Ints, ShapeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import identity, stop_gradient
from runtime.ops.array.shaping import squeeze
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import shape_of, zeros_of
from runtime.ops.items.selecting import where
from runtime.ops.math.arithmetic import add, divide, squared_difference
from runtime.ops.math.casting import at_least_float32, cast
from runtime.ops.math.elementwise import rsqrt
from runtime.ops.random.sampling import uniform
from runtime.ops.reduce.reduction import reduce_mean, reduce_sum


def _moments(
    mean: Tensor, variance: Tensor, axes: Ints, keepdims: bool, dtype: dtypes.DType
) -> tuple[Tensor, Tensor]:
    if not keepdims:
        mean, variance = squeeze(mean, axes), squeeze(variance, axes)
    return cast(mean, dtype), cast(variance, dtype)


def moments(
    x: TensorLike,
    axes: Ints,
    shift: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return mean and variance along axes.

    Args:
      x: Tensor, floating-point.
      axes: the axes to reduce.
      shift: not used.
      keepdims: whether reduced axes stay, with length 1.

    Returns: (mean, variance), of the dtype of `x`. The variance is that of the population.

    >>> mean, variance = moments([1.0, 3.0], axes=[0])
    >>> print(mean.numpy(), variance.numpy())
    2.0 1.0
    """
    tensor = convert_to_tensor(x)
    wide = at_least_float32(tensor)
    mean = reduce_mean(wide, axes, True)
    variance = reduce_mean(squared_difference(wide, stop_gradient(mean)), axes, True)
    return _moments(mean, variance, axes, keepdims, tensor.dtype)


def weighted_moments(
    x: TensorLike,
    axes: Ints,
    frequency_weights: TensorLike,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return weighted mean and variance along axes.

    Args:
      x: Tensor, floating-point.
      axes: the axes to reduce.
      frequency_weights: Tensor that broadcasts with `x`, not negative.
      keepdims: whether reduced axes stay, with length 1.

    Returns: (mean, variance), of the dtype of `x`.

    >>> mean, variance = weighted_moments([1.0, 3.0], [0], [1.0, 3.0])
    >>> print(mean.numpy(), variance.numpy())
    2.5 0.75
    """
    tensor = convert_to_tensor(x)
    wide = at_least_float32(tensor)
    # Weights have the precision of `x`.
    weights = cast(cast(convert_to_tensor(frequency_weights), tensor.dtype), wide.dtype)
    total = reduce_sum(weights + zeros_of(wide), axes, True)
    mean = divide(reduce_sum(weights * wide, axes, True), total)
    spread = reduce_sum(weights * squared_difference(wide, stop_gradient(mean)), axes, True)
    return _moments(mean, divide(spread, total), axes, keepdims, tensor.dtype)


def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    offset: TensorLike | None,
    scale: TensorLike | None,
    variance_epsilon: float,
    name: str | None = None,
) -> Tensor:
    """Return `(x - mean) / sqrt(variance + variance_epsilon) * scale + offset`.

    Source: Ioffe and Szegedy, "Batch normalization" (2015), algorithm 1.

    Args:
      x: Tensor, floating-point.
      mean, variance: Tensors that broadcast with `x`, as `moments` returns them.
      offset, scale: Tensors that broadcast with `x`, or None.
      variance_epsilon: a small number that keeps the quotient finite.

    Returns: Tensor of the dtype and shape of `x`.

    >>> print(batch_normalization([1.0, 3.0], 2.0, 1.0, None, 10.0, 0.0).numpy())
    [-10.  10.]
    """
    tensor = convert_to_tensor(x)
    center = convert_to_tensor(mean, dtype_hint=tensor.dtype)
    factor = rsqrt(convert_to_tensor(variance, dtype_hint=tensor.dtype) + variance_epsilon)
    if scale is not None:
        factor = factor * scale
    shift = -center * factor if offset is None else offset - center * factor
    scaled = tensor * cast(factor, tensor.dtype)
    return add(scaled, cast(shift, tensor.dtype), name=name or "batchnorm")


def dropout(
    x: TensorLike,
    rate: TensorLike,
    noise_shape: TensorLike | Sequence[int | None] | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Set random elements to 0 and divide the others by `1 - rate`, which keeps the expectation.

    Source: Srivastava et al., "Dropout" (2014).

    Args:
      x: Tensor, floating-point.
      rate: probability of 0 for each element, in [0, 1).
      noise_shape: shape of the random choices, which broadcasts with `x`; None for a dimension, or
        in place of all, is that of `x`.
      seed: seed of the random choices.

    Returns: Tensor of the dtype and shape of `x`.
    Raises: ValueError if `rate` is out of range or `x` is not floating-point.

    >>> halved = dropout([1.0] * 8, rate=0.5).numpy()
    >>> sorted(set(halved.tolist()) | {0.0, 2.0})
    [0.0, 2.0]
    """
    tensor = convert_to_tensor(x)
    if not tensor.dtype.is_floating:
        raise ValueError(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x.dtype="
            f"{tensor.dtype}"
        )
    number = isinstance(rate, (int, float))
    if number and not 0 <= rate < 1:
        raise ValueError(
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
        )
    if number and rate == 0:
        return identity(tensor, name=name)
    share = convert_to_tensor(rate, dtype_hint=tensor.dtype)
    kept = uniform(_noise_shape(noise_shape, tensor), dtype=tensor.dtype, seed=seed) >= share
    scaled = tensor * (1 / (1 - cast(share, tensor.dtype)))
    return where(kept, scaled, zeros_of(tensor), name=name or "dropout")


def _noise_shape(noise_shape: ShapeLike, x: Tensor) -> Any:
    """Return the shape with the missing dimensions of that of `x`."""
    if isinstance(noise_shape, Tensor):
        return noise_shape
    dims = shape_of(x)
    if noise_shape is None:
        return dims
    return [dims[i] if dim is None else dim for i, dim in enumerate(noise_shape)]
