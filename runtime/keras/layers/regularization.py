"""Noise during training, and losses of activations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.keras import regularizers
from runtime.keras.base.arguments import assign_arguments, with_rank
from runtime.keras.base.layer import Layer
from runtime.keras.base.spec import InputSpec


def in_training(training: Any, trained: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """Compute one of two results.

    Args:
      training: a bool, None for False, or a bool tensor.
      trained: function of no argument for the result while training.
      other: function of no argument for the result otherwise.
    """
    if tf.is_tensor(training):
        return tf.cond(tf.cast(training, tf.bool), trained, other)
    return trained() if training else other()


class _Noise(Layer):
    """A layer that changes its inputs while it is trained, and returns them otherwise."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def _set_rate(self, rate: Any) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(
                f"Invalid value received for argument `rate`. Expected a float value between 0 and "
                f"1. Received: rate={rate}"
            )

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Return the inputs, with noise if `training`."""
        return in_training(training, lambda: self._add_noise(inputs), lambda: inputs)

    def _add_noise(self, inputs: Any) -> Any:
        raise NotImplementedError


class Dropout(_Noise):
    """Sets elements to 0 while training, and scales the others up by `1 / (1 - rate)`.

    Args:
      rate: the probability of 0, between 0 and 1.
      noise_shape: shape of the random mask, which broadcasts; None: that of the inputs.
      seed: seed of the generator; None: that of the program.

    Raises:
      ValueError: for another rate.

    >>> print(Dropout(0.5)(tf.ones([3])).numpy())
    [1. 1. 1.]
    """

    def __init__(
        self, rate: float, noise_shape: Any = None, seed: int | None = None, **kwargs: Any
    ) -> None:
        """Holds the arguments."""
        super().__init__(**kwargs)
        assign_arguments(self, locals())
        self._set_rate(rate)

    def _add_noise(self, inputs: Any) -> Any:
        if self.rate == 1:
            return tf.zeros_like(inputs)
        if self.rate == 0:
            return inputs
        return tf.nn.dropout(inputs, self.rate, self._noise_shape(inputs), self.seed)

    def _noise_shape(self, inputs: Any) -> Any:
        if self.noise_shape is None:
            return None
        dims = tf.shape(inputs)
        return [dims[i] if size is None else size for i, size in enumerate(self.noise_shape)]


class _SpatialDropout(Dropout):
    """Drops whole channels of {axes} while training; see `Dropout`.

    Args:
      rate: the probability of 0, between 0 and 1.
      data_format: `channels_last` or `channels_first`; None: the first.
      seed: seed of the generator; None: that of the program.
    """

    rank: int
    _not_in_config = frozenset({"noise_shape"})

    def __init__(
        self, rate: float, data_format: str | None = None, seed: int | None = None, **kwargs: Any
    ) -> None:
        """Holds the arguments."""
        super().__init__(rate, seed=seed, **kwargs)
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _noise_shape(self, inputs: Any) -> Any:
        dims, ones = tf.shape(inputs), [1] * self.rank
        if self.data_format == "channels_first":
            return [dims[0], dims[1], *ones]
        return [dims[0], *ones, dims[self.rank + 1]]


class SpatialDropout1D(_SpatialDropout):
    """Drops whole channels of [batch, steps, channels] while training.

    Args:
      rate: the probability of 0, between 0 and 1.
      seed: seed of the generator; None: that of the program.

    >>> SpatialDropout1D(0.5)(tf.ones([1, 2, 3]), training=True).shape
    TensorShape([1, 2, 3])
    """

    rank = 1
    _not_in_config = frozenset({"noise_shape", "data_format"})


SpatialDropout2D = with_rank("SpatialDropout2D", _SpatialDropout, 2)
SpatialDropout3D = with_rank("SpatialDropout3D", _SpatialDropout, 3)


class GaussianNoise(_Noise):
    """Adds normal noise while training.

    Args:
      stddev: the standard deviation.
      seed: seed of the generator; None: that of the program.

    >>> print(GaussianNoise(1.0)(tf.ones([2])).numpy())
    [1. 1.]
    """

    def __init__(self, stddev: float, seed: int | None = None, **kwargs: Any) -> None:
        """Holds the arguments."""
        super().__init__(**kwargs)
        assign_arguments(self, locals())

    def _add_noise(self, inputs: Any) -> Any:
        noise = tf.random.normal(tf.shape(inputs), 0.0, self.stddev, inputs.dtype, self.seed)
        return inputs + noise


class GaussianDropout(_Noise):
    """Multiplies by normal noise of mean 1 while training.

    Args:
      rate: the variance is `rate / (1 - rate)`.
      seed: seed of the generator; None: that of the program.

    >>> print(GaussianDropout(0.5)(tf.ones([2])).numpy())
    [1. 1.]
    """

    def __init__(self, rate: float, seed: int | None = None, **kwargs: Any) -> None:
        """Holds the arguments."""
        super().__init__(**kwargs)
        assign_arguments(self, locals())
        self._set_rate(rate)

    def _add_noise(self, inputs: Any) -> Any:
        stddev = math.sqrt(self.rate / (1.0 - self.rate))
        return inputs * tf.random.normal(tf.shape(inputs), 1.0, stddev, inputs.dtype, self.seed)


# The negative of scale * alpha of the activation SELU.
# Source: Klambauer et al., "Self-Normalizing Neural Networks", 2017.
_SELU_LIMIT = -1.7580993408473766


class AlphaDropout(Dropout):
    """Dropout that keeps mean and variance after the activation `selu`.

    Args:
      rate: the probability of a dropped element, between 0 and 1.
      noise_shape: shape of the random mask, which broadcasts; None: that of the inputs.
      seed: seed of the generator; None: that of the program.

    >>> print(AlphaDropout(0.5)(tf.ones([2])).numpy())
    [1. 1.]
    """

    def _add_noise(self, inputs: Any) -> Any:
        if self.rate == 0:
            return inputs
        shape = self._noise_shape(inputs)
        shape = tf.shape(inputs) if shape is None else tf.stack(shape)
        kept = tf.random.uniform(shape, seed=self.seed) >= self.rate
        values = tf.where(kept, inputs, tf.constant(_SELU_LIMIT, inputs.dtype))
        scale = ((1 - self.rate) * (1 + self.rate * _SELU_LIMIT**2)) ** -0.5
        return scale * values - scale * _SELU_LIMIT * self.rate


class ActivityRegularization(Layer):
    """Adds a loss of its inputs, which it returns.

    Args:
      l1: factor of the sum of absolute values.
      l2: factor of the sum of squares.

    >>> layer = ActivityRegularization(l1=1.0)
    >>> _ = layer(tf.constant([[-2.0, 1.0]]))
    >>> print(layer.losses[0].numpy())
    3.0
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Any) -> None:
        """Holds the factors."""
        super().__init__(activity_regularizer=regularizers.L1L2(l1=l1, l2=l2), **kwargs)
        self.l1, self.l2 = l1, l2
        self.supports_masking = True

    _not_in_config = frozenset({"activity_regularizer"})

    def call(self, inputs: Any) -> Any:
        """Return the inputs."""
        return inputs
