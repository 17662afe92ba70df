"""Images as arrays."""

from typing import NoReturn

from runtime.keras.utils.arrays import array_to_img as array_to_img
from runtime.keras.utils.arrays import img_to_array as img_to_array
from runtime.keras.utils.arrays import load_img as load_img

_REMEDIES = {
    "ImageDataGenerator": "Load images with `keras.utils.load_img`, and change them in "
    "`tf.data.Dataset.map`."
}


def __getattr__(name: str) -> NoReturn:
    """Explain what is left out. Raises AttributeError."""
    remedy = _REMEDIES.get(name)
    text = f"module 'keras.preprocessing.image' has no attribute {name!r}"
    raise AttributeError(text if remedy is None else f"{text}: it is left out. {remedy}")
