"""Moments and normalization."""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import stop_gradient
from runtime.ops.array.shaping import squeeze
from runtime.ops.base.aliases import Ints
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import zeros_of
from runtime.ops.math.arithmetic import add, divide, squared_difference
from runtime.ops.math.casting import cast
from runtime.ops.math.elementwise import rsqrt
from runtime.ops.reduce.reduction import reduce_mean, reduce_sum


def _computed(x: Tensor) -> Tensor:
    """Convert float16 to float32, the dtype that its moments are computed in."""
    return cast(x, dtypes.float32) if x.dtype is dtypes.float16 else x


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
      name: not used.

    Returns: (mean, variance), of the dtype of `x`. The variance is that of the population.

    >>> mean, variance = moments([1.0, 3.0], axes=[0])
    >>> print(mean.numpy(), variance.numpy())
    2.0 1.0
    """
    tensor = convert_to_tensor(x)
    wide = _computed(tensor)
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
      name: not used.

    Returns: (mean, variance), of the dtype of `x`.

    >>> mean, variance = weighted_moments([1.0, 3.0], [0], [1.0, 3.0])
    >>> print(mean.numpy(), variance.numpy())
    2.5 0.75
    """
    tensor = convert_to_tensor(x)
    wide = _computed(tensor)
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
