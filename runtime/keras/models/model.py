"""Models: with a `call` method of their own, or between symbolic inputs and outputs."""

from __future__ import annotations

import functools
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Self

import runtime as tf
from runtime.keras.base.input import Input
from runtime.keras.base.layer import Layer, attribute
from runtime.keras.base.signature import CallSignature, as_shapes, map_shapes, shapes_of
from runtime.keras.base.symbolic import KerasTensor, is_keras_tensor
from runtime.keras.models import graph
from runtime.keras.models.summary import summary_of
from runtime.keras.ops.numpy import NumpyOperation as NumpyOperation
from runtime.keras.saving import archive
from runtime.keras.saving.registry import custom_object_scope, deserialize, serialize
from runtime.keras.training import Trainer


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
        if not isinstance(self, Functional):
            self.__class__ = _functional_class(type(self))
        initialize: Any = Functional.__init__
        initialize(self, inputs, outputs, name, trainable, **options)

    def build(self, input_shape: object) -> None:
        """Create the variables, by tracing a call.

        Args:
          input_shape: shape of the inputs, the batch dimension included; also a list or dict of
            shapes.
        """
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
            self._state.built = self._state.build_ended = True

    @property
    def layers(self) -> list[Layer]:
        """The layers that the attributes of the model hold."""
        return self._sublayers

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """Return a layer.

        Args:
          name: the name.
          index: the position in `layers`, in place of the name.

        Raises:
          ValueError: for an unknown name or position.
        """
        if index is not None:
            if index < len(self.layers):
                return self.layers[index]
            raise ValueError(
                f"Model '{self.name}' has no layer of index {index}: it has {len(self.layers)} "
                "layers."
            )
        if name is None:
            raise ValueError("Pass the name of a layer, or its `index`, to `get_layer`.")
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError(
            f"No such layer: {name}. Existing layers are: {[each.name for each in self.layers]}."
        )

    def summary(self, *, print_fn: Callable[[str], Any] | None = None) -> None:
        """Print a table of the layers, their output shapes and numbers of parameters.

        Args:
          print_fn: called with the text; None: `print`.
        """
        (print_fn or functools.partial(print, end=""))(summary_of(self))

    def to_json(self, **kwargs: Any) -> str:
        """Return the config as JSON; `model_from_json` reads it.

        Args:
          **kwargs: options of `json.dumps`.
        """
        return json.dumps(serialize(self), **kwargs)

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
        with custom_object_scope(custom_objects or {}):
            if "input_layers" not in config:
                return super().from_config(config)
            inputs, outputs = graph.from_config(config)
        kind: Any = Functional if cls is Model else cls
        names = {name: config[name] for name in ("name", "trainable") if name in config}
        return kind(inputs, outputs, **names)  # type: ignore[no-any-return]

    def save(self, filepath: object, *, save_format: str | None = None) -> None:
        """Save the model: architecture, variables, and the state of its training.

        Args:
          filepath: path of a file; the name ends with `.keras`, `.h5` or `.hdf5`. The format is the
            same, see `runtime.keras.saving.archive`. An existing file is replaced.
          save_format: has no effect.

        Raises: ValueError for another ending, and for `save_format="tf"`.
        """
        if save_format == "tf":
            raise ValueError("`model.save` writes no SavedModel. Use `model.export(path)`.")
        archive.save_model(self, filepath)

    def save_weights(self, filepath: object) -> None:
        """Save the variables in a file, in the format of safetensors.

        Args:
          filepath: path of the file, of any name; an existing one is replaced.

        Raises:
          ValueError: if the model has no variables yet.
        """
        self._require_weights()
        archive.save_weights(self, filepath)

    def load_weights(self, filepath: object) -> None:
        """Load the variables that `save_weights` or `save` saved.

        Args:
          filepath: path of the file.

        Raises:
          FileNotFoundError: if there is no such file.
          ValueError: if variables and values do not correspond.
        """
        self._require_weights()
        archive.load_weights(self, filepath)

    def _require_weights(self) -> None:
        """Raise ValueError for a model that has no variables before its first call."""
        if not self.built and not self.weights:
            raise ValueError(
                f"Weights for model '{self.name}' have not yet been created. Weights are created "
                "when the model is first called on inputs or `build()` is called with an "
                "`input_shape`."
            )

    def export(self, filepath: Any) -> None:
        """Save the computation and the variables, for programs without the code of the model.

        The directory holds a SavedModel with a function `serve`; see `keras.layers.TFSMLayer`.

        Args:
          filepath: path of the directory.

        Raises: ValueError if the model is not built.
        """
        if not self.built:
            raise ValueError(
                f"The layer provided has not yet been built. Call model '{self.name}' on data, or "
                "`build(input_shape)`, before it is exported."
            )
        held: Any = tf.Module()
        held.model_variables = list(self.weights)
        held.serve = self._serving_function()
        tf.saved_model.save(held, os.fspath(filepath))

    def _serving_function(self) -> Any:
        """Return the inference function, for the shapes for which the model was built."""
        signature = tf.nest.map_structure(
            lambda each: tf.TensorSpec(each.shape, each.dtype, each.name), self.symbolic_inputs()
        )

        def serving_default(inputs: Any) -> Any:
            return self(inputs, training=False)

        return tf.function(serving_default, input_signature=[signature])

    def symbolic_inputs(self) -> Any:
        """Return symbolic tensors of the shapes for which the model was built."""
        shapes = self._state.build_shapes["input_shape"]
        return map_shapes(lambda shape: KerasTensor((None, *shape[1:])), shapes)


