"""Losses: distances between labels and predictions, as functions and as objects that reduce them.

A function returns one number for each sample, the mean along the last axis unless it says
otherwise; labels are broadcast against predictions. An object reduces these numbers to one.

>>> print(get("mse")([[0.0, 2.0]], [[1.0, 5.0]]).numpy())
[5.]
>>> print(MeanSquaredError()([[0.0], [2.0]], [[1.0], [5.0]]).numpy())
5.0
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable
from typing import Any, ClassVar, Self

import runtime as tf
from runtime.keras.base.conversion import user_code
from runtime.keras.base.masks import attach_mask, mask_of
from runtime.keras.base.names import snake_case
from runtime.keras.families import (
    Family,
    class_of_function,
    constructor_arguments,
    first_sentence,
    own_parameters,
    parameter,
)

# Bound of probabilities away from 0 and 1, as in Keras (keras.backend.epsilon()).
EPSILON = 1e-7


class Reduction:
    """Names of the ways in which a `Loss` reduces the numbers of its samples."""

    AUTO = "sum_over_batch_size"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"


REDUCTIONS = ("sum_over_batch_size", "mean", "sum", "mean_with_sample_weight", "none", None)


class Loss(tf.types.experimental.Observed):
    """A loss that reduces the numbers of its samples; a subclass overrides `call`.

    Args:
      name: name in messages and logs; by default that of the class.
      reduction: `sum_over_batch_size` or `mean` (divided by the number of samples), `sum`,
        `mean_with_sample_weight` (divided by the sum of weights), or `none`.
      dtype: dtype of the computation; by default float64 for predictions in float64, else float32.

    Raises: ValueError for another reduction.

    >>> class Absolute(Loss):
    ...     def call(self, y_true, y_pred):
    ...         return tf.reduce_mean(tf.abs(y_true - y_pred), axis=-1)
    >>> print(Absolute()([[1], [5]], [[2.0], [2.0]], sample_weight=[1.0, 3.0]).numpy())
    5.0
    """

    casts_labels: ClassVar[bool] = True

    def __init__(
        self, name: str | None = None, reduction: str | None = Reduction.AUTO, dtype: Any = None
    ) -> None:
        if reduction not in REDUCTIONS:
            raise ValueError(
                f"Invalid value for argument `reduction` of {type(self).__name__}: {reduction!r}. "
                f"Expected one of {REDUCTIONS}."
            )
        self.name = name or snake_case(type(self).__name__)
        self.reduction = reduction
        self.dtype = dtype

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """Return one number for each sample; a subclass overrides it."""
        raise NotImplementedError(f"{type(self).__name__} does not define `call`.")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Return the reduced loss.

        Args:
          y_true: labels.
          y_pred: predictions; samples that their mask leaves out do not count.
          sample_weight: factor of each sample; None: 1.
        """
        mask = mask_of(y_pred)
        y_pred = tf.convert_to_tensor(y_pred)
        kind = self.dtype or (tf.float64 if y_pred.dtype == tf.float64 else tf.float32)
        y_pred = y_pred if y_pred.dtype == kind else tf.cast(y_pred, kind)
        y_true = tf.convert_to_tensor(y_true)
        labels = tf.cast(y_true, kind) if self.casts_labels else y_true
        values = user_code(self.call)(labels, y_pred)
        return reduce_values(values, sample_weight, combined_mask(mask, values), self.reduction)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal loss."""
        return {"name": self.name, "reduction": self.reduction}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create a loss from what `get_config` returned."""
        return cls(**config)


def combined_mask(mask: Any, values: Any) -> Any:
    """Return the mask of predictions and that of the numbers computed from them as one."""
    own = mask_of(values)
    if mask is None or own is None:
        return own if mask is None else mask
    return tf.logical_and(*same_rank(mask, own))


def reduce_values(values: Any, sample_weight: Any, mask: Any, reduction: str | None) -> Any:
    """Reduce one number for each sample to a scalar.

    Args:
      values: tensor of shape [batch, ...].
      sample_weight: factors that broadcast to `values`, or None.
      mask: which samples count, or None.
      reduction: one of `REDUCTIONS`.

    >>> print(reduce_values(tf.constant([1.0, 5.0]), [1.0, 0.0], None, "sum").numpy())
    1.0
    """
    values = tf.convert_to_tensor(values)
    weight = weights_with_mask(sample_weight, mask, values.dtype, reduction in REDUCTIONS[:2])
    if weight is not None:
        values, weight = same_rank(values, weight)
        values = values * weight
    if reduction in ("none", None):
        return values
    total = sum_of(values)
    if reduction == "sum" or values.shape.rank == 0:
        return total
    if reduction == "mean_with_sample_weight" and weight is not None:
        return tf.math.divide_no_nan(total, tf.reduce_sum(weight))
    return total / tf.cast(tf.size(values), values.dtype)


