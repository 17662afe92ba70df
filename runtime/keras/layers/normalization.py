"""Layers that shift and scale features to mean 0 and variance 1."""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.standard import StandardLayer, known_axis, weight_options
from runtime.keras.layers.core import in_training
from runtime.keras.saving.registry import plain

_SCALED = {"epsilon": 1e-3, "center": True, "scale": True}


def _axes(axis: object, rank: int) -> list[int]:
    """Normalize axes."""
    return [each % rank for each in _listed(axis)]


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


class _Scaling(StandardLayer):
    """What the layers with `gamma` and `beta` share."""

    supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Create `gamma` and `beta`."""
        axes = _axes(self.axis, len(input_shape))
        self._shape = tuple(known_axis(self, input_shape, axis) for axis in axes)
        self.gamma = self.add_option_weight("gamma", self._shape, self.scale)
        self.beta = self.add_option_weight("beta", self._shape, self.center)

    def _normalize(self, inputs: Any, moments: Any) -> Any:
        """Normalize by what `moments` returns for the inputs, in at least 32 bits."""
        kind = tf.float32 if inputs.dtype.size < 4 else inputs.dtype
        values, rank = tf.cast(inputs, kind), len(inputs.shape)
        axes = _axes(self.axis, rank)
        shape = [self._shape[axes.index(axis)] if axis in axes else 1 for axis in range(rank)]

        def spread(value: Any) -> Any:
            """A statistic, or None, so that it broadcasts against the inputs."""
            if value is None or len(value.shape) == rank:
                return value
            value = tf.cast(value, kind)
            return value if axes == [rank - 1] else tf.reshape(value, shape)

        statistics = (*moments(values, axes), self.beta, self.gamma)
        mean, variance, beta, gamma = map(spread, statistics)
        outputs = tf.nn.batch_normalization(values, mean, variance, beta, gamma, self.epsilon)
        return tf.cast(outputs, inputs.dtype)


class BatchNormalization(_Scaling):
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

    >>> layer = BatchNormalization()
    >>> print(layer(tf.constant([[1.0], [3.0]]), training=True).numpy().round(2))
    [[-1.]
     [ 1.]]
    """

    parameters = {
        "axis": -1,
        "momentum": 0.99,
        **_SCALED,
        **weight_options(
            {"moving_mean_initializer": "zeros", "moving_variance_initializer": "ones"},
            beta="zeros",
            gamma="ones",
        ),
    }

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
        training = training if self.trainable else False

        def moments(values: Any, axes: Any) -> Any:
            return in_training(
                training,
                lambda: self._of_batch(values, axes, mask),
                lambda: self._moving(values.dtype),
            )

        return self._normalize(inputs, moments)

    def _moving(self, dtype: object) -> Any:
        averages = self.moving_mean, self.moving_variance
        return tuple(tf.cast(each.read_value(), dtype) for each in averages)

    def _of_batch(self, values: Any, axes: list[int], mask: Any) -> Any:
        """The statistics of the batch, after an update of the averages."""
        others = [axis for axis in range(len(values.shape)) if axis not in axes]
        current = _moments(values, others, mask)
        for average, old, new in zip(
            (self.moving_mean, self.moving_variance),
            self._moving(values.dtype),
            current,
            strict=True,
        ):
            updated = old * self.momentum + new * (1.0 - self.momentum)
            average.assign(tf.cast(updated, average.dtype))
        return current


def _moments(values: Any, axes: list[int], mask: Any) -> Any:
    """Mean and variance along axes, of the elements that are not masked."""
    if mask is None:
        return tf.nn.moments(values, axes)
    weights = tf.cast(mask, values.dtype)
    while len(weights.shape) < len(values.shape):
        weights = tf.expand_dims(weights, -1)
    return tf.nn.weighted_moments(values, axes, weights * tf.ones_like(values))


class LayerNormalization(_Scaling):
    """Each element of the batch with mean 0 and variance 1 along axes.

    Source: Ba, Kiros and Hinton, "Layer Normalization", 2016.

    Args:
      axis: the axis or axes.
      epsilon: added to the variance.
      center: whether `beta` is added.
      scale: whether outputs are multiplied by `gamma`.

    >>> print(LayerNormalization()(tf.constant([[1.0, 3.0]])).numpy().round(2))
    [[-1.  1.]]
    """

    parameters = {"axis": -1, **_SCALED, **weight_options(beta="zeros", gamma="ones")}

    def call(self, inputs: Any) -> Any:
        """Normalize."""
        return self._normalize(
            inputs, lambda values, axes: tf.nn.moments(values, axes, keepdims=True)
        )


