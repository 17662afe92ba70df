"""The base class of models."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Self

from runtime.keras.base.layer import Layer, as_shapes, map_shapes
from runtime.keras.base.signature import CallSignature, shapes_of
from runtime.keras.base.symbolic import KerasTensor
from runtime.keras.models.summary import print_summary
from runtime.keras.saving import archive, exporting
from runtime.keras.saving.registry import (
    custom_object_scope,
    deserialize_keras_object,
    serialize_keras_object,
)
from runtime.keras.training import Trainer

_functional: list[type[Model]] = []


def bind_functional(kind: type[Model]) -> None:
    """Set the class of models that have inputs and outputs; called once, by its module."""
    _functional.append(kind)


class Model(Trainer):
    """A layer with methods for training, saving and inspection.

    A model has a `call` method of a derived class, or is the computation between symbolic inputs
    and outputs.

    Args:
      inputs: symbolic tensor, list or dict of them.
      outputs: symbolic tensor, list or dict of them.
      name: the name; None: a new one.
      trainable: whether the variables are trained.
      **options: further arguments of `Layer`, for a derived class.

    >>> import runtime as tf
    >>> from runtime import keras
    >>> x = keras.Input((2,))
    >>> model = keras.Model(x, 2.0 * x)
    >>> print(model(tf.constant([[1.0, 2.0]])).numpy())
    [[2. 4.]]
    """

    def __init__(
        self,
        inputs: Any = None,
        outputs: Any = None,
        name: str | None = None,
        trainable: bool = True,
        **options: Any,
    ) -> None:
        """Creates the model; with inputs and outputs it becomes a functional one."""
        if inputs is None and outputs is None:
            Layer.__init__(self, name=name, trainable=trainable, **options)
            return
        kind: Any = _functional[0]
        if not isinstance(self, kind):
            self.__class__ = _functional_class(type(self), kind)
        kind.__init__(self, inputs, outputs, name, trainable, **options)

    def build(self, input_shape: object) -> None:
        """Create the variables, by tracing a call for a shape, or a list or dict of shapes."""
        shapes = as_shapes(input_shape)
        self._state.build_shapes = {"input_shape": shapes}
        self._state.built = True
        self.compute_output_spec(map_shapes(KerasTensor, shapes))

    def _build(
        self, signature: CallSignature, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        if type(self).build is not Model.build:
            super()._build(signature, args, kwargs)
        else:  # The call creates the variables of the layers.
            self._state.build_shapes = {"input_shape": shapes_of((*args, *kwargs.values())[0])}
            self._state.built = True

    @property
    def layers(self) -> list[Layer]:
        """The layers that the attributes of the model hold."""
        return self._sublayers

    def get_layer(self, name: str) -> Layer:
        """Return the layer of a name. Raises ValueError if there is none."""
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError(
            f"No such layer: {name}. Existing layers are: {[each.name for each in self.layers]}."
        )

    def summary(
        self, line_length: int | None = None, *, print_fn: Callable[[str], Any] | None = None
    ) -> None:
        """Print a table of the layers, their output shapes and numbers of parameters.

        Args:
          line_length: width of the table in characters.
          print_fn: called with the text; None: `print`.
        """
        print_summary(self, line_length, print_fn)

    def to_json(self, **kwargs: Any) -> str:
        """Return the config as JSON, with options of `json.dumps`; see `model_from_json`."""
        return json.dumps(serialize_keras_object(self), **kwargs)

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: Mapping[str, Any] | None = None
    ) -> Self:
        """Create a model from `get_config`; `custom_objects` holds classes of the program."""
        if {"layers", "input_layers", "output_layers"} <= set(config):
            functional = _functional[0]
            kind = cls if issubclass(cls, functional) else _functional_class(cls, functional)
            return kind.from_config(config, custom_objects)
        with custom_object_scope(custom_objects or {}):
            return super().from_config(config)

    def save(
        self, filepath: object, overwrite: bool = True, *, save_format: str | None = None
    ) -> None:
        """Save the model: architecture, variables, and the state of its training.

        Args:
          filepath: path of a file; the name ends with `.keras`, `.h5` or `.hdf5`. The format is the
            same, see `runtime.keras.saving.archive`.
          overwrite: whether to replace an existing file.
          save_format: has no effect.

        Raises: ValueError for another ending, if the file exists and `overwrite` is False, and for
          `save_format="tf"`.
        """
        if save_format == "tf":
            raise ValueError("`model.save` writes no SavedModel. Use `model.export(path)`.")
        archive.save_model(self, filepath, overwrite)

    def save_weights(self, filepath: object, overwrite: bool = True) -> None:
        """Save the variables in a file of any name, in the format of safetensors."""
        archive.save_weights(self, filepath, overwrite)

    def load_weights(self, filepath: object) -> None:
        """Load the variables that `save_weights` or `save` saved.

        Raises: ValueError if variables and values do not correspond.
        """
        archive.load_weights(self, filepath)

    def export(self, filepath: object) -> None:
        """Save the computation and the variables, for programs without the code of the model.

        The directory holds a SavedModel with a function `serve`; see `keras.layers.TFSMLayer`.

        Raises: ValueError if the model is not built.
        """
        exporting.export(self, filepath)

    def symbolic_inputs(self) -> Any:
        """Return symbolic tensors of the shapes for which the model was built."""
        shapes = self._state.build_shapes["input_shape"]
        return map_shapes(lambda shape: KerasTensor((None, *shape[1:])), shapes)


_combinations: dict[Any, Any] = {}


def _functional_class(kind: Any, functional: Any) -> Any:
    """A class that computes as a functional model and has the methods of another class."""
    if kind is Model:
        return functional
    if kind not in _combinations:
        names = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
        _combinations[kind] = type(kind.__name__, (kind, functional), names)
    return _combinations[kind]


def model_from_json(json_string: str, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Create a model, with new variables, from the result of `to_json`.

    Args:
      json_string: the text.
      custom_objects: classes and functions of the program, by name.

    Raises: TypeError for a class that is not known.
    """
    return deserialize_keras_object(json.loads(json_string), custom_objects)