def sum_of(values: Any) -> Any:
    """Return the sum of all elements; a scalar as it is."""
    return values if values.shape.rank == 0 else tf.reduce_sum(values)


def weights_with_mask(sample_weight: Any, mask: Any, dtype: Any, rescaled: bool) -> Any:
    """Return sample weights that are zero where the mask is False.

    Args:
      sample_weight: factors, or None.
      mask: bool tensor, or None.
      dtype: dtype of the result.
      rescaled: whether to scale the mask so that its mean is 1: a later mean over all samples is
        then one over those that count.
    """
    weight = None if sample_weight is None else tf.cast(sample_weight, dtype)
    if mask is None:
        return weight
    factor = tf.cast(mask, dtype)
    if rescaled:
        share = tf.cast(tf.size(factor), dtype) / (tf.reduce_sum(factor) + EPSILON)
        factor = factor * share
    if weight is None:
        return factor
    weight, factor = same_rank(weight, factor)
    return weight * factor


def same_rank(a: tf.Tensor, b: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Add or remove a last axis of length 1 where ranks differ by one.

    >>> a, b = same_rank(tf.zeros([2, 3, 1]), tf.zeros([2, 3]))
    >>> print(a.shape, b.shape)
    (2, 3) (2, 3)
    """
    of_a, of_b = a.shape.rank, b.shape.rank
    if of_a is None or of_b is None:
        return a, b
    if of_a == of_b + 1:
        b, a = same_rank(b, a)
    elif of_b == of_a + 1 and b.shape[-1] == 1:
        if of_a == 1:
            a = tf.expand_dims(a, -1)
        else:
            b = tf.squeeze(b, -1)
    return a, b


def _pair(y_true: Any, y_pred: Any) -> tuple[tf.Tensor, tf.Tensor]:
    y_pred = tf.convert_to_tensor(y_pred)
    return same_rank(tf.cast(y_true, y_pred.dtype), y_pred)


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
    share = (y_true - y_pred) / tf.maximum(tf.abs(y_true), EPSILON)
    return 100.0 * tf.reduce_mean(tf.abs(share), -1)


def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Any:
    """Return the mean of `(log(1 + y_true) - log(1 + y_pred)) ** 2`, both at least 1e-7."""
    a, b = (tf.math.log(tf.maximum(x, EPSILON) + 1.0) for x in _pair(y_true, y_pred))
    return tf.reduce_mean(tf.square(a - b), -1)


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Any:
    """Return the mean of half the squared error, continued linearly beyond `delta`."""
    y_true, y_pred = _pair(y_true, y_pred)
    size = tf.abs(y_true - y_pred)
    linear = delta * size - 0.5 * delta**2
    return tf.reduce_mean(tf.where(size <= delta, 0.5 * tf.square(size), linear), -1)


def log_cosh(y_true: Any, y_pred: Any) -> Any:
    """Return the mean of `log(cosh(y_pred - y_true))`."""
    y_true, y_pred = _pair(y_true, y_pred)
    error = y_pred - y_true
    return tf.reduce_mean(error + tf.nn.softplus(-2.0 * error) - math.log(2.0), -1)


def poisson(y_true: Any, y_pred: Any) -> Any:
    """Return the mean of `y_pred - y_true * log(y_pred)`."""
    y_true, y_pred = _pair(y_true, y_pred)
    return tf.reduce_mean(y_pred - y_true * tf.math.log(y_pred + EPSILON), -1)


def kl_divergence(y_true: Any, y_pred: Any) -> Any:
    """Return the sum of `y_true * log(y_true / y_pred)`."""
    a, b = (tf.clip_by_value(x, EPSILON, 1.0) for x in _pair(y_true, y_pred))
    return tf.reduce_sum(a * tf.math.log(a / b), -1)


def hinge(y_true: Any, y_pred: Any) -> Any:
    """Return the mean of `max(1 - y_true * y_pred, 0)`, with labels -1 and 1, or 0 and 1."""
    return tf.reduce_mean(_hinges(y_true, y_pred), -1)


def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    """Return the mean of `max(1 - y_true * y_pred, 0) ** 2`, with labels as in `hinge`."""
    return tf.reduce_mean(tf.square(_hinges(y_true, y_pred)), -1)


def _hinges(y_true: Any, y_pred: Any) -> Any:
    y_true, y_pred = _pair(y_true, y_pred)
    binary = tf.reduce_all(tf.equal(y_true, 0.0) | tf.equal(y_true, 1.0))
    signs = tf.where(binary, 2.0 * y_true - 1.0, y_true)
    return tf.nn.relu(1.0 - signs * y_pred)


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
        p = tf.clip_by_value(y_pred, EPSILON, 1.0 - EPSILON)
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
    logs = tf.math.log(tf.clip_by_value(share, EPSILON, 1.0 - EPSILON))
    return -tf.reduce_sum(y_true * logs, axis)


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
        logits = tf.math.log(tf.clip_by_value(y_pred, EPSILON, 1.0 - EPSILON))
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
    attach_mask(each, valid)
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


class FunctionLoss(Loss):
    """A loss whose numbers a function computes; the arguments of the function are its own.

    Args:
      *args, **kwargs: `parameters`: those of the function after labels and predictions, and
        `reduction`, `name`, `dtype` of `Loss`.
    """

    function: ClassVar[Callable[..., Any]]
    parameters: ClassVar[inspect.Signature]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        own = constructor_arguments(self, args, kwargs)
        name = own.pop("name") or type(self).function.__name__
        super().__init__(name, own.pop("reduction"), own.pop("dtype"))
        self._arguments = own

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """Return one number for each sample."""
        return type(self).function(y_true, y_pred, **self._arguments)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal loss."""
        return super().get_config() | self._arguments

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.get_config()}>"


