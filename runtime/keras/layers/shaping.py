"""Layers that arrange elements: other shapes, and other sizes of images.

>>> Flatten()(tf.ones([2, 3, 4])).shape, Reshape((2, -1))(tf.ones([2, 3, 4])).shape
(TensorShape([2, 12]), TensorShape([2, 2, 6]))
"""

from __future__ import annotations

import math
from typing import Any

import runtime as tf
from runtime.keras.base.arguments import per_axis
from runtime.keras.base.layer import Layer
from runtime.keras.base.spec import InputSpec
from runtime.keras.layers.convolution import channels_first, channels_last


class Flatten(Layer):
    """All axes after the batch as one.

    Args:
      data_format: `channels_first` moves the channels to the end before; None: `channels_last`.
    """

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        """Holds the order of axes."""
        super().__init__(**kwargs)
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:
        """Return a tensor of shape [batch, elements]."""
        if self.data_format == "channels_first" and len(inputs.shape) > 2:
            inputs = channels_last(inputs)
        dims = inputs.shape.as_list()[1:]
        if None in dims:
            return tf.reshape(inputs, tf.stack([tf.shape(inputs)[0], -1]))
        return tf.reshape(inputs, [-1, math.prod(dims)])


class Reshape(Layer):
    """The elements in another shape.

    Args:
      target_shape: the shape without the batch dimension; one size may be -1.
    """

    def __init__(self, target_shape: Any, **kwargs: Any) -> None:
        """Holds the shape."""
        super().__init__(**kwargs)
        is_size = isinstance(target_shape, int)
        self.target_shape = (target_shape,) if is_size else tuple(target_shape)

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


def _check_interpolation(name: str) -> str:
    if name not in ("nearest", "bilinear"):
        raise ValueError(
            f"`interpolation` must be 'nearest' or 'bilinear'. Received: interpolation={name}"
        )
    return name


class _Images(Layer):
    """A layer that changes the height and width of images."""

    data_format: str

    def call(self, inputs: Any) -> Any:
        """Return images of shape [..., height, width, channels]; see `data_format`."""
        inputs = tf.cast(inputs, self.compute_dtype)
        if self.data_format == "channels_last":
            return self._transform(inputs)
        return channels_first(self._transform(channels_last(inputs)))

    def _transform(self, images: Any) -> Any:
        raise NotImplementedError


class UpSampling2D(_Images):
    """Larger images.

    Args:
      size: the factors of height and width, or one for both.
      data_format: `channels_last` or `channels_first`; None: the first.
      interpolation: `nearest` or `bilinear`.

    >>> UpSampling2D((2, 1), interpolation="bilinear")(tf.ones([1, 2, 2, 1])).shape
    TensorShape([1, 4, 2, 1])
    """

    def __init__(
        self,
        size: Any = (2, 2),
        data_format: str | None = None,
        interpolation: str = "nearest",
        **kwargs: Any,
    ) -> None:
        """Holds the arguments."""
        super().__init__(**kwargs)
        self.size = per_axis(size, 2, "size")
        self.data_format = data_format or "channels_last"
        self.interpolation = _check_interpolation(interpolation)
        self.input_spec = InputSpec(ndim=4)

    def _transform(self, images: Any) -> Any:
        if self.interpolation == "nearest":
            return tf.repeat(tf.repeat(images, self.size[0], 1), self.size[1], 2)
        dynamic = tf.shape(images)
        sizes = [
            factor * (dynamic[axis] if images.shape[axis] is None else images.shape[axis])
            for axis, factor in enumerate(self.size, 1)
        ]
        return tf.image.resize(images, tf.stack(sizes))


class CenterCrop(_Images):
    """The center of images; smaller images are cropped to the ratio and enlarged.

    Args:
      height, width: the size.
      data_format: `channels_last` or `channels_first`; None: the first.

    >>> CenterCrop(2, 2)(tf.ones([1, 4, 6, 3])).shape
    TensorShape([1, 2, 2, 3])
    """

    def __init__(
        self, height: int, width: int, data_format: str | None = None, **kwargs: Any
    ) -> None:
        """Holds the size."""
        super().__init__(**kwargs)
        self.height, self.width = height, width
        self.data_format = data_format or "channels_last"

    def _transform(self, images: Any) -> Any:
        *_, old_height, old_width, _ = images.shape.as_list()
        if old_height >= self.height and old_width >= self.width:
            return _center(images, self.height, self.width)
        crop_height = min(old_height, int(old_width * self.height / self.width))
        crop_width = min(old_width, int(old_height * self.width / self.height))
        return tf.image.resize(_center(images, crop_height, crop_width), (self.height, self.width))


def _center(images: Any, height: int, width: int) -> Any:
    *_, old_height, old_width, _ = images.shape.as_list()
    top, left = (old_height - height) // 2, (old_width - width) // 2
    return images[..., top : top + height, left : left + width, :]