class Functional(Model):
    """A model between symbolic inputs and outputs.

    Args:
      inputs: symbolic tensor, list or dict of them.
      outputs: symbolic tensor, list or dict of them.
      name: the name; None: a new one.
      trainable: whether the variables are trained.

    Raises: ValueError if an input or output is not a symbolic tensor, an output depends on other
      tensors than the inputs, or two layers have one name.

    >>> from runtime import keras
    >>> x = keras.Input((2,))
    >>> model = keras.Model(x, keras.layers.Dense(3)(x))
    >>> type(model).__name__, model.output.shape
    ('Functional', TensorShape([None, 3]))
    """

    _TF_MODULE_IGNORED_PROPERTIES = Model._TF_MODULE_IGNORED_PROPERTIES | {"_graph"}
    _graph: Any = None

    def __init__(
        self, inputs: Any, outputs: Any, name: str | None = None, trainable: bool = True
    ) -> None:
        Model.__init__(self, name=name, trainable=trainable)
        for role, tensors in (("inputs", inputs), ("outputs", outputs)):
            for tensor in tf.nest.flatten(tensors):
                if not is_keras_tensor(tensor):
                    raise ValueError(
                        f"All `{role}` values must be KerasTensors, the results of `keras.Input` "
                        f"or of layers. Received: {tensor!r} of type {type(tensor)}."
                    )
        self._graph = graph.Graph(inputs, outputs)
        self._layers = [each for each in self._graph.operations if isinstance(each, Layer)]
        counts = Counter(each.name for each in self._layers)
        for repeated, count in counts.items():
            if count > 1:
                raise ValueError(
                    f"All layers of model '{self.name}' should have unique names. Name "
                    f"'{repeated}' is that of {count} layers. Pass another `name`."
                )
        self.built = True
        if not trainable:
            self.trainable = False

    def symbolic_inputs(self) -> Any:
        """Return the symbolic inputs, of any batch size."""
        return tf.nest.map_structure(
            lambda each: KerasTensor((None, *each.shape[1:]), each.dtype, each.name), self.input
        )

    @property
    def _default_save_signature(self) -> Any:
        """The function that a SavedModel of the model has as its signature."""
        return self._serving_function()

    inputs = attribute("_graph.inputs", "The symbolic inputs.")
    outputs = attribute("_graph.outputs", "The symbolic outputs.")
    input = attribute("_graph.input_structure", "The symbolic inputs, as they were passed.")
    output = attribute("_graph.output_structure", "The symbolic outputs, as they were passed.")

    @property
    def layers(self) -> list[Layer]:
        """The layers between inputs and outputs, inputs first."""
        return list(self._layers)

    def __parts__(self) -> dict[str, Any]:
        """Return what checkpoints and saved models hold."""
        return {**super().__parts__(), "layers": self.layers}

    @property
    def operations(self) -> list[Any]:
        """Layers and other operations between inputs and outputs."""
        return self._graph.operations  # type: ignore[no-any-return]

    @property
    def output_names(self) -> list[str]:
        """The names of the layers that compute the outputs."""
        return [tensor.history.operation.name for tensor in self.outputs]

    def call(self, inputs: Any) -> Any:
        """Compute the outputs; a list of one output is the output itself.

        Args:
          inputs: tensors in the structure of the symbolic inputs; also a dict by the names of the
            inputs, or a list.

        Returns:
          Tensors in the structure of the symbolic outputs.

        Raises: ValueError if the inputs do not correspond to the symbolic ones.
        """
        tensors = [
            self._fit_input(symbol, tensor)
            for symbol, tensor in zip(self.inputs, self._flat_inputs(inputs), strict=True)
        ]
        outputs = self._graph.run(tensors)
        return outputs[0] if isinstance(outputs, (list, tuple)) and len(outputs) == 1 else outputs

    def _flat_inputs(self, inputs: object) -> list[Any]:
        expected = len(self.inputs)
        if isinstance(inputs, dict):
            is_dict = isinstance(self.input, dict)
            names = [each.history.operation.name for each in self.inputs]
            keys = sorted(self.input) if is_dict else names
            missing = [key for key in keys if key not in inputs]
            if not missing:
                return [inputs[key] for key in keys]
            raise ValueError(
                f"Missing data for input '{missing[0]}' of model '{self.name}'. You passed a data "
                f"dictionary with keys {list(inputs)}. Expected the following keys: {keys}."
            )
        flat = [inputs] if tf.is_tensor(inputs) else tf.nest.flatten(inputs)
        if len(flat) != expected:
            raise ValueError(
                f"Layer '{self.name}' expected {expected} input(s). Received {len(flat)} instead."
            )
        return flat

    def _fit_input(self, symbol: KerasTensor, tensor: object) -> Any:
        """Return an input with the rank and dtype of the symbolic one.

        Raises: ValueError if it has not the shape of the symbolic one.
        """
        tensor = tf.convert_to_tensor(tensor)
        wanted, rank = symbol.shape, tensor.shape.rank
        if rank is not None and rank == len(wanted) + 1 and tensor.shape[-1] == 1:
            tensor = tf.squeeze(tensor, -1)
        elif rank is not None and rank == len(wanted) - 1 and wanted[-1] == 1:
            tensor = tf.expand_dims(tensor, -1)
        text = f"Input '{symbol.name}' of layer '{self.name}' is incompatible with the layer: "
        if not self._takes(wanted[1:], tensor.shape[1:]):
            remedy = " One sample needs a batch axis: `x[None]`, or `.batch(32)` of a dataset."
            raise ValueError(
                f"{text}expected shape={(None, *wanted[1:])}, found shape={tuple(tensor.shape)}."
                f"{remedy if wanted[1:].is_compatible_with(tensor.shape) else ''}"
            )
        is_other = (tensor.dtype == tf.string) != (symbol.dtype == tf.string)
        if is_other or (tensor.dtype.is_complex and not symbol.dtype.is_complex):
            raise ValueError(
                f"{text}expected dtype={symbol.dtype.name}, found dtype={tensor.dtype.name}."
            )
        return tensor if tensor.dtype == symbol.dtype else tf.cast(tensor, symbol.dtype)

    def _takes(self, wanted: tf.TensorShape, shape: tf.TensorShape) -> bool:
        return wanted.is_compatible_with(shape)

    def _convert(self, value: object) -> Any:
        """Return the argument as it is: the inputs have dtypes of their own."""
        return value

    # ---- configs and copies ----

    def _copy(self, of_layer: Callable[[Any], Any]) -> Any:
        """Return a model of the same calls of copies of the layers."""
        inputs = tf.nest.map_structure(
            lambda each: Input(batch_shape=tuple(each.shape), dtype=each.dtype, name=each.name),
            self.input,
        )
        layers = {id(each): of_layer(each) for each in self.layers}
        outputs = self._graph.run(tf.nest.flatten(inputs), layers)
        return type(self)(inputs, outputs, name=self.name)

    def get_config(self) -> dict[str, Any]:
        """Return name, layers, calls, inputs and outputs, JSON-compatible."""
        kind: Any = type(self)
        if kind.__init__ not in (Functional.__init__, Model.__init__):
            return super().get_config()
        return {"name": self.name, "trainable": self.trainable, **self._graph.config()}


