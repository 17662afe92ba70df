"""Metrics that are means of a function: accuracies, and the functions of losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.keras import losses
from runtime.keras.base.names import snake_case
from runtime.keras.families import (
    class_of_function,
    first_sentence,
    own_parameters,
    parameter,
)
from runtime.keras.losses import same_rank
from runtime.keras.metrics.metric import FunctionMetric, Mean


def accuracy(y_true: Any, y_pred: Any) -> Any:
    """Return the fraction of predictions that equal their label."""
    y_pred = tf.convert_to_tensor(y_pred)
    y_true, y_pred = same_rank(tf.cast(y_true, y_pred.dtype), y_pred)
    return tf.reduce_mean(tf.cast(tf.equal(y_true, y_pred), tf.float32), -1)


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Any:
    """Return the fraction of labels 0 and 1 that equal `y_pred > threshold`."""
    y_pred = tf.convert_to_tensor(y_pred)
    y_true, y_pred = same_rank(tf.cast(y_true, y_pred.dtype), y_pred)
    positive = tf.cast(y_pred > threshold, y_true.dtype)
    return tf.reduce_mean(tf.cast(tf.equal(y_true, positive), tf.float32), -1)


def categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """Return 1 where the most probable class is that of the one-hot label, else 0."""
    return tf.cast(tf.equal(tf.argmax(y_true, -1), tf.argmax(y_pred, -1)), tf.float32)


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """Return 1 where the most probable class is the label, the number of a class, else 0."""
    y_pred = tf.convert_to_tensor(y_pred)
    labels = _numbers(y_true, y_pred)
    return tf.cast(tf.equal(labels, tf.argmax(y_pred, -1)), tf.float32)


def _numbers(y_true: Any, y_pred: tf.Tensor) -> tf.Tensor:
    labels = tf.cast(y_true, tf.int64)
    if labels.shape.rank == y_pred.shape.rank and labels.shape[-1] == 1:
        return tf.squeeze(labels, -1)
    return labels


class RootMeanSquaredError(Mean):
    """The root of the mean squared error.

    Args:
      name, dtype: those of `Metric`.

    >>> print(RootMeanSquaredError()([0.0, 0.0], [3.0, 4.0]).numpy().round(3))
    3.536
    """

    def __init__(self, name: str = "root_mean_squared_error", dtype: Any = None) -> None:
        super().__init__(name, dtype)

    def update_state(  # type: ignore[override]
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> None:
        """Take samples into account."""
        y_pred = tf.cast(y_pred, self._dtype)
        y_true, y_pred = same_rank(tf.cast(y_true, self._dtype), y_pred)
        super().update_state(tf.square(y_true - y_pred), sample_weight)

    def result(self) -> Any:
        """Return the root."""
        return tf.sqrt(super().result())


def _as_class(name: str, function: Callable[..., Any], default_name: str | None = None) -> Any:
    """Create the class of a metric: the mean of what `function` returns."""
    own = own_parameters(function)
    first = [each for each in own if each.name == "k"]
    shared = [parameter("name", default_name or snake_case(name)), parameter("dtype", None)]
    parameters = [*first, *shared, *(each for each in own if each not in first)]
    doc = f"Mean over samples: {first_sentence(function)}"
    return class_of_function(FunctionMetric, name, __name__, function, doc, parameters)


Accuracy = _as_class("Accuracy", accuracy)
BinaryAccuracy = _as_class("BinaryAccuracy", binary_accuracy)
CategoricalAccuracy = _as_class("CategoricalAccuracy", categorical_accuracy)
SparseCategoricalAccuracy = _as_class("SparseCategoricalAccuracy", sparse_categorical_accuracy)
MeanSquaredError = _as_class("MeanSquaredError", losses.mean_squared_error)
MeanAbsoluteError = _as_class("MeanAbsoluteError", losses.mean_absolute_error)
MeanAbsolutePercentageError = _as_class(
    "MeanAbsolutePercentageError", losses.mean_absolute_percentage_error
)
MeanSquaredLogarithmicError = _as_class(
    "MeanSquaredLogarithmicError", losses.mean_squared_logarithmic_error
)
LogCoshError = _as_class("LogCoshError", losses.log_cosh, "logcosh")
KLDivergence = _as_class("KLDivergence", losses.kl_divergence, "kl_divergence")
Poisson = _as_class("Poisson", losses.poisson)
Hinge = _as_class("Hinge", losses.hinge)
SquaredHinge = _as_class("SquaredHinge", losses.squared_hinge)
BinaryCrossentropy = _as_class("BinaryCrossentropy", losses.binary_crossentropy)
CategoricalCrossentropy = _as_class("CategoricalCrossentropy", losses.categorical_crossentropy)
SparseCategoricalCrossentropy = _as_class(
    "SparseCategoricalCrossentropy", losses.sparse_categorical_crossentropy
)

CLASSES = (
    *(Accuracy, BinaryAccuracy, CategoricalAccuracy, SparseCategoricalAccuracy),
    *(MeanSquaredError, MeanAbsoluteError),
    *(MeanAbsolutePercentageError, MeanSquaredLogarithmicError),
    *(LogCoshError, KLDivergence, Poisson, Hinge, SquaredHinge),
    *(BinaryCrossentropy, CategoricalCrossentropy),
    *(SparseCategoricalCrossentropy, RootMeanSquaredError),
)
