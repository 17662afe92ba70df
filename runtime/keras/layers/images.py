"""Layers of sequences and images: convolutions, pooling and other sizes.

One class computes each kind for any number of spatial axes; the public classes set that number.

>>> Conv1D(3, 2)(tf.ones([1, 5, 4])).shape
TensorShape([1, 4, 3])
>>> Conv2DTranspose(3, 2, strides=2)(tf.ones([1, 5, 5, 4])).shape
TensorShape([1, 10, 10, 3])
>>> images = tf.ones([1, 4, 4, 3])
>>> MaxPooling2D()(images).shape, GlobalAveragePooling2D()(images).shape
(TensorShape([1, 2, 2, 3]), TensorShape([1, 3]))
"""

from __future__ import annotations

import inspect
from typing import Any

import runtime as tf
from runtime.keras.base.conversion import user_code
from runtime.keras.base.standard import (
    REQUIRED,
    InputSpec,
    StandardLayer,
    known_axis,
    weight_options,
)


class _Spatial(StandardLayer):
    """Base class: integers for each spatial axis, and the rank of inputs."""

    rank = 2

    def _set_up(self) -> None:
        for name in ("kernel_size", "strides", "pool_size", "size"):
            if name in self.parameters:
                setattr(self, name, self._per_axis(name, getattr(self, name)))
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _per_axis(self, name: str, value: Any) -> tuple[int, ...]:
        items = (value,) * self.rank if isinstance(value, int) else value
        is_fit = isinstance(items, (list, tuple)) and len(items) == self.rank
        if not is_fit or any(item < 1 for item in items):
            raise ValueError(
                f"The `{name}` argument must be a positive integer or a tuple of {self.rank} "
                f"integers. Received: {name}={value}"
            )
        return tuple(int(item) for item in items)


class _Convolution(_Spatial):
    """{kind} of {axes}; the kernel has shape {kernel}.

    Args:
      filters: the number of channels of the outputs.
      kernel_size: size of the kernel along each spatial axis, or one for all.
      strides: steps of the kernel{between}.
      padding: `valid`: no padding; `same`: zeros, so that the strides are the ratio of the sizes of
        inputs and outputs.

    Raises: ValueError for another padding.
    """

    example = "{name}(8, 3)(tf.ones({ones})).shape\nTensorShape([{shown}])"

    parameters = {
        "filters": REQUIRED, "kernel_size": REQUIRED, "strides": 1, "padding": "valid",
        "*": None, "activation": None, "use_bias": True,
        **weight_options(kernel="glorot_uniform", bias="zeros", activity=True),
    }  # fmt: skip
    choices = {"padding": ("valid", "same")}
    is_transposed = False

    def build(self, input_shape: object) -> None:
        """Create `kernel` and `bias`."""
        channels = known_axis(self, input_shape, -1)
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={-1: channels})
        ends = (self.filters, channels) if self.is_transposed else (channels, self.filters)
        self.kernel = self.add_option_weight("kernel", (*self.kernel_size, *ends))
        self.bias = self.add_option_weight("bias", (self.filters,), self.use_bias)

    def call(self, inputs: Any) -> Any:
        """Compute the outputs of inputs of shape [batch, ..., channels]."""
        inputs = tf.cast(inputs, self.compute_dtype)
        compute = self._transposed if self.is_transposed else tf.nn.convolution
        outputs = compute(inputs, self.kernel, self.strides, self.padding.upper())
        if self.bias is not None:
            outputs += self.bias
        return user_code(self.activation)(outputs)

    def _transposed(self, inputs: Any, kernel: Any, strides: Any, padding: str) -> Any:
        known, dynamic = inputs.shape.as_list(), tf.shape(inputs)
        batch, *sizes = (
            dynamic[axis] if size is None else size for axis, size in enumerate(known[:-1])
        )
        sizes = [
            size * stride + (max(reach - stride, 0) if padding == "VALID" else 0)
            for size, stride, reach in zip(sizes, strides, self.kernel_size, strict=True)
        ]
        shape = tf.stack([batch, *sizes, self.filters])
        outputs: Any = tf.nn.conv2d_transpose(inputs, kernel, shape, strides, padding)
        fixed = [size if isinstance(size, int) else None for size in sizes]
        outputs.set_shape([known[0], *fixed, self.filters])
        return outputs


