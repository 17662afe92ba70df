"""Models that are the computation between symbolic inputs and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

import runtime as tf
from runtime.keras.base.input import Input, InputLayer
from runtime.keras.base.layer import Layer, attribute
from runtime.keras.base.masks import attach_mask, mask_of
from runtime.keras.base.names import auto_name
from runtime.keras.base.symbolic import KerasTensor, Node, Operation, is_keras_tensor, substitute
from runtime.keras.models.model import Model, bind_functional
from runtime.keras.ops.numpy import NumpyOperation as NumpyOperation
from runtime.keras.saving.exporting import serving_function
from runtime.keras.saving.registry import (
    custom_object_scope,
    deserialize_keras_object,
    plain,
    serialize_keras_object,
)


class Graph:
    """The calls between symbolic inputs and outputs.

    `nodes` are the calls, each after those that it depends on; `depths` the longest ways from them
    to the outputs, by `id`; `operations` inputs, layers and others, those of large depth first.

    Raises: ValueError if an output depends on another input.
    """

    def __init__(self, inputs: Any, outputs: Any) -> None:
        self.input_structure, self.output_structure = inputs, outputs
        self.inputs: list[KerasTensor] = tf.nest.flatten(inputs)
        self.outputs: list[KerasTensor] = tf.nest.flatten(outputs)
        self._ends = {id(each): _input_of(each) for each in self.inputs}
        self.depths: dict[int, int] = {}
        order: dict[int, int] = {}
        found = self._sorted(order)
        of_operation: dict[int, int] = {}
        for node in reversed(found):
            key = id(node.operation)
            depth = max(self.depths.get(id(node), 0), of_operation.get(key, 0))
            self.depths[id(node)] = of_operation[key] = depth
            for tensor in node.inputs:
                source = id(self._source(tensor))
                self.depths[source] = max(depth + 1, self.depths.get(source, 0))
        layers = [end.history.operation for end in self._ends.values()]
        operations = {id(each): each for each in (*layers, *(node.operation for node in found))}
        self.operations: list[Operation] = sorted(
            operations.values(),
            key=lambda each: (-of_operation.get(id(each), 0), order.get(id(each), -1)),
        )
        called = [node for node in found if node.inputs]
        self.nodes = sorted(called, key=lambda node: -self.depths[id(node)])

    def _sorted(self, order: dict[int, int]) -> list[Node]:
        """Return the calls in topological order; `order` gets that in which each was met."""
        found: list[Node] = []
        seen: set[int] = set()
        waiting: list[tuple[Node, bool]] = []
        for output in self.outputs:
            waiting.append((self._source(output), False))
            while waiting:
                node, is_done = waiting.pop()
                if is_done:
                    found.append(node)
                    continue
                order.setdefault(id(node.operation), len(order))
                if id(node) not in seen:
                    seen.add(id(node))
                    waiting.append((node, True))
                    waiting += [(self._source(each), False) for each in reversed(node.inputs)]
        return found

    def end(self, tensor: KerasTensor) -> KerasTensor:
        """The tensor, or the input that replaces it."""
        return self._ends.get(id(tensor), tensor)

    def _source(self, tensor: KerasTensor) -> Node:
        """The call that computes a tensor."""
        operation, index, _ = self.end(tensor).history
        node = operation.nodes[index]
        if not node.inputs and id(tensor) not in self._ends:
            raise ValueError(
                f"Output depends on input '{tensor.name}' of layer '{operation.name}', which is "
                f"not among the `inputs` of the model: {[each.name for each in self.inputs]}."
            )
        return node

    def run(self, inputs: list[Any], replaced: Mapping[int, Any] | None = None) -> Any:
        """Compute the outputs for tensors, symbolic or not, with other operations by `id`."""
        values: dict[int, Any] = {
            id(symbol): tensor for symbol, tensor in zip(self.inputs, inputs, strict=True)
        }
        for node in self.nodes:
            if replaced is None:
                result = node.call(values)
            else:
                args, kwargs = substitute((node.args, node.kwargs), values)
                result = replaced.get(id(node.operation), node.operation)(*args, **kwargs)
            if len(node.output_tensors) == 1 and not isinstance(result, (list, tuple, dict)):
                values[id(node.output_tensors[0])] = result
                continue
            for symbol, tensor in zip(node.output_tensors, tf.nest.flatten(result), strict=True):
                values[id(symbol)] = tensor
        return substitute(self.output_structure, values)

    def nodes_of(self, operation: Operation) -> list[Node]:
        """The calls of an operation in this graph, in the order in which they were made."""
        own = [node for node in self.nodes if node.operation is operation]
        return sorted(own, key=lambda node: node.index)

    def place(self, tensor: KerasTensor) -> list[Any]:
        """The name of the operation that computes a tensor, and the positions of call and tensor.

        The position of a call is that among the calls of the operation in this graph.
        """
        operation, index, position = self.end(tensor).history
        indices = [node.index for node in self.nodes_of(operation)]
        return [operation.name, indices.index(index) if index in indices else 0, position]

    def config_of(self, node: Node) -> dict[str, Any]:
        """The arguments of a call as JSON."""
        symbols: dict[int, Any] = {}
        for each in node.inputs:
            config = {"shape": list(each.shape), "dtype": each.dtype.name}
            config["keras_history"] = self.place(each)
            symbols[id(each)] = {"class_name": "__keras_tensor__", "config": config}
        args, kwargs = substitute((list(node.args), node.kwargs), symbols)
        return {"args": plain(args), "kwargs": plain(kwargs)}


def _input_of(tensor: KerasTensor) -> KerasTensor:
    """The output of an input layer: the tensor, or a new input for one that another computes."""
    if isinstance(tensor.history.operation, InputLayer):
        return tensor
    return Input(batch_shape=tuple(tensor.shape), dtype=tensor.dtype)


class Functional(Model):
    """A model between symbolic inputs and outputs.

    Args:
      inputs: symbolic tensor, list or dict of them.
      outputs: symbolic tensor, list or dict of them.
      name: the name; None: a new one.
      trainable: whether the variables are trained.

    Raises: ValueError if an input or output is no symbolic tensor, or an output does not depend on
      the inputs alone.
    """

    _TF_MODULE_IGNORED_PROPERTIES = Model._TF_MODULE_IGNORED_PROPERTIES | {"_graph"}
    _graph: Any = None

    def __init__(
        self, inputs: Any, outputs: Any, name: str | None = None, trainable: bool = True
    ) -> None:
        Model.__init__(self, name=name or auto_name("functional"), trainable=trainable)
        for role, tensors in (("inputs", inputs), ("outputs", outputs)):
            for tensor in tf.nest.flatten(tensors):
                if not is_keras_tensor(tensor):
                    raise ValueError(
                        f"All `{role}` values must be KerasTensors, the results of `keras.Input` "
                        f"or of layers. Received: {tensor!r} of type {type(tensor)}."
                    )
        self._graph = Graph(inputs, outputs)
        self._layers = [each for each in self._graph.operations if isinstance(each, Layer)]
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
        return serving_function(self, self.symbolic_inputs())

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

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Compute the outputs; a list of one output is the output itself.

        Args:
          inputs: tensors in the structure of the symbolic inputs; also a dict by the names of the
            inputs, or a list.
          training: for layers inside that compute otherwise while they are trained.
          mask: masks of the inputs, if they have none of their own.

        Raises: ValueError if the inputs do not correspond to the symbolic ones.
        """
        tensors = [
            self._fit_input(symbol, tensor)
            for symbol, tensor in zip(self.inputs, self._flat_inputs(inputs), strict=True)
        ]
        if mask is not None:
            for i, each in enumerate(tf.nest.flatten(mask)):
                if mask_of(tensors[i]) is None:
                    tensors[i] = tf.identity(tensors[i])
                    attach_mask(tensors[i], each)
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
        """An input with the rank and dtype of the symbolic one.

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
        if (tensor.dtype == tf.string) != (symbol.dtype == tf.string):
            raise ValueError(
                f"{text}expected dtype={symbol.dtype.name}, found dtype={tensor.dtype.name}."
            )
        return tensor if tensor.dtype == symbol.dtype else tf.cast(tensor, symbol.dtype)

    def _takes(self, wanted: tf.TensorShape, shape: tf.TensorShape) -> bool:
        return wanted.is_compatible_with(shape)

    def _convert(self, value: object) -> Any:
        """An argument with arrays as tensors; the inputs have dtypes of their own."""
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
        graph, layers = self._graph, []
        for operation in graph.operations:
            nodes = [graph.config_of(node) for node in graph.nodes_of(operation)]
            config = serialize_keras_object(operation)
            layers.append({**config, "name": operation.name, "inbound_nodes": nodes})
        return {
            "name": self.name,
            "trainable": self.trainable,
            "layers": layers,
            "input_layers": _mapped(graph.input_structure, graph.place),
            "output_layers": _mapped(graph.output_structure, graph.place),
        }

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: Mapping[str, Any] | None = None
    ) -> Self:
        """Create a model from `get_config`; `custom_objects` holds classes of the program."""
        if "input_layers" not in config:
            return super().from_config(config, custom_objects)
        results = _Results()
        calls = []
        with custom_object_scope({**(custom_objects or {}), "__keras_tensor__": results}):
            for each in config["layers"]:
                # A layer is built by its calls.
                own = {key: value for key, value in each.items() if key != "build_config"}
                layer, name = deserialize_keras_object(own), each["name"]
                if isinstance(layer, InputLayer):
                    results[name, 0] = layer.output
                calls += [(name, i, layer, node) for i, node in enumerate(each["inbound_nodes"])]
            while calls:
                later = []
                for name, number, layer, node in calls:
                    try:
                        args, kwargs = deserialize_keras_object([node["args"], node["kwargs"]])
                    except _LaterError:
                        later.append((name, number, layer, node))
                    else:
                        results[name, number] = layer(*args, **kwargs)
                if len(later) == len(calls):
                    raise ValueError(
                        f"Cannot create model '{config.get('name')}': the call of layer "
                        f"'{later[0][0]}' has an input that no layer of the config computes."
                    )
                calls = later
        inputs = _mapped(config["input_layers"], results.at)
        outputs = _mapped(config["output_layers"], results.at)
        kind: Any = cls if cls is not Model else Functional
        return kind(  # type: ignore[no-any-return]
            inputs, outputs, name=config.get("name"), trainable=config.get("trainable", True)
        )


bind_functional(Functional)


class _LaterError(LookupError):
    """A call has an input that is not computed yet."""


class _Results(dict[tuple[str, int], Any]):
    """Results of calls, by name of the operation and position of the call."""

    def at(self, place: Any) -> Any:
        """Return the tensor at a place. Raises _LaterError if it is not computed yet."""
        name, number, position = place
        if (name, number) not in self:
            raise _LaterError(name)
        return tf.nest.flatten(self[name, number])[position]

    def from_config(self, config: dict[str, Any]) -> Any:
        """Return the tensor that a symbolic tensor among the arguments of a call is."""
        return self.at(config["keras_history"])


def clone_model(model: Model) -> Any:
    """Return a functional or sequential model of the same layers with new variables."""
    return model._copy(_same_config) if isinstance(model, Functional) else _same_config(model)


def _same_config(layer: Any) -> Any:
    return type(layer).from_config(layer.get_config())


def _mapped(structure: Any, function: Callable[[Any], Any]) -> Any:
    """Apply a function to the symbolic tensors, or the places, of a structure."""
    if isinstance(structure, dict):
        return {key: _mapped(value, function) for key, value in structure.items()}
    is_place = isinstance(structure, list) and structure and isinstance(structure[0], str)
    if is_place or is_keras_tensor(structure):
        return function(structure)
    return [_mapped(value, function) for value in structure]
