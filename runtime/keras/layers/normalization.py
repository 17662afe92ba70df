"""Layers that shift and scale features to mean 0 and variance 1."""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.standard import InputSpec, StandardLayer, known_axis, weight_options
from runtime.keras.layers.core import in_training


class _Scaling(StandardLayer):
    """Base class of layers with `gamma` and `beta`."""

    docs = {"axis": "the axis of the features.", "epsilon": "added to the variance."}
    supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Create `gamma` and `beta`."""
        size = known_axis(self, input_shape, self.axis)
        self._shape = (size,)
        least = self.axis + 1 if self.axis >= 0 else -self.axis
        self.input_spec = InputSpec(min_ndim=least, axes={self.axis: size})
        self.gamma = self.add_option_weight("gamma", self._shape)
        self.beta = self.add_option_weight("beta", self._shape)

    def _normalize(self, inputs: Any, moments: Any) -> Any:
        """Normalize by what `moments` returns for the inputs, in floats of at least 32 bits."""
        inputs = tf.cast(inputs, self.compute_dtype)
        kind = tf.float32 if inputs.dtype.size < 4 else inputs.dtype
        values, rank = tf.cast(inputs, kind), len(inputs.shape)
        axis = self.axis % rank
        shape = [self._shape[0] if each == axis else 1 for each in range(rank)]

        def spread(value: Any) -> Any:
            """Reshape a statistic so that it broadcasts against the inputs."""
            value = tf.cast(value, kind)
            return value if rank in (len(value.shape), axis + 1) else tf.reshape(value, shape)

        mean, variance, beta, gamma = map(spread, (*moments(values, axis), self.beta, self.gamma))
        outputs = tf.nn.batch_normalization(values, mean, variance, beta, gamma, self.epsilon)
        return tf.cast(outputs, inputs.dtype)


class BatchNormalization(_Scaling):
    """Features with mean 0 and variance 1, by those of the batch or by moving averages.

    While it is trained the layer uses mean and variance of the batch, and updates the moving
    averages; otherwise, and if it is not trainable, it uses the averages.
    Source: Ioffe and Szegedy, "Batch Normalization", 2015.

    Args:
      momentum: weight of the old averages in an update.

    >>> layer = BatchNormalization()
    >>> print(layer(tf.constant([[1.0], [3.0]]), training=True).numpy().round(2))
    [[-1.]
     [ 1.]]
    """

    parameters = {
        "axis": -1, "momentum": 0.99, "epsilon": 1e-3, "*": None,
        **weight_options(
            {"moving_mean_initializer": "zeros", "moving_variance_initializer": "ones"},
            beta="zeros", gamma="ones",
        ),
    }  # fmt: skip

    def build(self, input_shape: object) -> None:
        """Create `gamma`, `beta` and the moving averages."""
        super().build(input_shape)
        self.moving_mean, self.moving_variance = (
            self.add_option_weight(name, self._shape, trainable=False)
            for name in ("moving_mean", "moving_variance")
        )

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Normalize.

        Args:
          inputs: floats.
          training: whether to use the statistics of the batch.
          mask: bools; masked elements do not count in the statistics.
        """
        averages = self.moving_mean, self.moving_variance

        def moments(values: Any, axis: int) -> Any:
            old = [tf.cast(each.read_value(), values.dtype) for each in averages]

            def of_batch() -> Any:
                current = _moments(values, axis, mask)
                for average, before, now in zip(averages, old, current, strict=True):
                    updated = before * self.momentum + now * (1.0 - self.momentum)
                    average.assign(tf.cast(updated, average.dtype))
                return tuple(current)

            return in_training(self.trainable and training, of_batch, lambda: tuple(old))

        return self._normalize(inputs, moments)


def _moments(values: Any, axis: int, mask: Any) -> Any:
    """Return mean and variance of the unmasked elements along all axes but one."""
    axes = [each for each in range(len(values.shape)) if each != axis]
    if mask is None:
        return tf.nn.moments(values, axes)
    weights = tf.cast(mask, values.dtype)
    while len(weights.shape) < len(values.shape):
        weights = tf.expand_dims(weights, -1)
    return tf.nn.weighted_moments(values, axes, weights * tf.ones_like(values))


