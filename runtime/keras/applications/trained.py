"""Shared parts of image classifiers: input, and variables of a local file."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.keras import layers
from runtime.keras.models.model import Model
from runtime.keras.utils.files import cached

SIZE = 224
"""Height and width of the images of ImageNet that such nets are trained on."""

CLASSES = 1000
"""Classes of ImageNet."""


def image_input(input_shape: Any, include_top: bool) -> Any:
    """Return an input for images of a shape.

    Raises:
      ValueError: if images of the shape are too small for the net, or not those of its classes.
    """
    shape = tuple(input_shape or ((SIZE, SIZE, 3) if include_top else (None, None, 3)))
    if len(shape) != 3 or any(size is not None and size < 32 for size in shape[:2]):
        raise ValueError(
            "`input_shape` must be (height, width, channels) with a height and width of 32 or "
            f"more. Received: input_shape={input_shape}"
        )
    if include_top and None in shape:
        raise ValueError(f"With `include_top`, `input_shape` must be known, not {input_shape}.")
    return layers.Input(shape)


def with_weights(model: Model, weights: Any, file: str, kind: str) -> Model:
    """Give a model the values of its variables; see `MobileNet` for `weights`.

    `file` is the name of the archive of arrays in `~/.keras/models`, which Keras's function `kind`
    made.
    """
    if weights is None:
        return model
    if weights != "imagenet":
        model.load_weights(weights)
        return model
    path = cached(file, "models")
    if not os.path.exists(path):
        raise FileNotFoundError(
            f"There is no file '{path}', and nothing is downloaded. Make it once, where Keras is "
            f"installed:\n  python -c \"import keras, numpy; numpy.savez('{path}', "
            f'*keras.applications.{kind}().get_weights())"\n'
            "or pass `weights=None` for new variables."
        )
    with np.load(path) as arrays:
        values = [arrays[f"arr_{i}"] for i in range(len(arrays.files))]
    model.set_weights(values[: len(model.weights)])
    return model
