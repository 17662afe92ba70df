"""Initializers: functions from shape and dtype to the initial value of a variable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import constant, ones, zeros
from runtime.ops.base.aliases import DTypeLike, ShapeLike
from runtime.ops.random.sampling import normal, uniform
from runtime.ops.random.stateless import stateless_normal, stateless_uniform


class Initializer:
    """Base class of initializers.

    >>> ones_initializer()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = dtypes.float32, **kwargs: object
    ) -> Tensor:
        """Return a tensor of that shape and dtype."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the constructor."""
        return dict(vars(self))

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Initializer:
        """Return an initializer with the arguments that `get_config` returned."""
        return cls(**{name: value for name, value in config.items() if name != "dtype"})


def _numeric(dtype: DTypeLike) -> DType:
    wanted = dtypes.as_dtype(dtype)
    if not (wanted.is_numeric or wanted.is_bool):
        raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received {wanted}.")
    return wanted


def _floating(dtype: DTypeLike) -> DType:
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_floating:
        raise ValueError(f"Argument `dtype` is expected to be floating point. Received: {wanted}.")
    return wanted


class zeros_initializer(Initializer):
    """Zeros. A call raises ValueError for a dtype that is neither numeric nor bool.

    >>> zeros_initializer()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = dtypes.float32, **kwargs: object
    ) -> Tensor:
        """Return zeros."""
        return zeros(shape, _numeric(dtype))


class ones_initializer(Initializer):
    """Ones. A call raises ValueError for a dtype that is neither numeric nor bool.

    >>> ones_initializer()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = dtypes.float32, **kwargs: object
    ) -> Tensor:
        """Return ones."""
        return ones(shape, _numeric(dtype))


class constant_initializer(Initializer):
    """A fixed value. A call raises TypeError if the numbers do not fill the shape.

    Args:
      value: a scalar, or as many numbers as the shape has elements.
      support_partition: not used.

    >>> constant_initializer([1, 2, 3, 4])([2, 2], "float32").numpy()
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """

    def __init__(self, value: object = 0, support_partition: bool = False) -> None:
        """Hold the value."""
        self.value = value

    def __call__(self, shape: ShapeLike, dtype: DTypeLike = None, **kwargs: object) -> Tensor:
        """Return the value; None: in its own dtype."""
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        return constant(self.value, wanted, shape)


class random_normal_initializer(Initializer):
    """Samples of a normal distribution. A call raises ValueError unless `dtype` is floating-point.

    Args:
      mean, stddev: mean and standard deviation.
      seed: if not None, every call returns the same samples.

    >>> random_normal_initializer(stddev=1.0, seed=3)([2]).numpy().round(3)
    array([-0.672,  1.676], dtype=float32)
    """

    def __init__(
        self, mean: TensorLike = 0.0, stddev: TensorLike = 0.05, seed: int | None = None
    ) -> None:
        """Hold the arguments."""
        self.mean = mean
        self.stddev = stddev
        self.seed = seed

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = dtypes.float32, **kwargs: object
    ) -> Tensor:
        """Return the samples."""
        wanted = _floating(dtype)
        if self.seed is None:
            return normal(shape, self.mean, self.stddev, wanted)
        return stateless_normal(shape, [self.seed, 0], self.mean, self.stddev, wanted)


class random_uniform_initializer(Initializer):
    """Uniform samples of [minval, maxval). A call raises ValueError for bool, string and complex.

    Args:
      minval, maxval: the bounds.
      seed: if not None, every call returns the same samples.

    >>> random_uniform_initializer(0, 9, seed=3)([3], "int32").numpy()
    array([0, 2, 7], dtype=int32)
    """

    def __init__(
        self, minval: TensorLike = -0.05, maxval: TensorLike = 0.05, seed: int | None = None
    ) -> None:
        """Hold the arguments."""
        self.minval = minval
        self.maxval = maxval
        self.seed = seed

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = dtypes.float32, **kwargs: object
    ) -> Tensor:
        """Return the samples."""
        wanted = dtypes.as_dtype(dtype)
        if self.seed is None:
            return uniform(shape, self.minval, self.maxval, wanted)
        return stateless_uniform(shape, [self.seed, 0], self.minval, self.maxval, wanted)
