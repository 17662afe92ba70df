"""First values of variables, as functions of shape and dtype."""

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

Initializer = Callable[..., Any]


class zeros_initializer:
    """Zeros.

    >>> print(zeros_initializer()([2]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        """Takes the dtype for calls that name none."""
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        """A value of that shape."""
        return zeros(shape, dtype or self.dtype)


class ones_initializer:
    """Ones.

    >>> print(ones_initializer()([2]))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        """Takes the dtype for calls that name none."""
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        """A value of that shape."""
        return ones(shape, dtype or self.dtype)


class constant_initializer:
    """A value, or one number everywhere.

    >>> print(constant_initializer(3.0)([2]))
    tf.Tensor([3. 3.], shape=(2,), dtype=float32)
    """

    def __init__(
        self, value: Any = 0, dtype: Any = dtypes.float32, verify_shape: bool = False
    ) -> None:
        """Takes the value, and the dtype for calls that name none."""
        self.value = value
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        """A value of that shape."""
        return constant(self.value, dtype or self.dtype, shape)


class random_uniform_initializer:
    """Random numbers, all equally likely, from `minval` up to `maxval`.

    >>> random_uniform_initializer(seed=1)([2]).shape
    TensorShape([2])
    """

    def __init__(
        self,
        minval: Any = 0.0,
        maxval: Any = None,
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        """Takes the limits, and the dtype for calls that name none."""
        self.minval, self.maxval, self.seed = minval, maxval, seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        """A value of that shape."""
        return random.uniform(
            shape, self.minval, self.maxval, dtypes.as_dtype(dtype or self.dtype), self.seed
        )


class random_normal_initializer:
    """Normally distributed random numbers.

    >>> random_normal_initializer(seed=1)([2]).shape
    TensorShape([2])
    """

    def __init__(
        self,
        mean: float = 0.0,
        stddev: float = 1.0,
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        """Takes the distribution, and the dtype for calls that name none."""
        self.mean, self.stddev, self.seed = mean, stddev, seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        """A value of that shape."""
        return random.normal(
            shape, self.mean, self.stddev, dtypes.as_dtype(dtype or self.dtype), self.seed
        )


class glorot_uniform_initializer:
    """Random numbers between `-limit` and `limit`, `limit = sqrt(6 / (fan_in + fan_out))`.

    Source: Glorot and Bengio (2010).

    >>> glorot_uniform_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        """Takes the dtype for calls that name none."""
        self.seed = seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        """A value of that shape."""
        limit = math.sqrt(6.0 / max(1, sum(fans(TensorShape(shape).as_list()))))
        return random.uniform(shape, -limit, limit, dtypes.as_dtype(dtype or self.dtype), self.seed)


def fans(dims: Sequence[int | None]) -> tuple[int, int]:
    """How many numbers flow into and out of one element of a layer's weights."""
    lengths = [dim or 0 for dim in dims]
    if len(lengths) < 2:
        return (lengths or [1])[0], (lengths or [1])[0]
    field = math.prod(lengths[:-2])
    return lengths[-2] * field, lengths[-1] * field


def default_initializer(dtype: DType) -> Initializer:
    """What `get_variable` uses where nothing is said.

    Raises: ValueError for a dtype that needs an initialiser.
    """
    if dtype.is_floating:
        return glorot_uniform_initializer()
    if dtype.is_integer or dtype.is_bool or dtype is dtypes.string:
        return zeros_initializer()
    raise ValueError(f"An initializer for variable of {dtype.name} is required.")
