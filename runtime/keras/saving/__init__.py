"""Models as JSON and as files."""

from runtime.keras.saving.registry import register_keras_serializable as register_keras_serializable


def __dir__() -> list[str]:
    return ["register_keras_serializable"]
