"""Layers that shift and scale features to mean 0 and variance 1."""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.arguments import assign_arguments
from runtime.keras.base.layer import Layer
from runtime.keras.layers.core import add_weights, known_axis
from runtime.keras.layers.regularization import in_training


def _axes(axis: Any, rank: int) -> list[int]:
    """Axes as numbers from 0."""
    return [each % rank for each in (axis if isinstance(axis, (list, tuple)) else [axis])]


class BatchNormalization(Layer):
    """Features with mean 0 and variance 1, by those of the batch or by moving averages.

    While it is trained the layer uses mean and variance of the batch, and updates the moving
    averages; otherwise, and if it is not trainable, it uses the averages.
    Source: Ioffe and Szegedy, "Batch Normalization", 2015.

    Args:
      axis: the axis of the features.
      momentum: weight of the old averages in an update.
      epsilon: added to the variance.
      center: whether `beta` is added.
      scale: whether outputs are multiplied by `gamma`.
      beta_initializer, gamma_initializer, moving_mean_initializer, moving_variance_initializer:
        initializers or their names.
      beta_regularizer, gamma_regularizer: regularizers of the variables.
      beta_constraint, gamma_constraint: constraints of the variables.

    >>> layer = BatchNormalization()
    >>> print(layer(tf.constant([[1.0], [3.0]]), training=True).numpy().round(2))
    [[-1.]
     [ 1.]]
    """

    def __init__(
        self,
        axis: int = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        """Creates the layer without variables."""
        super().__init__(**kwargs)
        assign_arguments(self, locals())
        self.supports_masking = True
        self.gamma: Any = None
        self.beta: Any = None

    def build(self, input_shape: Any) -> None:
        """Create `gamma`, `beta` and the moving averages."""
        size = known_axis(self, input_shape, self.axis)
        if self.scale:
            self.gamma = add_weights(self, gamma=(size,))
        if self.center:
            self.beta = add_weights(self, beta=(size,))
        self.moving_mean, self.moving_variance = (
            self.add_weight(
                shape=(size,), initializer=getattr(self, f"{name}_initializer"), trainable=False,
                name=name,
            )
            for name in ("moving_mean", "moving_variance")
        )  # fmt: skip

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Normalize.

        Args:
          inputs: floats.
          training: whether to use the statistics of the batch.
          mask: bools; masked elements do not count in the statistics.
        """
        kind = tf.float32 if inputs.dtype.size < 4 else inputs.dtype
        values = tf.cast(inputs, kind)
        rank = len(inputs.shape)
        axis = self.axis % rank
        others = [each for each in range(rank) if each != axis]

        def of_batch() -> Any:
            mean, variance = _moments(values, others, mask)
            for average, current in ((self.moving_mean, mean), (self.moving_variance, variance)):
                old = tf.cast(average.read_value(), kind)
                new = old * self.momentum + current * (1.0 - self.momentum)
                average.assign(tf.cast(new, average.dtype))
            return mean, variance

        def moving() -> Any:
            averages = (self.moving_mean, self.moving_variance)
            return tuple(tf.cast(each.read_value(), kind) for each in averages)

        mean, variance = in_training(training if self.trainable else False, of_batch, moving)
        shape = [-1 if each == axis else 1 for each in range(rank)]

        def broadcast(value: Any) -> Any:
            if value is None:
                return None
            value = tf.cast(value, kind)
            return value if axis == rank - 1 else tf.reshape(value, shape)

        mean, variance, beta, gamma = map(broadcast, (mean, variance, self.beta, self.gamma))
        outputs = tf.nn.batch_normalization(values, mean, variance, beta, gamma, self.epsilon)
        return tf.cast(outputs, inputs.dtype)


def _moments(values: Any, axes: list[int], mask: Any) -> Any:
    """Mean and variance along axes, of the elements that are not masked."""
    if mask is None:
        return tf.nn.moments(values, axes)
    weights = tf.cast(mask, values.dtype)
    while len(weights.shape) < len(values.shape):
        weights = tf.expand_dims(weights, -1)
    count = tf.reduce_sum(weights * tf.ones_like(values), axes)
    total = tf.reduce_sum(weights * values, axes, keepdims=True)
    mean = total / tf.reshape(count, tf.shape(total))
    variance = tf.reduce_sum(weights * tf.square(values - mean), axes) / count
    return tf.reshape(mean, tf.shape(count)), variance


class LayerNormalization(Layer):
    """Each element of the batch with mean 0 and variance 1 along axes.

    Source: Ba, Kiros and Hinton, "Layer Normalization", 2016.

    Args:
      axis: the axis or axes.
      epsilon: added to the variance.
      center: whether `beta` is added.
      scale: whether outputs are multiplied by `gamma`.
      beta_initializer, gamma_initializer: initializers or their names.
      beta_regularizer, gamma_regularizer: regularizers of the variables.
      beta_constraint, gamma_constraint: constraints of the variables.

    >>> print(LayerNormalization()(tf.constant([[1.0, 3.0]])).numpy().round(2))
    [[-1.  1.]]
    """

    def __init__(
        self,
        axis: Any = -1,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        """Creates the layer without variables."""
        super().__init__(**kwargs)
        assign_arguments(self, locals())
        self.axis = list(axis) if isinstance(axis, (list, tuple)) else axis
        self.supports_masking = True
        self.gamma: Any = None
        self.beta: Any = None

    def build(self, input_shape: Any) -> None:
        """Create `gamma` and `beta`."""
        axes = _axes(self.axis, len(input_shape))
        shape = tuple(known_axis(self, input_shape, axis) for axis in axes)
        if self.scale:
            self.gamma = add_weights(self, gamma=shape)
        if self.center:
            self.beta = add_weights(self, beta=shape)

    def call(self, inputs: Any) -> Any:
        """Normalize."""
        kind = tf.float32 if inputs.dtype.size < 4 else inputs.dtype
        values = tf.cast(inputs, kind)
        axes = _axes(self.axis, len(inputs.shape))
        mean, variance = tf.nn.moments(values, axes, keepdims=True)
        shape = [each if i in axes else 1 for i, each in enumerate(inputs.shape.as_list())]
        beta, gamma = (
            None if each is None else tf.reshape(tf.cast(each, kind), shape)
            for each in (self.beta, self.gamma)
        )
        outputs = tf.nn.batch_normalization(values, mean, variance, beta, gamma, self.epsilon)
        return tf.cast(outputs, inputs.dtype)


class Normalization(Layer):
    """Features with mean 0 and variance 1, by those of data seen before.

    Args:
      axis: the axis or axes of the features; None: one mean and variance for all elements.
      mean, variance: known mean and variance; None: those of `adapt`.
      invert: whether to undo the normalization.

    Raises:
      ValueError: if only one of mean and variance is given.

    >>> layer = Normalization()
    >>> layer.adapt([[1.0], [3.0]])
    >>> print(layer([[3.0]]).numpy())
    [[1.]]
    """

    def __init__(
        self,
        axis: Any = -1,
        mean: Any = None,
        variance: Any = None,
        invert: bool = False,
        **kwargs: Any,
    ) -> None:
        """Creates the layer without statistics."""
        super().__init__(**kwargs)
        assign_arguments(self, locals())
        axes = () if axis is None else (axis if isinstance(axis, (list, tuple)) else [axis])
        self.axis = tuple(axes)
        if (mean is None) != (variance is None):
            raise ValueError(
                "When setting values directly, both `mean` and `variance` must be set. Received: "
                f"mean={mean} and variance={variance}"
            )

    def build(self, input_shape: Any) -> None:
        """Create the statistics."""
        if self.built:
            return
        rank = len(input_shape)
        self._kept = sorted(_axes(self.axis, rank))
        for axis in self._kept:
            known_axis(self, input_shape, axis)
        self._shape = [size if axis in self._kept else 1 for axis, size in enumerate(input_shape)]
        if self.mean is None:
            shape = tuple(input_shape[axis] for axis in self._kept)
            self.adapt_mean, self.adapt_variance, self.count = (
                self.add_weight(
                    shape=of, initializer=first, trainable=False, name=name, dtype=dtype
                )
                for name, of, first, dtype in (
                    ("mean", shape, "zeros", None),
                    ("variance", shape, "ones", None),
                    ("count", (), "zeros", "int32"),
                )
            )
        self.built = True

    def adapt(self, data: Any) -> None:
        """Compute mean and variance of data.

        Args:
          data: array, tensor, or dataset of batches.

        Raises:
          ValueError: if mean and variance were arguments of the constructor.
        """
        if self.mean is not None:
            raise ValueError(
                f"Cannot `adapt` the Normalization layer '{self.name}': it was initialized with "
                "static `mean` and `variance`."
            )
        batches = data if isinstance(data, tf.data.Dataset) else [data]
        count, total, squares = 0, 0.0, 0.0
        for batch in batches:
            array = np.asarray(tf.convert_to_tensor(batch), np.float64)
            if not self.built:
                self._build_from({"input_shape": (None, *array.shape[1:])})
            axes = tuple(axis for axis in range(array.ndim) if axis not in self._kept)
            count += int(np.prod([array.shape[axis] for axis in axes], dtype=int))
            total = total + array.sum(axes)
            squares = squares + np.square(array).sum(axes)
        mean = total / count
        self.adapt_mean.assign(tf.cast(mean, self.adapt_mean.dtype))
        variance = np.maximum(squares / count - np.square(mean), 0.0)
        self.adapt_variance.assign(tf.cast(variance, self.adapt_variance.dtype))
        self.count.assign(count)

    def call(self, inputs: Any) -> Any:
        """Normalize."""
        inputs = tf.cast(inputs, self.compute_dtype)
        if self.mean is None:
            statistics: Any = (self.adapt_mean, self.adapt_variance)
        else:
            statistics = (self.mean, self.variance)
        mean, variance = (
            tf.reshape(tf.cast(each, inputs.dtype) + tf.zeros(self._sizes(), inputs.dtype),
                       self._shape)
            for each in statistics
        )  # fmt: skip
        deviation = tf.maximum(tf.sqrt(variance), 1e-7)
        if self.invert:
            return mean + inputs * deviation
        return (inputs - mean) / deviation

    def _sizes(self) -> list[int]:
        return [self._shape[axis] for axis in self._kept]