def _as_class(name: str, function: Callable[..., Any], casts_labels: bool = True) -> Any:
    """Create the class of a loss: what `function` returns, reduced."""
    shared = [parameter("reduction", Reduction.AUTO), parameter("name", None)]
    parameters = [*own_parameters(function), *shared, parameter("dtype", None)]
    doc = f"{first_sentence(function)} Reduced as `Loss` says."
    made = class_of_function(FunctionLoss, name, __name__, function, doc, parameters)
    made.casts_labels = casts_labels
    return made


MeanSquaredError = _as_class("MeanSquaredError", mean_squared_error)
MeanAbsoluteError = _as_class("MeanAbsoluteError", mean_absolute_error)
MeanAbsolutePercentageError = _as_class(
    "MeanAbsolutePercentageError", mean_absolute_percentage_error
)
MeanSquaredLogarithmicError = _as_class(
    "MeanSquaredLogarithmicError", mean_squared_logarithmic_error
)
Huber = _as_class("Huber", huber)
LogCosh = _as_class("LogCosh", log_cosh)
Poisson = _as_class("Poisson", poisson)
KLDivergence = _as_class("KLDivergence", kl_divergence)
Hinge = _as_class("Hinge", hinge)
SquaredHinge = _as_class("SquaredHinge", squared_hinge)
BinaryCrossentropy = _as_class("BinaryCrossentropy", binary_crossentropy)
CategoricalCrossentropy = _as_class("CategoricalCrossentropy", categorical_crossentropy)
SparseCategoricalCrossentropy = _as_class(
    "SparseCategoricalCrossentropy", sparse_categorical_crossentropy, casts_labels=False
)

mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kl_divergence
bce = BCE = binary_crossentropy
logcosh = log_cosh

CLASSES = (
    *(MeanSquaredError, MeanAbsoluteError, MeanAbsolutePercentageError),
    *(MeanSquaredLogarithmicError, Huber, LogCosh, Poisson, KLDivergence),
    *(Hinge, SquaredHinge, BinaryCrossentropy, CategoricalCrossentropy),
    SparseCategoricalCrossentropy,
)
FUNCTIONS = tuple(kind.function for kind in CLASSES)
FAMILY = Family(
    "loss",
    CLASSES,
    FUNCTIONS,
    {
        **{"mse": mse, "mae": mae, "mape": mape, "msle": msle, "kld": kld, "bce": bce},
        **{"MSE": mse, "MAE": mae, "MAPE": mape, "MSLE": msle, "KLD": kld, "BCE": bce},
        "logcosh": log_cosh,
    },
)
get = FAMILY.get
serialize = FAMILY.serialize
deserialize = FAMILY.deserialize
