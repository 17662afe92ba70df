"""Sums and means over samples, with weights and masks, and the classes of losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.keras import families
from runtime.keras.base.conversion import user_code
from runtime.keras.base.names import snake_case
from runtime.keras.base.symbolic import mask_of

# Bound of probabilities away from 0 and 1, as in Keras (keras.backend.epsilon()).
EPSILON = 1e-7

REDUCTIONS = ("sum_over_batch_size", "sum", "none", None)

NUMBERS: tuple[object, object] = [[1.0, 2.0]], [[1.5, 2.5]]
ONE_HOT: tuple[object, object] = [[0.0, 1.0]], [[0.25, 0.75]]
CLASS_NUMBERS: tuple[object, object] = [1], [[0.25, 0.75]]
"""Labels and predictions in the examples of losses and metrics."""


def same_rank(a: tf.Tensor, b: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Add or remove a last axis of length 1 where ranks differ by one."""
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


def pair(y_true: object, y_pred: object, *, broadcasts: bool = True) -> tuple[tf.Tensor, tf.Tensor]:
    """Return labels and predictions as tensors of one dtype and rank.

    Args:
      y_true, y_pred: labels and predictions.
      broadcasts: whether a length of 1 fits others.

    Raises: ValueError if their shapes are known not to fit.
    """
    predictions = tf.convert_to_tensor(y_pred)
    labels = tf.cast(y_true, predictions.dtype)
    given = labels.shape, predictions.shape
    labels, predictions = same_rank(labels, predictions)
    if not _fit(labels.shape, predictions.shape, broadcasts):
        raise ValueError(
            f"`y_true` has shape {given[0]} and `y_pred` has shape {given[1]}, which do not fit. "
            "Give a label for each prediction."
        )
    return labels, predictions


def floats(
    y_true: object, y_pred: object, *, broadcasts: bool = True
) -> tuple[tf.Tensor, tf.Tensor]:
    """Return labels and predictions as `pair` does, integers and bools as float32.

    A mean of integers would be truncated, and differences of unsigned ones wrap around.
    """
    predictions = tf.convert_to_tensor(y_pred)
    if not predictions.dtype.is_floating:
        predictions = tf.cast(predictions, tf.float32)
    return pair(y_true, predictions, broadcasts=broadcasts)


def _fit(a: tf.TensorShape, b: tf.TensorShape, broadcasts: bool) -> bool:
    if not broadcasts or a.rank is None or b.rank is None:
        return a.is_compatible_with(b)
    pairs = zip(reversed(a.as_list()), reversed(b.as_list()), strict=False)
    return all(one == other or {one, other} & {None, 1} for one, other in pairs)


def classes(y_true: object, y_pred: tf.Tensor) -> tf.Tensor:
    """Return numbers of classes without a last axis of length 1 that predictions do not have."""
    labels = tf.cast(y_true, tf.int64)
    column = labels.shape.rank == y_pred.shape.rank and labels.shape[-1] == 1
    return tf.squeeze(labels, -1) if column else labels


def sum_of(values: Any) -> Any:
    """Return the sum of all elements; a scalar as it is."""
    return values if values.shape.rank == 0 else tf.reduce_sum(values)


