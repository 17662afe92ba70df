"""Learning rates that depend on the number of steps taken."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import runtime as tf
from runtime.keras.families import Family


class LearningRateSchedule:
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


@dataclass(eq=False)
class InverseTimeDecay(ExponentialDecay):
    """`initial_learning_rate / (1 + decay_rate * step / decay_steps)`.

    Args: those of `ExponentialDecay`.

    >>> print(InverseTimeDecay(0.1, decay_steps=10, decay_rate=1.0)(10).numpy())
    0.05
    """

    name: str = "InverseTimeDecay"

    def __call__(self, step: Any) -> Any:
        """Return the learning rate at `step`."""
        return self.initial_learning_rate / (1 + self.decay_rate * self._exponent(step))


@dataclass(eq=False)
class PiecewiseConstantDecay(LearningRateSchedule):
    """A constant rate between each two boundaries.

    Args:
      boundaries: increasing steps, n of them.
      values: n + 1 rates; `values[i]` holds up to and including step `boundaries[i]`.
      name: has no effect.

    Raises: ValueError if the lengths do not fit.

    >>> schedule = PiecewiseConstantDecay([100], [0.1, 0.01])
    >>> print(schedule(100).numpy(), schedule(101).numpy())
    0.1 0.01
    """

    boundaries: Sequence[float]
    values: Sequence[float]
    name: str = "PiecewiseConstant"

    def __post_init__(self) -> None:
        """Compare the lengths."""
        if len(self.boundaries) != len(self.values) - 1:
            raise ValueError(
                "The length of boundaries should be 1 less than the length of values. Received: "
                f"boundaries={self.boundaries} of length {len(self.boundaries)}, and "
                f"values={self.values} of length {len(self.values)}."
            )

    def __call__(self, step: Any) -> Any:
        """Return the learning rate at `step`."""
        passed = _float(step) > tf.constant(self.boundaries, tf.float32)
        position = tf.reduce_sum(tf.cast(passed, tf.int32))
        return tf.gather(tf.constant(self.values, tf.float32), position)


@dataclass(eq=False)
class PolynomialDecay(LearningRateSchedule):
    """From one rate to another along a polynomial.

    Args:
      initial_learning_rate: rate at step 0.
      decay_steps: step at which the rate is `end_learning_rate`; later it stays there.
      end_learning_rate: the last rate.
      power: degree of the polynomial.
      cycle: whether `decay_steps` is multiplied, after the end, by the least integer that makes it
        exceed the step.
      name: has no effect.

    Raises: ValueError if `decay_steps` is not positive.

    >>> print(PolynomialDecay(0.1, decay_steps=10, end_learning_rate=0.0)(5).numpy())
    0.05
    """

    initial_learning_rate: float
    decay_steps: float
    end_learning_rate: float = 0.0001
    power: float = 1.0
    cycle: bool = False
    name: str = "PolynomialDecay"

    def __call__(self, step: Any) -> Any:
        """Return the learning rate at `step`."""
        now, steps = _float(step), _float(self.decay_steps)
        if self.cycle:
            steps = steps * tf.maximum(tf.math.ceil(now / steps), 1.0)
        share = tf.minimum(now, steps) / steps
        span = self.initial_learning_rate - self.end_learning_rate
        return span * tf.pow(1 - share, self.power) + self.end_learning_rate


@dataclass(eq=False)
class CosineDecay(LearningRateSchedule):
    """Half a period of a cosine, after a linear warmup.

    Source: Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts", 2016.

    Args:
      initial_learning_rate: rate at step 0.
      decay_steps: length of the half period.
      alpha: last rate as a fraction of the highest.
      name: has no effect.
      warmup_target: rate at the end of the warmup; None: no warmup.
      warmup_steps: length of the warmup.

    Raises: ValueError if `decay_steps` is not positive.

    >>> print(CosineDecay(0.1, decay_steps=10)(5).numpy().round(3))
    0.05
    """

    initial_learning_rate: float
    decay_steps: float
    alpha: float = 0.0
    name: str = "CosineDecay"
    warmup_target: float | None = None
    warmup_steps: float = 0

    def __call__(self, step: Any) -> Any:
        """Return the learning rate at `step`."""
        now = _float(step)
        if self.warmup_target is None:
            return self._decayed(now, self.initial_learning_rate)
        decayed = self._decayed(now - self.warmup_steps, self.warmup_target)
        if not self.warmup_steps:
            return decayed
        slope = (self.warmup_target - self.initial_learning_rate) / self.warmup_steps
        return tf.where(now < self.warmup_steps, self.initial_learning_rate + slope * now, decayed)

    def _decayed(self, now: tf.Tensor, highest: float) -> Any:
        share = tf.minimum(now, float(self.decay_steps)) / self.decay_steps
        return highest * ((1 - self.alpha) * 0.5 * (1 + tf.cos(math.pi * share)) + self.alpha)


FAMILY = Family(
    "learning rate schedule",
    (
        ExponentialDecay,
        InverseTimeDecay,
        PiecewiseConstantDecay,
        PolynomialDecay,
        CosineDecay,
    ),
)
serialize = FAMILY.serialize
deserialize = FAMILY.deserialize
