"""Learning rates that depend on the number of steps taken."""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras import families


class LearningRateSchedule(families.Described):
    """A learning rate as a function of the step; a subclass defines `__call__` and `get_config`.

    >>> class Halving(LearningRateSchedule):
    ...     def __call__(self, step):
    ...         return 0.5 ** tf.cast(step, "float32")
    >>> print(Halving()(3).numpy())
    0.125
    """


class ExponentialDecay(LearningRateSchedule):
    """`initial_learning_rate * decay_rate ** (step / decay_steps)`.

    Args:
      initial_learning_rate: rate at step 0.
      decay_steps: steps in which the rate is multiplied by `decay_rate` once.
      decay_rate: the factor.
      staircase: whether the exponent is rounded down to an integer.
      name: has no effect.

    Raises: ValueError if `decay_steps` is not positive.

    >>> print(ExponentialDecay(0.1, decay_steps=10, decay_rate=0.5)(20).numpy())
    0.025
    """

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        decay_rate: float,
        staircase: bool = False,
        name: str = "ExponentialDecay",
    ) -> None:
        if decay_steps <= 0:
            raise ValueError(f"`decay_steps` must be > 0. Received: decay_steps={decay_steps}")
        self.initial_learning_rate = initial_learning_rate
        self.decay_steps = decay_steps
        self.decay_rate = decay_rate
        self.staircase = staircase
        self.name = name

    def __call__(self, step: Any) -> Any:
        """Return the learning rate at `step`."""
        share = tf.cast(step, tf.float32) / self.decay_steps
        share = tf.floor(share) if self.staircase else share
        return self.initial_learning_rate * tf.pow(tf.cast(self.decay_rate, tf.float32), share)


__dir__, __getattr__ = families.namespace(globals(), "derive a class from `LearningRateSchedule`")
