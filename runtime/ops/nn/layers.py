"""Dropout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import identity
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import shape_of, zeros_of
from runtime.ops.items.selecting import where
from runtime.ops.math.casting import cast
from runtime.ops.random.sampling import uniform


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


def _noise_shape(noise_shape: Any, x: Tensor) -> Any:
    """Return the shape with the missing dimensions of that of `x`."""
    if isinstance(noise_shape, Tensor):
        return noise_shape
    dims = shape_of(x)
    if noise_shape is None:
        return dims
    return [dims[i] if dim is None else dim for i, dim in enumerate(noise_shape)]
