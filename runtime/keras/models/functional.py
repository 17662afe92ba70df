"""Models that are the computation between symbolic inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import runtime as tf
from runtime.keras.base.input import Input, InputLayer
from runtime.keras.base.layer import Layer
from runtime.keras.base.names import auto_name
from runtime.keras.base.symbolic import KerasTensor, Node, Operation, is_keras_tensor
from runtime.keras.models.model import Model, bind_functional
from runtime.keras.ops.numpy import NumpyOperation as NumpyOperation
from runtime.keras.saving.exporting import serving_function
from runtime.keras.saving.registry import (
    custom_object_scope,
    deserialize_keras_object,
    serialize_keras_object,
)


class Functional(Model):
    """A model between symbolic inputs and outputs.

    Args:
      inputs: symbolic tensor, list or dict of them.
      outputs: symbolic tensor, list or dict of them.
      name: the name; None: a new one.
      trainable: whether the variables are trained.

    Raises:
      ValueError: if an input or output is no symbolic tensor, or an output does not depend on the
        inputs alone.
    """

    _TF_MODULE_IGNORED_PROPERTIES = Model._TF_MODULE_IGNORED_PROPERTIES | {"_graph"}

    def __init__(
        self, inputs: Any, outputs: Any, name: str | None = None, trainable: bool = True
    ) -> None:
        """Finds the layers between inputs and outputs."""
        if not isinstance(self, Functional):
            raise TypeError(f"{type(self).__name__} is no functional model.")
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
        self._default_save_signature = serving_function(self, inputs)

    def symbolic_inputs(self) -> Any:
        """Return the symbolic inputs, of any batch size."""
        return tf.nest.map_structure(
            lambda each: KerasTensor((None, *each.shape[1:]), each.dtype, each.name), self.input
        )

    @property
    def inputs(self) -> list[KerasTensor]:
        """The symbolic inputs."""
        return self._graph.inputs

    @property
    def outputs(self) -> list[KerasTensor]:
        """The symbolic outputs."""
        return self._graph.outputs

    @property
    def input(self) -> Any:
        """The symbolic inputs, in the structure in which they were passed."""
        return self._graph.input_structure

    @property
    def output(self) -> Any:
        """The symbolic outputs, in the structure in which they were passed."""
        return self._graph.output_structure

    @property
    def layers(self) -> list[Layer]:
        """The layers between inputs and outputs, inputs first."""
        return list(self._layers)

    def __parts__(self) -> dict[str, Any]:
        """Return what checkpoints and saved models hold."""
        return {**super().__parts__(), "layers": self.layers}

    @property
    def operations(self) -> list[Operation]:
        """Layers and other operations between inputs and outputs."""
        return self._graph.operations

    @property
    def input_names(self) -> list[str]:
        """The names of the input layers."""
        return [tensor.history.operation.name for tensor in self.inputs]

    @property
    def output_names(self) -> list[str]:
        """The names of the layers that compute the outputs."""
        return [tensor.history.operation.name for tensor in self.outputs]

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Compute the outputs.

        Args:
          inputs: tensors in the structure of the symbolic inputs; also a dict by the names of the
            inputs, or a list.
          training: for layers inside that compute otherwise while they are trained.
          mask: has no effect: masks come with the inputs.

        Raises:
          ValueError: if the inputs do not correspond to the symbolic ones.
        """
        graph = self._graph
        values = {
            id(symbol): self._check_shape(symbol, self._fit_input(symbol, tensor))
            for symbol, tensor in zip(graph.inputs, self._flat_inputs(inputs), strict=True)
        }
        for node in graph.nodes:
            result = node.call(values)
            if len(node.output_tensors) == 1 and not isinstance(result, (list, tuple, dict)):
                values[id(node.output_tensors[0])] = result
                continue
            for symbol, tensor in zip(node.output_tensors, tf.nest.flatten(result), strict=True):
                values[id(symbol)] = tensor
        if is_keras_tensor(graph.output_structure):
            return values[id(graph.output_structure)]
        return tf.nest.map_structure(lambda each: values[id(each)], graph.output_structure)

    def _flat_inputs(self, inputs: Any) -> list[Any]:
        graph = self._graph
        expected = len(graph.inputs)
        if isinstance(inputs, dict):
            own = graph.input_structure
            keys = sorted(own) if isinstance(own, dict) else self.input_names
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

    def _check_shape(self, symbol: KerasTensor, tensor: Any) -> Any:
        """Return an input. Raises ValueError if it has not the shape of the symbolic one."""
        wanted = symbol.shape
        if not wanted[1:].is_compatible_with(tensor.shape[1:]):
            raise ValueError(
                f"Input '{symbol.name}' of layer '{self.name}' is incompatible with the layer: "
                f"expected shape={(None, *wanted[1:])}, found shape={tuple(tensor.shape)}."
            )
        return tensor

    def _fit_input(self, symbol: KerasTensor, tensor: Any) -> Any:
        """An input with the rank and dtype of the symbolic one."""
        tensor = tf.convert_to_tensor(tensor)
        wanted, rank = symbol.shape, tensor.shape.rank
        if rank is not None and rank == len(wanted) + 1 and tensor.shape[-1] == 1:
            tensor = tf.squeeze(tensor, -1)
        elif rank is not None and rank == len(wanted) - 1 and wanted[-1] == 1:
            tensor = tf.expand_dims(tensor, -1)
        return tensor if tensor.dtype == symbol.dtype else tf.cast(tensor, symbol.dtype)

    def _convert(self, value: Any) -> Any:
        """An argument with arrays as tensors; the inputs have dtypes of their own."""
        return value

    # ---- configs ----

    def get_config(self) -> dict[str, Any]:
        """Return name, layers, calls, inputs and outputs, JSON-compatible."""
        if not _has_own_arguments(type(self)):
            return super().get_config()
        graph = self._graph
        numbers = graph.node_numbers()
        layers = []
        for operation in graph.operations:
            config = serialize_keras_object(operation)
            config["name"] = operation.name
            config["inbound_nodes"] = [
                {
                    "args": _with_history(list(node.args), graph, numbers),
                    "kwargs": _with_history(node.kwargs, graph, numbers),
                }
                for node in graph.nodes_of(operation)
            ]
            layers.append(config)
        return {
            "name": self.name,
            "trainable": self.trainable,
            "layers": layers,
            "input_layers": _ends(graph.input_structure, graph, numbers),
            "output_layers": _ends(graph.output_structure, graph, numbers),
        }

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: Mapping[str, Any] | None = None
    ) -> Self:
        """Create a model from the result of `get_config`.

        Args:
          config: the config.
          custom_objects: classes and functions of the program, by name.
        """
        if "input_layers" not in config:
            return super().from_config(config, custom_objects)
        with custom_object_scope(custom_objects or {}):
            operations = {
                each["name"]: deserialize_keras_object(_without_build(each))
                for each in config["layers"]
            }
        done: dict[tuple[str, int], Any] = {
            (name, 0): each.output
            for name, each in operations.items()
            if isinstance(each, InputLayer)
        }
        waiting = [
            (each["name"], number, node)
            for each in config["layers"]
            for number, node in enumerate(each["inbound_nodes"])
        ]
        while waiting:
            later = []
            for name, number, node in waiting:
                if any(key not in done for key in _sources(node)):
                    later.append((name, number, node))
                    continue
                args = _without_history(node["args"], done)
                kwargs = _without_history(node["kwargs"], done)
                done[name, number] = operations[name](*args, **kwargs)
            if len(later) == len(waiting):
                raise ValueError(
                    f"Cannot create model '{config.get('name')}': the call of layer "
                    f"'{later[0][0]}' has an input that no layer of the config computes."
                )
            waiting = later
        inputs = _ends_from(config["input_layers"], done)
        outputs = _ends_from(config["output_layers"], done)
        kind = cls if cls is not Model else Functional
        return kind(
            inputs, outputs, name=config.get("name"), trainable=config.get("trainable", True)
        )  # type: ignore[return-value]


