"""Layers of this package: constructor, docstring and config follow from one table of parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar

from runtime.keras import activations, constraints, initializers, regularizers
from runtime.keras.base.layer import Layer, is_own
from runtime.keras.base.signature import InputSpec as InputSpec
from runtime.keras.families import add_args, bind_arguments, check_choice, constructor, signature_of
from runtime.keras.saving.registry import plain

REQUIRED: Any = inspect.Parameter.empty
"""The default of a parameter that has none."""

_BASE: dict[str, Any] = {
    name: each.default
    for name, each in inspect.signature(Layer.__init__).parameters.items()
    if each.kind is each.KEYWORD_ONLY
}
"""Parameters of `Layer` with their defaults: every layer takes them by name."""


def _positive(name: str, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or value <= 0:
        raise ValueError(
            f"Received an invalid value for `{name}`, expected a positive integer. Received: "
            f"{name}={value!r}"
        )
    return int(value)


_ATTRIBUTES: dict[str, Callable[[str, Any], Any]] = {
    "activation": lambda name, value: activations.get(value),
    "initializer": lambda name, value: initializers.get(value),
    "regularizer": lambda name, value: regularizers.get(value),
    "constraint": lambda name, value: constraints.get(value),
    **dict.fromkeys(("units", "filters", "num_tokens"), _positive),
    "padding": lambda name, value: value.lower() if isinstance(value, str) else value,
}
"""Conversion of an argument to an attribute, by the parameter or its last word."""

_CONFIGS: dict[str, Callable[[Any], Any]] = {
    "activation": activations.serialize,
    "function": lambda value: value,
}
"""Conversion of an attribute to an entry of a config, by the last word of its name."""

_DOCS = {
    "activation": "activation or its name; None: none.",
    "use_bias": "whether a bias is added.",
    "initializer": "initializer or its name.",
    "regularizer": "regularizer or its name, for a loss of the layer.",
    "constraint": "constraint or its name, applied after each step of an optimizer.",
}
"""Documentation of parameters that several layers have, by name or last word."""


def _entry(table: dict[str, Any], name: str) -> Any:
    return table.get(name) or table.get(name.rpartition("_")[2])


def weight_options(
    then: dict[str, Any] | None = None, activity: bool = False, **defaults: str
) -> dict[str, Any]:
    """Return parameters for initializers, regularizers and constraints of variables.

    `defaults` are the default initializers by prefix, such as `kernel`. `then` follow the
    initializers; with `activity`, `activity_regularizer` follows the regularizers.
    """
    return {
        **{f"{prefix}_initializer": default for prefix, default in defaults.items()},
        **(then or {}),
        **{f"{prefix}_regularizer": None for prefix in defaults},
        **({"activity_regularizer": None} if activity else {}),
        **{f"{prefix}_constraint": None for prefix in defaults},
    }


class StandardLayer(Layer):
    """A layer whose constructor follows from a table.

    A derived class has `parameters`: the default of each parameter by name, in the order of Keras,
    `REQUIRED` for none; those after an entry `*` are passed by name. Each argument becomes an
    attribute; `kernel_initializer="zeros"` becomes an initializer. `choices` are the values that an
    argument can have. The docstring need not document parameters that several layers have.

    >>> class Scale(StandardLayer):
    ...     parameters = {"factor": REQUIRED, "activation": None}
    ...     def call(self, inputs):
    ...         return self.activation(inputs * self.factor)
    >>> Scale(2.0, activation="relu").get_config()["activation"]
    'relu'
    >>> Scale(factr=2.0)
    Traceback (most recent call last):
    TypeError: Scale has no argument 'factr'. Did you mean 'factor'?
    """

    parameters: ClassVar[dict[str, Any]] = {}
    docs: ClassVar[dict[str, str]] = {}
    """Documentation of parameters that the layers of a family have."""

    choices: ClassVar[dict[str, tuple[Any, ...]]] = {}
    not_in_config: ClassVar[frozenset[str]] = frozenset()
    """Parameters that configs leave out."""

    _signature: ClassVar[inspect.Signature] = signature_of({"*": None, **_BASE})

    def __init_subclass__(cls, **kwargs: object) -> None:
        """Create signature and docstring of the constructor from `parameters`."""
        super().__init_subclass__(**kwargs)
        if "parameters" in vars(cls) or is_own(cls):
            rest = {name: value for name, value in _BASE.items() if name not in cls.parameters}
            start = {} if "*" in cls.parameters else {"*": None}
            cls._signature = signature_of({**cls.parameters, **start, **rest})
            cls.__init__ = constructor(StandardLayer, cls._signature)  # type: ignore[method-assign]
        if is_own(cls) and not cls.__name__.startswith("_"):
            known = dict.fromkeys(_BASE, "as of `Layer`.") | _DOCS | cls.docs
            found = {name: _entry(known, name) for name in cls._signature.parameters}
            cls.__doc__ = add_args(
                cls.__doc__, {name: found[name] for name in found if found[name]}
            )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        values = bind_arguments(type(self).__name__, self._signature, args, kwargs)
        base = _BASE.keys() - (self.parameters.keys() - {"activity_regularizer", "name"})
        super().__init__(**{name: values.pop(name) for name in base})
        for name, value in values.items():
            convert = _entry(_ATTRIBUTES, name)
            setattr(self, name, convert(name, value) if convert else value)
        for name, known in self.choices.items():
            check_choice(name, getattr(self, name), known)
        self._set_up()

    def _set_up(self) -> None:
        """Check the arguments, which are attributes, and derive others."""

    def add_option_weight(
        self,
        name: str,
        shape: tuple[int, ...],
        wanted: bool = True,
        prefix: str | None = None,
        trainable: bool = True,
    ) -> Any:
        """Create a variable with the initializer, regularizer and constraint of the arguments.

        Args:
          name: the name of the variable.
          shape: its shape.
          wanted: whether to create it.
          prefix: the prefix of the names of the arguments; None: `name`.
          trainable: whether it is trained.

        Returns:
          The variable, or None if it is not wanted.
        """
        options: dict[str, Any] = {
            option: getattr(self, f"{prefix or name}_{option}", None)
            for option in ("initializer", "regularizer", "constraint")
        }
        return self.add_weight(shape, name=name, trainable=trainable, **options) if wanted else None

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the constructor, JSON-compatible."""
        config = self._base_config()
        if type(self).get_config is StandardLayer.get_config and not is_own(type(self)):
            return self._with_arguments(config)
        skipped = {*self.not_in_config, *config, "*"}
        for name in (*self.parameters, "activity_regularizer"):
            if name not in skipped:
                config[name] = (_entry(_CONFIGS, name) or plain)(getattr(self, name))
        if config["activity_regularizer"] is None:
            del config["activity_regularizer"]
        return config


def known_axis(layer: Layer, shape: Any, axis: int) -> int:
    """Return the size of an axis of the inputs. Raises ValueError if absent or not known."""
    if not isinstance(axis, int):
        raise TypeError(
            f"`axis` of {type(layer).__name__} '{layer.name}' is {axis!r}, not one int."
        )
    if shape is None:
        raise ValueError(f"The inputs of {type(layer).__name__} '{layer.name}' are not tensors.")
    if not -len(shape) <= axis < len(shape):
        raise ValueError(
            f"The inputs of {type(layer).__name__} '{layer.name}' have no axis {axis}. Received: "
            f"input_shape={tuple(shape)}."
        )
    size = shape[axis]
    if size is None:
        raise ValueError(
            f"The size of axis {axis} of the inputs of {type(layer).__name__} '{layer.name}' must "
            f"be known, not None. Received: input_shape={tuple(shape)}."
        )
    return int(size)
