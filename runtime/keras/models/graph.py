"""The calls between symbolic inputs and outputs: order, run, and config."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import runtime as tf
from runtime.keras.base.input import Input, InputLayer
from runtime.keras.base.symbolic import KerasTensor, Node, Operation, is_keras_tensor, substitute
from runtime.keras.saving.registry import custom_object_scope, deserialize, plain, serialize


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

    def _end(self, tensor: KerasTensor) -> KerasTensor:
        """The tensor, or the input that replaces it."""
        return self._ends.get(id(tensor), tensor)

    def _source(self, tensor: KerasTensor) -> Node:
        """The call that computes a tensor."""
        operation, index, _ = self._end(tensor).history
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

    def config(self) -> dict[str, Any]:
        """Return layers, calls, inputs and outputs, JSON-compatible; see `from_config`."""
        layers = []
        for operation in self.operations:
            nodes = [self._config_of(node) for node in self._nodes_of(operation)]
            config = serialize(operation)
            layers.append({**config, "name": operation.name, "inbound_nodes": nodes})
        return {
            "layers": layers,
            "input_layers": _mapped(self.input_structure, self._place),
            "output_layers": _mapped(self.output_structure, self._place),
        }

    def _nodes_of(self, operation: Operation) -> list[Node]:
        """The calls of an operation in this graph, in the order in which they were made."""
        own = [node for node in self.nodes if node.operation is operation]
        return sorted(own, key=lambda node: node.index)

    def _place(self, tensor: KerasTensor) -> list[Any]:
        """The name of the operation that computes a tensor, and the positions of call and tensor.

        The position of a call is that among the calls of the operation in this graph.
        """
        operation, index, position = self._end(tensor).history
        indices = [node.index for node in self._nodes_of(operation)]
        return [operation.name, indices.index(index) if index in indices else 0, position]

    def _config_of(self, node: Node) -> dict[str, Any]:
        """The arguments of a call as JSON."""
        symbols: dict[int, Any] = {}
        for each in node.inputs:
            config = {"shape": list(each.shape), "dtype": each.dtype.name}
            config["keras_history"] = self._place(each)
            symbols[id(each)] = {"class_name": "__keras_tensor__", "config": config}
        args, kwargs = substitute((list(node.args), node.kwargs), symbols)
        return {"args": plain(args), "kwargs": plain(kwargs)}


def _input_of(tensor: KerasTensor) -> KerasTensor:
    """The output of an input layer: the tensor, or a new input for one that another computes."""
    if isinstance(tensor.history.operation, InputLayer):
        return tensor
    return Input(batch_shape=tuple(tensor.shape), dtype=tensor.dtype)


def from_config(config: dict[str, Any]) -> tuple[Any, Any]:
    """Create the layers of a functional model, and return its symbolic inputs and outputs.

    Raises: ValueError if the config lacks the layer of an input of a call.
    """
    results = _Results()
    calls = []
    with custom_object_scope({"__keras_tensor__": results}):
        for each in config["layers"]:
            # A layer is built by its calls.
            own = {key: value for key, value in each.items() if key != "build_config"}
            layer, name = deserialize(own), each["name"]
            if isinstance(layer, InputLayer):
                results[name, 0] = layer.output
            calls += [(name, i, layer, node) for i, node in enumerate(each["inbound_nodes"])]
        while calls:
            later = []
            for name, number, layer, node in calls:
                try:
                    args, kwargs = deserialize([node["args"], node["kwargs"]])
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
    return _mapped(config["input_layers"], results.at), _mapped(config["output_layers"], results.at)


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


def _mapped(structure: Any, function: Callable[[Any], Any]) -> Any:
    """Apply a function to the symbolic tensors, or the places, of a structure."""
    if isinstance(structure, dict):
        return {key: _mapped(value, function) for key, value in structure.items()}
    is_place = isinstance(structure, list) and structure and isinstance(structure[0], str)
    if is_place or is_keras_tensor(structure):
        return function(structure)
    return [_mapped(value, function) for value in structure]