bind_functional(Functional)


class Graph:
    """The calls between symbolic inputs and outputs.

    Args:
      inputs, outputs: structures of symbolic tensors.

    Raises:
      ValueError: if an output depends on another input.
    """

    def __init__(self, inputs: Any, outputs: Any) -> None:
        """Orders the calls so that each comes after those that it depends on."""
        self.output_structure = outputs
        self.outputs: list[KerasTensor] = tf.nest.flatten(outputs)
        self._replaced: dict[int, KerasTensor] = {}
        found: list[KerasTensor] = tf.nest.flatten(inputs)
        self._stops = {id(each) for each in found}
        layers: list[Operation] = [self._input_layer(each) for each in found]
        self.inputs = found
        self.input_structure = inputs
        self._order: dict[int, int] = {}
        self._after: list[Node] = []
        done: set[int] = set()
        for output in self.outputs:
            self._visit(output, done)
        depths = self._depths()
        operations: dict[int, Operation] = {id(each): each for each in layers}
        depth_of = {id(each): 0 for each in layers}
        for node in self._after:
            operations[id(node.operation)] = node.operation
            depth_of[id(node.operation)] = max(
                depths[id(node)], depth_of.get(id(node.operation), 0)
            )
        self._input_depths(layers, depths, depth_of)
        self.operations = sorted(
            operations.values(),
            key=lambda each: (-depth_of[id(each)], self._order.get(id(each), -1)),
        )
        self.nodes = sorted(self._after, key=lambda node: -depths[id(node)])
        self.depths = depths

    def _input_layer(self, tensor: KerasTensor) -> Operation:
        """The layer of an input; a new one for a tensor that another layer computes."""
        if isinstance(tensor.history.operation, InputLayer):
            return tensor.history.operation
        own = Input(batch_shape=tuple(tensor.shape), dtype=tensor.dtype)
        self._replaced[id(tensor)] = own
        return own.history.operation

    def end(self, tensor: KerasTensor) -> KerasTensor:
        """The tensor, or the input that replaces it."""
        return self._replaced.get(id(tensor), tensor)

    def _visit(self, tensor: KerasTensor, done: set[int]) -> None:
        """Add the calls that a tensor depends on, those that it depends on directly last."""
        waiting: list[tuple[KerasTensor, Iterator[KerasTensor] | None]] = [(tensor, None)]
        while waiting:
            current, rest = waiting.pop()
            operation, index, _ = self.end(current).history
            if rest is None:
                self._order.setdefault(id(operation), len(self._order))
                if id(current) in self._stops:
                    continue
                node = operation.nodes[index]
                if id(node) in done:
                    continue
                if not node.inputs:
                    raise ValueError(
                        f"Output depends on input '{current.name}' of layer '{operation.name}', "
                        f"which is not among the `inputs` of the model: "
                        f"{[each.name for each in self.inputs]}."
                    )
                done.add(id(node))
                rest = iter(node.inputs)
            inner = next(rest, None)
            if inner is None:
                self._after.append(operation.nodes[index])
            else:
                waiting += [(current, rest), (inner, None)]

    def _depths(self) -> dict[int, int]:
        """The number of calls between a call and the outputs, at most."""
        depths: dict[int, int] = {}
        of_operation: dict[int, int] = {}
        for node in reversed(self._after):
            own = max(depths.get(id(node), 0), of_operation.get(id(node.operation), 0))
            depths[id(node)] = of_operation[id(node.operation)] = own
            for tensor in node.inputs:
                if id(tensor) not in self._stops:
                    source = id(_node_of(tensor))
                    depths[source] = max(own + 1, depths.get(source, 0))
        return depths

    def _input_depths(
        self, layers: list[Operation], depths: dict[int, int], depth_of: dict[int, int]
    ) -> None:
        for node in self._after:
            for tensor in node.inputs:
                if id(tensor) in self._stops:
                    layer = id(self.end(tensor).history.operation)
                    depth_of[layer] = max(depth_of[layer], depths[id(node)] + 1)

    def nodes_of(self, operation: Operation) -> list[Node]:
        """The calls of an operation in this graph, in the order in which they were made."""
        own = [node for node in self._after if node.operation is operation]
        return sorted(own, key=lambda node: node.index)

    def node_numbers(self) -> dict[int, int]:
        """For each call its position among the calls of its operation in this graph."""
        return {
            id(node): number
            for operation in self.operations
            for number, node in enumerate(self.nodes_of(operation))
        }