_combinations: dict[Any, Any] = {}


def _functional_class(kind: Any) -> Any:
    """A class that computes as a functional model and has the methods of another class."""
    if kind is Model:
        return Functional
    if kind not in _combinations:
        names = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
        _combinations[kind] = type(kind.__name__, (kind, Functional), names)
    return _combinations[kind]


def clone_model(model: Model) -> Any:
    """Create a model of the same layers with new variables.

    Args:
      model: a functional or sequential model, or one with `get_config`.

    Returns:
      The model.

    >>> from runtime import keras
    >>> model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)])
    >>> cloned = clone_model(model)
    >>> cloned.count_params(), cloned.layers[0] is model.layers[0]
    (9, False)
    """
    return model._copy(_same_config) if isinstance(model, Functional) else _same_config(model)


def _same_config(layer: Any) -> Any:
    return type(layer).from_config(layer.get_config())


def model_from_json(json_string: str, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Create a model, with new variables, from the result of `to_json`.

    Args:
      json_string: the text.
      custom_objects: classes and functions of the program, by name.

    Returns:
      The model.

    Raises: TypeError for a class that is not known.

    >>> from runtime import keras
    >>> model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)])
    >>> model_from_json(model.to_json()).output_shape
    (None, 3)
    """
    return deserialize(json.loads(json_string), custom_objects)
