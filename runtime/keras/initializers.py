"""First values of variables.

Sources of the scales: Glorot and Bengio, "Understanding the difficulty of training deep
feedforward neural networks", 2010; He et al., "Delving Deep into Rectifiers", 2015; Saxe et al.,
"Exact solutions to the nonlinear dynamics of learning in deep linear neural networks", 2014.

>>> get("ones")((2,)).numpy()
array([1., 1.], dtype=float32)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import runtime as tf
from runtime.keras import families
from runtime.keras.base import seeds

# Standard deviation of the standard normal distribution truncated to [-2, 2].
_TRUNCATED_STDDEV = 0.87962566103423978


class Initializer(families.Described):
    """A function from shape and dtype to a tensor; a subclass overrides `__call__`.

    >>> class Sevens(Initializer):
    ...     def __call__(self, shape, dtype=None):
    ...         return tf.fill(shape, 7.0)
    >>> Sevens()((2,)).numpy()
    array([7., 7.], dtype=float32)
    """


class _Standard(Initializer):
    """An initializer of this module: `_values` computes a tensor of shape and dtype."""

    _values: Any

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        """Return a tensor; the dtype None is float32."""
        return self._values(tuple(shape), dtype or tf.float32)


@dataclass(eq=False)
class Constant(_Standard):
    """A number, or an array that broadcasts to the shape.

    Args:
      value: number or array.

    >>> Constant(3)((2,)).numpy()
    array([3., 3.], dtype=float32)
    """

    value: Any = 0.0

    def _values(self, shape: object, dtype: object) -> Any:
        return tf.broadcast_to(tf.cast(self.value, dtype), shape)


class Zeros(_Standard):
    """Zeros, or False."""

    _values = staticmethod(tf.zeros)


class Ones(_Standard):
    """Ones, or True."""

    _values = staticmethod(tf.ones)


class _Random(_Standard):
    """An initializer whose calls return equal numbers, even if no seed is given."""

    seed: int | None

    def __post_init__(self) -> None:
        """Draw a seed if there is none."""
        self._pair = [seeds.draw_seed() if self.seed is None else int(self.seed), 0]


@dataclass(eq=False)
class RandomNormal(_Random):
    """Samples of a normal distribution.

    Args:
      mean, stddev: mean and standard deviation.
      seed: seed of the samples; None: drawn at construction. All calls return equal numbers.
    """

    mean: float = 0.0
    stddev: float = 0.05
    seed: int | None = None

    def _values(self, shape: object, dtype: object) -> Any:
        return tf.random.stateless_normal(shape, self._pair, self.mean, self.stddev, dtype)


@dataclass(eq=False)
class RandomUniform(_Random):
    """Uniform samples from [minval, maxval).

    Args:
      minval, maxval: the bounds.
      seed: seed of the samples; None: drawn at construction. All calls return equal numbers.
    """

    minval: float = -0.05
    maxval: float = 0.05
    seed: int | None = None

    def _values(self, shape: object, dtype: object) -> Any:
        return tf.random.stateless_uniform(shape, self._pair, self.minval, self.maxval, dtype)


def _fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """The numbers of inputs and outputs of a unit with weights of this shape.

    The last two axes are inputs and outputs, all others the receptive field of a convolution.
    """
    if len(shape) < 2:
        return math.prod(shape), math.prod(shape)
    field = math.prod(shape[:-2])
    return shape[-2] * field, shape[-1] * field


@dataclass(eq=False)
class GlorotUniform(_Random):
    """Uniform samples of variance 1 / n, n the mean of the inputs and outputs of a unit.

    Args:
      seed: seed of the samples; None: drawn at construction. All calls return equal numbers.
    """

    seed: int | None = None

    def _values(self, shape: Any, dtype: Any) -> Any:
        limit = math.sqrt(3.0 / max(1.0, sum(_fans(shape)) / 2))
        return tf.random.stateless_uniform(shape, self._pair, -limit, limit, dtype)


@dataclass(eq=False)
class HeNormal(_Random):
    """Samples of a truncated normal distribution of variance 2 / n, n the inputs of a unit.

    Args:
      seed: seed of the samples; None: drawn at construction. All calls return equal numbers.
    """

    seed: int | None = None

    def _values(self, shape: Any, dtype: Any) -> Any:
        stddev = math.sqrt(2.0 / max(1.0, _fans(shape)[0])) / _TRUNCATED_STDDEV
        return tf.random.stateless_truncated_normal(shape, self._pair, 0.0, stddev, dtype)


@dataclass(eq=False)
class Orthogonal(_Random):
    """An orthogonal matrix times `gain`: the Q of a random normal matrix, last axes as columns.

    Args:
      gain: the factor.
      seed: seed of the matrix; None: drawn at construction. All calls return equal numbers.

    Raises: ValueError, when it is called, for a shape of fewer than two axes.

    >>> q = Orthogonal(seed=1)((3, 3))
    >>> bool(tf.reduce_all(tf.abs(q @ tf.transpose(q) - tf.eye(3)) < 1e-5))
    True
    """

    gain: float = 1.0
    seed: int | None = None

    def _values(self, shape: Any, dtype: Any) -> Any:
        if len(shape) < 2:
            raise ValueError(f"Orthogonal initializer needs at least two axes, not shape {shape}.")
        rows, columns = math.prod(shape[:-1]), shape[-1]
        tall = (max(rows, columns), min(rows, columns))
        normal = tf.random.stateless_normal(tall, self._pair, dtype=dtype)
        q, r = tf.linalg.qr(normal, full_matrices=False)
        q = q * tf.sign(tf.linalg.diag_part(r))
        return self.gain * tf.reshape(tf.transpose(q) if rows < columns else q, shape)


_FAMILY = families.Family(
    "initializer",
    (Zeros, Ones, Constant, RandomNormal, RandomUniform, GlorotUniform, HeNormal, Orthogonal),
    aliases={"normal": RandomNormal, "uniform": RandomUniform},
)
get, serialize, deserialize = _FAMILY.get, _FAMILY.serialize, _FAMILY.deserialize

__dir__, __getattr__ = families.namespace(
    globals(), "derive a class from `keras.initializers.Initializer`"
)
