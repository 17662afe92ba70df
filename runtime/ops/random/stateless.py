"""Random numbers that depend on the seed at hand and on nothing else."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import stack
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call
from runtime.ops.math.arithmetic import add, divide, maximum
from runtime.ops.random.sampling import (
    checked_dtype,
    of_dtype,
    shape_tensor,
    smallest,
)
from runtime.ops.random.streams import (
    BINOMIAL,
    FLOATS,
    GAMMA,
    MULTINOMIAL,
    POISSON,
    SHUFFLE,
    normal_at,
    place_of,
    uniform_at,
)

_INTEGERS = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)


def stateless_uniform(
    shape: Any,
    seed: TensorLike,
    minval: TensorLike | None = 0,
    maxval: TensorLike | None = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Numbers between `minval` and, exclusively, `maxval`; the same for the same seed.

    Args:
      shape: the shape.
      seed: two integers, int32 or int64.
      minval, maxval: the bounds; both None: all integers of an integer dtype.
      dtype: float16, float32, float64, int32, int64, uint32 or uint64.
      name: the name of the operation.
      alg: "philox" or "auto_select".

    Raises: ValueError for another dtype, and for integers if only one bound is given.

    >>> print(stateless_uniform([2], seed=[1, 2]))
    tf.Tensor([0.8440604  0.19204533], shape=(2,), dtype=float32)
    """
    wanted = checked_dtype(dtype, (*FLOATS, *_INTEGERS))
    _check_bounds(wanted, minval, maxval)
    label = name or "stateless_random_uniform"
    return uniform_at(place_of(seed, alg), shape, minval, maxval, wanted, label)


def _check_bounds(dtype: DType, minval: Any, maxval: Any) -> None:
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
    shape: Any,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Numbers from a normal distribution; the same for the same seed.

    Args:
      shape: the shape.
      seed: two integers, int32 or int64.
      mean, stddev: mean and standard deviation; they broadcast to `shape`.
      dtype: float16, float32 or float64.
      name: the name of the operation.
      alg: "philox" or "auto_select".

    >>> print(stateless_normal([2], seed=[1, 2]))
    tf.Tensor([0.5441101  0.20738031], shape=(2,), dtype=float32)
    """
    wanted = checked_dtype(dtype, FLOATS)
    label = name or "stateless_random_normal"
    return normal_at(place_of(seed, alg), shape, mean, stddev, wanted, label)


def stateless_truncated_normal(
    shape: Any,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """As `stateless_normal`, with no number further than two `stddev` from the mean.

    >>> print(stateless_truncated_normal([2], seed=[1, 2], mean=5.0))
    tf.Tensor([5.5441103 5.2073803], shape=(2,), dtype=float32)
    """
    wanted = checked_dtype(dtype, FLOATS)
    label = name or "stateless_truncated_normal"
    return normal_at(place_of(seed, alg), shape, mean, stddev, wanted, label, truncated=True)


def stateless_gamma(
    shape: Any,
    seed: TensorLike,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Numbers from gamma distributions; the same for the same seed.

    Args:
      shape: the shape, which ends with that of `alpha + beta`.
      seed: two integers, int32 or int64.
      alpha: the shape parameter, above 0.
      beta: the rate, above 0; None: 1.
      dtype: float16, float32 or float64.
      name: the name of the operation.

    Raises: InvalidArgumentError if `shape` does not end with the shape of the parameters.

    >>> stateless_gamma([3, 2], [1, 2], [0.5, 1.5]).shape
    TensorShape([3, 2])
    """
    wanted = checked_dtype(dtype, FLOATS)
    rate = of_dtype(1 if beta is None else beta, wanted)
    shapes = add(of_dtype(alpha, wanted), call("ZerosLike", rate, dtype=wanted))
    drawn = GAMMA(shape_tensor(shape), *place_of(seed, "auto_select"), shapes)
    return maximum(divide(drawn, rate), smallest(wanted), name=name or "stateless_gamma")


