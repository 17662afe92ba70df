"""Update rules, and the scaling of losses, so that gradients in float16 do not underflow.

Each rule is a pure function from gradient, value and state to new value and state. A compiled step
reads all of them, computes, and assigns at the end: the arithmetic of one variable is one fused
block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import runtime as tf
from runtime.keras import initializers
from runtime.keras.optimizers.optimizer import Gradient, Optimizer, Scalars, State
from runtime.keras.saving.registry import serialize


class SGD(Optimizer):
    """Gradient descent, with momentum.

    Args:
      momentum: fraction of the last change that is added to this one, in [0, 1].
      nesterov: whether the momentum looks one step ahead.

    Raises: ValueError for a momentum outside [0, 1].

    >>> w = tf.Variable(1.0)
    >>> optimizer = SGD(learning_rate=0.1, momentum=0.9)
    >>> for _ in range(2):
    ...     optimizer.minimize(lambda: w * w / 2, [w])
    >>> print(f"{w.numpy():.2f}")
    0.72
    """

    parameters = {"learning_rate": 0.01, "momentum": 0.0, "nesterov": False}
    momentum: float
    nesterov: bool

    def _check_options(self, bounds: dict[str, Any]) -> None:
        super()._check_options(bounds)
        if not 0 <= self.momentum <= 1:
            raise ValueError(
                f"`momentum` of {self.name} is {self.momentum}, which is not in [0, 1]."
            )
        self.slots = ("momentum",) if self.momentum else ()

    def rule(self, w: tf.Tensor, g: tf.Tensor, state: State, shared: Scalars) -> State:
        """Return the new value and velocity.

        Raises:
          ValueError: if the optimizer was built before `momentum` was set.
        """
        change = g * shared[0]
        if not self.momentum:
            return (w - change, *state)
        if not state:
            raise ValueError(
                f"{self.name} has no state `momentum`: it was built before `momentum` was set. Set "
                "it before the first step."
            )
        velocity = state[0] * self.momentum - change
        return w + (velocity * self.momentum - change if self.nesterov else velocity), velocity


class Adam(Optimizer):
    """Steps scaled by estimates of the first and second moment of the gradient.

    Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2014, the formulation
    before section 2.1.

    Args:
      beta_1, beta_2: decay of the first and second moment.
      epsilon: added to the root of the second moment.

    >>> w = tf.Variable(10.0)
    >>> Adam(learning_rate=0.1).minimize(lambda: w * w / 2, [w])
    >>> print(f"{w.numpy():.1f}")
    9.9
    """

    parameters = {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7}
    slots = ("momentum", "velocity")
    beta_1: float
    beta_2: float
    epsilon: float

    def scalars(self, rate: tf.Tensor, step: tf.Tensor) -> Scalars:
        """Return the rate, corrected for the bias of both moments."""
        first, second = _power(self.beta_1, step), _power(self.beta_2, step)
        return (rate * tf.sqrt(1 - second) / (1 - first),)

    def rule(self, w: tf.Tensor, g: tf.Tensor, state: State, shared: Scalars) -> State:
        """Return the new value and moments."""
        m, v = self._moments(g, state)
        return w - m * shared[0] / (tf.sqrt(v) + self.epsilon), m, v

    def _moments(self, g: tf.Tensor, state: State) -> State:
        m = state[0] + (g - state[0]) * (1 - self.beta_1)
        return m, state[1] + (tf.square(g) - state[1]) * (1 - self.beta_2)


class Nadam(Adam):
    """Adam with the momentum of Nesterov.

    Source: Dozat, "Incorporating Nesterov Momentum into Adam", 2015.

    Args:
      beta_1, beta_2: decay of the first and second moment.
      epsilon: added to the root of the second moment.

    >>> w = tf.Variable(10.0)
    >>> Nadam(learning_rate=0.1).minimize(lambda: w * w / 2, [w])
    >>> w.numpy() < 10.0
    np.True_
    """

    parameters = Adam.parameters

    def build(self, variables: Any) -> None:
        """Create the moments, and the product of all momenta so far."""
        if not self.built:
            super().build(variables)
            dtype = self._trained[0].dtype if self._trained else "float32"
            self._product = self.add_variable((), "ones", dtype, name="momentum_product")

    def _step(self, grads: list[tf.Tensor], variables: list[tf.Variable]) -> None:
        momentum = self._momentum(tf.cast(self.iterations + 1, self._product.dtype))
        self._product.assign(self._product * momentum, read_value=False)
        super()._step(grads, variables)

    def _momentum(self, step: tf.Tensor) -> Any:
        # The schedule of momenta in section 3.2 of the paper.
        return self.beta_1 * (1 - 0.5 * _power(0.96, step))

    def scalars(self, rate: tf.Tensor, step: tf.Tensor) -> Scalars:
        """Return the factors of the first moment, the gradient and the second moment."""
        now, after = self._momentum(step), self._momentum(step + 1)
        product = tf.cast(self._product, step.dtype)
        by_moment = rate * after / (1 - product * after)
        return by_moment, rate * (1 - now) / (1 - product), 1 - _power(self.beta_2, step)

    def rule(self, w: tf.Tensor, g: tf.Tensor, state: State, shared: Scalars) -> State:
        """Return the new value and moments."""
        by_moment, by_gradient, correction = shared
        m, v = self._moments(g, state)
        change = m * by_moment + g * by_gradient
        return w - change / (tf.sqrt(v / correction) + self.epsilon), m, v


class RMSprop(Optimizer):
    """Steps divided by the root of a moving average of squared gradients.

    Source: Hinton, "Neural Networks for Machine Learning", lecture 6e, 2012.

    Args:
      rho: decay of the average.
      epsilon: added to the average.

    >>> w = tf.Variable(10.0)
    >>> RMSprop(learning_rate=0.1).minimize(lambda: w * w / 2, [w])
    >>> print(f"{w.numpy():.2f}")
    9.68
    """

    parameters = {"learning_rate": 0.001, "rho": 0.9, "*": None, "epsilon": 1e-7}
    slots = ("velocity",)
    rho: float
    epsilon: float

    def rule(self, w: tf.Tensor, g: tf.Tensor, state: State, shared: Scalars) -> State:
        """Return the new value and average."""
        velocity = state[0] * self.rho + tf.square(g) * (1 - self.rho)
        return w - g * shared[0] / tf.sqrt(velocity + self.epsilon), velocity


class LossScaleOptimizer(Optimizer):
    """An optimizer that takes gradients of a scaled loss, and adapts the scale.

    Source: Micikevicius et al., "Mixed Precision Training", 2017, section 3.2.

    Args:
      inner_optimizer: optimizer that takes the steps.
      initial_scale: first scale.
      dynamic_growth_steps: number of steps with finite gradients after which the scale doubles.

    A step whose gradients are not finite changes no variable and halves the scale.

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
    ) -> None:
        super().__init__(0.0)
        self.inner_optimizer = inner_optimizer
        self.initial_scale = initial_scale
        self.dynamic_growth_steps = dynamic_growth_steps
        self.step_counter = self.add_variable((), dtype="int32", name="step_counter")
        fill = initializers.Constant(initial_scale)
        self.dynamic_scale = self.add_variable((), fill, name="dynamic_scale")

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
        if not self.inner_optimizer.built:
            self.inner_optimizer.build(variables)
        self.built = True

    def scale_loss(self, loss: tf.Tensor) -> Any:
        """Return the loss times the scale."""
        return loss * tf.cast(self.dynamic_scale, loss.dtype)

    get_scaled_loss = scale_loss

    def get_unscaled_gradients(self, grads: Sequence[Any]) -> list[Any]:
        """Return the gradients divided by the scale.

        Args:
          grads: gradients of the scaled loss; None where there is none.
        """
        scale = self.dynamic_scale.read_value()
        return [None if each is None else each / tf.cast(scale, each.dtype) for each in grads]

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Gradient | None, tf.Variable]]
    ) -> tf.Variable:
        """Take one step with gradients of the scaled loss, if all of them are finite.

        Args:
          grads_and_vars: pairs of gradient of the scaled loss and variable.

        Returns:
          The step count, which grows even if a gradient is not finite.
        """
        pairs = list(grads_and_vars)
        variables = [variable for _, variable in pairs]
        grads = [None if grad is None else tf.convert_to_tensor(grad) for grad, _ in pairs]
        if not self.built:
            self.build(variables)
        finite = tf.reduce_all(
            [tf.reduce_all(tf.math.is_finite(each)) for each in grads if each is not None]
        )

        def step() -> tuple[Any, Any]:
            unscaled = self.get_unscaled_gradients(grads)
            self.inner_optimizer.apply_gradients(zip(unscaled, variables, strict=True))
            grown = tf.equal(self.step_counter + 1, self.dynamic_growth_steps)
            scale = self.dynamic_scale.read_value()
            return tf.where(grown, scale * 2, scale), tf.where(grown, 0, self.step_counter + 1)

        scale, counter = tf.cond(finite, step, lambda: (self.dynamic_scale / 2, tf.constant(0)))
        self.dynamic_scale.assign(scale, read_value=False)
        self.step_counter.assign(counter, read_value=False)
        self.iterations.assign_add(1, read_value=False)
        return self.iterations

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal optimizer without state."""
        names = ("inner_optimizer", "initial_scale", "dynamic_growth_steps")
        return {name: serialize(getattr(self, name)) for name in names}


def _power(base: float, step: tf.Tensor) -> tf.Tensor:
    return tf.pow(tf.cast(base, step.dtype), step)
