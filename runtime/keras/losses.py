"""Losses: distances between labels and predictions, as functions and as objects that reduce them.

A function returns one number for each sample, the mean along the last axis unless it says
otherwise; labels are broadcast against predictions. An object reduces these numbers to one.

>>> print(get("mse")([[0.0, 2.0]], [[1.0, 5.0]]).numpy())
[5.]
>>> print(MeanSquaredError()([[0.0], [2.0]], [[1.0], [5.0]]).numpy())
5.0
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.keras import families, reductions
from runtime.keras.base import masks

Reduction = reductions.Reduction
Loss = reductions.Loss


def _pair(y_true: Any, y_pred: Any) -> tuple[tf.Tensor, tf.Tensor]:
    y_pred = tf.convert_to_tensor(y_pred)
    return reductions.same_rank(tf.cast(y_true, y_pred.dtype), y_pred)


def _bounded(probabilities: Any) -> Any:
    return tf.clip_by_value(probabilities, reductions.EPSILON, 1.0 - reductions.EPSILON)


def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    """Return the mean of `(y_true - y_pred) ** 2`."""
    y_true, y_pred = _pair(y_true, y_pred)
    return tf.reduce_mean(tf.square(y_true - y_pred), -1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Any:
    """Return the mean of `abs(y_true - y_pred)`."""
    y_true, y_pred = _pair(y_true, y_pred)
    return tf.reduce_mean(tf.abs(y_true - y_pred), -1)


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Any:
    """Return 100 times the mean of `abs(y_true - y_pred) / abs(y_true)`."""
    y_true, y_pred = _pair(y_true, y_pred)
    share = (y_true - y_pred) / tf.maximum(tf.abs(y_true), reductions.EPSILON)
    return 100.0 * tf.reduce_mean(tf.abs(share), -1)


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Any:
    """Return the mean of half the squared error, continued linearly beyond `delta`."""
    y_true, y_pred = _pair(y_true, y_pred)
    size = tf.abs(y_true - y_pred)
    linear = delta * size - 0.5 * delta**2
    return tf.reduce_mean(tf.where(size <= delta, 0.5 * tf.square(size), linear), -1)


def binary_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Any:
    """Return the mean along `axis` of the cross-entropy of independent labels.

    Args:
      y_true: labels in [0, 1].
      y_pred: probabilities, or logits.
      from_logits: whether predictions are logits.
      label_smoothing: fraction by which labels move towards 1/2.
      axis: the axis of the mean.
    """
    y_true, y_pred = _pair(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    logits = y_pred if from_logits else _logits_of(y_pred, "Sigmoid")
    if logits is not None:
        each = tf.nn.sigmoid_cross_entropy_with_logits(y_true, logits)
    else:
        p = _bounded(y_pred)
        each = -(y_true * tf.math.log(p) + (1.0 - y_true) * tf.math.log(1.0 - p))
    return tf.reduce_mean(each, axis)


def categorical_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Any:
    """Return the cross-entropy of distributions over classes.

    Args:
      y_true: probabilities of the classes along `axis`, such as one-hot labels.
      y_pred: probabilities, or logits.
      from_logits: whether predictions are logits.
      label_smoothing: fraction by which labels move towards the uniform distribution.
      axis: the axis of the classes.
    """
    y_true, y_pred = _pair(y_true, y_pred)
    if y_pred.shape[-1] == 1:
        warnings.warn(
            "categorical_crossentropy expects more than one class, and y_pred has shape "
            f"{y_pred.shape}: the loss is constant. Use 'binary_crossentropy'.",
            SyntaxWarning,
            stacklevel=2,
        )
    if label_smoothing:
        count = tf.cast(tf.shape(y_true)[axis], y_pred.dtype)
        y_true = y_true * (1.0 - label_smoothing) + label_smoothing / count
    logits = y_pred if from_logits else _logits_of(y_pred, "Softmax", axis)
    if logits is not None:
        return tf.nn.softmax_cross_entropy_with_logits(y_true, logits, axis)
    share = y_pred / tf.reduce_sum(y_pred, axis, keepdims=True)
    return -tf.reduce_sum(y_true * tf.math.log(_bounded(share)), axis)


def sparse_categorical_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    ignore_class: int | None = None,
    axis: int = -1,
) -> Any:
    """Return the cross-entropy of classes given by their number.

    Args:
      y_true: numbers of classes, shape [...] or [..., 1].
      y_pred: probabilities or logits, shape [..., classes].
      from_logits: whether predictions are logits.
      ignore_class: number of a class whose samples have loss 0.
      axis: the axis of the classes.
    """
    y_pred = tf.convert_to_tensor(y_pred)
    labels = tf.cast(y_true, tf.int64)
    if labels.shape.rank == y_pred.shape.rank and labels.shape[-1] == 1:
        labels = tf.squeeze(labels, -1)
    logits = y_pred if from_logits else _logits_of(y_pred, "Softmax", axis)
    if logits is None:
        logits = tf.math.log(_bounded(y_pred))
    rank = logits.shape.rank
    if rank is not None and axis % rank != rank - 1:
        order = [i for i in range(rank) if i != axis % rank]
        logits = tf.transpose(logits, [*order, axis % rank])
    if ignore_class is None:
        return tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    valid = tf.not_equal(labels, ignore_class)
    safe = tf.where(valid, labels, tf.zeros_like(labels))
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(safe, logits)
    each = tf.where(valid, each, tf.zeros_like(each))
    masks.attach_mask(each, valid)
    return each


def _logits_of(y_pred: Any, kind: str, axis: int = -1) -> Any:
    """Return the argument of the softmax or sigmoid that computed the predictions of a graph.

    The cross-entropy of logits neither overflows nor needs a bound of probabilities.
    """
    if not tf.is_symbolic_tensor(y_pred) or y_pred.op.type != kind:
        return None
    rank = y_pred.shape.rank
    if kind == "Softmax" and (rank is None or axis % rank != rank - 1):
        return None
    return y_pred.op.inputs[0]


def _class(name: str, function: Callable[..., Any]) -> Any:
    """Create the class of the loss that a function computes."""
    shared = {"reduction": Reduction.AUTO, "name": function.__name__, "dtype": None}
    return families.class_of_function(name, __name__, reductions.FunctionLoss, function, shared)


MeanSquaredError = _class("MeanSquaredError", mean_squared_error)
MeanAbsoluteError = _class("MeanAbsoluteError", mean_absolute_error)
MeanAbsolutePercentageError = _class("MeanAbsolutePercentageError", mean_absolute_percentage_error)
Huber = _class("Huber", huber)
BinaryCrossentropy = _class("BinaryCrossentropy", binary_crossentropy)
CategoricalCrossentropy = _class("CategoricalCrossentropy", categorical_crossentropy)
SparseCategoricalCrossentropy = _class(
    "SparseCategoricalCrossentropy", sparse_categorical_crossentropy
)

mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
bce = BCE = binary_crossentropy

CLASSES = tuple(reductions.FunctionLoss.__subclasses__())
FUNCTIONS = (
    *(mean_squared_error, mean_absolute_error, mean_absolute_percentage_error, huber),
    *(binary_crossentropy, categorical_crossentropy, sparse_categorical_crossentropy),
)
_aliases: dict[str | None, Any] = {"mse": mse, "mae": mae, "mape": mape, "bce": bce}
_FAMILY = families.Family("loss", CLASSES, FUNCTIONS, _aliases)
get = _FAMILY.get
serialize = _FAMILY.serialize
deserialize = _FAMILY.deserialize


def __dir__() -> list[str]:
    return families.public_names(globals())