def stateless_poisson(
    shape: Any,
    seed: TensorLike,
    lam: TensorLike,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Counts from Poisson distributions; the same for the same seed.

    Args:
      shape: the shape, which ends with that of `lam`.
      seed: two integers, int32 or int64.
      lam: the rates, not negative.
      dtype: float16, float32, float64, int32 or int64.
      name: the name of the operation.

    >>> print(stateless_poisson([1, 3], [1, 2], [0.5, 3.0, 20.0]).shape)
    (1, 3)
    """
    wanted = checked_dtype(dtype, (*FLOATS, dtypes.int32, dtypes.int64))
    dims = shape_tensor(shape)
    return POISSON(dims, seed, lam, dtype=wanted, name=name or "stateless_random_poisson")


def stateless_binomial(
    shape: Any,
    seed: TensorLike,
    counts: TensorLike,
    probs: TensorLike,
    output_dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Numbers of successes in independent trials; the same for the same seed.

    Args:
      shape: the shape, which ends with that of `counts + probs`.
      seed: two integers, int32 or int64.
      counts: numbers of trials, of one dtype with `probs`.
      probs: the probability of a success in one trial.
      output_dtype: the dtype of the result.
      name: the name of the operation.

    >>> print(stateless_binomial([2], [1, 2], counts=10.0, probs=0.3))
    tf.Tensor([5 5], shape=(2,), dtype=int32)
    """
    wanted = dtypes.as_dtype(output_dtype)
    chances = convert_to_tensor(probs)
    trials = of_dtype(counts, chances.dtype)
    label = name or "stateless_random_binomial"
    return BINOMIAL(shape_tensor(shape), seed, trials, chances, dtype=wanted, name=label)


def stateless_categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: TensorLike,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """Classes, drawn with probabilities in proportion to `exp(logits)`; the same for one seed.

    Args:
      logits: matrix [rows, classes].
      num_samples: how many to draw for each row.
      seed: two integers, int32 or int64.
      dtype: int32 or int64.
      name: the name of the operation.

    >>> print(stateless_categorical([[0.0, 1.0, 2.0]], 5, seed=[1, 2]))
    tf.Tensor([[2 2 1 2 2]], shape=(1, 5), dtype=int64)
    """
    count = of_dtype(num_samples, dtypes.int32)
    label = name or "stateless_categorical"
    return MULTINOMIAL(logits, count, seed, output_dtype=dtypes.as_dtype(dtype), name=label)


def stateless_shuffle(
    value: TensorLike, seed: TensorLike, alg: Any = "auto_select", name: str | None = None
) -> Tensor:
    """The rows in random order; the same for the same seed.

    >>> print(stateless_shuffle([0, 1, 2, 3], seed=[1, 2]))
    tf.Tensor([0 3 2 1], shape=(4,), dtype=int32)
    """
    return SHUFFLE(value, *place_of(seed, alg), name=name or "stateless_shuffle")


def split(seed: TensorLike, num: Any = 2, alg: Any = "auto_select") -> Tensor:
    """Several seeds made of one, as independent of each other as random numbers are.

    Args:
      seed: two integers, int32 or int64.
      num: how many seeds.
      alg: "philox" or "auto_select".

    Returns: [num, 2], of the dtype of `seed`.

    >>> print(split([1, 2], num=2))
    tf.Tensor(
    [[1105988140 1738052849]
     [-335576002  370444179]], shape=(2, 2), dtype=int32)
    """
    tensor = convert_to_tensor(seed)
    return stateless_uniform([num, 2], tensor, None, None, tensor.dtype, alg=alg)


def fold_in(seed: TensorLike, data: TensorLike, alg: Any = "auto_select") -> Tensor:
    """A seed made of a seed and a number, such as that of a step.

    Args:
      seed: two integers, int32 or int64.
      data: int32 or int64, a scalar.
      alg: "philox" or "auto_select".

    Returns: two integers of the dtype of `data`.

    >>> print(fold_in([1, 2], 3))
    tf.Tensor([1105988140          3], shape=(2,), dtype=int32)
    """
    number = convert_to_tensor(data)
    drawn = stateless_uniform([], seed, None, None, number.dtype, alg=alg)
    return stack([drawn, number])
