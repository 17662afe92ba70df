"""The base of all optimizers: state and clipping."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable
from typing import Any, ClassVar

import runtime as tf
from runtime.keras import initializers
from runtime.keras.base.names import auto_name, path_of
from runtime.keras.base.variable import Variable
from runtime.keras.families import (
    Configured,
    add_args,
    bind_arguments,
    constructor,
    documented,
    show_signature,
    signature_of,
)
from runtime.keras.optimizers.schedules import LearningRateSchedule
from runtime.keras.saving.registry import serialize

Gradient = tf.Tensor | tf.IndexedSlices
State = tuple[tf.Tensor, ...]
Scalars = tuple[Any, ...]

_BOUNDS: dict[str, Any] = dict.fromkeys(("clipnorm", "clipvalue", "global_clipnorm"))
_OPTIONS: dict[str, Any] = {"*": None, "weight_decay": None, **_BOUNDS, "name": None}
"""Arguments of all optimizers, after those of the rule, and their defaults."""


class Optimizer(Configured):
    """A rule that changes variables against their gradients.

    Args:
      learning_rate: number, `LearningRateSchedule`, or callable without arguments.
      weight_decay: before a step, variables shrink by this fraction times the learning rate.
      clipnorm: upper bound of the Euclidean norm of each gradient.
      clipvalue: upper bound of the absolute value of each element.
      global_clipnorm: upper bound of the norm of all gradients together.
      name: name in messages; None: that of the class.

    A rule of this package is a table of `parameters`, the names of its `slots`, and the function
    `rule`. A subclass of a program overrides `update_step`, and `build` to add state.

    Raises: TypeError for an unknown option; ValueError for two kinds of clipping at once. A step
      raises InvalidArgumentError for an infinite gradient or NaN that is clipped by a norm; no
      variable has changed then.

    >>> class Sign(Optimizer):
    ...     def update_step(self, gradient, variable, learning_rate):
    ...         variable.assign_sub(learning_rate * tf.sign(gradient))
    >>> weight = tf.Variable([1.0, 2.0])
    >>> step = Sign(learning_rate=0.5).apply_gradients([(tf.constant([-3.0, 9.0]), weight)])
    >>> print(weight.numpy())
    [1.5 1.5]
    """

    parameters: ClassVar[dict[str, Any]] = {"learning_rate": 0.001}
    """Arguments of the constructor before those of all optimizers, and their defaults."""

    slots: tuple[str, ...] = ()
    """Names of the state of a variable, which is first zero."""

    name: str
    weight_decay: float | None
    clipnorm: float | None
    clipvalue: float | None
    global_clipnorm: float | None

    def __init_subclass__(cls, **kwargs: object) -> None:
        """Create signature and docstring of the constructor from `parameters`."""
        super().__init_subclass__(**kwargs)
        if "parameters" in vars(cls):
            signature = cls._signature()
            cls.__init__ = constructor(Optimizer, signature)  # type: ignore[method-assign]
            texts = documented(Optimizer.__doc__)
            known = {name: texts[name] for name in signature.parameters if name in texts}
            cls.__doc__ = add_args(cls.__doc__, known)

    @classmethod
    def _signature(cls) -> inspect.Signature:
        return signature_of({**cls.parameters, **_OPTIONS})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        options = bind_arguments(type(self).__name__, self._signature(), args, kwargs)
        rate = options.pop("learning_rate")
        self._check_rate(rate)
        vars(self).update(options, name=options["name"] or auto_name(type(self).__name__))
        self._check_options({name: options[name] for name in _BOUNDS if options[name] is not None})
        self.built = False
        self._variables: list[tf.Variable] = []
        self._trained: list[tf.Variable] = []
        self._positions: dict[int, int] = {}
        self._slots: list[list[tf.Variable]] = []
        self._shared: dict[str, Scalars] = {}
        self.iterations = self.add_variable((), dtype="int64", name="iteration")
        self._schedule: Any = rate if callable(rate) else None
        if self._schedule is None:
            fill = initializers.Constant(rate)
            self._rate = self.add_variable((), fill, name="learning_rate")

    def _check_options(self, bounds: dict[str, Any]) -> None:
        text = ", ".join(f"{name}={value}" for name, value in bounds.items())
        if len(bounds) > 1:
            names = "`clipnorm`, `clipvalue` and `global_clipnorm`"
            raise ValueError(f"Only one of {names} can be set. Received: {text}")
        if not all(value > 0 for value in bounds.values()):
            raise ValueError(f"`{next(iter(bounds))}` has to be positive. Received: {text}")

    def _check_rate(self, rate: object) -> None:
        if not (callable(rate) or hasattr(rate, "__float__")):
            raise TypeError(
                f"`learning_rate` of {type(self).__name__} is a number or a schedule. Received: "
                f"learning_rate={rate!r}"
            )

    @property
    def variables(self) -> list[tf.Variable]:
        """The step count, the learning rate, and the state of each trained variable."""
        return list(self._variables)

    @property
    def learning_rate(self) -> Any:
        """The variable of the learning rate, or the value of the schedule at this step."""
        return self._rate if self._schedule is None else self._current_rate()

    @learning_rate.setter
    def learning_rate(self, rate: object) -> None:
        if isinstance(rate, LearningRateSchedule):
            self._schedule = rate
            return
        if self._schedule is not None:
            raise TypeError(
                f"The learning rate of {self.name} is a schedule, so it cannot be set to {rate}. "
                "Create the optimizer with a number as `learning_rate`."
            )
        self._check_rate(rate)
        self._rate.assign(rate)

    lr = learning_rate

    def _current_rate(self) -> Any:
        if self._schedule is None:
            return self._rate.read_value()
        if isinstance(self._schedule, LearningRateSchedule):
            return self._schedule(self.iterations)
        return tf.convert_to_tensor(self._schedule(), tf.float32)

    # ---- state ----

    def add_variable(
        self,
        shape: Any,
        initializer: object = "zeros",
        dtype: object = None,
        *,
        name: str = "",
    ) -> tf.Variable:
        """Add a variable of the optimizer itself.

        Args:
          shape: the shape.
          initializer: initializer or its name.
          dtype: the dtype; None: float32.
          name: the name.

        Returns:
          The variable.
        """
        with tf.init_scope():
            value = initializers.get(initializer)(tuple(shape), dtype=dtype or "float32")
            variable = Variable(value, trainable=False, name=name, path=f"{self.name}/{name}")
        self._variables.append(variable)
        return variable

    def add_variable_from_reference(
        self, reference_variable: tf.Variable, name: str = "var", initializer: object = "zeros"
    ) -> tf.Variable:
        """Add a variable of the shape and dtype of another one, such as its momentum.

        Args:
          reference_variable: the other variable.
          name: the name, after that of the other one.
          initializer: initializer or its name.

        Returns:
          The variable.
        """
        own = path_of(reference_variable).replace("/", "_").replace(":", "_")
        shape, dtype = reference_variable.shape, reference_variable.dtype
        return self.add_variable(shape, initializer, dtype, name=f"{own}_{name}")

    def build(self, variables: Iterable[tf.Variable]) -> None:
        """Create the state of each trained variable.

        Args:
          variables: the trained variables.

        Raises: TypeError if a variable has no floating-point or complex dtype.
        """
        if self.built:
            return
        self.built = True
        self._trained = [each.ref().deref() for each in variables]
        for variable in self._trained:
            if not (variable.dtype.is_floating or variable.dtype.is_complex):
                raise TypeError(
                    f"{self.name} cannot train variable '{variable.name}' of dtype "
                    f"{variable.dtype.name}: integers have no gradient. Create it with "
                    "trainable=False, or with dtype='float32'."
                )
            self._slots.append(
                [self.add_variable_from_reference(variable, name) for name in self.slots]
            )

    def _get_variable_index(self, variable: tf.Variable) -> int:
        """Return the position among the trained variables; those of a copy have other ids."""
        variable = variable.ref().deref()  # An argument of a function represents the one passed.
        position = self._positions.get(id(variable))
        if position is None or self._trained[position] is not variable:
            self._positions = {id(each): i for i, each in enumerate(self._trained)}
            if id(variable) not in self._positions:
                raise ValueError(
                    f"Unknown variable '{path_of(variable)}': {self.name} was built for "
                    f"{[*map(path_of, self._trained)]}. Call `compile` again if the model has "
                    "changed, else create another optimizer for other variables."
                )
        return self._positions[id(variable)]

    # ---- steps ----

    def minimize(self, loss: Any, var_list: Any, *, tape: Any = None) -> None:
        """Take one step against the gradient of a loss.

        Args:
          loss: callable without arguments, or a tensor that `tape` recorded.
          var_list: variables, or a callable that returns them.
          tape: the `GradientTape` of a loss that is a tensor.

        Raises: ValueError if `loss` is a tensor and `tape` is None.

        >>> from runtime.keras.optimizers.rules import SGD
        >>> x = tf.Variable(3.0)
        >>> SGD(0.1).minimize(lambda: x * x, [x])
        >>> print(f"{x.numpy():.1f}")
        2.4
        """
        if callable(loss):
            tape = tape or tf.GradientTape()
            with tape:
                loss = loss()
        elif tape is None:
            raise ValueError(f"`tape` is required when `loss` is a tensor. Received: {loss!r}")
        variables = list(var_list() if callable(var_list) else var_list)
        self.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))

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
        if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs):
            raise TypeError(
                f"`grads_and_vars` holds {pairs[0]!r}, not pairs of gradient and variable. Pass "
                "`zip(gradients, variables)`."
            )
        variables = [variable for _, variable in pairs]
        for each in variables:
            if not isinstance(each, tf.Variable):
                raise TypeError(
                    f"`grads_and_vars` holds {each!r} in place of a variable. {self.name} changes "
                    "only `tf.Variable`s."
                )
        if not self.built:
            self.build(variables)
        # Rows of a sparse gradient that have one index are added: a step is that of the dense one.
        known = [(tf.convert_to_tensor(g), variable) for g, variable in pairs if g is not None]
        if not known:
            raise ValueError(
                "No gradients provided for any variable: the loss does not depend on any of "
                f"{[variable.name for variable in variables]}, or it was computed outside the "
                "tape."
            )
        if len(known) < len(pairs):
            missing = [path_of(variable) for grad, variable in pairs if grad is None]
            warnings.warn(
                f"Gradients do not exist for variables {missing}, which keep their values: the "
                "loss does not depend on them, or it was computed outside the tape.",
                stacklevel=2,
            )
        for grad, variable in known:
            self._get_variable_index(variable)
            if not grad.shape.is_compatible_with(variable.shape):
                raise ValueError(
                    f"The gradient of variable '{variable.name}' has shape {grad.shape}, the "
                    f"variable {variable.shape}."
                )
        with tf.control_dependencies(self._finite(known)):
            self._step(self._clipped([grad for grad, _ in known]), [each for _, each in known])
        return self.iterations

    def apply(
        self,
        grads: Iterable[Gradient | None],
        trainable_variables: Iterable[tf.Variable] | None = None,
    ) -> tf.Variable:
        """Take one step, as `apply_gradients` does.

        Args:
          grads: a gradient for each variable.
          trainable_variables: the variables; None: those that the optimizer was built with.

        Returns: the step count.
        Raises: ValueError if the numbers of gradients and variables differ; those of
          `apply_gradients`.

        >>> from runtime.keras.optimizers.rules import SGD
        >>> weight = tf.Variable([1.0, 2.0])
        >>> step = SGD(0.5).apply([tf.constant([2.0, 4.0])], [weight])
        >>> print(weight.numpy())
        [0. 0.]
        """
        found = list(grads)
        given = self._trained if trainable_variables is None else list(trainable_variables)
        if len(found) != len(given):
            raise ValueError(
                f"{self.name} takes a gradient for each variable: {len(found)} gradients and "
                f"{len(given)} variables were given."
            )
        return self.apply_gradients(zip(found, given, strict=True))

    def assign(self, variable: tf.Variable, value: object) -> None:
        """Set a variable, in `update_step` of a program.

        Args:
          variable: the variable.
          value: the new value, of its shape and dtype.
        """
        variable.assign(value, read_value=False)

    def assign_add(self, variable: tf.Variable, value: object) -> None:
        """Add to a variable, in `update_step` of a program.

        Args:
          variable: the variable.
          value: what is added, of its shape and dtype.
        """
        variable.assign_add(value, read_value=False)

    def assign_sub(self, variable: tf.Variable, value: object) -> None:
        """Subtract from a variable, in `update_step` of a program.

        Args:
          variable: the variable.
          value: what is subtracted, of its shape and dtype.
        """
        variable.assign_sub(value, read_value=False)

    def _finite(self, pairs: list[tuple[tf.Tensor, tf.Variable]]) -> list[tf.Tensor]:
        """Check gradients before the first variable changes, if they are divided by their norm.

        One infinite number would make all of them NaN.
        """
        if self.clipnorm is None and self.global_clipnorm is None:
            return []
        return [
            tf.debugging.check_numerics(
                grad, f"The gradient of variable '{path_of(variable)}' cannot be clipped by a norm"
            )
            for grad, variable in pairs
        ]

    def _step(self, grads: list[tf.Tensor], variables: list[tf.Variable]) -> None:
        """Change variables of which all have a gradient, and count the step."""
        rate, self._shared = self._current_rate(), {}
        for grad, variable in zip(grads, variables, strict=True):
            own = tf.cast(rate, variable.dtype)
            if self.weight_decay:
                variable.assign_sub(variable * (self.weight_decay * own), read_value=False)
            self.update_step(grad, variable, own)
            if variable.constraint is not None:
                variable.assign(variable.constraint(variable), read_value=False)
        self._shared = {}  # It holds tensors of the graph that is being traced.
        self.iterations.assign_add(1, read_value=False)

    def _clipped(self, grads: list[Any]) -> list[Any]:
        norm, value = self.clipnorm, self.clipvalue
        if self.global_clipnorm is not None:
            return list(tf.clip_by_global_norm(grads, self.global_clipnorm)[0])
        if norm is not None:
            return [tf.clip_by_norm(grad, norm) for grad in grads]
        return grads if value is None else [tf.clip_by_value(g, -value, value) for g in grads]

    def update_step(
        self, gradient: tf.Tensor, variable: tf.Variable, learning_rate: tf.Tensor
    ) -> None:
        """Change one variable and its state by `rule`; a subclass of a program overrides it.

        Args:
          gradient: gradient by the variable, of its shape.
          variable: the variable.
          learning_rate: scalar of the dtype of the variable.
        """
        kind = variable.dtype
        if kind.name not in self._shared:
            step = tf.cast(self.iterations + 1, kind)
            self._shared[kind.name] = self.scalars(learning_rate, step)
        shared = self._shared[kind.name]
        slots = self._slots[self._get_variable_index(variable)]
        state = tuple(slot.read_value() for slot in slots)
        g = tf.cast(gradient, kind)
        new = self.rule(variable.read_value(), g, state, shared)
        for slot, value in zip((variable, *slots), new, strict=True):
            slot.assign(value, read_value=False)

    def scalars(self, rate: tf.Tensor, step: tf.Tensor) -> Scalars:
        """Return what all variables of a dtype share in a step, the first of which is 1.

        Args:
          rate: the learning rate, a scalar.
          step: the number of this step, from 1, a scalar of the same dtype.
        """
        return (rate,)

    def rule(self, w: tf.Tensor, g: tf.Tensor, state: State, shared: Scalars) -> State:
        """Return the new value and the new tensors of `slots`.

        Args:
          w: the value.
          g: the gradient.
          state: the tensors of `slots`.
          shared: the result of `scalars`.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define `update_step`.")

    def scale_loss(self, loss: tf.Tensor) -> tf.Tensor:
        """Return the loss of which gradients are taken.

        Args:
          loss: scalar.
        """
        return loss

    # ---- configs ----

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal optimizer without state."""
        rate: Any = self._schedule
        if rate is None:
            rate = float(self._rate.numpy())
        elif isinstance(rate, LearningRateSchedule):
            rate = serialize(rate)
        config = {name: vars(self).get(name) for name in self._signature().parameters}
        return config | {"learning_rate": rate}


show_signature(Optimizer.__init__, Optimizer._signature())