def _node_of(tensor: KerasTensor) -> Node:
    return tensor.history.operation.nodes[tensor.history.node_index]


def _has_own_arguments(kind: Any) -> bool:
    """Whether the constructor of a class is that of `Functional`."""
    return kind.__init__ is Functional.__init__ or kind.__init__ is Model.__init__


def _place(tensor: KerasTensor, graph: Graph, numbers: dict[int, int]) -> list[Any]:
    history = graph.end(tensor).history
    number = numbers.get(id(history.operation.nodes[history.node_index]), 0)
    return [history.operation.name, number, history.tensor_index]


def _ends(structure: Any, graph: Graph, numbers: dict[int, int]) -> Any:
    if is_keras_tensor(structure):
        return _place(structure, graph, numbers)
    if isinstance(structure, dict):
        return {key: _ends(value, graph, numbers) for key, value in structure.items()}
    return [_ends(value, graph, numbers) for value in structure]


def _ends_from(ends: Any, done: dict[tuple[str, int], Any]) -> Any:
    if isinstance(ends, dict):
        return {key: _ends_from(value, done) for key, value in ends.items()}
    if len(ends) == 3 and isinstance(ends[0], str):
        return tf.nest.flatten(done[ends[0], ends[1]])[ends[2]]
    return [_ends_from(value, done) for value in ends]


def _with_history(value: Any, graph: Graph, numbers: dict[int, int]) -> Any:
    if is_keras_tensor(value):
        return {
            "class_name": "__keras_tensor__",
            "config": {
                "shape": list(value.shape),
                "dtype": value.dtype.name,
                "keras_history": _place(value, graph, numbers),
            },
        }
    if isinstance(value, dict):
        return {key: _with_history(item, graph, numbers) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_history(item, graph, numbers) for item in value]
    return serialize_keras_object(value)


def _without_history(value: Any, done: dict[tuple[str, int], Any]) -> Any:
    if isinstance(value, dict) and value.get("class_name") == "__keras_tensor__":
        return _ends_from(value["config"]["keras_history"], done)
    if isinstance(value, dict) and "class_name" not in value:
        return {key: _without_history(item, done) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_history(item, done) for item in value]
    return deserialize_keras_object(value)


def _sources(value: Any) -> Iterator[tuple[str, int]]:
    """The calls whose results the arguments of a call hold."""
    if isinstance(value, dict) and value.get("class_name") == "__keras_tensor__":
        name, number, _ = value["config"]["keras_history"]
        yield name, number
    elif isinstance(value, dict):
        for item in value.values():
            yield from _sources(item)
    elif isinstance(value, list):
        for item in value:
            yield from _sources(item)


def _without_build(config: dict[str, Any]) -> dict[str, Any]:
    """The config of a layer that is built by its calls."""
    return {key: value for key, value in config.items() if key != "build_config"}
