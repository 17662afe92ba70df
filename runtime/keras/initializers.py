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
from collections.abc import Sequence
from typing import Any, Self

import runtime as tf
from runtime.keras.families import Family, public_names

# Standard deviation of the standard normal distribution truncated to [-2, 2].
_TRUNCATED_STDDEV = 0.87962566103423978


class Initializer:
    """A function from shape and dtype to a tensor; a subclass overrides `__call__`.

    >>> class Sevens(Initializer):
    ...     def __call__(self, shape, dtype=None):
    ...         return tf.fill(shape, 7.0)
    >>> Sevens()((2,)).numpy()
    array([7., 7.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return the tensor; a subclass overrides it."""
        raise NotImplementedError(f"{type(self).__name__} does not define `__call__`.")

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal initializer."""
        return {key: value for key, value in vars(self).items() if not key.startswith("_")}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create an initializer from what `get_config` returned."""
        return cls(**config)

    def clone(self) -> Self:
        """Create an equal initializer, with another seed if none was given."""
        return self.from_config(self.get_config())


class Zeros(Initializer):
    """Zeros, or False."""

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return the tensor."""
        return tf.zeros(shape, _dtype(dtype))


class Ones(Initializer):
    """Ones, or True."""

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return the tensor."""
        return tf.ones(shape, _dtype(dtype))


class Constant(Initializer):
    """A number, or an array that broadcasts to the shape.

    Args:
      value: number or array.

    >>> Constant(3)((2,)).numpy()
    array([3., 3.], dtype=float32)
    """

    def __init__(self, value: Any = 0.0) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return the tensor."""
        return tf.broadcast_to(tf.cast(self.value, _dtype(dtype)), shape)


class _Random(Initializer):
    """An initializer whose calls return equal numbers, even if no seed is given."""

    def __init__(self, seed: int | None) -> None:
        self.seed = seed
        self._seed = _drawn_seed() if seed is None else int(seed)

    @property
    def _pair(self) -> list[int]:
        return [self._seed, 0]


class RandomNormal(_Random):
    """Samples of a normal distribution.

    Args:
      mean, stddev: mean and standard deviation.
      seed: seed of the samples; by default drawn at construction. All calls return equal numbers.
    """

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        super().__init__(seed)
        self.mean = mean
        self.stddev = stddev

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return the tensor."""
        return tf.random.stateless_normal(shape, self._pair, self.mean, self.stddev, _dtype(dtype))


class TruncatedNormal(RandomNormal):
    """Samples of a normal distribution truncated to two standard deviations from the mean.

    Args: those of `RandomNormal`.
    """

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return the tensor."""
        return tf.random.stateless_truncated_normal(
            shape, self._pair, self.mean, self.stddev, _dtype(dtype)
        )


class RandomUniform(_Random):
    """Uniform samples from [minval, maxval).

    Args:
      minval, maxval: the bounds.
      seed: seed of the samples; by default drawn at construction. All calls return equal numbers.
    """

    def __init__(
        self, minval: float = -0.05, maxval: float = 0.05, seed: int | None = None
    ) -> None:
        super().__init__(seed)
        self.minval = minval
        self.maxval = maxval

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return the tensor."""
        return tf.random.stateless_uniform(
            shape, self._pair, self.minval, self.maxval, _dtype(dtype)
        )


class VarianceScaling(_Random):
    """Samples whose variance is `scale` divided by a number of units.

    Args:
      scale: positive factor of the variance.
      mode: `fan_in`, `fan_out` or `fan_avg`: inputs or outputs of a unit, or their mean.
      distribution: `truncated_normal`, `untruncated_normal` or `uniform`.
      seed: seed of the samples; by default drawn at construction. All calls return equal numbers.

    Raises: ValueError for another value.

    >>> limit = VarianceScaling(3.0, "fan_in", "uniform", seed=1)((100, 50))
    >>> bool(tf.reduce_all(tf.abs(limit) <= 0.3 ** 0.5))
    True
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ) -> None:
        if not scale > 0:
            raise ValueError(f"Argument `scale` must be positive. Received: scale={scale}")
        distribution = {"normal": "truncated_normal"}.get(distribution, distribution)
        for name, value, known in (
            ("mode", mode, ("fan_in", "fan_out", "fan_avg")),
            ("distribution", distribution, ("truncated_normal", "untruncated_normal", "uniform")),
        ):
            if value not in known:
                raise ValueError(f"`{name}` is one of {known}. Received: {name}={value!r}")
        super().__init__(seed)
        self.scale = scale
        self.mode = mode
        self.distribution = distribution

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return the tensor."""
        fans = fan_in_and_out(shape)
        mean = {"fan_in": fans[0], "fan_out": fans[1], "fan_avg": sum(fans) / 2}[self.mode]
        variance = self.scale / max(1.0, mean)
        kind, pair = _dtype(dtype), self._pair
        if self.distribution == "uniform":
            limit = math.sqrt(3 * variance)
            return tf.random.stateless_uniform(shape, pair, -limit, limit, kind)
        stddev = math.sqrt(variance)
        if self.distribution == "untruncated_normal":
            return tf.random.stateless_normal(shape, pair, 0.0, stddev, kind)
        return tf.random.stateless_truncated_normal(
            shape, pair, 0.0, stddev / _TRUNCATED_STDDEV, kind
        )


