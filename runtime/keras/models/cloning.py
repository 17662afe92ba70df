"""Copies of models, and models from JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from runtime.keras.models.functional import Functional
from runtime.keras.models.model import Model
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


def clone_model(model: Model) -> Any:
    """Create a model of the same layers with variables of its own, which have new first values.

    Args:
      model: a functional or sequential model; others need `get_config`.
    """
    return model._copy(_same_config) if isinstance(model, Functional) else _same_config(model)


def _same_config(layer: Any) -> Any:
    return type(layer).from_config(layer.get_config())
