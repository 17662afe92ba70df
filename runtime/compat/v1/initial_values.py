"""Initializers of variables, as functions of shape and dtype.

A call takes the shape and optionally a dtype, which replaces that of the constructor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from runtime import random
from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.shapes import TensorShape
from runtime.core.tensor import Tensor
from runtime.ops.array.creation import constant, ones, zeros
from runtime.ops.base.aliases import DTypeLike, ShapeLike

Initializer = Callable[..., Any]

_SPREAD = 0.87962566103423978
"""Standard deviation of the standard normal distribution truncated to [-2, 2]
(`scipy.stats.truncnorm.std(-2, 2)`).
"""

_MODES = ("fan_in", "fan_out", "fan_avg")
_DISTRIBUTIONS = ("normal", "uniform", "truncated_normal", "untruncated_normal")


class _Initializer:
    dtype: DTypeLike

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        return self._values(shape, dtypes.as_dtype(dtype or self.dtype))

    def _values(self, shape: ShapeLike, dtype: DType) -> Tensor:
        raise NotImplementedError


@dataclass(eq=False)
class zeros_initializer(_Initializer):
    """Initializer with zeros.

    >>> print(zeros_initializer()([2]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    dtype: DTypeLike = dtypes.float32

    def _values(self, shape: ShapeLike, dtype: DType) -> Tensor:
        return zeros(shape, dtype)


@dataclass(eq=False)
class ones_initializer(_Initializer):
    """Initializer with ones.

    >>> print(ones_initializer()([2]))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """

    dtype: DTypeLike = dtypes.float32

    def _values(self, shape: ShapeLike, dtype: DType) -> Tensor:
        return ones(shape, dtype)


@dataclass(eq=False)
class constant_initializer(_Initializer):
    """Initializer with a given value, or one number for all elements.

    >>> print(constant_initializer(3.0)([2]))
    tf.Tensor([3. 3.], shape=(2,), dtype=float32)
    """

    value: Any = 0
    dtype: DTypeLike = dtypes.float32
    verify_shape: bool = False

    def _values(self, shape: ShapeLike, dtype: DType) -> Tensor:
        return constant(self.value, dtype, shape)


@dataclass(eq=False)
class random_uniform_initializer(_Initializer):
    """Initializer with uniform samples from [minval, maxval).

    >>> random_uniform_initializer(seed=1)([2]).shape
    TensorShape([2])
    """

    minval: Any = 0.0
    maxval: Any = None
    seed: int | None = None
    dtype: DTypeLike = dtypes.float32

    def _values(self, shape: ShapeLike, dtype: DType) -> Tensor:
        return random.uniform(shape, self.minval, self.maxval, dtype, self.seed)


@dataclass(eq=False)
class random_normal_initializer(_Initializer):
    """Initializer with normal samples.

    >>> random_normal_initializer(seed=1)([2]).shape
    TensorShape([2])
    """

    mean: float = 0.0
    stddev: float = 1.0
    seed: int | None = None
    dtype: DTypeLike = dtypes.float32

    def _values(self, shape: ShapeLike, dtype: DType) -> Tensor:
        return random.normal(shape, self.mean, self.stddev, dtype, self.seed)


class truncated_normal_initializer(random_normal_initializer):
    """Initializer with normal samples truncated at two standard deviations from the mean.

    >>> truncated_normal_initializer(seed=1)([2]).shape
    TensorShape([2])
    """

    def _values(self, shape: ShapeLike, dtype: DType) -> Tensor:
        return random.truncated_normal(shape, self.mean, self.stddev, dtype, self.seed)


@dataclass(eq=False)
class variance_scaling_initializer(_Initializer):
    """Initializer with samples of variance `scale / n`.

    Args:
      scale: positive float.
      mode: n is "fan_in", "fan_out" or their mean, "fan_avg".
      distribution: "truncated_normal" (or "normal"), "untruncated_normal" or "uniform".
      seed: int, for reproducible samples.
      dtype: the default dtype.

    Raises:
      ValueError: for other arguments.

    >>> variance_scaling_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    scale: float = 1.0
    mode: str = "fan_in"
    distribution: str = "truncated_normal"
    seed: int | None = None
    dtype: DTypeLike = dtypes.float32

    def __post_init__(self) -> None:
        """Check the arguments."""
        self.distribution = self.distribution.lower()
        if self.scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {self.scale}")
        for name, allowed in (("mode", _MODES), ("distribution", _DISTRIBUTIONS)):
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"Argument `{name}` should be one of {allowed}. Received: {getattr(self, name)}"
                )

    def _values(self, shape: ShapeLike, dtype: DType) -> Tensor:
        fan_in, fan_out = _fans(TensorShape(shape).as_list())
        units = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}
        stddev = math.sqrt(self.scale / max(1.0, units[self.mode]))
        if self.distribution == "uniform":
            limit = math.sqrt(3.0) * stddev
            return random.uniform(shape, -limit, limit, dtype, self.seed)
        if self.distribution == "untruncated_normal":
            return random.normal(shape, 0.0, stddev, dtype, self.seed)
        return random.truncated_normal(shape, 0.0, stddev / _SPREAD, dtype, self.seed)


class glorot_uniform_initializer(variance_scaling_initializer):
    """Initializer with uniform samples of variance `2 / (fan_in + fan_out)`.

    Source: Glorot and Bengio (2010), formula 16.

    >>> glorot_uniform_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, seed: int | None = None, dtype: DTypeLike = dtypes.float32) -> None:
        """Set the seed and the default dtype."""
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)


class glorot_normal_initializer(variance_scaling_initializer):
    """Initializer with truncated normal samples of variance `2 / (fan_in + fan_out)`.

    Source: Glorot and Bengio (2010), formula 12.

    >>> glorot_normal_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, seed: int | None = None, dtype: DTypeLike = dtypes.float32) -> None:
        """Set the seed and the default dtype."""
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)


def _fans(dims: Sequence[int | None]) -> tuple[int, int]:
    """Return (fan_in, fan_out) of a layer with weights of this shape."""
    lengths = [dim or 0 for dim in dims]
    if len(lengths) < 2:
        return (lengths or [1])[0], (lengths or [1])[0]
    field = math.prod(lengths[:-2])
    return lengths[-2] * field, lengths[-1] * field


def default_initializer(dtype: DType) -> Initializer:
    """Return the default initializer of `get_variable` for a dtype.

    Raises:
      ValueError: for a dtype that needs an explicit initializer.
    """
    if dtype.is_floating:
        return glorot_uniform_initializer()
    if dtype.is_integer or dtype.is_bool or dtype is dtypes.string:
        return zeros_initializer()
    raise ValueError(f"An initializer for variable of {dtype.name} is required.")