class DepthwiseConv2D(_Spatial):
    """Convolution of each channel of images by itself.

    The kernel has shape [height, width, channels, depth_multiplier].

    Args:
      kernel_size: height and width of the kernel, or one for both.
      strides: steps of the kernel, equal along both axes.
      padding: `valid`: no padding; `same`: zeros, so that the strides are the ratio of the sizes of
        inputs and outputs.
      depth_multiplier: the number of outputs of each channel.

    >>> DepthwiseConv2D(3, depth_multiplier=2)(tf.ones([1, 6, 5, 4])).shape
    TensorShape([1, 4, 3, 8])
    """

    parameters = {
        "kernel_size": REQUIRED, "strides": 1, "padding": "valid", "depth_multiplier": 1,
        "*": None, "activation": None, "use_bias": True,
        **weight_options(depthwise="glorot_uniform", bias="zeros", activity=True),
    }  # fmt: skip
    choices = {"padding": ("valid", "same")}

    def build(self, input_shape: object) -> None:
        """Create `kernel` and `bias`."""
        channels = known_axis(self, input_shape, -1)
        self.input_spec = InputSpec(ndim=4, axes={-1: channels})
        self._filters = channels * self.depth_multiplier
        shape = (*self.kernel_size, channels, self.depth_multiplier)
        self.kernel = self.add_option_weight("kernel", shape, prefix="depthwise")
        self.bias = self.add_option_weight("bias", (self._filters,), self.use_bias)

    def call(self, inputs: Any) -> Any:
        """Compute the outputs of images of shape [batch, height, width, channels]."""
        inputs = tf.cast(inputs, self.compute_dtype)
        kernel = tf.reshape(self.kernel, [*self.kernel_size, 1, self._filters])
        outputs = tf.nn.conv2d(inputs, kernel, self.strides, self.padding.upper())
        if self.bias is not None:
            outputs += self.bias
        return user_code(self.activation)(outputs)


class ZeroPadding2D(_Spatial):
    """Images with zeros around them.

    Args:
      padding: rows and columns on each side: one number, (rows, columns), or
        ((top, bottom), (left, right)).

    >>> ZeroPadding2D(((0, 1), (2, 0)))(tf.ones([1, 2, 2, 1])).shape
    TensorShape([1, 3, 4, 1])
    """

    parameters = {"padding": (1, 1)}

    def _set_up(self) -> None:
        super()._set_up()
        given = (self.padding,) * 2 if isinstance(self.padding, int) else self.padding
        sides = [(each, each) if isinstance(each, int) else each for each in given]
        if len(sides) != 2 or any(len(each) != 2 for each in sides):
            raise ValueError(
                "The `padding` argument must be an integer, a tuple of 2 integers, or a tuple of 2 "
                f"tuples of 2 integers. Received: padding={given}"
            )
        self.padding: Any = tuple(map(tuple, sides))

    def call(self, inputs: Any) -> Any:
        """Pad images of shape [batch, height, width, channels]."""
        return tf.pad(inputs, [(0, 0), *self.padding, (0, 0)])


class _Pooling(_Spatial):
    """{kind} of windows of {axes}.

    Args:
      pool_size: size of the window along each spatial axis, or one for all.
      strides: steps of the window; None: its size.
      padding: `valid`: whole windows alone; `same`: windows at the end are cut off.
    """

    example = "print({name}()({numbers}).numpy().ravel())\n[{shown}]"

    parameters = {
        "pool_size": 2, "strides": None, "padding": "valid", "*": None, "name": None
    }  # fmt: skip
    choices = {"padding": ("valid", "same")}
    reduce: Any

    def _set_up(self) -> None:
        self.strides: Any = self.pool_size if self.strides is None else self.strides
        super()._set_up()

    def call(self, inputs: Any) -> Any:
        """Pool inputs of shape [batch, ..., channels]."""
        reduce = type(self).reduce
        return reduce(inputs, list(self.pool_size), list(self.strides), self.padding.upper())


class _GlobalPooling(_Spatial):
    """{kind} of {axes} along all spatial axes.

    Args:
      keepdims: whether these axes remain, with size 1.
    """

    example = "print({name}()({numbers}).numpy())\n[[{shown}]]"

    parameters = {"*": None, "keepdims": False}
    reduce: Any

    def call(self, inputs: Any) -> Any:
        """Pool inputs of shape [batch, ..., channels]."""
        return type(self).reduce(inputs, [*range(1, self.rank + 1)], keepdims=self.keepdims)


def _floats(inputs: Any) -> Any:
    """Return integers, whose mean would be truncated, as floats."""
    return inputs if inputs.dtype.is_floating else tf.cast(inputs, tf.float32)


def _mean(inputs: Any, axes: list[int], keepdims: bool) -> Any:
    return tf.reduce_mean(_floats(inputs), axes, keepdims=keepdims)


