"""Convolutions of one and two spatial axes, and the transpose.

One class computes each kind for any number of axes; the public classes set that number.

>>> Conv1D(3, 2, padding="causal")(tf.ones([1, 5, 4])).shape
TensorShape([1, 5, 3])
>>> Conv2DTranspose(3, 2, strides=2)(tf.ones([1, 5, 5, 4])).shape
TensorShape([1, 10, 10, 3])
"""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras.base.conversion import user_code
from runtime.keras.base.spec import InputSpec
from runtime.keras.base.standard import (
    REQUIRED,
    StandardLayer,
    known_axis,
    per_axis,
    weight_options,
    with_rank,
)

_WEIGHTS = {
    "activation": None,
    "use_bias": True,
    **weight_options(kernel="glorot_uniform", bias="zeros", activity=True),
}


class Spatial(StandardLayer):
    """What layers of images share: integers for each spatial axis, and the rank of inputs."""

    rank: int
    axis_parameters: tuple[str, ...] = ()

    def _set_up(self) -> None:
        for name in self.axis_parameters:
            value = getattr(self, name)
            setattr(self, name, None if value is None else per_axis(value, self.rank, name))
        self.input_spec = InputSpec(ndim=self.rank + 2)


class _Convolution(Spatial):
    """Convolution of {axes}; the kernel has shape [..., channels / groups, filters].

    Args:
      filters: the number of channels of the outputs.
      kernel_size: size of the kernel along each spatial axis, or one for all.
      strides: steps of the kernel.
      padding: `valid`: no padding; `same`: zeros, so that sizes are those of the inputs divided by
        the strides; `causal` for one axis: zeros before the first step.
      dilation_rate: distances of the elements of the kernel.
      groups: the number of groups of channels that are convolved separately.

    Raises: ValueError for other paddings, or strides together with dilation.
    """

    parameters = {
        "filters": REQUIRED, "kernel_size": REQUIRED, "strides": 1, "padding": "valid",
        "data_format": None, "dilation_rate": 1, "groups": 1, **_WEIGHTS,
    }  # fmt: skip
    choices = {"padding": ("valid", "same")}
    axis_parameters: tuple[str, ...] = ("kernel_size", "strides", "dilation_rate")
    groups = 1

    def _set_up(self) -> None:
        super()._set_up()
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ValueError(
                "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
                f"strides={self.strides} and dilation_rate={self.dilation_rate}"
            )
        self._check_groups("filters", self.filters)

    def _check_groups(self, name: str, size: int) -> None:
        if size % self.groups:
            raise ValueError(
                f"The number of {name} must be evenly divisible by the number of groups. Received: "
                f"groups={self.groups}, {name}={size}"
            )

    def build(self, input_shape: object) -> None:
        """Create `kernel` and `bias`."""
        channels = known_axis(self, input_shape, -1)
        self._check_groups("input channels", channels)
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={-1: channels})
        shape = (*self.kernel_size, *self._kernel_channels(channels))
        self.kernel = self.add_option_weight("kernel", shape)
        self.bias = self.add_option_weight("bias", (self.filters,), self.use_bias)

    def _kernel_channels(self, channels: int) -> tuple[int, int]:
        return channels // self.groups, self.filters

    def call(self, inputs: Any) -> Any:
        """Compute the outputs of inputs of shape [batch, ..., channels]."""
        outputs = self._convolve(tf.cast(inputs, self.compute_dtype))
        if self.bias is not None:
            outputs += self.bias
        return user_code(self.activation)(outputs)

    def _convolve(self, inputs: object) -> Any:
        padding = self.padding.upper()
        if padding == "CAUSAL":
            before = self.dilation_rate[0] * (self.kernel_size[0] - 1)
            inputs, padding = tf.pad(inputs, [[0, 0], [before, 0], [0, 0]]), "VALID"
        return tf.nn.convolution(
            inputs, self.kernel, self.strides, padding, None, self.dilation_rate
        )


class _Transposed(_Convolution):
    """Transpose of a convolution, of {axes}; the kernel has shape [..., filters, channels].

    Args:
      filters: the number of channels of the outputs.
      kernel_size: size of the kernel along each spatial axis, or one for all.
      strides: steps between the outputs of two elements of the inputs.
      padding: `valid` or `same`: that of the convolution that is transposed.
      output_padding: sizes added to the outputs; None: such that the sizes of the inputs come back.
      dilation_rate: distances of the elements of the kernel.
    """

    parameters = {
        "filters": REQUIRED, "kernel_size": REQUIRED, "strides": 1, "padding": "valid",
        "output_padding": None, "data_format": None, "dilation_rate": 1, **_WEIGHTS,
    }  # fmt: skip
    axis_parameters = (*_Convolution.axis_parameters, "output_padding")

    def _kernel_channels(self, channels: int) -> tuple[int, int]:
        return self.filters, channels

    def _convolve(self, inputs: Any) -> Any:
        known, dynamic = inputs.shape.as_list(), tf.shape(inputs)
        batch, *sizes = (
            dynamic[axis] if size is None else size for axis, size in enumerate(known[:-1])
        )
        sizes = [self._size(size, axis) for axis, size in enumerate(sizes)]
        outputs: Any = tf.nn.conv2d_transpose(
            inputs,
            self.kernel,
            tf.stack([batch, *sizes, self.filters]),
            self.strides,
            self.padding.upper(),
            dilations=self.dilation_rate,
        )
        fixed = [size if isinstance(size, int) else None for size in sizes]
        outputs.set_shape([known[0], *fixed, self.filters])
        return outputs

    def _size(self, size: Any, axis: int) -> Any:
        """The size of the outputs along an axis."""
        stride = self.strides[axis]
        reach = (self.kernel_size[axis] - 1) * self.dilation_rate[axis] + 1
        if self.output_padding is None:
            return size * stride + (0 if self.padding == "same" else max(reach - stride, 0))
        start = reach - 2 * (reach // 2) if self.padding == "same" else reach
        return (size - 1) * stride + start + self.output_padding[axis]


Conv1D = with_rank("Conv1D", _Convolution, 1, choices={"padding": ("valid", "same", "causal")})
Conv2D = with_rank("Conv2D", _Convolution, 2)
Conv2DTranspose = with_rank("Conv2DTranspose", _Transposed, 2)
