"""VGG19: small convolutions in five blocks.

Source: Simonyan and Zisserman, Very Deep Convolutional Networks for Large-Scale Image Recognition,
2015, configuration E.
"""

from __future__ import annotations

from typing import Any

from runtime.keras import layers
from runtime.keras.applications.trained import CLASSES, image_input, with_weights
from runtime.keras.models.model import Model

_BLOCKS = ((2, 64), (2, 128), (4, 256), (4, 512), (4, 512))
"""Convolutions and filters of each block."""


def VGG19(include_top: bool = True, weights: Any = "imagenet", *, input_shape: Any = None) -> Model:
    """Return the net of 19 layers.

    Args:
      include_top: whether the three dense layers that classify are part of it.
      weights: "imagenet": those of the file `vgg19.npz` in `~/.keras/models`; the path of a file of
        `save_weights`; None: new ones.
      input_shape: height, width and channels of images; None: (224, 224, 3), or any size without
        the top.

    Raises:
      FileNotFoundError: with a command that makes the file.
      ValueError: for sizes below 32.

    >>> VGG19(weights=None, include_top=False, input_shape=(64, 64, 3)).output_shape
    (None, 2, 2, 512)
    """
    inputs = x = image_input(input_shape, include_top)
    for block, (count, filters) in enumerate(_BLOCKS, 1):
        for number in range(1, count + 1):
            options = {"activation": "relu", "padding": "same"}
            x = layers.Conv2D(filters, 3, name=f"block{block}_conv{number}", **options)(x)
        x = layers.MaxPooling2D(2, name=f"block{block}_pool")(x)
    if include_top:
        x = layers.Flatten(name="flatten")(x)
        x = layers.Dense(4096, activation="relu", name="fc1")(x)
        x = layers.Dense(4096, activation="relu", name="fc2")(x)
        x = layers.Dense(CLASSES, activation="softmax", name="predictions")(x)
    return with_weights(Model(inputs, x, name="vgg19"), weights, "vgg19.npz", "VGG19")
