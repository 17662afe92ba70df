"""Scaling of losses, so that gradients in float16 do not underflow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import runtime as tf
from runtime.keras.optimizers.optimizer import Gradient, Optimizer, on_values
from runtime.keras.saving.registry import serialize_keras_object


class LossScaleOptimizer(Optimizer):
    """An optimizer that takes gradients of a scaled loss, and adapts the scale.

    Source: Micikevicius et al., "Mixed Precision Training", 2017, section 3.2.

    Args:
      inner_optimizer: optimizer that takes the steps.
      initial_scale: first scale.
      dynamic_growth_steps: number of steps with finite gradients after which the scale doubles.
      name: name in messages.

    A step whose gradients are not finite changes no variable and halves the scale.

    >>> from runtime.keras.optimizers.rules import SGD
    >>> weight = tf.Variable(1.0)
    >>> optimizer = LossScaleOptimizer(SGD(0.1), initial_scale=8.0)
    >>> _ = optimizer.apply_gradients([(tf.constant(float("inf")), weight)])
    >>> print(weight.numpy(), optimizer.dynamic_scale.numpy())
    1.0 4.0
    """

    def __init__(
        self,
        inner_optimizer: Optimizer,
        initial_scale: float = 2.0**15,
        dynamic_growth_steps: int = 2000,
        name: str | None = None,
    ) -> None:
        super().__init__(0.0, name=name)
        self.inner_optimizer = inner_optimizer
        self.initial_scale = initial_scale
        self.dynamic_growth_steps = dynamic_growth_steps
        self.step_counter = self.add_variable((), "int32", 0, "step_counter")
        self.dynamic_scale = self.add_variable((), "float32", initial_scale, "dynamic_scale")

    @property
    def variables(self) -> list[tf.Variable]:
        """The variables of the scale and those of the inner optimizer."""
        return [*super().variables, *self.inner_optimizer.variables]

    @property
    def learning_rate(self) -> Any:
        """The learning rate of the inner optimizer."""
        return self.inner_optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, rate: object) -> None:
        self.inner_optimizer.learning_rate = rate

    def build(self, variables: Any) -> None:
        """Create the state of the inner optimizer."""
        self.inner_optimizer.build(variables)
        self.built = True

    def scale_loss(self, loss: tf.Tensor) -> Any:
        """Return the loss times the scale."""
        return loss * tf.cast(self.dynamic_scale, loss.dtype)

    get_scaled_loss = scale_loss

    def get_unscaled_gradients(self, grads: Sequence[Gradient | None]) -> list[Any]:
        """Return gradients of the scaled loss, divided by the scale."""
        scale = self.dynamic_scale.read_value()
        return [
            None if grad is None else on_values(lambda g: g / tf.cast(scale, g.dtype), grad)
            for grad in grads
        ]

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Gradient | None, tf.Variable]]
    ) -> tf.Variable:
        """Take one step with gradients of the scaled loss, if all of them are finite."""
        inner, pairs = self.inner_optimizer, list(grads_and_vars)
        grads, variables = [grad for grad, _ in pairs], [variable for _, variable in pairs]
        self.build(variables)
        values = (each.values if isinstance(each, tf.IndexedSlices) else each for each in grads)
        finite = tf.reduce_all(
            [tf.reduce_all(tf.math.is_finite(each)) for each in values if each is not None]
        )

        def step() -> tf.Tensor:
            unscaled = self.get_unscaled_gradients(grads)
            inner.apply_gradients(zip(unscaled, variables, strict=True))
            grown = tf.equal(self.step_counter + 1, self.dynamic_growth_steps)
            scale = self.dynamic_scale.read_value()
            self.dynamic_scale.assign(tf.where(grown, scale * 2, scale), read_value=False)
            counter = tf.where(grown, 0, self.step_counter + 1)
            self.step_counter.assign(counter, read_value=False)
            return tf.constant(True)

        def skip() -> tf.Tensor:
            self.dynamic_scale.assign(self.dynamic_scale / 2, read_value=False)
            self.step_counter.assign(0, read_value=False)
            return tf.constant(False)

        tf.cond(finite, step, skip)
        self.iterations.assign_add(1, read_value=False)
        return self.iterations

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal optimizer without state."""
        names = ("name", "inner_optimizer", "initial_scale", "dynamic_growth_steps")
        return {name: serialize_keras_object(getattr(self, name)) for name in names}
