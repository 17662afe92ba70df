"""Pooling along one, two and three spatial axes, and global pooling.

>>> images = tf.ones([1, 4, 4, 3])
>>> MaxPooling2D()(images).shape, GlobalAveragePooling2D()(images).shape
(TensorShape([1, 2, 2, 3]), TensorShape([1, 3]))
"""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras.base.arguments import assign_arguments, per_axis, with_rank
from runtime.keras.base.layer import Layer
from runtime.keras.base.spec import InputSpec
from runtime.keras.layers.convolution import channels_first, channels_last


class _Pooling(Layer):
    """Maximum or mean of windows of {axes}.

    Args:
      pool_size: size of the window along each spatial axis, or one for all.
      strides: steps of the window; None: its size.
      padding: `valid`: whole windows alone; `same`: windows at the end are cut off.
      data_format: `channels_last` or `channels_first`; None: the first.
    """

    rank: int
    kind: str

    def __init__(
        self,
        pool_size: Any = 2,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        """Holds the geometry."""
        super().__init__(name=name, **kwargs)
        self.pool_size = per_axis(pool_size, self.rank, "pool_size")
        self.strides = per_axis(pool_size if strides is None else strides, self.rank, "strides")
        self.padding = str(padding).lower()
        if self.padding not in ("valid", "same"):
            raise ValueError(
                f"The `padding` argument of {type(self).__name__} must be 'valid' or 'same'. "
                f"Received: padding={padding}"
            )
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Any) -> Any:
        """Pool inputs of shape [batch, ..., channels]; see `data_format`."""
        is_first = self.data_format == "channels_first"
        values = channels_last(inputs) if is_first else inputs
        pool = tf.nn.max_pool if self.kind == "max" else tf.nn.avg_pool
        outputs = pool(values, list(self.pool_size), list(self.strides), self.padding.upper())
        return channels_first(outputs) if is_first else outputs


class _GlobalPooling(Layer):
    """Maximum or mean of {axes} along all spatial axes.

    Args:
      data_format: `channels_last` or `channels_first`; None: the first.
      keepdims: whether the spatial axes stay, with size 1.
    """

    rank: int
    kind: str

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        """Holds the arguments."""
        super().__init__(**kwargs)
        assign_arguments(self, locals())
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(ndim=self.rank + 2)

    @property
    def _axes(self) -> list[int]:
        start = 1 if self.data_format == "channels_last" else 2
        return list(range(start, start + self.rank))

    def call(self, inputs: Any) -> Any:
        """Pool inputs of shape [batch, ..., channels]; see `data_format`."""
        reduce = tf.reduce_max if self.kind == "max" else tf.reduce_mean
        return reduce(inputs, self._axes, self.keepdims)


class _GlobalAverageOfSteps(_GlobalPooling):
    """Mean of {axes} along the steps that are not masked.

    Args:
      data_format: `channels_last` or `channels_first`; None: the first.
      keepdims: whether the steps stay, with size 1.
    """

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        """Holds the arguments."""
        super().__init__(data_format, keepdims, **kwargs)
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Pool inputs of shape [batch, steps, channels].

        Args:
          inputs: floats.
          mask: bools of shape [batch, steps].
        """
        if mask is None:
            return super().call(inputs)
        weights = tf.cast(mask, inputs.dtype)
        weights = tf.expand_dims(weights, 2 if self.data_format == "channels_last" else 1)
        total = tf.reduce_sum(inputs * weights, self._axes, self.keepdims)
        return total / tf.reduce_sum(weights, self._axes, self.keepdims)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return None: there are no steps any more."""
        return None


AveragePooling1D = with_rank("AveragePooling1D", _Pooling, 1, kind="average")
AveragePooling2D = with_rank("AveragePooling2D", _Pooling, 2, kind="average")
AveragePooling3D = with_rank("AveragePooling3D", _Pooling, 3, kind="average")
MaxPooling1D = with_rank("MaxPooling1D", _Pooling, 1, kind="max")
MaxPooling2D = with_rank("MaxPooling2D", _Pooling, 2, kind="max")
MaxPooling3D = with_rank("MaxPooling3D", _Pooling, 3, kind="max")
GlobalAveragePooling1D = with_rank(
    "GlobalAveragePooling1D", _GlobalAverageOfSteps, 1, kind="average"
)
GlobalAveragePooling2D = with_rank("GlobalAveragePooling2D", _GlobalPooling, 2, kind="average")
GlobalAveragePooling3D = with_rank("GlobalAveragePooling3D", _GlobalPooling, 3, kind="average")
GlobalMaxPooling1D = with_rank("GlobalMaxPooling1D", _GlobalPooling, 1, kind="max")
GlobalMaxPooling2D = with_rank("GlobalMaxPooling2D", _GlobalPooling, 2, kind="max")
GlobalMaxPooling3D = with_rank("GlobalMaxPooling3D", _GlobalPooling, 3, kind="max")
