"""Models as JSON and as files."""

from typing import NoReturn

from runtime.keras.saving.registry import register_keras_serializable as register_keras_serializable


def __dir__() -> list[str]:
    return ["register_keras_serializable"]


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(
        f"module {__name__!r} has no attribute {name!r}: use `model.save`, "
        "`keras.models.load_model` and `keras.utils.custom_object_scope`.",
        name=name,
    )
