"""Models as JSON and as files."""

import inspect

from runtime.keras.saving.archive import load_model as load_model
from runtime.keras.saving.archive import load_weights as load_weights
from runtime.keras.saving.archive import save_model as save_model
from runtime.keras.saving.archive import save_weights as save_weights
from runtime.keras.saving.registry import custom_object_scope as custom_object_scope
from runtime.keras.saving.registry import deserialize_keras_object as deserialize_keras_object
from runtime.keras.saving.registry import get_registered_object as get_registered_object
from runtime.keras.saving.registry import register_keras_serializable as register_keras_serializable
from runtime.keras.saving.registry import serialize_keras_object as serialize_keras_object


def __dir__() -> list[str]:
    names = globals()
    return sorted(n for n in names if not n.startswith("_") and not inspect.ismodule(names[n]))
