"""Models that are a chain of layers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

import runtime as tf
from runtime.keras.base.input import InputLayer
from runtime.keras.base.layer import Layer
from runtime.keras.base.names import auto_name
from runtime.keras.base.signature import CallSignature, shapes_of
from runtime.keras.base.symbolic import is_keras_tensor
from runtime.keras.models.graph import Graph
from runtime.keras.models.model import Functional, Model
from runtime.keras.saving.registry import custom_object_scope, deserialize, serialize


class Sequential(Functional):
    """A chain of layers: a functional model once the shape of the inputs is known.

    That is from an `Input` or an argument `input_shape` of the first layer, or from the first call.

    Args:
      layers: the layers; None: none yet.
      trainable: whether the variables are trained.
      name: the name; None: a new one.

    >>> from runtime import keras
    >>> len(Sequential([keras.Input((2,))]).layers)
    0
    """

    def __init__(
        self, layers: Iterable[Any] | None = None, trainable: bool = True, name: str | None = None
    ) -> None:
        Model.__init__(self, trainable=trainable, name=name)
        self._layers: list[Any] = []  # an input layer may be the first
        self._is_deferred = False  # the shape of the inputs is that of the first call
        self._input_dtype: Any = None
        for layer in [layers] if isinstance(layers, Layer) else layers or ():
            self._append(layer)
        self._rebuild()

    def add(self, layer: object) -> None:
        """Add a layer at the end.

        Args:
          layer: a layer, or the result of `Input`.

        Raises: ValueError for anything that is not a layer, and for a name that another layer has.
        """
        self._append(layer)
        self._rebuild()

    def _append(self, layer: Any) -> None:
        if is_keras_tensor(layer):
            layer = layer.history.operation
        if not isinstance(layer, Layer):
            raise ValueError(
                "Only instances of `keras.Layer` can be added to a Sequential model. Received: "
                f"{layer} (of type {type(layer)})"
            )
        if any(each.name == layer.name for each in self._layers):
            raise ValueError(
                f"All layers of Sequential model '{self.name}' should have unique names. Name "
                f"'{layer.name}' is already the name of one. Pass another `name`."
            )
        if not self._layers and layer._batch_shape is not None:
            self._layers = [InputLayer(batch_shape=layer._batch_shape)]
        self._layers = [*self._layers, layer]
        self._graph = None

    def pop(self) -> Layer:
        """Remove the last layer.

        Returns:
          The layer.

        Raises:
          ValueError: if there is none.
        """
        if not self.layers:
            raise ValueError(f"Sequential model '{self.name}' has no layers to remove.")
        *self._layers, layer = self._layers
        self._graph = None
        self._rebuild()
        return layer  # type: ignore[no-any-return]

    def _rebuild(self) -> None:
        self.built = False
        first = self._layers[0] if self._layers else None
        if isinstance(first, InputLayer) and self.layers:
            self.build(first.batch_shape)
        elif isinstance(first, Functional) and first.built:
            self.build(first.input_shape)

    def build(self, input_shape: Any = None) -> None:
        """Create the variables.

        Args:
          input_shape: shape of the inputs, the batch dimension included. None: that of the first
            layer, if it has one.

        Raises: ValueError if there is no layer, or no shape.
        """
        if not self._layers:
            raise ValueError(
                f"Sequential model {self.name} cannot be built because it has no layers. Call "
                "`model.add(layer)`."
            )
        if not isinstance(self._layers[0], InputLayer):
            if input_shape is None:
                raise ValueError(
                    f"Sequential model '{self.name}' is built for a shape of inputs: "
                    "`model.build((None, 3))`."
                )
            first = InputLayer(batch_shape=tuple(input_shape), dtype=self._input_dtype)
            self._layers = [first, *self._layers]
            self._is_deferred = True
        inputs = x = self._layers[0].output
        for layer in self.layers:
            x = layer(x)
        self._graph = Graph(inputs, x)
        auto_name("functional")  # Keras creates a functional model here, which takes a name.

    def _build(
        self, signature: CallSignature, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        inputs = (*args, *kwargs.values())[0]
        with tf.init_scope():
            self._input_dtype = getattr(inputs, "dtype", None)
            self.build(shapes_of(inputs))

    def _takes(self, wanted: tf.TensorShape, shape: tf.TensorShape) -> bool:
        return self._is_deferred or super()._takes(wanted, shape)

    def _convert(self, value: object) -> Any:
        """An argument with arrays as tensors; an input layer has a dtype of its own."""
        is_typed = bool(self._layers) and isinstance(self._layers[0], Functional | InputLayer)
        return value if is_typed else Layer._convert(self, value)

    @property
    def output_names(self) -> list[str]:
        """The name of the last layer."""
        return [layer.name for layer in self._layers[-1:]]

    @property
    def layers(self) -> list[Layer]:
        """The layers, without the one of the input."""
        return self._layers[isinstance(next(iter(self._layers), None), InputLayer) :]

    @property
    def operations(self) -> list[Any]:
        """The same as `layers`."""
        return self.layers

    def __parts__(self) -> dict[str, Any]:
        """Return what checkpoints and saved models hold, under names that the build keeps."""
        return {name: part for name, part in super().__parts__().items() if name != "_layers"}

    def _copy(self, of_layer: Any) -> Any:
        """Return a model of copies of the layers."""
        return type(self)(map(of_layer, self._layers), name=self.name)

    def get_config(self) -> dict[str, Any]:
        """Return name and layers, JSON-compatible."""
        layers = [serialize(layer) for layer in self._layers]
        config = {**self._base_config(), "layers": layers}
        return config | ({"build_input_shape": self.input_shape} if self.built else {})

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: Mapping[str, Any] | None = None
    ) -> Self:
        """Create a model from the result of `get_config`.

        Args:
          config: the result of `get_config`.
          custom_objects: classes and functions of the program, by name.

        Returns:
          The model, with new variables.
        """
        if "layers" not in config:
            return super().from_config(config, custom_objects)
        with custom_object_scope(custom_objects or {}):
            layers = deserialize(config["layers"])
        model = cls(name=config.get("name"), trainable=config.get("trainable", True))
        for layer in layers:
            model._append(layer)
        model._rebuild()
        shape = config.get("build_input_shape")
        if shape is not None and not model.built:
            model.build(tuple(shape))
        return model
