"""Convolutions of one, two and three spatial axes, plain and transposed.

One class computes each kind for any number of axes; the public classes set that number.

>>> Conv1D(3, 2, padding="causal")(tf.ones([1, 5, 4])).shape
TensorShape([1, 5, 3])
>>> Conv2DTranspose(3, 2, strides=2)(tf.ones([1, 5, 5, 4])).shape
TensorShape([1, 10, 10, 3])
"""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras.base.arguments import assign_arguments, per_axis, with_rank
from runtime.keras.base.conversion import user_code
from runtime.keras.base.layer import Layer
from runtime.keras.base.spec import InputSpec
from runtime.keras.layers.core import add_weights, known_axis, positive


class _Convolution(Layer):
    """What all convolutions share: geometry, order of axes, bias and activation."""

    rank: int
    padding: str
    data_format: str
    paddings: tuple[str, ...] = ("valid", "same")

    def _set_up(self, arguments: dict[str, Any]) -> None:
        """Set the attributes to the arguments of the constructor."""
        assign_arguments(self, arguments)
        for name in ("kernel_size", "strides", "dilation_rate"):
            setattr(self, name, per_axis(arguments[name], self.rank, name))
        self.padding = str(self.padding).lower()
        if self.padding not in self.paddings:
            raise ValueError(
                f"Invalid padding for {type(self).__name__}. Expected one of {self.paddings}. "
                f"Received: padding={self.padding}"
            )
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ValueError(
                "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
                f"strides={self.strides} and dilation_rate={self.dilation_rate}"
            )
        self.data_format = self.data_format or "channels_last"
        self.input_spec = InputSpec(ndim=self.rank + 2)
        self.bias: Any = None

    def _channels(self, input_shape: Any) -> int:
        axis = -1 if self.data_format == "channels_last" else 1
        size = known_axis(self, input_shape, axis)
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: size})
        return size

    def call(self, inputs: Any) -> Any:
        """Compute the outputs.

        Args:
          inputs: shape [batch, ..., channels], or [batch, channels, ...] for `channels_first`.

        Returns:
          Tensor with the same order of axes.
        """
        is_first = self.data_format == "channels_first"
        inputs = tf.cast(inputs, self.compute_dtype)
        outputs = self._convolve(channels_last(inputs) if is_first else inputs)
        if self.bias is not None:
            outputs += self.bias
        outputs = user_code(self.activation)(outputs)
        return channels_first(outputs) if is_first else outputs

    def _convolve(self, inputs: Any) -> Any:
        raise NotImplementedError


def channels_last(inputs: Any) -> Any:
    """Return [batch, channels, ...] as [batch, ..., channels]."""
    rank = len(inputs.shape)
    return tf.transpose(inputs, [0, *range(2, rank), 1])


def channels_first(outputs: Any) -> Any:
    """Return [batch, ..., channels] as [batch, channels, ...]."""
    rank = len(outputs.shape)
    return tf.transpose(outputs, [0, rank - 1, *range(1, rank - 1)])


