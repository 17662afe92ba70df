"""First values of variables.

Sources of the scales: Glorot and Bengio, "Understanding the difficulty of training deep
feedforward neural networks", 2010; He et al., "Delving Deep into Rectifiers", 2015; Saxe et al.,
"Exact solutions to the nonlinear dynamics of learning in deep linear neural networks", 2014.

>>> get("ones")((2,)).numpy()
array([1., 1.], dtype=float32)
"""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from typing import Any, ClassVar, Self

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
    """Zeros, or False.

    >>> Zeros()((2,)).numpy()
    array([0., 0.], dtype=float32)
    """

    _values = staticmethod(tf.zeros)


class Ones(_Standard):
    """Ones, or True.

    >>> Ones()((2,), "int32").numpy()
    array([1, 1], dtype=int32)
    """

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

    >>> samples = RandomNormal(mean=5.0, stddev=2.0, seed=1)((100, 100))
    >>> print(f"{tf.reduce_mean(samples):.1f} {tf.math.reduce_std(samples):.1f}")
    5.0 2.0
    """

    mean: float = 0.0
    stddev: float = 0.05
    seed: int | None = None
    _sample: ClassVar[Any] = staticmethod(tf.random.stateless_normal)

    def _values(self, shape: object, dtype: object) -> Any:
        return self._sample(shape, self._pair, self.mean, self.stddev, dtype)


class TruncatedNormal(RandomNormal):
    """Samples of a normal distribution truncated to two standard deviations from the mean.

    Args:
      mean, stddev: mean and standard deviation before the truncation.
      seed: seed of the samples; None: drawn at construction. All calls return equal numbers.

    >>> samples = TruncatedNormal(mean=5.0, stddev=2.0, seed=1)((100, 100))
    >>> bool(tf.reduce_all(tf.abs(samples - 5.0) <= 4.0))
    True
    """

    _sample = staticmethod(tf.random.stateless_truncated_normal)


@dataclass(eq=False)
class RandomUniform(_Random):
    """Uniform samples from [minval, maxval).

    Args:
      minval, maxval: the bounds.
      seed: seed of the samples; None: drawn at construction. All calls return equal numbers.

    >>> samples = RandomUniform(2.0, 3.0, seed=1)((100, 100))
    >>> print(f"{tf.reduce_min(samples):.2f} {tf.reduce_max(samples):.2f}")
    2.00 3.00
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
class _Scaled(_Random):
    """{distribution} samples of variance {scale:g} / n, n the {mean} of a unit.

    Args:
      seed: seed of the samples; None: drawn at construction. All calls return equal numbers.
    """

    seed: int | None = None
    scale: ClassVar[float]
    mean: ClassVar[str]
    distribution: ClassVar[str]

    def _values(self, shape: Any, dtype: Any) -> Any:
        into, out = _fans(shape)
        units = into if self.mean == "inputs" else (into + out) / 2
        stddev = math.sqrt(self.scale / max(1.0, units))
        if self.distribution == "Uniform":
            limit = math.sqrt(3) * stddev
            return tf.random.stateless_uniform(shape, self._pair, -limit, limit, dtype)
        stddev /= _TRUNCATED_STDDEV
        return tf.random.stateless_truncated_normal(shape, self._pair, 0.0, stddev, dtype)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create an initializer from the result of `get_config`.

        Args:
          config: the arguments of the constructor by name; a config of Keras has more entries.

        Returns:
          The initializer.
        """
        return cls(config.get("seed"))


def _scaled(name: str, scale: float, mean: str, distribution: str) -> Any:
    row = {"scale": scale, "mean": mean, "distribution": distribution}
    stddev = math.sqrt(scale / (100 if mean == "inputs" else 150))
    example = (
        f">>> samples = {name}(seed=1)((100, 200))\n"
        f'>>> print(f"{{tf.math.reduce_std(samples):.2f}}")\n{stddev:.2f}'
    )
    doc = f"{inspect.cleandoc(str(_Scaled.__doc__)).format(**row)}\n\n{example}\n"
    return type(name, (_Scaled,), {"__doc__": doc, "__module__": __name__, **row})


_BOTH = "mean of inputs and outputs"

GlorotUniform = _scaled("GlorotUniform", 1.0, _BOTH, "Uniform")
GlorotNormal = _scaled("GlorotNormal", 1.0, _BOTH, "Truncated normal")
HeUniform = _scaled("HeUniform", 2.0, "inputs", "Uniform")
HeNormal = _scaled("HeNormal", 2.0, "inputs", "Truncated normal")
LecunUniform = _scaled("LecunUniform", 1.0, "inputs", "Uniform")
LecunNormal = _scaled("LecunNormal", 1.0, "inputs", "Truncated normal")


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
    (
        *(Zeros, Ones, Constant, RandomNormal, RandomUniform, TruncatedNormal),
        *(GlorotUniform, GlorotNormal, HeUniform, HeNormal, LecunUniform, LecunNormal, Orthogonal),
    ),
    aliases={"normal": RandomNormal, "uniform": RandomUniform},
)
get, serialize, deserialize = _FAMILY.get, _FAMILY.serialize, _FAMILY.deserialize

__dir__, __getattr__ = families.namespace(
    globals(), "derive a class from `keras.initializers.Initializer`"
)
