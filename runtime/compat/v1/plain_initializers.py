"""Initializers of variables with a fixed distribution, as functions of shape and dtype."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from runtime import random
from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.shapes import TensorShape
from runtime.core.tensor import Tensor
from runtime.ops.array.creation import constant, ones, zeros
from runtime.ops.base.aliases import DTypeLike, ShapeLike

Initializer = Callable[..., Any]


class zeros_initializer:
    """Initializer with zeros.

    >>> print(zeros_initializer()([2]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    def __init__(self, dtype: DTypeLike = dtypes.float32) -> None:
        """Set the default dtype."""
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        return zeros(shape, dtype or self.dtype)


class ones_initializer:
    """Initializer with ones.

    >>> print(ones_initializer()([2]))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """

    def __init__(self, dtype: DTypeLike = dtypes.float32) -> None:
        """Set the default dtype."""
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        return ones(shape, dtype or self.dtype)


class constant_initializer:
    """Initializer with a given value, or one number for all elements.

    >>> print(constant_initializer(3.0)([2]))
    tf.Tensor([3. 3.], shape=(2,), dtype=float32)
    """

    def __init__(
        self, value: object = 0, dtype: DTypeLike = dtypes.float32, verify_shape: bool = False
    ) -> None:
        """Set the value and the default dtype."""
        self.value = value
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        return constant(self.value, dtype or self.dtype, shape)


class random_uniform_initializer:
    """Initializer with uniform samples from [minval, maxval).

    >>> random_uniform_initializer(seed=1)([2]).shape
    TensorShape([2])
    """

    def __init__(
        self,
        minval: object = 0.0,
        maxval: object = None,
        seed: int | None = None,
        dtype: DTypeLike = dtypes.float32,
    ) -> None:
        """Set the bounds, the seed and the default dtype."""
        self.minval, self.maxval, self.seed = minval, maxval, seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        return random.uniform(
            shape, self.minval, self.maxval, dtypes.as_dtype(dtype or self.dtype), self.seed
        )


class random_normal_initializer:
    """Initializer with normal samples.

    >>> random_normal_initializer(seed=1)([2]).shape
    TensorShape([2])
    """

    def __init__(
        self,
        mean: float = 0.0,
        stddev: float = 1.0,
        seed: int | None = None,
        dtype: DTypeLike = dtypes.float32,
    ) -> None:
        """Set mean, standard deviation, seed and default dtype."""
        self.mean, self.stddev, self.seed = mean, stddev, seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        return random.normal(
            shape, self.mean, self.stddev, dtypes.as_dtype(dtype or self.dtype), self.seed
        )


class glorot_uniform_initializer:
    """Initializer with uniform samples from [-limit, limit), `limit = sqrt(6 / (fan_in +
    fan_out))`.

    Source: Glorot and Bengio (2010), formula 16.

    >>> glorot_uniform_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, seed: int | None = None, dtype: DTypeLike = dtypes.float32) -> None:
        """Set the seed and the default dtype."""
        self.seed = seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        limit = math.sqrt(6.0 / max(1, sum(fans(TensorShape(shape).as_list()))))
        return random.uniform(shape, -limit, limit, dtypes.as_dtype(dtype or self.dtype), self.seed)


def fans(dims: Sequence[int | None]) -> tuple[int, int]:
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
