"""Update rules.

Each rule is a pure function from gradient, value and state to new value and state. A compiled step
reads all of them, computes, and assigns at the end: the arithmetic of one variable is one fused
block.
"""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras.optimizers.optimizer import Gradient, Optimizer, Scalars, State


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
    slots = {("momentum",): "momentum"}
    momentum: float
    nesterov: bool

    def _check_options(self) -> None:
        super()._check_options()
        if not 0 <= self.momentum <= 1:
            raise ValueError(
                f"`momentum` of {self.name} is {self.momentum}, which is not in [0, 1]."
            )

    def rule(self, w: tf.Tensor, g: tf.Tensor, state: State, shared: Scalars) -> State:
        """Return the new value and velocity."""
        change = g * shared[0]
        if not self.momentum:
            return (w - change,)
        velocity = state[0] * self.momentum - change
        return w + (velocity * self.momentum - change if self.nesterov else velocity), velocity

    def sparse_step(
        self, gradient: tf.IndexedSlices, variable: tf.Variable, shared: Scalars
    ) -> bool:
        """Change only the rows of the gradient, if there is no momentum."""
        if not self.momentum:
            variable.scatter_sub(tf.IndexedSlices(gradient.values * shared[0], gradient.indices))
        return not self.momentum


class Adam(Optimizer):
    """Steps scaled by estimates of the first and second moment of the gradient.

    Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2014, the formulation
    before section 2.1; Reddi et al., "On the Convergence of Adam and Beyond", 2018.

    Args:
      beta_1, beta_2: decay of the first and second moment.
      epsilon: added to the root of the second moment.
      amsgrad: whether to divide by the largest second moment so far.

    >>> w = tf.Variable(10.0)
    >>> Adam(learning_rate=0.1).minimize(lambda: w * w / 2, [w])
    >>> print(f"{w.numpy():.1f}")
    9.9
    """

    parameters = {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7}
    parameters |= {"amsgrad": False}
    slots = {("momentum", "velocity"): None, ("velocity_hat",): "amsgrad"}
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
        largest = tuple(tf.maximum(old, v) for old in state[2:])
        divisor = tf.sqrt(largest[0] if largest else v) + self.epsilon
        return w - m * shared[0] / divisor, m, v, *largest

    def _moments(self, g: tf.Tensor, state: State) -> State:
        m = state[0] + (g - state[0]) * (1 - self.beta_1)
        return m, state[1] + (tf.square(g) - state[1]) * (1 - self.beta_2)


class Nadam(Adam):
    """Adam with the momentum of Nesterov.

    Source: Dozat, "Incorporating Nesterov Momentum into Adam", 2015.

    Args:
      beta_1, beta_2: decay of the first and second moment.
      epsilon: added to the root of the second moment.
    """

    parameters = {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7}
    slots = {("momentum", "velocity"): None}

    def build(self, variables: Any) -> None:
        """Create the moments, and the product of all momenta so far."""
        if not self.built:
            super().build(variables)
            dtype = self._trained[0].dtype if self._trained else "float32"
            self._product = self.add_variable((), dtype, 1, "momentum_product")

    def _step(self, grads: list[Gradient], variables: list[tf.Variable]) -> None:
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
      momentum: fraction of the last change that is added to this one.
      epsilon: added to the average.
      centered: whether to subtract the squared average gradient: an estimate of the variance.
    """

    parameters = {"learning_rate": 0.001, "rho": 0.9, "momentum": 0.0, "epsilon": 1e-7}
    parameters |= {"centered": False}
    slots = {("velocity",): None, ("momentum",): "momentum", ("average_gradient",): "centered"}
    rho: float
    momentum: float
    epsilon: float
    centered: bool

    def rule(self, w: tf.Tensor, g: tf.Tensor, state: State, shared: Scalars) -> State:
        """Return the new value and averages."""
        velocity = state[0] * self.rho + tf.square(g) * (1 - self.rho)
        divisor, mean = velocity, State()
        if self.centered:
            mean = (state[-1] * self.rho + g * (1 - self.rho),)
            divisor = velocity - tf.square(mean[0])
        change = g * shared[0] / tf.sqrt(divisor + self.epsilon)
        if not self.momentum:
            return w - change, velocity, *mean
        change = state[1] * self.momentum + change
        return w - change, velocity, change, *mean


def _power(base: float, step: tf.Tensor) -> tf.Tensor:
    return tf.pow(tf.cast(base, step.dtype), step)