class _AverageOfSteps(_GlobalPooling):
    """{kind} of {axes} along the steps that are not masked.

    Args:
      keepdims: whether the axis of steps remains, with size 1.
    """

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Pool inputs of shape [batch, steps, channels]; `mask` has shape [batch, steps]."""
        if mask is None:
            return super().call(inputs)
        inputs = _floats(inputs)
        weights = tf.cast(mask, inputs.dtype)[..., tf.newaxis]
        total = tf.reduce_sum(inputs * weights, 1, keepdims=self.keepdims)
        return total / tf.reduce_sum(weights, 1, keepdims=self.keepdims)

    def compute_mask(self, inputs: object, mask: object = None) -> Any:
        """Return None: there are no steps any more."""
        return None


_WORDS = {
    1: {
        "axes": "[batch, steps, channels]",
        "ones": "[1, 6, 4]",
        "numbers": "tf.reshape(tf.range(6.0), [1, 6, 1])",
    },
    2: {
        "axes": "[batch, height, width, channels]",
        "ones": "[1, 6, 5, 4]",
        "numbers": "tf.reshape(tf.range(16.0), [1, 4, 4, 1])",
    },
}
"""Axes, and inputs of examples, by the number of spatial axes."""


def _layer(
    name: str, base: Any, rank: int, kind: str, shown: str, reduce: Any = None, **words: str
) -> Any:
    """Create a public class; `words` fill the braces of the docstring of its base.

    `shown` is the result of the example.
    """
    text = f"{inspect.cleandoc(str(base.__doc__))}\n\n>>> {base.example}\n"
    doc = text.format(name=name, kind=kind, shown=shown, **_WORDS[rank], **words)
    own = {"rank": rank, "reduce": staticmethod(reduce), "is_transposed": "Trans" in name}
    return type(name, (base,), {"__doc__": doc, "__module__": __name__, **own})


_PLAIN = {"kernel": "[..., channels, filters]", "between": ""}
_TURNED = {"kernel": "[..., filters, channels]", "between": " between two inputs"}

Conv1D = _layer("Conv1D", _Convolution, 1, "Convolution", "1, 4, 8", **_PLAIN)
Conv2D = _layer("Conv2D", _Convolution, 2, "Convolution", "1, 4, 3, 8", **_PLAIN)
Conv2DTranspose = _layer(
    "Conv2DTranspose", _Convolution, 2, "Transpose of a convolution", "1, 8, 7, 8", **_TURNED
)
AveragePooling1D = _layer("AveragePooling1D", _Pooling, 1, "Mean", "0.5 2.5 4.5", tf.nn.avg_pool)
AveragePooling2D = _layer(
    "AveragePooling2D", _Pooling, 2, "Mean", " 2.5  4.5 10.5 12.5", tf.nn.avg_pool
)
MaxPooling1D = _layer("MaxPooling1D", _Pooling, 1, "Maximum", "1. 3. 5.", tf.nn.max_pool)
MaxPooling2D = _layer("MaxPooling2D", _Pooling, 2, "Maximum", " 5.  7. 13. 15.", tf.nn.max_pool)
GlobalAveragePooling1D = _layer("GlobalAveragePooling1D", _AverageOfSteps, 1, "Mean", "2.5", _mean)
GlobalAveragePooling2D = _layer("GlobalAveragePooling2D", _GlobalPooling, 2, "Mean", "7.5", _mean)
GlobalMaxPooling1D = _layer("GlobalMaxPooling1D", _GlobalPooling, 1, "Maximum", "5.", tf.reduce_max)
GlobalMaxPooling2D = _layer(
    "GlobalMaxPooling2D", _GlobalPooling, 2, "Maximum", "15.", tf.reduce_max
)


class UpSampling2D(_Spatial):
    """Larger images: each pixel is repeated.

    Args:
      size: the factors of height and width, or one for both.

    >>> UpSampling2D((2, 1))(tf.ones([1, 2, 2, 1])).shape
    TensorShape([1, 4, 2, 1])
    """

    parameters = {"size": (2, 2)}

    def call(self, inputs: Any) -> Any:
        """Return images of shape [batch, height, width, channels]."""
        return tf.repeat(tf.repeat(inputs, self.size[0], 1), self.size[1], 2)


class CenterCrop(_Spatial):
    """The center of images; smaller images are cropped to the ratio and enlarged.

    Args:
      height, width: the size.

    >>> CenterCrop(2, 2)(tf.ones([1, 4, 6, 3])).shape
    TensorShape([1, 2, 2, 3])
    """

    parameters = {"height": REQUIRED, "width": REQUIRED}

    def call(self, inputs: Any) -> Any:
        """Return images of shape [batch, height, width, channels]."""
        images, wide, high = tf.cast(inputs, self.compute_dtype), self.width, self.height
        height, width = (known_axis(self, images.shape, axis) for axis in (1, 2))
        is_small = height < high or width < wide
        if is_small:
            high, wide = (
                min(height, int(width * high / wide)),
                min(width, int(height * wide / high)),
            )
        top, left = (height - high) // 2, (width - wide) // 2
        images = images[:, top : top + high, left : left + wide]
        return tf.image.resize(images, (self.height, self.width)) if is_small else images
