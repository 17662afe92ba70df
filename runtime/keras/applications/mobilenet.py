"""MobileNet: convolutions of each channel by itself, followed by those of single pixels.

Source: Howard et al., MobileNets: Efficient Convolutional Neural Networks for Mobile Vision
Applications, 2017, table 1.
"""

from __future__ import annotations

from typing import Any

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

_BLOCKS = (
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2),
    (512, 1), (512, 1), (512, 1), (512, 1), (512, 1), (1024, 2), (1024, 1),
)  # fmt: skip
"""Filters and strides of each block."""


def MobileNet(
    input_shape: Any = None,
    alpha: float = 1.0,
    depth_multiplier: int = 1,
    dropout: float = 0.001,
    include_top: bool = True,
    weights: Any = "imagenet",
    input_tensor: Any = None,
    pooling: str | None = None,
    classes: int = CLASSES,
    classifier_activation: Any = "softmax",
    name: str | None = None,
) -> Model:
    """Return the net of 28 layers.

    Args:
      input_shape: height, width and channels of images; None: (224, 224, 3), or any size without
        the top.
      alpha: factor of the number of filters.
      depth_multiplier: outputs of each channel in the convolutions of single channels.
      dropout: fraction that is dropped before the last layer.
      include_top: whether the layers that classify are part of it.
      weights: "imagenet": those of the file `mobilenet_ALPHA.npz` in `~/.keras/models`; the path of
        a file of `save_weights`; None: new ones.
      input_tensor: input that is used in place of a new one.
      pooling: `avg` or `max` of the last images, or None, without the top.
      classes: the number of classes.
      classifier_activation: the activation of the last layer.
      name: the name of the model; None: one of `alpha` and the height.

    Raises:
      FileNotFoundError: with a command that makes the file.
      ValueError: for sizes below 32, or classes that the file does not have.

    >>> MobileNet((64, 64, 3), weights=None, include_top=False, pooling="avg").output_shape
    (None, 1024)
    """
    check_classes(weights, include_top, classes)
    inputs = image_input(input_tensor, input_shape, include_top)
    first = layers.Conv2D(
        int(32 * alpha), 3, strides=2, padding="same", use_bias=False, name="conv1"
    )
    x = _normalized(first(inputs), "conv1")
    for number, (filters, strides) in enumerate(_BLOCKS, 1):
        x = _block(x, number, int(filters * alpha), strides, depth_multiplier)
    if include_top:
        x = layers.GlobalAveragePooling2D(keepdims=True)(x)
        x = layers.Dropout(dropout, name="dropout")(x)
        x = layers.Conv2D(classes, 1, padding="same", name="conv_preds")(x)
        x = layers.Reshape((classes,))(x)
        x = layers.Activation(classifier_activation, name="predictions")(x)
    else:
        x = pooled(x, pooling)
    model = Model(inputs, x, name=name or f"mobilenet_{alpha:.2f}_{inputs.shape[1]}")
    return with_weights(model, weights, f"mobilenet_{alpha:.2f}.npz", f"MobileNet(alpha={alpha})")


def _normalized(x: Any, name: str) -> Any:
    x = layers.BatchNormalization(name=f"{name}_bn")(x)
    return layers.ReLU(6.0, name=f"{name}_relu")(x)


def _block(x: Any, number: int, filters: int, strides: int, multiplier: int) -> Any:
    """Return the outputs of block `number`: one convolution of channels, one of pixels."""
    if strides > 1:
        x = layers.ZeroPadding2D(((0, 1), (0, 1)), name=f"conv_pad_{number}")(x)
    depthwise = layers.DepthwiseConv2D(
        3,
        strides=strides,
        padding="same" if strides == 1 else "valid",
        depth_multiplier=multiplier,
        use_bias=False,
        name=f"conv_dw_{number}",
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
    return as_floats(x) / 127.5 - 1.0
