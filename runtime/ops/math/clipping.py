"""Clipping of values and norms."""

from __future__ import annotations

from typing import Any

from runtime.core.aliases import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import select
from runtime.ops.base.values import PLAIN_NUMBERS
from runtime.ops.items.indexed_slices import IndexedSlices
from runtime.ops.math.arithmetic import divide, maximum, minimum, multiply, realdiv
from runtime.ops.math.elementwise import sqrt
from runtime.ops.reduce.lengths import global_norm
from runtime.ops.reduce.reduction import reduce_sum


def clip_by_value(
    t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None
) -> Tensor:
    """Clip each element to [clip_value_min, clip_value_max].

    Args:
      t: real tensor; of `IndexedSlices` the rows are clipped.
      clip_value_min: tensor that broadcasts to the shape of `t`.
      clip_value_max: tensor that broadcasts to the shape of `t`.

    Returns: Tensor of the shape and dtype of `t`.
    Raises: ValueError if a limit has a larger shape than `t`.

    >>> print(clip_by_value([-1.0, 0.5, 3.0], 0.0, 1.0).numpy())
    [0.  0.5 1. ]
    """
    if isinstance(t, IndexedSlices):
        rows = clip_by_value(t.values, clip_value_min, clip_value_max, name)
        return t.with_values(rows)  # type: ignore[no-any-return]
    values = convert_to_tensor(t)
    below = minimum.op.apply((values, clip_value_max))
    clipped = maximum.op.apply((below, clip_value_min), name or "clip_by_value")
    if type(clip_value_min) in PLAIN_NUMBERS and type(clip_value_max) in PLAIN_NUMBERS:
        return clipped  # no number makes an array larger, and the shape takes time
    return _of_shape(values, clipped)


def _of_shape(values: Tensor, result: Tensor) -> Tensor:
    """Return the result; raises ValueError if it was broadcast to a larger shape than `values`."""
    if result.spec.dims != values.spec.dims:
        values.shape.assert_is_compatible_with(result.shape)
    return result


def clip_by_norm(
    t: TensorLike, clip_norm: TensorLike, axes: AxisLike = None, name: str | None = None
) -> Tensor:
    """Scale vectors whose Euclidean norm exceeds `clip_norm` to that norm.

    Args:
      t: floating-point tensor; of `IndexedSlices` the rows are clipped.
      clip_norm: scalar, the largest norm.
      axes: the axes of the vectors, an int or several; None: all.

    Returns: Tensor of the shape and dtype of `t`.
    Raises: ValueError if `clip_norm` has a larger shape than `t`.

    >>> print(clip_by_norm([3.0, 4.0], 1.0).numpy())
    [0.6 0.8]
    """
    if isinstance(t, IndexedSlices):
        return t.with_values(clip_by_norm(t.values, clip_norm, axes, name))  # type: ignore[no-any-return]
    values = convert_to_tensor(t)
    squares = reduce_sum(values * values, axes, True)
    positive = squares > 0
    # The derivative of the square root is infinite at 0.
    length = select(positive, sqrt(select(positive, squares, 1)), squares)
    scaled = _of_shape(values, values * clip_norm)
    return divide(scaled, maximum(length, clip_norm), name=name or "clip_by_norm")


def clip_by_global_norm(
    t_list: object,
    clip_norm: TensorLike,
    use_norm: TensorLike | None = None,
    name: str | None = None,
) -> tuple[list[Tensor | None], Tensor]:
    """Scale tensors by one factor so that their global norm is at most `clip_norm`.

    Source: Pascanu, Mikolov, Bengio, On the difficulty of training recurrent neural networks, 2013.

    Args:
      t_list: list of floating-point tensors and `IndexedSlices`; None stays None.
      clip_norm: scalar, the largest norm.
      use_norm: the global norm if it is known; None: `global_norm(t_list)`.

    Returns: The scaled tensors, NaN if the norm is infinite or NaN, and the norm.
    Raises: TypeError if `t_list` is not a list.

    >>> (one, other), length = clip_by_global_norm([[3.0], [4.0]], 1.0)
    >>> print(one.numpy(), length.numpy())
    [0.6] 5.0
    """
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    length = global_norm(t_list) if use_norm is None else convert_to_tensor(use_norm)
    limit = convert_to_tensor(clip_norm, dtype_hint=length.dtype)
    scale = limit * minimum(1.0 / length, realdiv.op(1.0, limit)) + (length - length)
    return [_scaled(t, scale, name) for t in t_list], length


def _scaled(t: object, scale: Tensor, name: str | None) -> Any:
    if isinstance(t, IndexedSlices):
        return t.with_values(multiply(t.values, scale, name=name))
    return None if t is None else multiply(t, scale, name=name)