class _Plain(_Convolution):
    """Convolution of {axes}.

    The kernel has shape [..., channels / groups, filters] and is not flipped.

    Args:
      filters: the number of channels of the outputs.
      kernel_size: size of the kernel along each spatial axis, or one for all.
      strides: steps of the kernel.
      padding: `valid`: no padding; `same`: zeros, so that sizes are those of the inputs divided by
        the strides; `causal` for one axis: zeros before the first step.
      data_format: `channels_last` or `channels_first`; None: the first.
      dilation_rate: distances of the elements of the kernel.
      groups: the number of groups of channels that are convolved separately.
      activation: activation or its name; None: none.
      use_bias: whether a bias is added.
      kernel_initializer, bias_initializer: initializers or their names.
      kernel_regularizer, bias_regularizer, activity_regularizer: regularizers.
      kernel_constraint, bias_constraint: constraints of the variables.

    Raises:
      ValueError: for other paddings, or strides together with dilation.
    """

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Any = 1,
        groups: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        """Creates the layer without variables."""
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self._set_up(locals())
        self.filters = positive("filters", filters)
        if self.filters % groups:
            raise ValueError(
                "The number of filters must be evenly divisible by the number of groups. Received: "
                f"groups={groups}, filters={filters}."
            )

    def build(self, input_shape: Any) -> None:
        """Create `kernel` and `bias`."""
        channels = self._channels(input_shape)
        if channels % self.groups:
            raise ValueError(
                "The number of input channels must be evenly divisible by the number of groups. "
                f"Received: groups={self.groups}, input channels={channels}."
            )
        shape = (*self.kernel_size, channels // self.groups, self.filters)
        self.kernel = add_weights(self, kernel=shape)
        if self.use_bias:
            self.bias = add_weights(self, bias=(self.filters,))

    def _convolve(self, inputs: Any) -> Any:
        padding = self.padding.upper()
        if padding == "CAUSAL":
            before = self.dilation_rate[0] * (self.kernel_size[0] - 1)
            inputs, padding = tf.pad(inputs, [[0, 0], [before, 0], [0, 0]]), "VALID"
        if self.groups == 1:
            return tf.nn.convolution(
                inputs, self.kernel, self.strides, padding, None, self.dilation_rate
            )
        pairs = zip(
            tf.split(inputs, self.groups, -1), tf.split(self.kernel, self.groups, -1), strict=True
        )
        parts = [
            tf.nn.convolution(part, kernel, self.strides, padding, None, self.dilation_rate)
            for part, kernel in pairs
        ]
        return tf.concat(parts, -1)


class _Transposed(_Convolution):
    """Transpose of a convolution, of {axes}.

    The kernel has shape [..., filters, channels].

    Args:
      filters: the number of channels of the outputs.
      kernel_size: size of the kernel along each spatial axis, or one for all.
      strides: steps between the outputs of two elements of the inputs.
      padding: `valid` or `same`: that of the convolution that is transposed.
      output_padding: sizes added to the outputs; None: such that the sizes of the inputs come back.
      data_format: `channels_last` or `channels_first`; None: the first.
      dilation_rate: distances of the elements of the kernel.
      activation: activation or its name; None: none.
      use_bias: whether a bias is added.
      kernel_initializer, bias_initializer: initializers or their names.
      kernel_regularizer, bias_regularizer, activity_regularizer: regularizers.
      kernel_constraint, bias_constraint: constraints of the variables.
    """

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        output_padding: Any = None,
        data_format: str | None = None,
        dilation_rate: Any = 1,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        """Creates the layer without variables."""
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self._set_up(locals())
        self.filters = positive("filters", filters)
        if output_padding is not None:
            self.output_padding = per_axis(output_padding, self.rank, "output_padding")

    def build(self, input_shape: Any) -> None:
        """Create `kernel` and `bias`."""
        shape = (*self.kernel_size, self.filters, self._channels(input_shape))
        self.kernel = add_weights(self, kernel=shape)
        if self.use_bias:
            self.bias = add_weights(self, bias=(self.filters,))

    def _convolve(self, inputs: Any) -> Any:
        known, dynamic = inputs.shape.as_list(), tf.shape(inputs)
        sizes = [
            self._size(dynamic[axis] if known[axis] is None else known[axis], axis - 1)
            for axis in range(1, self.rank + 1)
        ]
        batch = dynamic[0] if known[0] is None else known[0]
        outputs: Any = tf.nn.conv_transpose(
            inputs,
            self.kernel,
            tf.stack([batch, *sizes, self.filters]),
            self.strides,
            self.padding.upper(),
            None,
            self.dilation_rate,
        )
        fixed = [size if isinstance(size, int) else None for size in sizes]
        outputs.set_shape([known[0], *fixed, self.filters])
        return outputs

    def _size(self, size: Any, axis: int) -> Any:
        """The size of the outputs along an axis."""
        stride = self.strides[axis]
        reach = (self.kernel_size[axis] - 1) * self.dilation_rate[axis] + 1
        if self.output_padding is None:
            is_same = self.padding == "same"
            return size * stride if is_same else size * stride + max(reach - stride, 0)
        start = reach - 2 * (reach // 2) if self.padding == "same" else reach
        return (size - 1) * stride + start + self.output_padding[axis]


Conv1D = with_rank("Conv1D", _Plain, 1, paddings=("valid", "same", "causal"))
Conv2D = with_rank("Conv2D", _Plain, 2)
Conv3D = with_rank("Conv3D", _Plain, 3)
Conv1DTranspose = with_rank("Conv1DTranspose", _Transposed, 1)
Conv2DTranspose = with_rank("Conv2DTranspose", _Transposed, 2)
Conv3DTranspose = with_rank("Conv3DTranspose", _Transposed, 3)
