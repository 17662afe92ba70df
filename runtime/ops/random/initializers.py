"""What makes the first values of variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import constant, ones, zeros
from runtime.ops.random.sampling import normal, uniform
from runtime.ops.random.stateless import stateless_normal, stateless_uniform


class Initializer:
    """Makes a tensor of a shape and a dtype.

    >>> ones_initializer()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        """Makes the tensor."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments with which another one like this can be made."""
        return dict(vars(self))

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Initializer:
        """One with the arguments that `get_config` gave."""
        return cls(**{name: value for name, value in config.items() if name != "dtype"})


def _numeric(dtype: Any) -> DType:
    wanted = dtypes.as_dtype(dtype)
    if not (wanted.is_numeric or wanted.is_bool):
        raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received {wanted}.")
    return wanted


def _floating(dtype: Any) -> DType:
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_floating:
        raise ValueError(f"Argument `dtype` is expected to be floating point. Received: {wanted}.")
    return wanted


class zeros_initializer(Initializer):
    """Zeros. Calling it raises ValueError for a dtype that is neither numeric nor bool.

    >>> zeros_initializer()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        """Makes the tensor."""
        return zeros(shape, _numeric(dtype))


class ones_initializer(Initializer):
    """Ones. Calling it raises ValueError for a dtype that is neither numeric nor bool.

    >>> ones_initializer()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        """Makes the tensor."""
        return ones(shape, _numeric(dtype))


class constant_initializer(Initializer):
    """A fixed value.

    Args:
      value: a number that fills the shape, or as many as the shape has elements.
      support_partition: has no effect.

    Calling it raises TypeError if the numbers do not fill the shape.

    >>> constant_initializer([1, 2, 3, 4])([2, 2], "float32").numpy()
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        """Holds the value."""
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Tensor:
        """Makes the tensor; without `dtype` in that of the value."""
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        return constant(self.value, wanted, shape)


class random_normal_initializer(Initializer):
    """Numbers from a normal distribution.

    Args:
      mean, stddev: mean and standard deviation.
      seed: makes every call give the same numbers.

    Calling it raises ValueError for a dtype that is not floating-point.

    >>> random_normal_initializer(stddev=1.0, seed=3)([2]).numpy().round(3)
    array([-0.672,  1.676], dtype=float32)
    """

    def __init__(
        self, mean: TensorLike = 0.0, stddev: TensorLike = 0.05, seed: int | None = None
    ) -> None:
        """Holds the arguments."""
        self.mean = mean
        self.stddev = stddev
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        """Makes the tensor."""
        wanted = _floating(dtype)
        if self.seed is None:
            return normal(shape, self.mean, self.stddev, wanted)
        return stateless_normal(shape, [self.seed, 0], self.mean, self.stddev, wanted)


class random_uniform_initializer(Initializer):
    """Numbers that are equally likely between two bounds.

    Args:
      minval, maxval: the bounds; `maxval` itself does not occur.
      seed: makes every call give the same numbers.

    Calling it raises ValueError for a dtype that is neither floating-point nor integer.

    >>> random_uniform_initializer(0, 9, seed=3)([3], "int32").numpy()
    array([0, 2, 7], dtype=int32)
    """

    def __init__(
        self, minval: TensorLike = -0.05, maxval: TensorLike = 0.05, seed: int | None = None
    ) -> None:
        """Holds the arguments."""
        self.minval = minval
        self.maxval = maxval
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Tensor:
        """Makes the tensor."""
        wanted = dtypes.as_dtype(dtype)
        if self.seed is None:
            return uniform(shape, self.minval, self.maxval, wanted)
        return stateless_uniform(shape, [self.seed, 0], self.minval, self.maxval, wanted)
