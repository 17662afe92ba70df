"""Keeping numbers and lengths within limits."""

from __future__ import annotations

from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call
from runtime.ops.base.gradient_parts import chosen
from runtime.ops.items.indexed_slices import IndexedSlices
from runtime.ops.math.arithmetic import divide, maximum, minimum, multiply
from runtime.ops.math.elementwise import sqrt
from runtime.ops.reduce.lengths import global_norm
from runtime.ops.reduce.reduction import reduce_sum


def clip_by_value(
    t: TensorLike,
    clip_value_min: TensorLike,
    clip_value_max: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Each element, or the limit that it is beyond.

    Args:
      t: real numbers; of `IndexedSlices` the rows are clipped.
      clip_value_min, clip_value_max: the limits; they broadcast to the shape of `t`.

    Raises: ValueError if the limits are of a larger shape than `t`.

    >>> print(clip_by_value([-1.0, 0.5, 3.0], 0.0, 1.0))
    tf.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    if isinstance(t, IndexedSlices):
        rows = clip_by_value(t.values, clip_value_min, clip_value_max, name)
        return t.with_values(rows)  # type: ignore[no-any-return]
    values = convert_to_tensor(t)
    below = minimum(values, clip_value_max)
    values.shape.assert_is_compatible_with(below.shape)
    result = maximum(below, clip_value_min, name=name or "clip_by_value")
    values.shape.assert_is_compatible_with(result.shape)
    return result


def clip_by_norm(
    t: TensorLike, clip_norm: TensorLike, axes: Any = None, name: str | None = None
) -> Tensor:
    """Vectors, or those with the same direction and the length `clip_norm` if they are longer.

    Args:
      t: floating-point numbers; of `IndexedSlices` the rows are clipped.
      clip_norm: the largest length; a scalar.
      axes: along which the vectors stand; an int or several; None: all.

    >>> print(clip_by_norm([3.0, 4.0], 1.0))
    tf.Tensor([0.6 0.8], shape=(2,), dtype=float32)
    """
    if isinstance(t, IndexedSlices):
        return t.with_values(clip_by_norm(t.values, clip_norm, axes, name))  # type: ignore[no-any-return]
    values = convert_to_tensor(t)
    squares = reduce_sum(values * values, axes, True)
    longer = squares > 0
    # The root of 0 has no gradient, so 0 must not reach it.
    length = chosen(longer, sqrt(chosen(longer, squares, 1)), squares)
    scaled = values * clip_norm
    values.shape.assert_is_compatible_with(scaled.shape)
    return divide(scaled, maximum(length, clip_norm), name=name or "clip_by_norm")


def clip_by_global_norm(
    t_list: Any,
    clip_norm: TensorLike,
    use_norm: TensorLike | None = None,
    name: str | None = None,
) -> tuple[list[Tensor | None], Tensor]:
    """Several tensors, scaled by one number so that their common length is at most `clip_norm`.

    Args:
      t_list: a list of floating-point tensors; None stays None, and `IndexedSlices` stay rows.
      clip_norm: the largest length; a scalar.
      use_norm: the length, if it is known; None: `global_norm(t_list)`.

    Returns: the tensors, NaN if the length is infinite or NaN, and the length.
    Raises: TypeError if `t_list` is no list.

    >>> (one, other), length = clip_by_global_norm([[3.0], [4.0]], 1.0)
    >>> print(one, length)
    tf.Tensor([0.6], shape=(1,), dtype=float32) tf.Tensor(5.0, shape=(), dtype=float32)
    """
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    length = global_norm(t_list) if use_norm is None else convert_to_tensor(use_norm)
    limit = convert_to_tensor(clip_norm, dtype_hint=length.dtype)
    scale = limit * minimum(1.0 / length, call("RealDiv", 1.0, limit)) + (length - length)
    return [_scaled(t, scale, name) for t in t_list], length


def _scaled(t: Any, scale: Tensor, name: str | None) -> Any:
    if isinstance(t, IndexedSlices):
        return t.with_values(multiply(t.values, scale, name=name))
    return None if t is None else multiply(t, scale, name=name)
