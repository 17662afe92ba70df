"""Update rules.

Each rule is a pure function from gradient, value and state to new value and state. A compiled step
reads all of them, computes, and assigns at the end: the arithmetic of one variable is one fused
block.
"""

from __future__ import annotations

import inspect
import math
from typing import Any, ClassVar

import runtime as tf
from runtime.keras.families import parameter
from runtime.keras.optimizers.optimizer import Gradient, Optimizer, Slots

# Arguments of rules that `Optimizer` itself takes.
_OF_OPTIMIZER = ("learning_rate", "weight_decay")

State = tuple[tf.Tensor, ...]
Scalars = tuple[Any, ...]


class RuleOptimizer(Optimizer):
    """An optimizer given by tables of its arguments, `scalars` and `rule`.

    Args:
      *args, **options: `parameters`, and the options of `Optimizer`.

    Raises: ValueError for an argument outside its `limits`.
    """

    parameters: ClassVar[dict[str, Any]] = {"learning_rate": 0.001}
    limits: ClassVar[dict[str, tuple[float, float]]] = {}
    beta_1: float
    beta_2: float
    epsilon: float
    momentum: float
    rho: float

    _signature: ClassVar[inspect.Signature]
    _shared: dict[str, Scalars] | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Create the signature of the constructor."""
        super().__init_subclass__(**kwargs)
        own = [parameter(name, default) for name, default in cls.parameters.items()]
        options = inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)
        cls._signature = inspect.Signature([*own, options])
        cls.hyperparameters = tuple(n for n in cls.parameters if n not in _OF_OPTIMIZER)

    def __init__(self, *args: Any, **options: Any) -> None:
        bound = self._signature.bind(*args, **options)
        bound.apply_defaults()
        given = {**bound.arguments, **bound.arguments["options"]}
        del given["options"]
        own = {name: given.pop(name) for name in self.hyperparameters}
        super().__init__(**given)
        for name, value in own.items():
            low, high = self.limits.get(name, (-math.inf, math.inf))
            if not low <= value <= high:
                raise ValueError(
                    f"`{name}` of {self.name} is {value}, which is not in [{low:g}, {high:g}]."
                )
            setattr(self, name, value)

    def scalars(self, rate: tf.Tensor, step: tf.Tensor) -> Scalars:
        """Return what all variables of a dtype share in a step: `rate`, and powers of constants.

        Args:
          rate: learning rate, in the dtype of the variables.
          step: number of this step, from 1, in the same dtype.
        """
        return (rate,)

    def rule(self, w: tf.Tensor, g: tf.Tensor, state: State, shared: Scalars) -> State:
        """Return the new value and the new state.

        Args:
          w: value of the variable.
          g: gradient.
          state: values of the slots, in the order of `slot_groups`.
          shared: result of `scalars`.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define `rule`.")

    def sparse_step(
        self, gradient: tf.IndexedSlices, variable: tf.Variable, shared: Scalars
    ) -> bool:
        """Change only the rows of a sparse gradient; False if the rule changes all rows."""
        return False

    def update_all(
        self, grads: list[Gradient], variables: list[tf.Variable], learning_rate: tf.Tensor
    ) -> None:
        """Call `update_step` for each variable; they share the result of `scalars`."""
        self._shared = {}
        try:
            super().update_all(grads, variables, learning_rate)
        finally:
            self._shared = None

    def _scalars(self, learning_rate: tf.Tensor, dtype: tf.DType) -> Scalars:
        known = {} if self._shared is None else self._shared
        if dtype.name not in known:
            known[dtype.name] = self.scalars(learning_rate, tf.cast(self.iterations + 1, dtype))
        return known[dtype.name]

    def update_step(
        self, gradient: Gradient, variable: tf.Variable, learning_rate: tf.Tensor
    ) -> None:
        """Change one variable and its state."""
        shared = self._scalars(learning_rate, variable.dtype)
        if isinstance(gradient, tf.IndexedSlices) and self.sparse_step(gradient, variable, shared):
            return
        g = tf.cast(tf.convert_to_tensor(gradient), variable.dtype)
        slots = [self.slot(name, variable) for names in self.slot_groups() for name in names]
        state = tuple(slot.read_value() for slot in slots)
        new = self.rule(variable.read_value(), g, state, shared)
        for slot, value in zip((variable, *slots), new, strict=True):
            slot.assign(value, read_value=False)


class SGD(RuleOptimizer):
    """Gradient descent, with momentum.

    Args:
      learning_rate: number, schedule, or callable without arguments.
      momentum: fraction of the last change that is added to this one, in [0, 1].
      nesterov: whether the momentum looks one step ahead.
      **options: those of `Optimizer`.

    Raises: ValueError for a momentum outside [0, 1].

    >>> w = tf.Variable(1.0)
    >>> optimizer = SGD(learning_rate=0.1, momentum=0.9)
    >>> for _ in range(2):
    ...     optimizer.minimize(lambda: w * w / 2, [w])
    >>> print(f"{w.numpy():.2f}")
    0.72
    """

    parameters = {"learning_rate": 0.01, "momentum": 0.0, "nesterov": False}
    nesterov: bool
    limits = {"momentum": (0.0, 1.0)}

    def slot_groups(self) -> Slots:
        """Return the velocity, called `momentum`, unless there is none."""
        return {("momentum",): 0.0} if self.momentum else {}

    def rule(self, w: tf.Tensor, g: tf.Tensor, state: State, shared: Scalars) -> State:
        """Return the new value and velocity."""
        change = g * shared[0]
        if not state:
            return (w - change,)
        velocity = state[0] * self.momentum - change
        if self.nesterov:
            return w + (velocity * self.momentum - change), velocity
        return w + velocity, velocity

    def sparse_step(
        self, gradient: tf.IndexedSlices, variable: tf.Variable, shared: Scalars
    ) -> bool:
        """Change only the rows of the gradient, if there is no momentum."""
        if self.momentum:
            return False
        rows = gradient.values * shared[0]
        variable.scatter_sub(tf.IndexedSlices(rows, gradient.indices))
        return True


