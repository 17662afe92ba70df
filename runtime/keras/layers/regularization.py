"""Dropout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.keras.base.arguments import assign_arguments
from runtime.keras.base.layer import Layer


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


# The negative of scale * alpha of the activation SELU.
# Source: Klambauer et al., "Self-Normalizing Neural Networks", 2017.