def fan_in_and_out(shape: Sequence[int]) -> tuple[float, float]:
    """Return the numbers of inputs and outputs of a unit with weights of this shape.

    The last two axes are inputs and outputs, all others the receptive field of a convolution.

    >>> fan_in_and_out((3, 3, 8, 16))
    (72, 144)
    """
    shape = tuple(shape)
    if len(shape) < 2:
        size = shape[0] if shape else 1
        return size, size
    field = math.prod(shape[:-2])
    return shape[-2] * field, shape[-1] * field


class _Scaled(VarianceScaling):
    """A `VarianceScaling` whose only argument is the seed."""

    parameters: tuple[float, str, str]

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(*self.parameters, seed)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal initializer."""
        return {"seed": self.seed}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create an initializer from what `get_config` returned."""
        return cls(config.get("seed"))


def _scaled(name: str, scale: float, mode: str, distribution: str) -> type[_Scaled]:
    fan = {"fan_in": "inputs", "fan_avg": "mean of inputs and outputs"}[mode]
    shape = {"uniform": "Uniform", "truncated_normal": "Truncated normal"}[distribution]
    doc = f"{shape} samples of variance {scale:g} / n, n the {fan} of a unit.\n\n    Args:\n"
    doc += "      seed: seed of the samples; by default drawn at construction.\n    "
    body = {"parameters": (scale, mode, distribution), "__doc__": doc, "__module__": __name__}
    return type(name, (_Scaled,), body)


GlorotUniform = _scaled("GlorotUniform", 1.0, "fan_avg", "uniform")
GlorotNormal = _scaled("GlorotNormal", 1.0, "fan_avg", "truncated_normal")
HeUniform = _scaled("HeUniform", 2.0, "fan_in", "uniform")
HeNormal = _scaled("HeNormal", 2.0, "fan_in", "truncated_normal")
LecunUniform = _scaled("LecunUniform", 1.0, "fan_in", "uniform")
LecunNormal = _scaled("LecunNormal", 1.0, "fan_in", "truncated_normal")


class Orthogonal(_Random):
    """An orthogonal matrix times `gain`: the Q of a random normal matrix, last axes as columns.

    Args:
      gain: the factor.
      seed: seed of the matrix; by default drawn at construction. All calls return equal numbers.

    Calling it raises ValueError for a shape of fewer than two axes.

    >>> q = Orthogonal(seed=1)((3, 3))
    >>> bool(tf.reduce_all(tf.abs(q @ tf.transpose(q) - tf.eye(3)) < 1e-5))
    True
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        super().__init__(seed)
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return the tensor."""
        if len(shape) < 2:
            raise ValueError(f"Orthogonal initializer needs at least two axes, not shape {shape}.")
        rows, columns = math.prod(shape[:-1]), shape[-1]
        tall = (max(rows, columns), min(rows, columns))
        normal = tf.random.stateless_normal(tall, self._pair, dtype=_dtype(dtype))
        q, r = tf.linalg.qr(normal, full_matrices=False)
        q = q * tf.sign(tf.linalg.diag_part(r))
        return self.gain * tf.reshape(tf.transpose(q) if rows < columns else q, shape)


def _drawn_seed() -> int:
    """Draw from the global stream, so that `tf.random.set_seed` makes a program repeatable."""
    with tf.init_scope():
        drawn = tf.random.uniform((), 0, 2**31 - 1, tf.int32)
        return int(drawn.numpy())  # type: ignore[attr-defined]


def _dtype(dtype: Any) -> Any:
    return tf.float32 if dtype is None else dtype


constant = Constant
glorot_normal = GlorotNormal
glorot_uniform = GlorotUniform
he_normal = HeNormal
he_uniform = HeUniform
lecun_normal = LecunNormal
lecun_uniform = LecunUniform
ones = Ones
orthogonal = Orthogonal
random_normal = RandomNormal
random_uniform = RandomUniform
truncated_normal = TruncatedNormal
variance_scaling = VarianceScaling
zeros = Zeros

FAMILY = Family(
    "initializer",
    (
        *(Zeros, Ones, Constant, RandomNormal, RandomUniform, TruncatedNormal),
        *(VarianceScaling, GlorotUniform, GlorotNormal, HeUniform, HeNormal, LecunUniform),
        *(LecunNormal, Orthogonal),
    ),
    aliases={
        "normal": RandomNormal,
        "uniform": RandomUniform,
        "one": Ones,
        "zero": Zeros,
        "OrthogonalInitializer": Orthogonal,
    },
)
get = FAMILY.get
serialize = FAMILY.serialize
deserialize = FAMILY.deserialize


def __dir__() -> list[str]:
    """Return the public names."""
    return public_names(globals())