class LayerNormalization(_Scaling):
    """Each element of the batch with mean 0 and variance 1 along an axis.

    Source: Ba, Kiros and Hinton, "Layer Normalization", 2016.

    >>> print(LayerNormalization()(tf.constant([[1.0, 3.0]])).numpy().round(2))
    [[-1.  1.]]
    """

    parameters = {
        "axis": -1, "epsilon": 1e-3, "*": None, **weight_options(beta="zeros", gamma="ones")
    }  # fmt: skip

    def call(self, inputs: Any) -> Any:
        """Normalize."""
        return self._normalize(
            inputs, lambda values, axis: tf.nn.moments(values, [axis], keepdims=True)
        )


class Normalization(StandardLayer):
    """Features with mean 0 and variance 1, by those of data seen before.

    Args:
      axis: the axis or axes of the features; None: one mean and variance for all elements.

    >>> layer = Normalization()
    >>> layer.adapt([[1.0], [3.0]])
    >>> print(layer([[3.0]]).numpy())
    [[1.]]
    """

    parameters = {"axis": -1}

    def build(self, input_shape: Any) -> None:
        """Create the statistics."""
        if self.built:
            return
        axis: Any = () if self.axis is None else self.axis
        axes = axis if isinstance(axis, (list, tuple)) else [axis]
        self._kept = sorted(each % len(input_shape) for each in axes)
        sizes = tuple(known_axis(self, input_shape, each) for each in self._kept)
        self._shape = [size if each in self._kept else 1 for each, size in enumerate(input_shape)]
        self._mean = self.add_weight(sizes, "zeros", trainable=False, name="mean")
        self._variance = self.add_weight(sizes, "ones", trainable=False, name="variance")
        self.count = self.add_weight((), "zeros", "int64", trainable=False, name="count")
        self.built = True

    def adapt(self, data: object) -> None:
        """Compute mean and variance of data.

        Batches are joined as in Chan, Golub and LeVeque, "Updating Formulae and a Pairwise
        Algorithm for Computing Sample Variances", 1979: sums of squares would cancel for a mean
        that is large beside the deviation, such as that of dates in seconds.

        Args:
          data: array, tensor, or dataset of batches.

        Raises: ValueError if there is no data.
        """
        count, mean, squares = 0, 0.0, 0.0  # squares: the sum of squared deviations
        for batch in data if isinstance(data, tf.data.Dataset) else [data]:
            array = np.asarray(tf.convert_to_tensor(batch), np.float64)
            if not self.built:
                self._build_from({"input_shape": (None, *array.shape[1:])})
            axes = tuple(axis for axis in range(array.ndim) if axis not in self._kept)
            size = int(np.prod([array.shape[axis] for axis in axes], dtype=int))
            if size:
                share = size / (count + size)
                distance = array.mean(axes) - mean
                squares = squares + size * array.var(axes) + count * share * np.square(distance)
                mean = mean + share * distance
                count += size
        if not count:
            raise ValueError(f"`adapt` of layer '{self.name}' received no data.")
        variables = self._mean, self._variance, self.count
        for variable, value in zip(variables, (mean, squares / count, count), strict=True):
            variable.assign(tf.cast(value, variable.dtype))

    @property
    def mean(self) -> Any:
        """The mean, in a shape that broadcasts against the inputs."""
        return tf.reshape(tf.cast(self._mean, self.compute_dtype), self._shape)

    @property
    def variance(self) -> Any:
        """The variance, likewise."""
        return tf.reshape(tf.cast(self._variance, self.compute_dtype), self._shape)

    def call(self, inputs: Any) -> Any:
        """Normalize."""
        deviation = tf.maximum(tf.sqrt(self.variance), 1e-7)
        return (tf.cast(inputs, self.compute_dtype) - self.mean) / deviation