def weights_with_mask(
    sample_weight: object, mask: object, dtype: object, rescaled: bool = False
) -> Any:
    """Return sample weights that are zero where the mask is False; None for neither.

    A mask is `rescaled` so that its mean is 1: a later mean over all samples is then one over those
    that count.
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
    weight, factor = same_rank(_by_element(weight, factor), factor)
    return weight * factor


def _by_element(weight: Any, values: Any) -> Any:
    """Add last axes to weights of samples of numbers of shape [batch, ...].

    Without these axes the weights of as many samples as there are steps would count for steps.
    """
    rank = weight.shape.rank or 0
    missing = (values.shape.rank or 0) - rank
    if not rank or missing < 1 or not values.shape[:rank].is_compatible_with(weight.shape):
        return weight
    return weight[(..., *[tf.newaxis] * missing)]


def reduce_values(values: Any, sample_weight: Any, mask: Any, reduction: str | None) -> Any:
    """Reduce numbers of shape [batch, ...] to a scalar by one of `REDUCTIONS`."""
    values = tf.convert_to_tensor(values)
    weight = weights_with_mask(sample_weight, mask, values.dtype, reduction == REDUCTIONS[0])
    if weight is not None:
        values, weight = same_rank(values, _by_element(weight, values))
        values = values * weight
    if reduction in ("none", None):
        return values
    total = sum_of(values)
    if reduction == "sum" or values.shape.rank == 0:
        return total
    return total / tf.cast(tf.size(values), values.dtype)


def by_sample(values: Any, sample_weight: Any, dtype: Any) -> tuple[Any, Any]:
    """Average all axes but the first, and multiply by weights that broadcast to the values.

    Returns: values and weights of shape [batch]; the weights are None without `sample_weight`.
    """
    weight = weights_with_mask(sample_weight, mask_of(values), dtype)
    values = tf.cast(values, dtype)
    if weight is not None:
        values, weight = same_rank(values, weight)
        rank, of_weight = values.shape.rank or 0, weight.shape.rank or 0
        if of_weight > rank:
            raise ValueError(
                f"`sample_weight` of shape {weight.shape} has more axes than the values that it "
                f"weighs, of shape {values.shape}. Give labels and predictions of shape (batch, 1)."
            )
        if rank > of_weight:
            values = tf.reduce_mean(values, list(range(of_weight, rank)))
        values = values * weight
        if of_weight > 1:
            weight = tf.reduce_mean(weight, list(range(1, of_weight)))
    rank = values.shape.rank or 0
    return tf.reduce_mean(values, list(range(1, rank))) if rank > 1 else values, weight


def is_own(function: object) -> bool:
    """Return whether a function belongs to this package: it adapts ranks and dtypes itself."""
    return str(getattr(function, "__module__", "")).startswith("runtime.")


def apply_function(
    function: Callable[..., Any], y_true: object, y_pred: object, arguments: dict[str, Any]
) -> Any:
    """Call a function of labels and predictions; one of the program gets tensors of one rank."""
    if is_own(function):
        return function(y_true, y_pred, **arguments)
    y_true, y_pred = same_rank(tf.convert_to_tensor(y_true), tf.convert_to_tensor(y_pred))
    return user_code(function)(y_true, y_pred, **arguments)


class Reduction:
    """Names of the ways in which a `Loss` reduces the numbers of its samples.

    >>> Loss(reduction=Reduction.SUM).reduction
    'sum'
    """

    AUTO = SUM_OVER_BATCH_SIZE = "sum_over_batch_size"
    NONE = "none"
    SUM = "sum"


class Loss(families.Configured):
    """A loss that reduces the numbers of its samples; a subclass overrides `call`.

    Args:
      name: name in messages and logs; None: that of the class.
      reduction: `sum_over_batch_size` (divided by the number of samples), `sum` or `none`.

    Raises: ValueError for another reduction; TypeError for one that is no string.

    >>> class Absolute(Loss):
    ...     def call(self, y_true, y_pred):
    ...         return tf.reduce_mean(tf.abs(y_true - y_pred), axis=-1)
    >>> print(Absolute()([[1], [5]], [[2.0], [2.0]], sample_weight=[1.0, 3.0]).numpy())
    5.0
    """

    _casts_labels = True

    def __init__(self, name: str | None = None, reduction: str | None = Reduction.AUTO) -> None:
        kind = type(self).__name__
        if not isinstance(reduction, str | None):
            raise TypeError(
                f"`reduction` of {kind} is a string, not {reduction!r}. A loss takes labels and "
                f"predictions after it is created: `{kind}()(y_true, y_pred)`."
            )
        if reduction not in REDUCTIONS:
            raise ValueError(
                f"Invalid value for argument `reduction` of {kind}: {reduction!r}. Expected one of "
                f"{REDUCTIONS}."
            )
        self.name = name or snake_case(kind)
        self.reduction = reduction

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """Return one number for each sample; a subclass overrides it.

        Args:
          y_true: labels, shape [batch, ...].
          y_pred: predictions, shape [batch, ...].
        """
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
        y_pred = y_pred if y_pred.dtype == tf.float32 else tf.cast(y_pred, tf.float32)
        y_true = tf.convert_to_tensor(y_true)
        labels = tf.cast(y_true, tf.float32) if self._casts_labels else y_true
        values = user_code(self.call)(labels, y_pred)
        if values is None:
            raise TypeError(f"Loss '{self.name}' returns None, not a number for each sample.")
        return reduce_values(values, sample_weight, mask, self.reduction)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal loss."""
        return {"name": self.name, "reduction": self.reduction}


class FunctionLoss(Loss):
    """A loss whose numbers a function of labels, predictions and `arguments` computes.

    Args:
      name: name in messages and logs.
      reduction: `sum_over_batch_size` (divided by the number of samples), `sum` or `none`.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        name: str | None = None,
        reduction: str | None = Reduction.AUTO,
        **arguments: Any,
    ) -> None:
        default = getattr(function, "__name__", "loss")
        super().__init__(default if name is None else name, reduction)
        self._function = function
        self._arguments = arguments
        self._casts_labels = not is_own(function)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """Return one number for each sample."""
        return apply_function(self._function, y_true, y_pred, self._arguments)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal loss."""
        return super().get_config() | self._arguments
