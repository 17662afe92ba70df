"""MobileNet: convolutions of each channel by itself, followed by those of single pixels.

Source: Howard et al., MobileNets: Efficient Convolutional Neural Networks for Mobile Vision
Applications, 2017, table 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime.keras import layers
from runtime.keras.applications.trained import CLASSES, image_input, with_weights
from runtime.keras.models.model import Model

_BLOCKS = (
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2),
    (512, 1), (512, 1), (512, 1), (512, 1), (512, 1), (1024, 2), (1024, 1),
)  # fmt: skip
"""Filters and strides of each block."""


def MobileNet(
    input_shape: Any = None, *, include_top: bool = True, weights: Any = "imagenet"
) -> Model:
    """Return the net of 28 layers.

    Args:
      input_shape: height, width and channels of images; None: (224, 224, 3), or any size without
        the top.
      include_top: whether the layers that classify are part of it.
      weights: "imagenet": those of the file `mobilenet_1.00.npz` in `~/.keras/models`; the path of
        a file of `save_weights`; None: new ones.

    Raises:
      FileNotFoundError: with a command that makes the file.
      ValueError: for sizes below 32.

    >>> MobileNet((64, 64, 3), weights=None, include_top=False).output_shape
    (None, 2, 2, 1024)
    """
    inputs = image_input(input_shape, include_top)
    first = layers.Conv2D(32, 3, strides=2, padding="same", use_bias=False, name="conv1")
    x = _normalized(first(inputs), "conv1")
    for number, (filters, strides) in enumerate(_BLOCKS, 1):
        x = _block(x, number, filters, strides)
    if include_top:
        x = layers.GlobalAveragePooling2D(keepdims=True)(x)
        x = layers.Dropout(0.001, name="dropout")(x)
        x = layers.Conv2D(CLASSES, 1, padding="same", name="conv_preds")(x)
        x = layers.Reshape((CLASSES,))(x)
        x = layers.Activation("softmax", name="predictions")(x)
    model = Model(inputs, x, name=f"mobilenet_1.00_{inputs.shape[1]}")
    return with_weights(model, weights, "mobilenet_1.00.npz", "MobileNet")


def _normalized(x: Any, name: str) -> Any:
    x = layers.BatchNormalization(name=f"{name}_bn")(x)
    return layers.ReLU(6.0, name=f"{name}_relu")(x)


def _block(x: Any, number: int, filters: int, strides: int) -> Any:
    """Return the outputs of block `number`: one convolution of channels, one of pixels."""
    if strides > 1:
        x = layers.ZeroPadding2D(((0, 1), (0, 1)), name=f"conv_pad_{number}")(x)
    padding = "same" if strides == 1 else "valid"
    depthwise = layers.DepthwiseConv2D(
        3, strides=strides, padding=padding, use_bias=False, name=f"conv_dw_{number}"
    )
    x = _normalized(depthwise(x), f"conv_dw_{number}")
    pointwise = layers.Conv2D(filters, 1, padding="same", use_bias=False, name=f"conv_pw_{number}")
    return _normalized(pointwise(x), f"conv_pw_{number}")


def preprocess_input(x: Any) -> Any:
    """Return images as the net takes them: from -1 to 1.

    Args:
      x: numbers from 0 to 255, a tensor or an array.

    Returns: the same kind; integers become float32.

    >>> preprocess_input([0, 255]).tolist()
    [-1.0, 1.0]
    """
    if isinstance(x, tf.Tensor):
        return (x if x.dtype.is_floating else tf.cast(x, tf.float32)) / 127.5 - 1.0
    array = np.asarray(x)
    return (array if array.dtype.kind == "f" else array.astype(np.float32)) / 127.5 - 1.0
