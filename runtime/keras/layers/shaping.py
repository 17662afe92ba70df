"""Layers that arrange elements: other shapes, and other sizes of images.

>>> Flatten()(tf.ones([2, 3, 4])).shape, Reshape((2, -1))(tf.ones([2, 3, 4])).shape
(TensorShape([2, 12]), TensorShape([2, 2, 6]))
"""

from __future__ import annotations

import math
from typing import Any

import runtime as tf
from runtime.keras.base.spec import InputSpec
from runtime.keras.base.standard import REQUIRED, StandardLayer, known_axis
from runtime.keras.layers.convolution import Spatial


class Flatten(StandardLayer):
    """All axes after the batch as one."""

    parameters = {"data_format": None}
    input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:
        """Return a tensor of shape [batch, elements]."""
        dims = inputs.shape.as_list()[1:]
        if None in dims:
            return tf.reshape(inputs, tf.stack([tf.shape(inputs)[0], -1]))
        return tf.reshape(inputs, [-1, math.prod(dims)])


class Reshape(StandardLayer):
    """The elements in another shape.

    Args:
      target_shape: the shape without the batch dimension; one size may be -1.
    """

    parameters = {"target_shape": REQUIRED}
    target_shape: Any

    def _set_up(self) -> None:
        is_size = isinstance(self.target_shape, int)
        self.target_shape = (self.target_shape,) if is_size else tuple(self.target_shape)

    def build(self, input_shape: Any) -> None:
        """Check the number of elements."""
        known, wanted = input_shape[1:], self.target_shape
        if None in known:
            return
        size, rest = math.prod(known), math.prod(each for each in wanted if each != -1)
        if size % max(rest, 1) if -1 in wanted else size != rest:
            raise ValueError(
                f"The total size of the tensor must be unchanged. Received: input_shape="
                f"{tuple(known)}, target_shape={wanted} of layer '{self.name}'."
            )

    def call(self, inputs: Any) -> Any:
        """Return a tensor of shape [batch, *target_shape]."""
        known = inputs.shape.as_list()[1:]
        target = list(self.target_shape)
        if -1 in target and None not in known:
            rest = math.prod(each for each in target if each != -1)
            target[target.index(-1)] = math.prod(known) // max(rest, 1)
        if -1 in target:
            return tf.reshape(inputs, tf.stack([tf.shape(inputs)[0], *target]))
        return tf.reshape(inputs, [-1, *target])


class UpSampling2D(Spatial):
    """Larger images.

    Args:
      size: the factors of height and width, or one for both.
      interpolation: `nearest` or `bilinear`.

    >>> UpSampling2D((2, 1), interpolation="bilinear")(tf.ones([1, 2, 2, 1])).shape
    TensorShape([1, 4, 2, 1])
    """

    parameters = {"size": (2, 2), "data_format": None, "interpolation": "nearest"}
    choices = {"interpolation": ("nearest", "bilinear")}
    axis_parameters = ("size",)
    rank = 2

    def call(self, inputs: Any) -> Any:
        """Return images of shape [batch, height, width, channels]."""
        if self.interpolation == "nearest":
            return tf.repeat(tf.repeat(inputs, self.size[0], 1), self.size[1], 2)
        known, dynamic = inputs.shape.as_list(), tf.shape(inputs)
        sizes = [
            factor * (dynamic[axis] if known[axis] is None else known[axis])
            for axis, factor in enumerate(self.size, 1)
        ]
        return tf.image.resize(inputs, tf.stack(sizes))


class CenterCrop(Spatial):
    """The center of images; smaller images are cropped to the ratio and enlarged.

    Args:
      height, width: the size.

    >>> CenterCrop(2, 2)(tf.ones([1, 4, 6, 3])).shape
    TensorShape([1, 2, 2, 3])
    """

    parameters = {"height": REQUIRED, "width": REQUIRED, "data_format": None}
    rank = 2

    def _set_up(self) -> None:
        self.input_spec = InputSpec(min_ndim=3)

    def call(self, inputs: Any) -> Any:
        """Return images of shape [..., height, width, channels]."""
        images = tf.cast(inputs, self.compute_dtype)
        if len(images.shape) == 3:
            return self.call(images[tf.newaxis])[0]
        height, width = (known_axis(self, images.shape, axis) for axis in (1, 2))
        if height >= self.height and width >= self.width:
            return _center(images, self.height, self.width)
        crop_height = min(height, int(width * self.height / self.width))
        crop_width = min(width, int(height * self.width / self.height))
        return tf.image.resize(_center(images, crop_height, crop_width), (self.height, self.width))


def _center(images: Any, height: int, width: int) -> Any:
    _, old_height, old_width, _ = images.shape.as_list()
    top, left = (old_height - height) // 2, (old_width - width) // 2
    return images[:, top : top + height, left : left + width]
