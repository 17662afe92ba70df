"""Random numbers that depend on their seed alone."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import INT32, NOT_DIFFERENTIABLE, REAL, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import stack
from runtime.ops.base.aliases import DTypeLike, ShapeLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op
from runtime.ops.random.family import (
    FLOATS,
    checked_dtype,
    classes,
    classes_spec,
    of_dtype,
)
from runtime.ops.random.streams import (
    SEED,
    normal_at,
    position_of,
    stream_of_seed,
    uniform_at,
)

_INTEGERS = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)
_SAMPLE_SEED = np.array([1, 2])


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
      name: name for the operation.
      alg: "philox" or "auto_select".

    Returns:
      Tensor of that shape and dtype.

    Raises:
      ValueError: for another dtype, or for integers if only one bound is None.

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

    Returns:
      Tensor of that shape and dtype.

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

    Returns:
      Tensor of that shape and dtype.

    >>> print(stateless_truncated_normal([2], seed=[1, 2], mean=5.0).numpy().round(4))
    [5.5441 5.2074]
    """
    wanted = checked_dtype(dtype, FLOATS)
    label = name or "stateless_truncated_normal"
    return normal_at(position_of(seed, alg), shape, mean, stddev, wanted, label, truncated=True)


@op(
    "StatelessMultinomial",
    {"logits": REAL, "num_samples": INT32, "seed": SEED},
    infer=lambda logits, count, seed, output_dtype: classes_spec(logits, count, output_dtype),
    kernel=lambda xp, logits, count, seed, output_dtype: classes(
        stream_of_seed(seed), logits, count, output_dtype
    ),
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([[0.0, 1.0]], 3, _SAMPLE_SEED, output_dtype=dtypes.int64),),
)
def stateless_categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: TensorLike,
    dtype: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """Draw classes in proportion to `exp(logits)`.

    Args:
      logits: Tensor of shape [rows, classes], real.
      num_samples: int32 scalar, number of samples for each row.
      seed: int32 or int64 vector of length 2; equal seeds give equal samples.
      dtype: int32 or int64.
      name: name for the operation.

    Returns:
      Tensor of shape [rows, num_samples].

    >>> print(stateless_categorical([[0.0, 1.0, 2.0]], 5, seed=[1, 2]).numpy())
    [[2 2 1 2 2]]
    """
    count = of_dtype(num_samples, dtypes.int32)
    label = name or "stateless_categorical"
    wanted = dtypes.as_dtype(dtype)
    return stateless_categorical.op(logits, count, seed, output_dtype=wanted, name=label)


def split(seed: TensorLike, num: object = 2, alg: object = "auto_select") -> Tensor:
    """Derive several seeds from one.

    Args:
      seed: int32 or int64 vector of length 2.
      num: number of seeds.
      alg: "philox" or "auto_select".

    Returns:
      Tensor of shape [num, 2], of the dtype of `seed`.

    >>> print(split([1, 2], num=2).numpy())
    [[1105988140 1738052849]
     [-335576002  370444179]]
    """
    tensor = convert_to_tensor(seed)
    return stateless_uniform([num, 2], tensor, None, None, tensor.dtype, alg=alg)


def fold_in(seed: TensorLike, data: TensorLike, alg: object = "auto_select") -> Tensor:
    """Derive a seed from a seed and a number, such as that of a step.

    Args:
      seed: int32 or int64 vector of length 2.
      data: int32 or int64 scalar.
      alg: "philox" or "auto_select".

    Returns:
      Vector of length 2, of the dtype of `data`.

    >>> print(fold_in([1, 2], 3).numpy())
    [1105988140          3]
    """
    number = convert_to_tensor(data)
    drawn = stateless_uniform([], seed, None, None, number.dtype, alg=alg)
    return stack([drawn, number])
