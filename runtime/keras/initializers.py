"""First values of variables.

Sources of the scales: Glorot and Bengio, "Understanding the difficulty of training deep
feedforward neural networks", 2010; He et al., "Delving Deep into Rectifiers", 2015; LeCun et al.,
"Efficient BackProp", 1998; Saxe et al., "Exact solutions to the nonlinear dynamics of learning in
deep linear neural networks", 2014.

>>> get("ones")((2,)).numpy()
array([1., 1.], dtype=float32)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import runtime as tf
from runtime.keras import families

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

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        """Return the tensor; a subclass overrides it."""
        raise NotImplementedError(f"{type(self).__name__} does not define `__call__`.")


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

    def _values(self, shape: Any, dtype: Any) -> Any:
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
        """Draw from the global stream, so that `tf.random.set_seed` makes a program repeatable."""
        seed = self.seed
        if seed is None:
            with tf.init_scope():
                drawn: Any = tf.random.uniform((), 0, 2**31 - 1, tf.int32)
                seed = drawn.numpy()
        self._pair = [int(seed), 0]


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
    _sample: ClassVar[Any] = staticmethod(tf.random.stateless_normal)

    def _values(self, shape: Any, dtype: Any) -> Any:
        return self._sample(shape, self._pair, self.mean, self.stddev, dtype)


class TruncatedNormal(RandomNormal):
    """Samples of a normal distribution truncated to two standard deviations from the mean.

    Args: those of `RandomNormal`.
    """

    _sample = staticmethod(tf.random.stateless_truncated_normal)


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

    def _values(self, shape: Any, dtype: Any) -> Any:
        return tf.random.stateless_uniform(shape, self._pair, self.minval, self.maxval, dtype)


_CHOICES = {
    "mode": ("fan_in", "fan_out", "fan_avg"),
    "distribution": ("truncated_normal", "untruncated_normal", "uniform"),
}


@dataclass(eq=False)
class VarianceScaling(_Random):
    """Samples whose variance is `scale` divided by a number of units.

    Args:
      scale: positive factor of the variance.
      mode: `fan_in`, `fan_out` or `fan_avg`: inputs or outputs of a unit, or their mean.
      distribution: `truncated_normal`, `untruncated_normal` or `uniform`.
      seed: seed of the samples; None: drawn at construction. All calls return equal numbers.

    Raises: ValueError for another value.

    >>> limit = VarianceScaling(3.0, "fan_in", "uniform", seed=1)((100, 50))
    >>> bool(tf.reduce_all(tf.abs(limit) <= 0.3 ** 0.5))
    True
    """

    scale: float = 1.0
    mode: str = "fan_in"
    distribution: str = "truncated_normal"
    seed: int | None = None

    def __post_init__(self) -> None:
        """Check the arguments."""
        if not self.scale > 0:
            raise ValueError(f"Argument `scale` must be positive. Received: scale={self.scale}")
        for name, known in _CHOICES.items():
            families.check_choice(name, getattr(self, name), known)
        super().__post_init__()

    def _values(self, shape: Any, dtype: Any) -> Any:
        into, out = _fans(shape)
        mean = {"fan_in": into, "fan_out": out, "fan_avg": (into + out) / 2}[self.mode]
        stddev = math.sqrt(self.scale / max(1.0, mean))
        samplers: dict[str, tuple[Any, float, float]] = {
            "uniform": (tf.random.stateless_uniform, -math.sqrt(3) * stddev, math.sqrt(3) * stddev),
            "untruncated_normal": (tf.random.stateless_normal, 0.0, stddev),
            "truncated_normal": (
                tf.random.stateless_truncated_normal, 0.0, stddev / _TRUNCATED_STDDEV
            ),
        }  # fmt: skip
        sample, *bounds = samplers[self.distribution]
        return sample(shape, self._pair, *bounds, dtype)


def _fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """The numbers of inputs and outputs of a unit with weights of this shape.

    The last two axes are inputs and outputs, all others the receptive field of a convolution.

    >>> _fans((3, 3, 8, 16))
    (72, 144)
    """
    if len(shape) < 2:
        return math.prod(shape), math.prod(shape)
    field = math.prod(shape[:-2])
    return shape[-2] * field, shape[-1] * field


class _Scaled(VarianceScaling):
    """A `VarianceScaling` whose only argument is the seed."""

    arguments: tuple[float, str, str]

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(*self.arguments, seed)

    def get_config(self) -> dict[str, Any]:
        return {"seed": self.seed}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create an initializer; a config of Keras has more entries."""
        return cls(config.get("seed"))


def _scaled(name: str, scale: float, mode: str, distribution: str) -> Any:
    fan = {"fan_in": "inputs", "fan_avg": "mean of inputs and outputs"}[mode]
    doc = f"{distribution} samples of variance {scale:g} / n, n the {fan} of a unit.\n\n    Args:\n"
    doc += "      seed: seed of the samples; by default drawn at construction.\n    "
    names = {"arguments": (scale, mode, distribution), "__doc__": doc, "__module__": __name__}
    return type(name, (_Scaled,), names)


GlorotUniform = _scaled("GlorotUniform", 1.0, "fan_avg", "uniform")
GlorotNormal = _scaled("GlorotNormal", 1.0, "fan_avg", "truncated_normal")
HeUniform = _scaled("HeUniform", 2.0, "fan_in", "uniform")
HeNormal = _scaled("HeNormal", 2.0, "fan_in", "truncated_normal")
LecunUniform = _scaled("LecunUniform", 1.0, "fan_in", "uniform")
LecunNormal = _scaled("LecunNormal", 1.0, "fan_in", "truncated_normal")


@dataclass(eq=False)
class Orthogonal(_Random):
    """An orthogonal matrix times `gain`: the Q of a random normal matrix, last axes as columns.

    Args:
      gain: the factor.
      seed: seed of the matrix; None: drawn at construction. All calls return equal numbers.

    Calling it raises ValueError for a shape of fewer than two axes.

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


zeros, ones, constant, orthogonal = Zeros, Ones, Constant, Orthogonal
random_normal, random_uniform, truncated_normal = RandomNormal, RandomUniform, TruncatedNormal
variance_scaling = VarianceScaling
glorot_uniform, glorot_normal = GlorotUniform, GlorotNormal
he_uniform, he_normal = HeUniform, HeNormal
lecun_uniform, lecun_normal = LecunUniform, LecunNormal

FAMILY = families.Family(
    "initializer",
    (
        *(Zeros, Ones, Constant, RandomNormal, RandomUniform, TruncatedNormal, VarianceScaling),
        *(GlorotUniform, GlorotNormal, HeUniform, HeNormal, LecunUniform, LecunNormal, Orthogonal),
    ),
    aliases={
        "normal": RandomNormal,
        "uniform": RandomUniform,
        "one": Ones,
        "zero": Zeros,
        "OrthogonalInitializer": Orthogonal,
    },
)
get, serialize, deserialize = FAMILY.get, FAMILY.serialize, FAMILY.deserialize


def __dir__() -> list[str]:
    return families.public_names(globals())
