"""Models that are a chain of layers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

import runtime as tf
from runtime.keras.base.input import InputLayer
from runtime.keras.base.layer import Layer
from runtime.keras.base.names import path_scope
from runtime.keras.base.signature import CallSignature, shapes_of
from runtime.keras.base.symbolic import KerasTensor, is_keras_tensor
from runtime.keras.models.functional import Functional
from runtime.keras.models.model import Model
from runtime.keras.saving.exporting import serving_function
from runtime.keras.saving.registry import (
    custom_object_scope,
    deserialize_keras_object,
    serialize_keras_object,
)


class Sequential(Model):
    """A chain of layers.

    The variables exist once the shape of the inputs is known: from an `Input` or an argument
    `input_shape` of the first layer, or from the first call.

    Args:
      layers: the layers; None: none yet.
      trainable: whether the variables are trained.
      name: the name; None: a new one.

    >>> from runtime import keras
    >>> len(Sequential([keras.Input((2,))]).layers)
    0
    """

    _TF_MODULE_IGNORED_PROPERTIES = Model._TF_MODULE_IGNORED_PROPERTIES | {"_functional"}

    def __init__(
        self, layers: Iterable[Any] | None = None, trainable: bool = True, name: str | None = None
    ) -> None:
        """Creates the model."""
        super().__init__(trainable=trainable, name=name)
        self._chain: list[Layer] = []
        self._is_deferred = False  # the shape of the inputs is that of the first call
        self._functional: Functional | None = None
        self._input_dtype: Any = None
        if isinstance(layers, Layer):
            layers = [layers]
        for layer in layers or ():
            self._append(layer)
        self._rebuild()

    def add(self, layer: Any, rebuild: bool = True) -> None:
        """Add a layer at the end.

        Args:
          layer: a layer, or the result of `Input`.
          rebuild: whether to create its variables now, if the shape of the inputs is known.

        Raises:
          ValueError: for anything that is no layer, and for a name that another layer has.
        """
        self._append(layer)
        if rebuild:
            self._rebuild()

    def _append(self, layer: Any) -> None:
        if is_keras_tensor(layer):
            layer = layer.history.operation
        if not isinstance(layer, Layer):
            raise ValueError(
                "Only instances of `keras.Layer` can be added to a Sequential model. Received: "
                f"{layer} (of type {type(layer)})"
            )
        if any(each.name == layer.name for each in self._chain):
            raise ValueError(
                "All layers added to a Sequential model should have unique names. Name "
                f"'{layer.name}' is already the name of a layer in this model. Update the `name` "
                "argument to pass a unique name."
            )
        if isinstance(layer, InputLayer) and self._chain:
            raise ValueError(
                f"Sequential model '{self.name}' has already been configured to start with "
                f"{self._chain[0]!r}. You cannot add a different Input layer to it."
            )
        if not self._chain and layer._batch_shape is not None:
            self._chain = [InputLayer(batch_shape=layer._batch_shape)]
        self._chain = [*self._chain, layer]
        self._functional = None

    def pop(self, rebuild: bool = True) -> Layer:
        """Remove the last layer, and return it.

        Args:
          rebuild: whether to update the symbolic outputs.

        Raises:
          ValueError: if there is no layer.
        """
        if not self.layers:
            raise ValueError(f"Sequential model '{self.name}' has no layers to remove.")
        *self._chain, layer = self._chain
        self._functional = None
        if rebuild:
            self._rebuild()
        return layer

    def _rebuild(self) -> None:
        self.built = False
        first = self._chain[0] if self._chain else None
        if isinstance(first, InputLayer) and len(self._chain) > 1:
            self.build(first.batch_shape)
        elif isinstance(first, Functional):
            self.build(first.input_shape)

    def build(self, input_shape: Any = None) -> None:
        """Create the variables.

        Args:
          input_shape: shape of the inputs with the batch dimension.

        Raises:
          ValueError: if there is no layer, or no shape.
        """
        if not self._chain:
            raise ValueError(
                f"Sequential model {self.name} cannot be built because it has no layers. Call "
                "`model.add(layer)`."
            )
        if not isinstance(self._chain[0], InputLayer):
            if input_shape is None:
                raise ValueError(
                    f"Sequential model '{self.name}' is built for a shape of inputs: "
                    "`model.build((None, 3))`."
                )
            shape = tuple(input_shape)
            first = InputLayer(batch_shape=shape, dtype=self._input_dtype)
            self._chain = [first, *self._chain]
            self._is_deferred = True
        inputs = x = self._chain[0].output
        with path_scope(self.name):
            for layer in self.layers:
                x = layer(x)
        self._functional = Functional(inputs, x, name=self.name)
        self._default_save_signature = serving_function(self, self.symbolic_inputs())
        self.built = True

    def _build(
        self, signature: CallSignature, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        inputs = (*args, *kwargs.values())[0]
        self._input_dtype = getattr(inputs, "dtype", None)
        self.build(shapes_of(inputs))

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Call one layer after the other.

        Args:
          inputs: the argument of the first layer.
          training: for layers that compute otherwise while they are trained.
          mask: the mask of the inputs.
        """
        for layer in self._chain:
            if isinstance(layer, InputLayer):
                inputs = self._graph_inputs(inputs)
            else:
                inputs = layer(inputs) if mask is None else layer(inputs, mask=mask)
                mask = None
        return inputs

    def _graph_inputs(self, inputs: Any) -> Any:
        model = self._functional
        assert model is not None
        fitting = model._fit_input(model.inputs[0], inputs)
        return fitting if self._is_deferred else model._check_shape(model.inputs[0], fitting)

    def _convert(self, value: Any) -> Any:
        """An argument with arrays as tensors; an input layer has a dtype of its own."""
        is_typed = bool(self._chain) and isinstance(self._chain[0], (InputLayer, Functional))
        return (
            tf.convert_to_tensor(value)
            if is_typed and hasattr(value, "dtype")
            else (value if is_typed else super()._convert(value))
        )

    @property
    def output_names(self) -> list[str]:
        """The name of the last layer."""
        return [layer.name for layer in self._chain[-1:]]

    @property
    def layers(self) -> list[Layer]:
        """The layers, without the one of the input."""
        return self._chain[isinstance(next(iter(self._chain), None), InputLayer) :]

    def __parts__(self) -> dict[str, Any]:
        """Return what checkpoints and saved models hold, under names that the build keeps."""
        held = super().__parts__()
        held.pop("_chain")
        return {**held, "layers": self.layers}

    @property
    def weights(self) -> list[tf.Variable]:
        """The variables of the layers.

        Raises:
          ValueError: if the model is not built.
        """
        if not self.built and not all(layer.built for layer in self._chain):
            raise ValueError(
                f"Weights for model '{self.name}' have not yet been created. Weights are created "
                "when the model is first called on inputs or `build()` is called with an "
                "`input_shape`."
            )
        return super().weights

    def symbolic_inputs(self) -> Any:
        """Return the symbolic inputs, of any batch size."""
        return self._graph_model.symbolic_inputs()

    @property
    def _graph_model(self) -> Functional:
        if self._functional is None:
            raise AttributeError
        return self._functional

    @property
    def inputs(self) -> list[KerasTensor]:
        """The symbolic inputs."""
        return self._graph_model.inputs

    @property
    def outputs(self) -> list[KerasTensor]:
        """The symbolic outputs."""
        return self._graph_model.outputs

    @property
    def input(self) -> Any:
        """The symbolic input."""
        return self._graph_model.input

    @property
    def output(self) -> Any:
        """The symbolic output."""
        return self._graph_model.output

    def get_config(self) -> dict[str, Any]:
        """Return name and layers, JSON-compatible."""
        config = {
            "name": self.name,
            "trainable": self.trainable,
            "dtype": serialize_keras_object(self.dtype_policy),
            "layers": [serialize_keras_object(layer) for layer in self._chain],
        }
        if self._functional is not None:
            config["build_input_shape"] = self._functional.input_shape
        return config

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: Mapping[str, Any] | None = None
    ) -> Self:
        """Create a model from the result of `get_config`.

        Args:
          config: the config.
          custom_objects: classes and functions of the program, by name.
        """
        if "layers" not in config:
            return super().from_config(config, custom_objects)
        model = cls(name=config.get("name"), trainable=config.get("trainable", True))
        with custom_object_scope(custom_objects or {}):
            for layer in config["layers"]:
                model._append(deserialize_keras_object(layer))
        model._rebuild()
        shape = config.get("build_input_shape")
        if shape is not None and not model.built:
            model.build(tuple(shape))
        return model
