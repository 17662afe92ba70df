"""Pooling along one and two spatial axes, and global pooling.

>>> images = tf.ones([1, 4, 4, 3])
>>> MaxPooling2D()(images).shape, GlobalAveragePooling2D()(images).shape
(TensorShape([1, 2, 2, 3]), TensorShape([1, 3]))
"""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras.base.standard import with_rank
from runtime.keras.layers.convolution import Spatial


class _Pooling(Spatial):
    """Maximum or mean of windows of {axes}.

    Args:
      pool_size: size of the window along each spatial axis, or one for all.
      strides: steps of the window; None: its size.
      padding: `valid`: whole windows alone; `same`: windows at the end are cut off.
    """

    parameters = {
        "pool_size": 2, "strides": None, "padding": "valid", "data_format": None, "name": None,
    }  # fmt: skip
    choices = {"padding": ("valid", "same")}
    axis_parameters = ("pool_size", "strides")
    pool: Any
    strides: Any

    def _set_up(self) -> None:
        self.strides = self.pool_size if self.strides is None else self.strides
        super()._set_up()

    def call(self, inputs: Any) -> Any:
        """Pool inputs of shape [batch, ..., channels]."""
        pool = type(self).pool
        return pool(inputs, list(self.pool_size), list(self.strides), self.padding.upper())


class _GlobalPooling(Spatial):
    """Maximum or mean of {axes} along all spatial axes.

    Args:
      keepdims: whether the spatial axes stay, with size 1.
    """

    parameters = {"data_format": None, "keepdims": False}
    reduce: Any

    def call(self, inputs: Any) -> Any:
        """Pool inputs of shape [batch, ..., channels]."""
        return type(self).reduce(inputs, [*range(1, self.rank + 1)], self.keepdims)


class _GlobalAverageOfSteps(_GlobalPooling):
    """Mean of {axes} along the steps that are not masked.

    Args:
      keepdims: whether the steps stay, with size 1.
    """

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Pool inputs of shape [batch, steps, channels]; `mask` has shape [batch, steps]."""
        if mask is None:
            return super().call(inputs)
        weights = tf.cast(mask, inputs.dtype)[..., tf.newaxis]
        total = tf.reduce_sum(inputs * weights, 1, self.keepdims)
        return total / tf.reduce_sum(weights, 1, self.keepdims)

    def compute_mask(self, inputs: object, mask: object = None) -> Any:
        """Return None: there are no steps any more."""
        return None


_MAX = {"pool": staticmethod(tf.nn.max_pool), "reduce": staticmethod(tf.reduce_max)}
_MEAN = {"pool": staticmethod(tf.nn.avg_pool), "reduce": staticmethod(tf.reduce_mean)}

AveragePooling1D = with_rank("AveragePooling1D", _Pooling, 1, **_MEAN)
AveragePooling2D = with_rank("AveragePooling2D", _Pooling, 2, **_MEAN)
MaxPooling1D = with_rank("MaxPooling1D", _Pooling, 1, **_MAX)
MaxPooling2D = with_rank("MaxPooling2D", _Pooling, 2, **_MAX)
GlobalAveragePooling1D = with_rank("GlobalAveragePooling1D", _GlobalAverageOfSteps, 1, **_MEAN)
GlobalAveragePooling2D = with_rank("GlobalAveragePooling2D", _GlobalPooling, 2, **_MEAN)
GlobalMaxPooling1D = with_rank("GlobalMaxPooling1D", _GlobalPooling, 1, **_MAX)
GlobalMaxPooling2D = with_rank("GlobalMaxPooling2D", _GlobalPooling, 2, **_MAX)
