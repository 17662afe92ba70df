"""VGG19: small convolutions in five blocks.

Source: Simonyan and Zisserman, Very Deep Convolutional Networks for Large-Scale Image Recognition,
2015, configuration E.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime.keras import layers
from runtime.keras.applications.trained import (
    CLASSES,
    as_floats,
    check_classes,
    image_input,
    pooled,
    with_weights,
)
from runtime.keras.models.model import Model

_BLOCKS = ((2, 64), (2, 128), (4, 256), (4, 512), (4, 512))
"""Convolutions and filters of each block."""

_MEANS = (103.939, 116.779, 123.68)
"""Means of blue, green and red in the images that the paper trains on."""


def VGG19(
    include_top: bool = True,
    weights: Any = "imagenet",
    input_tensor: Any = None,
    input_shape: Any = None,
    pooling: str | None = None,
    classes: int = CLASSES,
    classifier_activation: Any = "softmax",
    name: str = "vgg19",
) -> Model:
    """Return the net of 19 layers.

    Args:
      include_top: whether the three dense layers that classify are part of it.
      weights: "imagenet": those of the file `vgg19.npz` in `~/.keras/models`; the path of a file of
        `save_weights`; None: new ones.
      input_tensor: input that is used in place of a new one.
      input_shape: height, width and channels of images; None: (224, 224, 3), or any size without
        the top.
      pooling: `avg` or `max` of the last images, or None, without the top.
      classes: the number of classes.
      classifier_activation: the activation of the last layer.
      name: the name of the model.

    Raises:
      FileNotFoundError: with a command that makes the file.
      ValueError: for sizes below 32, or classes that the file does not have.

    >>> VGG19(weights=None, include_top=False, input_shape=(64, 64, 3)).output_shape
    (None, 2, 2, 512)
    """
    check_classes(weights, include_top, classes)
    inputs = image_input(input_tensor, input_shape, include_top)
    x = inputs
    for block, (count, filters) in enumerate(_BLOCKS, 1):
        for number in range(1, count + 1):
            options = {"activation": "relu", "padding": "same"}
            x = layers.Conv2D(filters, 3, name=f"block{block}_conv{number}", **options)(x)
        x = layers.MaxPooling2D(2, name=f"block{block}_pool")(x)
    if include_top:
        x = layers.Flatten(name="flatten")(x)
        x = layers.Dense(4096, activation="relu", name="fc1")(x)
        x = layers.Dense(4096, activation="relu", name="fc2")(x)
        x = layers.Dense(classes, activation=classifier_activation, name="predictions")(x)
    else:
        x = pooled(x, pooling)
    return with_weights(Model(inputs, x, name=name), weights, "vgg19.npz", "VGG19()")


def preprocess_input(x: Any) -> Any:
    """Return images as the net takes them: blue, green and red around their means.

    Args:
      x: red, green and blue from 0 to 255, a tensor or an array of shape [..., 3].

    Returns: the same kind; integers become float32.

    >>> print(preprocess_input(np.full((1, 1, 3), 120.0)))
    [[[16.061  3.221 -3.68 ]]]
    """
    colors = as_floats(x)[..., ::-1]
    planes = [colors[..., i] - mean for i, mean in enumerate(_MEANS)]
    return (tf if isinstance(x, tf.Tensor) else np).stack(planes, -1)
