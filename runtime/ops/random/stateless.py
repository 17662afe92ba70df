"""Random numbers that depend on their seed alone."""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.aliases import DTypeLike, ShapeLike
from runtime.ops.random.streams import FLOATS, checked_dtype, normal_at, position_of, uniform_at

_INTEGERS = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)


def stateless_uniform(
    shape: ShapeLike,
    seed: TensorLike,
    minval: TensorLike | None = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    alg: object = "auto_select",
) -> Tensor:
    """Draw uniform samples from [minval, maxval).

    Args:
      shape: int32 or int64 vector, the shape of the result.
      seed: int32 or int64 vector of length 2; equal seeds give equal samples.
      minval, maxval: bounds; both None: all values of an integer dtype.
      dtype: float16, float32, float64, int32, int64, uint32 or uint64.
      alg: "philox" or "auto_select".

    Returns: Tensor of that shape and dtype.
    Raises: ValueError for another dtype, or for integers if only one bound is None.

    >>> print(stateless_uniform([2], seed=[1, 2]).numpy().round(4))
    [0.8441 0.192 ]
    """
    wanted = checked_dtype(dtype, (*FLOATS, *_INTEGERS))
    _check_bounds(wanted, minval, maxval)
    label = name or "stateless_random_uniform"
    return uniform_at(position_of(seed, alg), shape, minval, maxval, wanted, label)


def _check_bounds(dtype: DType, minval: TensorLike | None, maxval: TensorLike | None) -> None:
    if not dtype.is_integer:
        return
    if (minval is None) != (maxval is None):
        raise ValueError(
            f"For integer `dtype` argument {dtype!r}, argument `minval` and `maxval` must be both "
            f"None or not None. Got `minval`={minval} and `maxval`={maxval}."
        )
    if minval is not None and dtype.is_unsigned:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype} when argument `minval` is not None. "
            "Please don't use unsigned integers in this case."
        )


def stateless_normal(
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    alg: object = "auto_select",
) -> Tensor:
    """Draw samples from a normal distribution.

    Args:
      shape, seed, name, alg: as of `stateless_uniform`.
      mean, stddev: mean and standard deviation, which broadcast to `shape`.
      dtype: float16, float32 or float64.

    Returns: Tensor of that shape and dtype.

    >>> print(stateless_normal([2], seed=[1, 2]).numpy().round(4))
    [0.5441 0.2074]
    """
    wanted = checked_dtype(dtype, FLOATS)
    label = name or "stateless_random_normal"
    return normal_at(position_of(seed, alg), shape, mean, stddev, wanted, label)


def stateless_truncated_normal(
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    alg: object = "auto_select",
) -> Tensor:
    """Draw samples from a normal distribution truncated to two `stddev` around the mean.

    Args:
      shape, seed, mean, stddev, dtype, name, alg: as of `stateless_normal`.

    Returns: Tensor of that shape and dtype.

    >>> print(stateless_truncated_normal([2], seed=[1, 2], mean=5.0).numpy().round(4))
    [5.5441 5.2074]
    """
    wanted = checked_dtype(dtype, FLOATS)
    label = name or "stateless_truncated_normal"
    return normal_at(position_of(seed, alg), shape, mean, stddev, wanted, label, truncated=True)
