"""Moments and normalization."""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.errors import IncompatibleShapesError
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import fill, ones_like
from runtime.ops.array.identity import stop_gradient
from runtime.ops.array.shaping import ensure_shape, reshape, squeeze
from runtime.ops.base.aliases import Ints
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.gradient_parts import shape_of, zeros_of
from runtime.ops.linalg.bands import band_part
from runtime.ops.linalg.products import tensordot
from runtime.ops.math.arithmetic import add, divide, minimum, multiply, squared_difference
from runtime.ops.math.casting import cast
from runtime.ops.math.elementwise import reciprocal, rsqrt, square
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

    Returns:
      (mean, variance), of the dtype of `x`. The variance is that of the population.

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

    Returns:
      (mean, variance), of the dtype of `x`.

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


def sufficient_statistics(
    x: TensorLike,
    axes: Ints,
    shift: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """Return the sums from which `normalize_moments` computes mean and variance.

    Args:
      x: Tensor, floating-point.
      axes: the axes to reduce.
      shift: a number near the mean, to subtract first, or None.
      keepdims: whether reduced axes stay, with length 1.
      name: not used.

    Returns:
      (number of elements, their sum, the sum of their squares, shift).

    >>> count, total, squares, _ = sufficient_statistics([1.0, 3.0], [0])
    >>> print(count.numpy(), total.numpy(), squares.numpy())
    2.0 4.0 10.0
    """
    tensor = convert_to_tensor(x)
    kept = list(axes) if isinstance(axes, (list, tuple)) else axes
    ones = ones_like(tensor)
    count = reshape(reduce_sum(ones, kept, True), [-1])[0]
    offset = None if shift is None else convert_to_tensor(shift, dtype_hint=tensor.dtype)
    if offset is None:
        total, squares = tensor, square(tensor)
    else:
        total, squares = tensor - offset, squared_difference(tensor, offset)
    return count, reduce_sum(total, kept, keepdims), reduce_sum(squares, kept, keepdims), offset


def normalize_moments(
    counts: TensorLike,
    mean_ss: TensorLike,
    variance_ss: TensorLike,
    shift: TensorLike | None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return mean and variance from the result of `sufficient_statistics`.

    Args:
      counts, mean_ss, variance_ss, shift: what that returns.
      name: not used.

    Returns:
      (mean, variance).

    >>> mean, variance = normalize_moments(2.0, 4.0, 10.0, None)
    >>> print(mean.numpy(), variance.numpy())
    2.0 1.0
    """
    scale = reciprocal(counts)
    shifted = multiply(mean_ss, scale)
    mean = shifted if shift is None else shifted + shift
    return mean, multiply(variance_ss, scale) - square(shifted)


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
      name: name for the operation.

    Returns:
      Tensor of the dtype and shape of `x`.

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


def batch_norm_with_global_normalization(
    input: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    beta: TensorLike,
    gamma: TensorLike,
    variance_epsilon: float,
    scale_after_normalization: bool,
    name: str | None = None,
) -> Tensor:
    """Call `batch_normalization` with offset `beta`, and with scale `gamma` if wanted.

    Args:
      input: its argument `x`.
      mean, variance, variance_epsilon, name: as there.
      beta, gamma: its arguments `offset` and `scale`.
      scale_after_normalization: whether to use `gamma`.

    >>> print(batch_norm_with_global_normalization([1.0, 3.0], 2.0, 1.0, 0.5, 2.0, 0.0, True))
    tf.Tensor([-1.5  2.5], shape=(2,), dtype=float32)
    """
    scale = gamma if scale_after_normalization else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon, name)


def local_response_normalization(
    input: TensorLike,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """Divide each element by a power of the sum of squares in adjacent channels.

    Source: Krizhevsky, Sutskever and Hinton, "ImageNet classification" (2012), section 3.3.

    Args:
      input: Tensor of shape [batch, height, width, channels], floating-point.
      depth_radius: number of adjacent channels on each side.
      bias, alpha, beta: the divisor is `(bias + alpha * squares) ** beta`.
      name: name for the operation.

    Returns:
      Tensor of the dtype and shape of `input`.

    Raises:
      InvalidArgumentError: if `input` has another rank.

    >>> print(local_response_normalization([[[[3.0, 4.0]]]], bias=0)[0, 0, 0].numpy())
    [0.6 0.8]
    """
    x = convert_to_tensor(input)
    if x.shape.rank not in (4, None):
        raise IncompatibleShapesError.of(
            f"in must be 4-dimensional: Shape must be rank 4 but is rank {x.shape.rank}"
        )
    x = ensure_shape(x, (None,) * 4)
    count = shape_of(x)[-1]
    ones = fill([count, count], cast(1, x.dtype))
    reach = minimum(count, int(depth_radius))
    squares = tensordot(square(x), band_part(ones, reach, reach), 1)
    return divide(x, (bias + alpha * squares) ** beta, name=name or "LRN")


lrn = local_response_normalization