class Adam(RuleOptimizer):
    """Steps scaled by estimates of the first and second moment of the gradient.

    Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2014, the formulation
    before section 2.1; Reddi et al., "On the Convergence of Adam and Beyond", 2018.

    Args:
      learning_rate: number, schedule, or callable without arguments.
      beta_1, beta_2: decay of the first and second moment.
      epsilon: added to the root of the second moment.
      amsgrad: whether to divide by the largest second moment so far.
      **options: those of `Optimizer`.

    >>> w = tf.Variable(10.0)
    >>> Adam(learning_rate=0.1).minimize(lambda: w * w / 2, [w])
    >>> print(f"{w.numpy():.1f}")
    9.9
    """

    parameters = {
        "learning_rate": 0.001,
        "beta_1": 0.9,
        "beta_2": 0.999,
        "epsilon": 1e-7,
        "amsgrad": False,
    }
    amsgrad: bool

    def slot_groups(self) -> Slots:
        """Return both moments, and the largest second moment."""
        largest: Slots = {("velocity_hat",): 0.0} if self.amsgrad else {}
        return {("momentum", "velocity"): 0.0, **largest}

    def scalars(self, rate: tf.Tensor, step: tf.Tensor) -> Scalars:
        """Return the rate, corrected for the bias of both moments."""
        first, second = _power(self.beta_1, step), _power(self.beta_2, step)
        return (rate * tf.sqrt(1 - second) / (1 - first),)

    def rule(self, w: tf.Tensor, g: tf.Tensor, state: State, shared: Scalars) -> State:
        """Return the new value and moments."""
        m = state[0] + (g - state[0]) * (1 - self.beta_1)
        v = state[1] + (tf.square(g) - state[1]) * (1 - self.beta_2)
        largest = tuple(tf.maximum(old, v) for old in state[2:])
        divisor = tf.sqrt(largest[0] if largest else v) + self.epsilon
        return w - m * shared[0] / divisor, m, v, *largest


class AdamW(Adam):
    """Adam whose weight decay does not pass through the moments.

    Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2017.

    Args:
      learning_rate: number, schedule, or callable without arguments.
      weight_decay: fraction, times the learning rate, that each step subtracts.
      beta_1, beta_2, epsilon, amsgrad, **options: those of `Adam`.
    """

    parameters = {
        "learning_rate": 0.001,
        "weight_decay": 0.004,
        "beta_1": 0.9,
        "beta_2": 0.999,
        "epsilon": 1e-7,
        "amsgrad": False,
    }


class Nadam(RuleOptimizer):
    """Adam with the momentum of Nesterov.

    Source: Dozat, "Incorporating Nesterov Momentum into Adam", 2015.

    Args:
      learning_rate: number, schedule, or callable without arguments.
      beta_1, beta_2: decay of the first and second moment.
      epsilon: added to the root of the second moment.
      **options: those of `Optimizer`.
    """

    parameters = {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7}

    def build(self, variables: Any) -> None:
        """Create the moments, and the product of all momenta so far."""
        if not self.built:
            super().build(variables)
            dtype = self._trained[0].dtype if self._trained else "float32"
            self._product = self.add_variable((), dtype, 1, "momentum_product")

    def slot_groups(self) -> Slots:
        """Return both moments."""
        return {("momentum", "velocity"): 0.0}

    def update_all(
        self, grads: list[Gradient], variables: list[tf.Variable], learning_rate: tf.Tensor
    ) -> None:
        """Update the product of all momenta, then each variable."""
        kind = self._product.dtype
        momentum = self._momentum(tf.cast(self.iterations + 1, kind))
        self._product.assign(self._product * momentum, read_value=False)
        super().update_all(grads, variables, learning_rate)

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
        m = state[0] + (g - state[0]) * (1 - self.beta_1)
        v = state[1] + (tf.square(g) - state[1]) * (1 - self.beta_2)
        change = m * by_moment + g * by_gradient
        return w - change / (tf.sqrt(v / correction) + self.epsilon), m, v


class RMSprop(RuleOptimizer):
    """Steps divided by the root of a moving average of squared gradients.

    Source: Hinton, "Neural Networks for Machine Learning", lecture 6e, 2012.

    Args:
      learning_rate: number, schedule, or callable without arguments.
      rho: decay of the average.
      momentum: fraction of the last change that is added to this one.
      epsilon: added to the average.
      centered: whether to subtract the squared average gradient: an estimate of the variance.
      **options: those of `Optimizer`.
    """

    parameters = {
        "learning_rate": 0.001,
        "rho": 0.9,
        "momentum": 0.0,
        "epsilon": 1e-7,
        "centered": False,
    }
    centered: bool

    def slot_groups(self) -> Slots:
        """Return the average of squares, the last change, and the average gradient."""
        change: Slots = {("momentum",): 0.0} if self.momentum else {}
        mean: Slots = {("average_gradient",): 0.0} if self.centered else {}
        return {("velocity",): 0.0, **change, **mean}

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
