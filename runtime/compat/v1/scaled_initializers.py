"""Initializers of variables scaled by the sizes of layers."""

from __future__ import annotations

import math

from runtime import linalg, random
from runtime.compat.v1.plain_initializers import fans
from runtime.core import dtypes
from runtime.core.shapes import TensorShape
from runtime.core.tensor import Tensor
from runtime.ops.array.creation import eye
from runtime.ops.array.shaping import reshape
from runtime.ops.base.aliases import DTypeLike, ShapeLike
from runtime.ops.math.arithmetic import multiply
from runtime.ops.math.elementwise import sign

_SPREAD = 0.87962566103423978
"""Standard deviation of the standard normal distribution truncated to [-2, 2]
(`scipy.stats.truncnorm.std(-2, 2)`).
"""


def _lengths(shape: object) -> list[int]:
    """Return the dimensions of a shape; 0 for an unknown one."""
    return [length or 0 for length in TensorShape(shape).as_list()]


class truncated_normal_initializer:
    """Initializer with normal samples truncated at two standard deviations from the mean.

    >>> truncated_normal_initializer(seed=1)([2]).shape
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
        wanted = dtypes.as_dtype(dtype or self.dtype)
        return random.truncated_normal(shape, self.mean, self.stddev, wanted, self.seed)


class variance_scaling_initializer:
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

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: DTypeLike = dtypes.float32,
    ) -> None:
        """Check and store the arguments."""
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {scale}")
        if mode not in {"fan_in", "fan_out", "fan_avg"}:
            raise ValueError(
                "Argument `mode` should be one of ('fan_in', 'fan_out', 'fan_avg'). "
                f"Received: {mode}"
            )
        kinds = {"normal", "uniform", "truncated_normal", "untruncated_normal"}
        if distribution.lower() not in kinds:
            raise ValueError(
                "Argument `distribution` should be one of ('normal', 'uniform', "
                f"'truncated_normal', 'untruncated_normal'). Received: {distribution.lower()}"
            )
        self.scale, self.mode, self.distribution = scale, mode, distribution.lower()
        self.seed = seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        wanted = dtypes.as_dtype(dtype or self.dtype)
        fan_in, fan_out = fans(_lengths(shape))
        count = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}
        variance = self.scale / max(1.0, count[self.mode])
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return random.uniform(shape, -limit, limit, wanted, self.seed)
        if self.distribution == "untruncated_normal":
            return random.normal(shape, 0.0, math.sqrt(variance), wanted, self.seed)
        spread = math.sqrt(variance) / _SPREAD
        return random.truncated_normal(shape, 0.0, spread, wanted, self.seed)


class glorot_normal_initializer(variance_scaling_initializer):
    """Initializer with truncated normal samples of variance `2 / (fan_in + fan_out)`.

    Source: Glorot and Bengio (2010), formula 12.

    >>> glorot_normal_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, seed: int | None = None, dtype: DTypeLike = dtypes.float32) -> None:
        """Set the seed and the default dtype."""
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)


class uniform_unit_scaling_initializer:
    """Initializer with uniform samples from [-limit, limit), `limit = factor * sqrt(3 / inputs)`.

    >>> uniform_unit_scaling_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self, factor: float = 1.0, seed: int | None = None, dtype: DTypeLike = dtypes.float32
    ) -> None:
        """Set factor, seed and default dtype."""
        self.factor, self.seed = factor, seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        inputs = float(math.prod(_lengths(shape)[:-1]))
        limit = self.factor * math.sqrt(3.0 / max(inputs, 1.0))
        return random.uniform(shape, -limit, limit, dtypes.as_dtype(dtype or self.dtype), self.seed)


class orthogonal_initializer:
    """Initializer with matrices whose rows or columns, whichever are fewer, are orthonormal.

    A call raises ValueError for a shape of rank < 2.

    Args:
      gain: factor of the matrix.
      seed: int, for reproducible samples.
      dtype: the default dtype.

    >>> q = orthogonal_initializer(seed=1)([2, 2])
    >>> (q @ linalg.matrix_transpose(q)).numpy().round(5) + 0.0
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """

    def __init__(
        self, gain: float = 1.0, seed: int | None = None, dtype: DTypeLike = dtypes.float32
    ) -> None:
        """Set gain, seed and default dtype."""
        self.gain, self.seed = gain, seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        dims = _lengths(shape)
        if len(dims) < 2:
            raise ValueError(
                "The tensor to initialize, specified by argument `shape` must be at least "
                f"two-dimensional. Received shape={shape}"
            )
        rows, columns = math.prod(dims[:-1]), dims[-1]
        wanted = dtypes.as_dtype(dtype or self.dtype)
        square = [max(rows, columns), min(rows, columns)]
        q, r = linalg.qr(random.normal(square, dtype=wanted, seed=self.seed))
        q *= sign(linalg.diag_part(r))
        turned = linalg.matrix_transpose(q) if rows < columns else q
        result: Tensor = reshape(turned, dims) * self.gain
        return result


class identity_initializer:
    """Initializer with a multiple of the identity matrix.

    A call raises ValueError unless the shape has rank 2.

    >>> identity_initializer()([1, 2]).numpy()
    array([[1., 0.]], dtype=float32)
    """

    def __init__(self, gain: float = 1.0, dtype: DTypeLike = dtypes.float32) -> None:
        """Set the factor and the default dtype."""
        self.gain = gain
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike = None, partition_info: object = None
    ) -> Tensor:
        """Return a tensor of that shape."""
        dims = _lengths(shape)
        if len(dims) != 2:
            raise ValueError(
                "The tensor to initialize, specified by argument `shape` must be at least "
                f"two-dimensional. Received shape={shape}"
            )
        whole = eye(dims[0], dims[1], dtype=dtypes.as_dtype(dtype or self.dtype))
        return multiply(whole, self.gain)


def he_normal(seed: int | None = None) -> variance_scaling_initializer:
    """Return an initializer with truncated normal samples of variance `2 / fan_in` (He et al.,
    2015).

    Args:
      seed: int, for reproducible samples.

    >>> he_normal(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """
    return variance_scaling_initializer(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed: int | None = None) -> variance_scaling_initializer:
    """Return an initializer with uniform samples of variance `2 / fan_in` (He et al., 2015).

    Args:
      seed: int, for reproducible samples.

    >>> he_uniform(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """
    return variance_scaling_initializer(2.0, "fan_in", "uniform", seed)


def lecun_normal(seed: int | None = None) -> variance_scaling_initializer:
    """Return an initializer with truncated normal samples of variance `1 / fan_in` (LeCun, 1998).

    Args:
      seed: int, for reproducible samples.

    >>> lecun_normal(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """
    return variance_scaling_initializer(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed: int | None = None) -> variance_scaling_initializer:
    """Return an initializer with uniform samples of variance `1 / fan_in` (LeCun et al., 1998).

    Args:
      seed: int, for reproducible samples.

    >>> lecun_uniform(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """
    return variance_scaling_initializer(1.0, "fan_in", "uniform", seed)
