"""Losses: distances between labels and predictions, as functions and as objects that reduce them.

A function returns one number for each sample, the mean along the last axis unless it says
otherwise. An object reduces these numbers to one.

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
from runtime.keras.reductions import CLASS_NUMBERS, NUMBERS, ONE_HOT

Reduction, Loss = reductions.Reduction, reductions.Loss


def mean_squared_error(y_true: object, y_pred: object) -> Any:
    """Return the mean of `(y_true - y_pred) ** 2` along the last axis.

    Args:
      y_true: labels, shape [..., n].
      y_pred: predictions, of a shape that broadcasts with that of the labels.

    >>> print(mean_squared_error([[0.0, 2.0]], [[1.0, 4.0]]).numpy())
    [2.5]
    """
    y_true, y_pred = reductions.floats(y_true, y_pred)
    return tf.reduce_mean(tf.square(y_true - y_pred), -1)


def mean_absolute_error(y_true: object, y_pred: object) -> Any:
    """Return the mean of `abs(y_true - y_pred)` along the last axis.

    Args:
      y_true: labels, shape [..., n].
      y_pred: predictions, of a shape that broadcasts with that of the labels.

    >>> print(mean_absolute_error([[0.0, 2.0]], [[1.0, 4.0]]).numpy())
    [1.5]
    """
    y_true, y_pred = reductions.floats(y_true, y_pred)
    return tf.reduce_mean(tf.abs(y_true - y_pred), -1)


def mean_absolute_percentage_error(y_true: object, y_pred: object) -> Any:
    """Return 100 times the mean of `abs(y_true - y_pred) / abs(y_true)` along the last axis.

    Args:
      y_true: labels, shape [..., n]; those smaller than 1e-7 count as 1e-7 in the denominator.
      y_pred: predictions, of a shape that broadcasts with that of the labels.

    >>> print(mean_absolute_percentage_error([[1.0, 2.0]], [[1.5, 2.5]]).numpy())
    [37.5]
    """
    y_true, y_pred = reductions.floats(y_true, y_pred)
    share = (y_true - y_pred) / tf.maximum(tf.abs(y_true), reductions.EPSILON)
    return 100.0 * tf.reduce_mean(tf.abs(share), -1)


def huber(y_true: object, y_pred: object, delta: float = 1.0) -> Any:
    """Return the mean of half the squared error, continued linearly beyond `delta`.

    Args:
      y_true: labels.
      y_pred: predictions.
      delta: the error at which the line begins.

    >>> print(huber([[0.0, 0.0]], [[1.0, 3.0]]).numpy())
    [1.5]
    """
    y_true, y_pred = reductions.floats(y_true, y_pred)
    size = tf.abs(y_true - y_pred)
    linear = delta * size - 0.5 * delta**2
    return tf.reduce_mean(tf.where(size <= delta, 0.5 * tf.square(size), linear), -1)


def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0
) -> Any:
    """Return the mean of the cross-entropy of independent labels.

    Args:
      y_true: labels in [0, 1].
      y_pred: probabilities, or logits.
      from_logits: whether predictions are logits.
      label_smoothing: fraction in [0, 1] of each label that is replaced by 0.5.

    Raises:
      ValueError: if the shapes differ, or `label_smoothing` is not in [0, 1].

    >>> print(binary_crossentropy([[0.0, 1.0]], [[0.25, 0.75]]).numpy().round(3))
    [0.288]
    >>> print(binary_crossentropy([[0.0, 1.0]], [[-9.0, 9.0]], from_logits=True).numpy().round(3))
    [0.]
    """
    y_true, y_pred = reductions.floats(y_true, y_pred, broadcasts=False)
    y_true = _smoothed(y_true, label_smoothing, 2)
    logits = y_pred if from_logits else _logits_of(y_pred, "Sigmoid")
    if logits is not None:
        each = tf.nn.sigmoid_cross_entropy_with_logits(y_true, logits)
    else:
        p = _bounded(y_pred)
        each = -(y_true * tf.math.log(p) + (1.0 - y_true) * tf.math.log(1.0 - p))
    return tf.reduce_mean(each, -1)


def categorical_crossentropy(
    y_true: object, y_pred: object, from_logits: bool = False, label_smoothing: float = 0.0
) -> Any:
    """Return the cross-entropy of distributions over classes, along the last axis.

    Args:
      y_true: probabilities of the classes, such as one-hot labels.
      y_pred: probabilities, or logits.
      from_logits: whether predictions are logits.
      label_smoothing: fraction in [0, 1] of the probabilities that all classes share.

    Raises:
      ValueError: if the shapes differ, or `label_smoothing` is not in [0, 1].

    >>> print(categorical_crossentropy([[0.0, 1.0]], [[0.25, 0.75]]).numpy().round(3))
    [0.288]
    """
    y_true, y_pred = reductions.floats(y_true, y_pred, broadcasts=False)
    y_true = _smoothed(y_true, label_smoothing, tf.shape(y_true)[-1])
    if y_pred.shape[-1] == 1:
        warnings.warn(
            "categorical_crossentropy expects more than one class, and y_pred has shape "
            f"{y_pred.shape}: the loss is constant. Use 'binary_crossentropy'.",
            SyntaxWarning,
            stacklevel=2,
        )
    logits = y_pred if from_logits else _logits_of(y_pred, "Softmax")
    if logits is not None:
        return tf.nn.softmax_cross_entropy_with_logits(y_true, logits)
    share = y_pred / tf.reduce_sum(y_pred, -1, keepdims=True)
    return -tf.reduce_sum(y_true * tf.math.log(_bounded(share)), -1)


def sparse_categorical_crossentropy(
    y_true: object, y_pred: object, from_logits: bool = False
) -> Any:
    """Return the cross-entropy of classes given by their number.

    Args:
      y_true: numbers of classes, shape [...] or [..., 1].
      y_pred: probabilities or logits, shape [..., classes].
      from_logits: whether predictions are logits.

    >>> print(sparse_categorical_crossentropy([1], [[0.25, 0.75]]).numpy().round(3))
    [0.288]
    """
    y_pred = tf.convert_to_tensor(y_pred)
    logits = y_pred if from_logits else _logits_of(y_pred, "Softmax")
    if logits is None:
        logits = tf.math.log(_bounded(y_pred))
    labels = reductions.classes(y_true, y_pred)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)


def _smoothed(labels: Any, amount: float, count: Any) -> Any:
    """Return labels of which a fraction is shared by all of `count` classes."""
    if not 0 <= amount <= 1:
        raise ValueError(f"`label_smoothing` is in [0, 1]. Received: label_smoothing={amount}")
    return labels * (1.0 - amount) + amount / tf.cast(count, labels.dtype) if amount else labels


def _bounded(probabilities: object) -> Any:
    return tf.clip_by_value(probabilities, reductions.EPSILON, 1.0 - reductions.EPSILON)


def _logits_of(y_pred: Any, kind: str) -> Any:
    """Return the argument of the softmax or sigmoid that computed the predictions of a graph.

    The cross-entropy of logits neither overflows nor needs a bound of probabilities.
    """
    is_result = tf.is_symbolic_tensor(y_pred) and y_pred.op.type == kind
    return y_pred.op.inputs[0] if is_result else None


def _row(
    function: Callable[..., Any],
    given: tuple[object, object],
    shown: object,
    name: str | None = None,
    **own: Any,
) -> Any:
    """Create the class of the loss that a function computes; `own` are its own parameters.

    For the labels and predictions `given`, the result is `shown`.
    """
    shared = {"reduction": Reduction.AUTO, "name": name or function.__name__}
    return families.class_of_function(
        __name__, reductions.FunctionLoss, function, {**own, **shared}, (*given, shown)
    )


_LOGITS: dict[str, Any] = {"from_logits": False, "*": None}
_SMOOTHED: dict[str, Any] = {"from_logits": False, "label_smoothing": 0.0, "*": None}

MeanSquaredError = _row(mean_squared_error, NUMBERS, 0.25)
MeanAbsoluteError = _row(mean_absolute_error, NUMBERS, 0.5)
MeanAbsolutePercentageError = _row(mean_absolute_percentage_error, NUMBERS, 37.5)
Huber = _row(huber, NUMBERS, 0.125, "huber_loss", delta=1.0)
BinaryCrossentropy = _row(binary_crossentropy, ONE_HOT, 0.288, **_SMOOTHED)
CategoricalCrossentropy = _row(categorical_crossentropy, ONE_HOT, 0.288, **_SMOOTHED)
SparseCategoricalCrossentropy = _row(
    sparse_categorical_crossentropy, CLASS_NUMBERS, 0.288, **_LOGITS
)

mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error

CLASSES = tuple(reductions.FunctionLoss.__subclasses__())
FUNCTIONS = (
    *(mean_squared_error, mean_absolute_error, mean_absolute_percentage_error, huber),
    *(binary_crossentropy, categorical_crossentropy, sparse_categorical_crossentropy),
)
_BY_NAME: dict[str | None, Any] = {each.__name__: each for each in FUNCTIONS}
_FAMILY = families.Family("loss", CLASSES, FUNCTIONS, {"mse": mse, "mae": mae, **_BY_NAME})
get, serialize, deserialize = _FAMILY.get, _FAMILY.serialize, _FAMILY.deserialize

__dir__, __getattr__ = families.namespace(globals(), "pass a function of labels and outputs")
