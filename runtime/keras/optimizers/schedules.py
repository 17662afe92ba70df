"""Learning rates that depend on the number of steps taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import runtime as tf


class LearningRateSchedule(tf.types.experimental.Observed):
    """A learning rate as a function of the step; a subclass defines `__call__` and `get_config`.

    >>> class Halving(LearningRateSchedule):
    ...     def __call__(self, step):
    ...         return 0.5 ** tf.cast(step, "float32")
    >>> print(Halving()(3).numpy())
    0.125
    """

    def __call__(self, step: Any) -> Any:
        """Return the learning rate at `step`; a subclass overrides it."""
        raise NotImplementedError(f"{type(self).__name__} does not define `__call__`.")

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal schedule."""
        return {key: value for key, value in vars(self).items() if not key.startswith("_")}

    def __post_init__(self) -> None:
        """Check the number of steps. Raises ValueError if it is not positive."""
        steps = vars(self).get("decay_steps", 1)
        if steps <= 0:
            raise ValueError(f"Argument `decay_steps` must be > 0. Received: decay_steps={steps}")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create a schedule from what `get_config` returned."""
        return cls(**config)


def _float(step: Any) -> Any:
    return tf.cast(step, tf.float32)


@dataclass(eq=False)
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

    initial_learning_rate: float
    decay_steps: float
    decay_rate: float
    staircase: bool = False
    name: str = "ExponentialDecay"

    def _exponent(self, step: Any) -> Any:
        share = _float(step) / self.decay_steps
        return tf.floor(share) if self.staircase else share

    def __call__(self, step: Any) -> Any:
        """Return the learning rate at `step`."""
        return self.initial_learning_rate * tf.pow(_float(self.decay_rate), self._exponent(step))
