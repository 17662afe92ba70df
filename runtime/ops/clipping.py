"""Keeping numbers within limits."""

from __future__ import annotations

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.arithmetic import maximum, minimum


def clip_by_value(
    t: TensorLike,
    clip_value_min: TensorLike,
    clip_value_max: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Each element, or the limit that it is beyond.

    Args:
      t: real numbers.
      clip_value_min, clip_value_max: the limits; they broadcast to the shape of `t`.

    Raises: InvalidArgumentError if the limits are of a larger shape than `t`.

    >>> print(clip_by_value([-1.0, 0.5, 3.0], 0.0, 1.0))
    tf.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    return maximum(minimum(t, clip_value_max), clip_value_min, name=name or "clip_by_value")
