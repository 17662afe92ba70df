"""Copies of models, and models from JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import runtime as tf
from runtime.keras.base.input import Input, InputLayer
from runtime.keras.base.layer import Layer
from runtime.keras.base.symbolic import substitute
from runtime.keras.models.functional import Functional
from runtime.keras.models.model import Model
from runtime.keras.models.sequential import Sequential
from runtime.keras.saving.registry import deserialize_keras_object


def model_from_json(json_string: str, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Create a model, with new variables, from the result of `to_json`.

    Args:
      json_string: the text.
      custom_objects: classes and functions of the program, by name.

    Raises:
      TypeError: for a class that is not known.
    """
    return deserialize_keras_object(json.loads(json_string), custom_objects)


def clone_model(
    model: Model,
    input_tensors: Any = None,
    clone_function: Callable[[Layer], Layer] | None = None,
) -> Any:
    """Create a model of the same layers with variables of its own.

    Args:
      model: a functional or sequential model; others need `get_config`.
      input_tensors: symbolic inputs of the copy; None: new ones.
      clone_function: returns the copy of a layer; None: one of the same config.

    Returns:
      The copy. Its variables have new first values.
    """
    copy = clone_function or _same_config
    if isinstance(model, Sequential):
        inputs = [each for each in model._chain if isinstance(each, InputLayer)]
        first = (
            [_same_config(each) for each in inputs] if input_tensors is None else ([input_tensors])
        )
        return type(model)([*first, *map(copy, model.layers)], name=model.name)
    if not isinstance(model, Functional):
        return type(model).from_config(model.get_config())
    return _clone_graph(model, input_tensors, copy)


def _same_config(layer: Any) -> Any:
    return type(layer).from_config(layer.get_config())


def _clone_graph(model: Functional, inputs: Any, copy: Callable[[Any], Any]) -> Model:
    graph = model._graph
    if inputs is None:
        inputs = [
            Input(batch_shape=tuple(each.shape), dtype=each.dtype, name=name)
            for each, name in zip(graph.inputs, model.input_names, strict=True)
        ]
    new = zip(graph.inputs, tf.nest.flatten(inputs), strict=True)
    values: dict[int, Any] = {id(symbol): tensor for symbol, tensor in new}
    copies: dict[int, Any] = {}
    for node in graph.nodes:
        operation = node.operation
        if id(operation) not in copies:
            is_layer = isinstance(operation, Layer)
            copies[id(operation)] = copy(operation) if is_layer else operation
        args, kwargs = substitute((node.args, node.kwargs), values)
        result = copies[id(operation)](*args, **kwargs)
        for symbol, tensor in zip(node.output_tensors, tf.nest.flatten(result), strict=True):
            values[id(symbol)] = tensor
    starts, ends = (
        substitute(each, values) for each in (graph.input_structure, graph.output_structure)
    )
    return type(model)(starts, ends, name=model.name)
