"""Shared parts of image classifiers: input, top layers, and variables of a local file."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

import runtime as tf
from runtime.keras import layers
from runtime.keras.families import check_choice
from runtime.keras.models.model import Model
from runtime.keras.utils.files import cached

SIZE = 224
"""Height and width of the images of ImageNet that such nets are trained on."""

CLASSES = 1000
"""Classes of ImageNet."""

_POOLING = {"avg": layers.GlobalAveragePooling2D, "max": layers.GlobalMaxPooling2D}


def image_input(input_tensor: Any, input_shape: Any, include_top: bool) -> Any:
    """Return the input of a net: the given one, or a new one of the given shape.

    Raises:
      ValueError: if images of the shape are too small for the net, or not those of its classes.
    """
    if input_tensor is not None:
        return input_tensor
    shape = tuple(input_shape or ((SIZE, SIZE, 3) if include_top else (None, None, 3)))
    if len(shape) != 3 or any(size is not None and size < 32 for size in shape[:2]):
        raise ValueError(
            "`input_shape` must be (height, width, channels) with a height and width of 32 or "
            f"more. Received: input_shape={input_shape}"
        )
    if include_top and None in shape:
        raise ValueError(f"With `include_top`, `input_shape` must be known, not {input_shape}.")
    return layers.Input(shape)


def pooled(outputs: Any, pooling: str | None) -> Any:
    """Return the outputs of a net without its top, as images or as one vector for each image.

    Raises:
      ValueError: for another pooling than `avg` and `max`.
    """
    if pooling is None:
        return outputs
    check_choice("pooling", pooling, _POOLING)
    return _POOLING[pooling]()(outputs)


def check_classes(weights: object, include_top: bool, classes: int) -> None:
    """Check that the classes are those of the variables. Raises ValueError."""
    if weights == "imagenet" and include_top and classes != CLASSES:
        raise ValueError(
            f"With `weights='imagenet'` and `include_top`, `classes` must be {CLASSES}, not "
            f"{classes}. Use `include_top=False`, and layers of your own."
        )


def as_floats(x: Any) -> Any:
    """Return a tensor or array; integers become float32."""
    if isinstance(x, tf.Tensor):
        return x if x.dtype.is_floating else tf.cast(x, tf.float32)
    array = np.asarray(x)
    return array if array.dtype.kind == "f" else array.astype(np.float32)


def with_weights(model: Model, weights: Any, file: str, call: str) -> Model:
    """Give a model the values of its variables.

    Args:
      model: the model.
      weights: "imagenet", the path of a file of `save_weights`, or None.
      file: the name of the file for "imagenet" in `~/.keras/models`, an archive of arrays.
      call: the call that makes the whole model with Keras.

    Raises:
      FileNotFoundError: with a command that makes the file.
      ValueError: if the arrays do not fit.
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
            f'*keras.applications.{call}.get_weights())"\n'
            "or pass `weights=None` for new variables."
        )
    with np.load(path) as arrays:
        values = [arrays[f"arr_{i}"] for i in range(len(arrays.files))]
    model.set_weights(values[: len(model.weights)])
    return model