class Normalization(StandardLayer):
    """Features with mean 0 and variance 1, by those of data seen before.

    Args:
      axis: the axis or axes of the features; None: one mean and variance for all elements.
      mean, variance: known mean and variance; None: those of `adapt`.
      invert: whether to undo the normalization.

    Raises: ValueError if only one of mean and variance is given.

    >>> layer = Normalization()
    >>> layer.adapt([[1.0], [3.0]])
    >>> print(layer([[3.0]]).numpy())
    [[1.]]
    """

    parameters = {"axis": -1, "mean": None, "variance": None, "invert": False}
    axis: Any
    _mean: Any
    _variance: Any

    def _set_up(self) -> None:
        self.axis = () if self.axis is None else tuple(_listed(self.axis))
        if (self._mean is None) != (self._variance is None):
            raise ValueError(
                "When setting values directly, both `mean` and `variance` must be set. Received: "
                f"mean={self._mean} and variance={self._variance}"
            )

    def build(self, input_shape: Any) -> None:
        """Create the statistics."""
        if self.built:
            return
        self._kept = sorted(_axes(self.axis, len(input_shape)))
        sizes = tuple(known_axis(self, input_shape, axis) for axis in self._kept)
        self._shape = [size if axis in self._kept else 1 for axis, size in enumerate(input_shape)]
        if self._mean is None:
            self.adapt_mean = self.add_weight(sizes, "zeros", trainable=False, name="mean")
            self.adapt_variance = self.add_weight(sizes, "ones", trainable=False, name="variance")
            self.count = self.add_weight((), "zeros", "int32", trainable=False, name="count")
        self.built = True

    def adapt(self, data: object) -> None:
        """Compute mean and variance of data.

        Args:
          data: array, tensor, or dataset of batches.

        Raises: ValueError if mean and variance were arguments of the constructor.
        """
        if self._mean is not None:
            raise ValueError(
                f"Cannot `adapt` the Normalization layer '{self.name}': it was initialized with "
                "static `mean` and `variance`."
            )
        count, total, squares = 0, 0.0, 0.0
        for batch in data if isinstance(data, tf.data.Dataset) else [data]:
            array = np.asarray(tf.convert_to_tensor(batch), np.float64)
            if not self.built:
                self._build_from({"input_shape": (None, *array.shape[1:])})
            axes = tuple(axis for axis in range(array.ndim) if axis not in self._kept)
            count += int(np.prod([array.shape[axis] for axis in axes], dtype=int))
            total = total + array.sum(axes)
            squares = squares + np.square(array).sum(axes)
        mean = total / count
        variance = np.maximum(squares / count - np.square(mean), 0.0)
        variables = self.adapt_mean, self.adapt_variance, self.count
        for variable, value in zip(variables, (mean, variance, count), strict=True):
            variable.assign(tf.cast(value, variable.dtype))

    @property
    def mean(self) -> Any:
        """The mean, in a shape that broadcasts against the inputs; before `build` the argument."""
        return self._statistic(self._mean, "adapt_mean")

    @property
    def variance(self) -> Any:
        """The variance, likewise."""
        return self._statistic(self._variance, "adapt_variance")

    def _statistic(self, given: object, adapted: str) -> Any:
        if not self.built:
            return given
        value = tf.cast(getattr(self, adapted) if given is None else given, self.compute_dtype)
        sizes = [self._shape[axis] for axis in self._kept]
        return tf.reshape(tf.broadcast_to(value, sizes), self._shape)

    def call(self, inputs: Any) -> Any:
        """Normalize."""
        inputs = tf.cast(inputs, self.compute_dtype)
        deviation = tf.maximum(tf.sqrt(self.variance), 1e-7)
        return self.mean + inputs * deviation if self.invert else (inputs - self.mean) / deviation

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the constructor, JSON-compatible."""
        given = {"mean": plain(self._mean), "variance": plain(self._variance)}
        return {**super().get_config(), **given}
