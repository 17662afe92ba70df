"""The base of all optimizers: state, clipping, weight decay and averages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

import runtime as tf
from runtime.keras.base.names import auto_name
from runtime.keras.optimizers.clipping import Clipping
from runtime.keras.optimizers.schedules import LearningRateSchedule
from runtime.keras.saving.registry import deserialize_keras_object, serialize_keras_object

Gradient = tf.Tensor | tf.IndexedSlices
Slots = dict[tuple[str, ...], float]
Rate = float | LearningRateSchedule | Callable[[], float]


class Optimizer(tf.types.experimental.Observed):
    """A rule that changes variables against their gradients.

    Args:
      learning_rate: number, `LearningRateSchedule`, or callable without arguments.
      weight_decay: fraction of each variable, times the learning rate, subtracted in each step.
      clipnorm: upper bound of the Euclidean norm of each gradient.
      clipvalue: upper bound of the absolute value of each element.
      global_clipnorm: upper bound of the norm of all gradients together. A gradient that is not
        finite makes all of them NaN.
      use_ema: whether to keep an exponential moving average of each variable.
      ema_momentum: weight of the old average, in [0, 1].
      ema_overwrite_frequency: number of steps after which the averages replace the variables.
      loss_scale_factor: factor of `scale_loss`; gradients are divided by it.
      name: name in messages; by default that of the class.

    A subclass overrides `update_step`, and `slot_groups` for state of its own.

    Raises: ValueError for an unknown option, or for two kinds of clipping at once.

    >>> class Sign(Optimizer):
    ...     def update_step(self, gradient, variable, learning_rate):
    ...         variable.assign_sub(learning_rate * tf.sign(gradient))
    >>> weight = tf.Variable([1.0, 2.0])
    >>> step = Sign(learning_rate=0.5).apply_gradients([(tf.constant([-3.0, 9.0]), weight)])
    >>> print(weight.numpy())
    [1.5 1.5]
    """

    hyperparameters: tuple[str, ...] = ()
    """Names of the arguments that a subclass adds, as `get_config` returns them."""

    def __init__(
        self,
        learning_rate: Rate,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        name: str | None = None,
        **unknown: Any,
    ) -> None:
        """Create the variables that do not depend on the trained ones."""
        self._refuse_unknown(unknown)
        self.name = name or auto_name(type(self).__name__)
        self.weight_decay = weight_decay
        self._clipping = Clipping(clipnorm, clipvalue, global_clipnorm)
        if not 0 <= ema_momentum <= 1:
            raise ValueError(f"{self.name}: ema_momentum is {ema_momentum}, not within [0, 1].")
        self.use_ema = use_ema
        self.ema_momentum = ema_momentum
        self.ema_overwrite_frequency = ema_overwrite_frequency
        self.loss_scale_factor = loss_scale_factor
        self.built = False
        self._variables: list[tf.Variable] = []
        self._trained: list[tf.Variable] = []
        self._positions: dict[int, int] = {}
        self._slots: dict[str, list[tf.Variable]] = {}
        self.iterations = self.add_variable((), "int64", name="iteration")
        self._schedule: LearningRateSchedule | Callable[[], float] | None = None
        if callable(learning_rate):
            self._schedule = learning_rate
        else:
            self._rate = self.add_variable((), "float32", learning_rate, "learning_rate")

    def _refuse_unknown(self, unknown: dict[str, Any]) -> None:
        if unknown:
            word = next(iter(unknown))
            remedy = " Use `learning_rate`." if word == "lr" else ""
            raise ValueError(
                f"Argument(s) not recognized: {unknown}. {type(self).__name__} has no option "
                f"`{word}`.{remedy}"
            )

    clipnorm = property(lambda self: self._clipping.norm, doc="Bound of each gradient's norm.")
    clipvalue = property(lambda self: self._clipping.value, doc="Bound of each element.")
    global_clipnorm = property(lambda self: self._clipping.total, doc="Bound of the whole norm.")

    @property
    def variables(self) -> list[tf.Variable]:
        """The step count, the learning rate, and the state of each trained variable."""
        return list(self._variables)

    @property
    def learning_rate(self) -> Any:
        """The variable of the learning rate, or the value of the schedule at this step."""
        return self._rate if self._schedule is None else self._current_rate()

    @learning_rate.setter
    def learning_rate(self, rate: Any) -> None:
        if isinstance(rate, LearningRateSchedule):
            self._schedule = rate
            return
        if self._schedule is not None:
            raise TypeError(
                f"The learning rate of {self.name} is a schedule, so it cannot be set to {rate}. "
                "Create the optimizer with a number as `learning_rate`."
            )
        self._rate.assign(rate)

    @property
    def lr(self) -> Any:
        """The same as `learning_rate`."""
        return self.learning_rate

    @lr.setter
    def lr(self, rate: Any) -> None:
        self.learning_rate = rate

    def _current_rate(self) -> Any:
        if self._schedule is None:
            return self._rate.read_value()
        if isinstance(self._schedule, LearningRateSchedule):
            return self._schedule(self.iterations)
        return tf.convert_to_tensor(self._schedule(), tf.float32)

    def add_variable(
        self, shape: Any, dtype: Any = "float32", initializer: Any = 0, name: str | None = None
    ) -> tf.Variable:
        """Add a variable of the optimizer itself, filled with the number `initializer`."""
        with tf.init_scope():
            value = tf.cast(tf.fill(shape, initializer), dtype)
            variable = tf.Variable(value, trainable=False, name=f"{self.name}/{name}")
        self._variables.append(variable)
        return variable

    def add_variable_from_reference(
        self, reference_variable: tf.Variable, name: str | None = None, initializer: Any = 0
    ) -> tf.Variable:
        """Add a variable of the shape and dtype of a trained one."""
        own = reference_variable.name.removesuffix(":0").replace("/", "_")
        return self.add_variable(
            reference_variable.shape,
            reference_variable.dtype,
            0 if initializer == "zeros" else initializer,
            f"{own}_{name}",
        )

    def slot_groups(self) -> Slots:
        """Return the first value of the state per trained variable, keyed by groups of names."""
        return {}

    def build(self, variables: Iterable[tf.Variable]) -> None:
        """Create the state of each trained variable.

        Raises: TypeError if a variable has no floating-point or complex dtype.
        """
        if self.built:
            return
        self.built = True
        self._trained = list(variables)
        for variable in self._trained:
            if not (variable.dtype.is_floating or variable.dtype.is_complex):
                raise TypeError(
                    f"{self.name} cannot train variable '{variable.name}' of dtype "
                    f"{variable.dtype.name}: integers have no gradient. Create it with "
                    "trainable=False, or with dtype='float32'."
                )
        self._positions = {id(variable): i for i, variable in enumerate(self._trained)}
        averages: Slots = {("average",): 0.0} if self.use_ema else {}
        for names, value in {**averages, **self.slot_groups()}.items():
            for variable in self._trained:
                for name in names:
                    slot = self.add_variable_from_reference(variable, name, value)
                    self._slots.setdefault(name, []).append(slot)

    def slot(self, name: str, variable: tf.Variable) -> tf.Variable:
        """Return the state `name` of a trained variable.

        Raises: ValueError if the optimizer was built without such state.
        """
        if name not in self._slots:
            raise ValueError(
                f"{self.name} has no state `{name}` of '{variable.name}': it was built before an "
                "argument that needs it was set. Set it before the first step."
            )
        return self._slots[name][self._positions[id(variable)]]

    def minimize(
        self, loss: Any, var_list: Any, grad_loss: Any = None, name: Any = None, tape: Any = None
    ) -> None:
        """Take one step against the gradient of a loss.

        Args:
          loss: callable without arguments, or a tensor that `tape` recorded.
          var_list: variables, or a callable that returns them.
          grad_loss: gradient with respect to `loss`; None: 1.
          name: has no effect.
          tape: the `GradientTape` of a loss that is a tensor.

        Raises: ValueError if `loss` is a tensor and `tape` is None.

        >>> from runtime.keras.optimizers.rules import SGD
        >>> x = tf.Variable(3.0)
        >>> SGD(0.1).minimize(lambda: x * x, [x])
        >>> print(f"{x.numpy():.1f}")
        2.4
        """
        if not callable(loss):
            if tape is None:
                raise ValueError(f"`tape` is required when `loss` is a tensor. Received: {loss!r}")
            variables = var_list() if callable(var_list) else var_list
        else:
            tape = tape or tf.GradientTape()
            with tape:
                loss = loss()
            variables = var_list() if callable(var_list) else var_list
        grads = tape.gradient(loss, list(variables), grad_loss)
        self.apply_gradients(zip(grads, variables, strict=True))

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Gradient | None, tf.Variable]]
    ) -> tf.Variable:
        """Take one step.

        Args:
          grads_and_vars: pairs of gradient and variable. Variables without gradient keep their
            value.

        Returns: the step count.
        Raises: ValueError if no variable has a gradient, if a gradient has another shape than its
          variable, or for a variable that the optimizer was not built with.
        """
        pairs = list(grads_and_vars)
        return self.apply([grad for grad, _ in pairs], [variable for _, variable in pairs])

    def apply(
        self,
        grads: Sequence[Gradient | None],
        trainable_variables: Sequence[tf.Variable] | None = None,
    ) -> tf.Variable:
        """Take one step; `trainable_variables` are by default those given to `build`."""
        variables = self._trained if trainable_variables is None else list(trainable_variables)
        if len(grads) != len(variables):
            raise ValueError(
                f"{self.name} got {len(grads)} gradients for {len(variables)} variables."
            )
        self.build(variables)
        pairs = [(g, v) for g, v in zip(grads, variables, strict=True) if g is not None]
        if not pairs:
            raise ValueError(
                "No gradients provided for any variable: the loss does not depend on any of "
                f"{[variable.name for variable in variables]}, or it was computed outside the "
                "tape."
            )
        self._check(pairs)
        self._step([g for g, _ in pairs], [v for _, v in pairs])
        return self.iterations

    def _check(self, pairs: list[tuple[Gradient, tf.Variable]]) -> None:
        for grad, variable in pairs:
            if id(variable) not in self._positions:
                raise ValueError(
                    f"Unknown variable '{variable.name}': {self.name} was built for "
                    f"{[known.name for known in self._trained]}. Create another optimizer for "
                    "other variables."
                )
            if not isinstance(grad, tf.IndexedSlices):
                shape = tf.convert_to_tensor(grad).shape
                if not shape.is_compatible_with(variable.shape):
                    raise ValueError(
                        f"The gradient of variable '{variable.name}' has shape {shape}, the "
                        f"variable {variable.shape}."
                    )

    def _step(self, grads: list[Gradient], variables: list[tf.Variable]) -> None:
        if self.loss_scale_factor is not None:
            grads = [_times(grad, 1 / self.loss_scale_factor) for grad in grads]
        grads = self._clipping(grads)
        rate = self._current_rate()
        if self.weight_decay is not None:
            for variable in variables:
                factor = tf.cast(rate * self.weight_decay, variable.dtype)
                variable.assign_sub(variable * factor, read_value=False)
        self.update_all(grads, variables, rate)
        if self.use_ema:
            self._average(variables)
        for variable in variables:
            if variable.constraint is not None:
                variable.assign(variable.constraint(variable), read_value=False)
        self.iterations.assign_add(1, read_value=False)

    def update_all(
        self, grads: list[Gradient], variables: list[tf.Variable], learning_rate: tf.Tensor
    ) -> None:
        """Call `update_step` for each variable."""
        for grad, variable in zip(grads, variables, strict=True):
            self.update_step(grad, variable, tf.cast(learning_rate, variable.dtype))

    def update_step(
        self, gradient: Gradient, variable: tf.Variable, learning_rate: tf.Tensor
    ) -> None:
        """Change one variable; a subclass overrides it. Raises NotImplementedError."""
        raise NotImplementedError(f"{type(self).__name__} does not define `update_step`.")

    def _average(self, variables: list[tf.Variable]) -> None:
        later = tf.cast(self.iterations > 0, tf.float32) * self.ema_momentum
        every = self.ema_overwrite_frequency
        for variable in variables:
            average = self.slot("average", variable)
            old, weight = average.read_value(), tf.cast(later, variable.dtype)
            new = variable.read_value()
            mean = old * weight + new * (1 - weight)
            average.assign(mean, read_value=False)
            if every:
                due = tf.equal((self.iterations + 1) % every, 0)
                variable.assign(tf.where(due, mean, new), read_value=False)

    def finalize_variable_values(self, var_list: Iterable[tf.Variable]) -> None:
        """Replace variables by their moving averages, if there are any."""
        if self.use_ema:
            for variable in var_list:
                variable.assign(self.slot("average", variable), read_value=False)

    def scale_loss(self, loss: tf.Tensor) -> tf.Tensor:
        """Return the loss times `loss_scale_factor`."""
        return loss if self.loss_scale_factor is None else loss * self.loss_scale_factor

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal optimizer without state."""
        rate: Any = self._schedule
        if rate is None:
            rate = float(self._rate.numpy())
        elif isinstance(rate, LearningRateSchedule):
            rate = serialize_keras_object(rate)
        own = (
            *("weight_decay", "clipnorm", "global_clipnorm", "clipvalue", "use_ema"),
            *("ema_momentum", "ema_overwrite_frequency", "loss_scale_factor"),
        )
        names = (*own, *self.hyperparameters)
        config = {"name": self.name, "learning_rate": rate}
        return config | {name: getattr(self, name) for name in names}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """Create an optimizer from what `get_config` returned."""
        rate = config.get("learning_rate")
        if isinstance(rate, dict):
            config = config | {"learning_rate": deserialize_keras_object(rate, custom_objects)}
        return cls(**config)


def _times(grad: Gradient, factor: float) -> Any:
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return grad * factor
