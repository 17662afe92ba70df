"""Models with trained variables, which are left out: they are files of the network."""

from typing import NoReturn


def __getattr__(name: str) -> NoReturn:
    """Explain what to do instead. Raises AttributeError."""
    raise AttributeError(
        f"module 'keras.applications' has no attribute {name!r}: models with trained variables are "
        "left out. Build the layers with `keras.Sequential`, and read variables with "
        "`model.load_weights`."
    )
