"""Layers that arrange elements: other shapes, padding, cropping, other sizes of images.

>>> Flatten()(tf.ones([2, 3, 4])).shape, Permute((2, 1))(tf.ones([2, 3, 4])).shape
(TensorShape([2, 12]), TensorShape([2, 4, 3]))
>>> ZeroPadding2D(1)(tf.ones([1, 2, 2, 1])).shape, Cropping1D(1)(tf.ones([1, 5, 1])).shape
(TensorShape([1, 4, 4, 1]), TensorShape([1, 3, 1]))
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.arguments import assign_arguments, per_axis, with_rank
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


class Permute(Layer):
    """The axes in another order.

    Args:
      dims: the axes in the new order; the first after the batch is 1.

    Raises:
      ValueError: unless `dims` holds each axis once.
    """

    def __init__(self, dims: Any, **kwargs: Any) -> None:
        """Holds the order."""
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError(
                "Invalid permutation argument `dims` for Permute Layer. The set of indices in "
                f"`dims` must be consecutive and start from 1. Received dims={dims}"
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Any:
        """Return the tensor with its axes in the new order."""
        return tf.transpose(inputs, [0, *self.dims])


class RepeatVector(Layer):
    """The inputs several times, along a new axis after the batch.

    Args:
      n: how many times.

    >>> RepeatVector(3)(tf.ones([2, 4])).shape
    TensorShape([2, 3, 4])
    """

    def __init__(self, n: int, **kwargs: Any) -> None:
        """Holds the number."""
        super().__init__(**kwargs)
        self.n = n
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs: Any) -> Any:
        """Return a tensor of shape [batch, n, features]."""
        return tf.tile(tf.expand_dims(inputs, 1), [1, self.n, 1])


def _pairs(value: Any, rank: int, name: str) -> Any:
    """A pair of sizes for each axis: before and after."""
    if rank == 1 and not isinstance(value, int):
        return per_axis(value, 2, name)
    items = (value,) * rank if isinstance(value, int) else tuple(value)
    if len(items) != rank:
        raise ValueError(f"`{name}` should have {rank} elements. Received: {value}.")
    pairs = tuple(per_axis(item, 2, name) for item in items)
    return pairs[0] if rank == 1 else pairs


class _Border(Layer):
    """A layer that adds or removes elements around the spatial axes."""

    rank: int
    parameter: str

    def _set_up(self, value: Any, data_format: str | None) -> None:
        setattr(self, self.parameter, _pairs(value, self.rank, self.parameter))
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _all_pairs(self) -> list[tuple[int, int]]:
        """Pairs for all axes of the inputs."""
        value = getattr(self, self.parameter)
        pairs = [value] if self.rank == 1 else list(value)
        none = (0, 0)
        is_first = self.data_format == "channels_first"
        return [none, none, *pairs] if is_first else [none, *pairs, none]


class _ZeroPadding(_Border):
    """Zeros around {axes}.

    Args:
      padding: one number for all sides, one for each spatial axis, or a pair for each: before and
        after.
      data_format: `channels_last` or `channels_first`; None: the first.
    """

    parameter = "padding"

    def __init__(self, padding: Any = 1, data_format: str | None = None, **kwargs: Any) -> None:
        """Holds the sizes."""
        super().__init__(**kwargs)
        self._set_up(padding, data_format)

    def call(self, inputs: Any) -> Any:
        """Return the tensor with zeros around it."""
        return tf.pad(inputs, self._all_pairs())


class _Cropping(_Border):
    """{axes} without the elements at the borders.

    Args:
      cropping: one number for all sides, one for each spatial axis, or a pair for each: before and
        after.
      data_format: `channels_last` or `channels_first`; None: the first.
    """

    parameter = "cropping"

    def __init__(self, cropping: Any = 1, data_format: str | None = None, **kwargs: Any) -> None:
        """Holds the sizes."""
        super().__init__(**kwargs)
        self._set_up(cropping, data_format)

    def call(self, inputs: Any) -> Any:
        """Return the elements inside."""
        dims = inputs.shape.as_list()
        pairs = self._all_pairs()
        for axis, (before, after) in enumerate(pairs):
            if dims[axis] is not None and before + after >= max(dims[axis], 1):
                raise ValueError(
                    f"Values in `cropping` of layer '{self.name}' should be smaller than the "
                    f"input: axis {axis} has size {dims[axis]}, cropping is {(before, after)}."
                )
        return inputs[tuple(slice(before, -after or None) for before, after in pairs)]


class _UpSampling(Layer):
    """Each element of {axes} several times along each spatial axis.

    Args:
      size: how many times, for each spatial axis or for all.
      data_format: `channels_last` or `channels_first`; None: the first.
    """

    rank: int

    def __init__(self, size: Any = 2, data_format: str | None = None, **kwargs: Any) -> None:
        """Holds the factors."""
        super().__init__(**kwargs)
        self.size = size if self.rank == 1 else per_axis(size, self.rank, "size")
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Any) -> Any:
        """Return the larger tensor."""
        start = 1 if self.data_format == "channels_last" else 2
        for axis, factor in enumerate(per_axis(self.size, self.rank, "size"), start):
            inputs = tf.repeat(inputs, factor, axis)
        return inputs


_WITHOUT_FORMAT = frozenset({"data_format"})

ZeroPadding1D = with_rank("ZeroPadding1D", _ZeroPadding, 1)
ZeroPadding2D = with_rank("ZeroPadding2D", _ZeroPadding, 2)
ZeroPadding3D = with_rank("ZeroPadding3D", _ZeroPadding, 3)
Cropping1D = with_rank("Cropping1D", _Cropping, 1, _not_in_config=_WITHOUT_FORMAT)
Cropping2D = with_rank("Cropping2D", _Cropping, 2)
Cropping3D = with_rank("Cropping3D", _Cropping, 3)
UpSampling1D = with_rank("UpSampling1D", _UpSampling, 1, _not_in_config=_WITHOUT_FORMAT)
UpSampling3D = with_rank("UpSampling3D", _UpSampling, 3)


class UpSampling2D(with_rank("UpSampling2D", _UpSampling, 2)):  # type: ignore[misc]
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
        super().__init__(size, data_format, **kwargs)
        self.interpolation = _check_interpolation(interpolation)

    def call(self, inputs: Any) -> Any:
        """Return the larger images."""
        if self.interpolation == "nearest":
            return super().call(inputs)
        is_first = self.data_format == "channels_first"
        images = channels_last(inputs) if is_first else inputs
        _, height, width, _ = images.shape.as_list()
        images = resize(images, height * self.size[0], width * self.size[1], self.interpolation)
        return channels_first(images) if is_first else images


def _check_interpolation(name: str) -> str:
    if name not in ("nearest", "bilinear"):
        raise ValueError(
            f"`interpolation` must be 'nearest' or 'bilinear'. Received: interpolation={name}"
        )
    return name


def _weights(size: int, target: int, interpolation: str) -> Any:
    """Matrix [target, size] of the share of each element in each element of the result.

    Centers of elements are at half integers, as in OpenCV and TensorFlow 2.
    """
    centers = (np.arange(target) + 0.5) * size / target
    if interpolation == "nearest":
        return np.eye(size)[np.floor(centers).astype(int)]
    places = np.clip(centers - 0.5, 0, size - 1)
    return np.maximum(0.0, 1.0 - np.abs(places[:, None] - np.arange(size)))


def resize(images: Any, height: int, width: int, interpolation: str = "bilinear") -> Any:
    """Return images of another size.

    Args:
      images: shape [..., height, width, channels], of known height and width.
      height, width: the size.
      interpolation: `nearest` or `bilinear`.
    """
    *_, old_height, old_width, _ = images.shape.as_list()
    if old_height is None or old_width is None:
        raise ValueError(
            f"The size of images that are resize must be known. Received: shape={images.shape}."
        )
    rows = tf.constant(_weights(old_height, height, interpolation), images.dtype)
    columns = tf.constant(_weights(old_width, width, interpolation), images.dtype)
    batch = "xyz"[: len(images.shape) - 3]
    return tf.einsum(f"hi,{batch}ijc,wj->{batch}hwc", rows, images, columns)


class _Images(Layer):
    """A layer that makes images of one size."""

    def _set_up(self, height: int, width: int, data_format: str | None) -> None:
        self.height, self.width = height, width
        self.data_format = data_format or "channels_last"

    def call(self, inputs: Any) -> Any:
        """Return images of shape [..., height, width, channels].

        Args:
          inputs: one image or a batch of images.
        """
        inputs = tf.cast(inputs, self.compute_dtype)
        if self.data_format == "channels_last":
            return self._transform(inputs)
        rank = len(inputs.shape)
        images = tf.transpose(inputs, [*range(rank - 3), rank - 2, rank - 1, rank - 3])
        outputs = self._transform(images)
        return tf.transpose(outputs, [*range(rank - 3), rank - 1, rank - 3, rank - 2])

    def _transform(self, images: Any) -> Any:
        raise NotImplementedError


def _center(images: Any, height: int, width: int) -> Any:
    *_, old_height, old_width, _ = images.shape.as_list()
    top, left = (old_height - height) // 2, (old_width - width) // 2
    return images[..., top : top + height, left : left + width, :]


def _crop_to_aspect(images: Any, height: int, width: int) -> Any:
    """The largest part around the center with the ratio of another size."""
    *_, old_height, old_width, _ = images.shape.as_list()
    crop_height = min(old_height, int(old_width * height / width))
    crop_width = min(old_width, int(old_height * width / height))
    return _center(images, crop_height, crop_width)


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
        self._set_up(height, width, data_format)

    def _transform(self, images: Any) -> Any:
        *_, old_height, old_width, _ = images.shape.as_list()
        if old_height >= self.height and old_width >= self.width:
            return _center(images, self.height, self.width)
        part = _crop_to_aspect(images, self.height, self.width)
        return resize(part, self.height, self.width)


class Resizing(_Images):
    """Images of another size.

    Args:
      height, width: the size.
      interpolation: `nearest` or `bilinear`.
      crop_to_aspect_ratio: whether borders are removed so that the images are not distorted.
      data_format: `channels_last` or `channels_first`; None: the first.

    >>> Resizing(2, 3)(tf.ones([1, 4, 6, 3])).shape
    TensorShape([1, 2, 3, 3])
    """

    def __init__(
        self,
        height: int,
        width: int,
        interpolation: str = "bilinear",
        crop_to_aspect_ratio: bool = False,
        data_format: str | None = None,
        **kwargs: Any,
    ) -> None:
        """Holds the size."""
        super().__init__(**kwargs)
        self._set_up(height, width, data_format)
        self.interpolation = _check_interpolation(interpolation)
        self.crop_to_aspect_ratio = crop_to_aspect_ratio

    def _transform(self, images: Any) -> Any:
        if self.crop_to_aspect_ratio:
            images = _crop_to_aspect(images, self.height, self.width)
        return resize(images, self.height, self.width, self.interpolation)


class Rescaling(Layer):
    """`inputs * scale + offset`.

    Args:
      scale: the factor.
      offset: the summand.

    >>> print(Rescaling(1 / 255, offset=-1)(tf.constant([255.0])).numpy())
    [0.]
    """

    def __init__(self, scale: Any, offset: Any = 0.0, **kwargs: Any) -> None:
        """Holds the numbers."""
        super().__init__(**kwargs)
        assign_arguments(self, locals())

    def call(self, inputs: Any) -> Any:
        """Return the scaled inputs, in the dtype of the layer."""
        dtype = self.compute_dtype
        return tf.cast(inputs, dtype) * tf.cast(self.scale, dtype) + tf.cast(self.offset, dtype)
