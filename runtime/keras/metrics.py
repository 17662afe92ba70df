"""Metrics: numbers about the samples that a model has seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.keras import families, initializers, losses, reductions
from runtime.keras.base import conversion, names, symbolic, variable
from runtime.keras.reductions import CLASS_NUMBERS, NUMBERS, ONE_HOT


class Metric(families.Configured):
    """A number about all samples seen since the last reset.

    Args:
      dtype: dtype of variables; None: float32.
      name: name in logs; by default that of the class.

    A subclass overrides `update_state` and `result`.

    >>> class Largest(Metric):
    ...     def __init__(self, name="largest"):
    ...         super().__init__(name=name)
    ...         self.largest = self.add_weight(name="largest", initializer="zeros")
    ...     def update_state(self, y_true, y_pred, sample_weight=None):
    ...         self.largest.assign(tf.maximum(self.largest, tf.reduce_max(y_pred)))
    ...     def result(self):
    ...         return self.largest
    >>> metric = Largest()
    >>> metric.update_state([0.0], [3.0])
    >>> print(metric.result().numpy())
    3.0
    """

    def __init__(self, dtype: Any = None, name: str | None = None) -> None:
        if not isinstance(name, str | None):
            kind = type(self).__name__
            raise TypeError(
                f"`name` of {kind} is a string, not {name!r}. A metric takes numbers after it is "
                f"created: `{kind}()(...)`."
            )
        self.name = name or names.auto_name(type(self).__name__)
        self._dtype = tf.as_dtype(dtype or "float32")
        self._variables: list[tf.Variable] = []

    @property
    def dtype(self) -> str:
        """The name of the dtype of variables."""
        return self._dtype.name

    @property
    def variables(self) -> list[tf.Variable]:
        """All variables, those of metrics in attributes included."""
        inner = [metric for metric in vars(self).values() if isinstance(metric, Metric)]
        return [*self._variables, *(v for metric in inner for v in metric.variables)]

    def add_weight(
        self,
        shape: object = (),
        initializer: object = None,
        dtype: object = None,
        name: str | None = None,
    ) -> tf.Variable:
        """Add a variable.

        Args:
          shape: the shape.
          initializer: initializer or its name; None: zeros.
          dtype: the dtype; None: that of the metric.
          name: the name; None: `variable`.

        Returns:
          The variable.
        """
        with tf.init_scope():
            value = initializers.get(initializer or "zeros")(shape, dtype=dtype or self._dtype)
            name = name or "variable"
            made = variable.Variable(value, trainable=False, name=name, path=f"{self.name}/{name}")
        self._variables.append(made)
        return made

    def reset_state(self) -> None:
        """Set all variables to zero."""
        for each in self.variables:
            each.assign(tf.zeros(each.shape, each.dtype), read_value=False)

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Take more samples into account; a subclass overrides it.

        Args:
          *args, **kwargs: what a subclass takes, such as labels, predictions and `sample_weight`.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define `update_state`.")

    def result(self) -> Any:
        """Return the number, or a dict of numbers; a subclass overrides it."""
        raise NotImplementedError(f"{type(self).__name__} does not define `result`.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call `update_state`, and return the result."""
        conversion.user_code(self.update_state)(*args, **kwargs)
        return conversion.user_code(self.result)()

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal metric without state."""
        return {"name": self.name, "dtype": self.dtype}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


class Mean(Metric):
    """The weighted mean of values; 0 if there are none.

    Args:
      name, dtype: those of `Metric`.

    >>> mean = Mean()
    >>> mean.update_state([1.0, 3.0])
    >>> mean.update_state(8.0)
    >>> print(mean.result().numpy())
    4.0
    """

    def __init__(self, name: str = "mean", dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_weight(name="total")
        self.count = self.add_weight(name="count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Take values into account.

        Args:
          values: tensor of shape [batch, ...].
          sample_weight: weights that broadcast to the values; None: 1.
        """
        values, weight = reductions.by_sample(values, sample_weight, self._dtype)
        if weight is not None:
            count = reductions.sum_of(weight)
        else:
            known = values.shape.num_elements()
            count = tf.cast(tf.size(values) if known is None else known, self._dtype)
        self.total.assign_add(reductions.sum_of(values), read_value=False)
        self.count.assign_add(count, read_value=False)

    def result(self) -> Any:
        """Return the mean."""
        return tf.math.divide_no_nan(self.total.read_value(), self.count.read_value())


class MeanMetricWrapper(Mean):
    """The mean of a function of labels and predictions.

    Args:
      fn: function from labels and predictions to numbers of shape [batch, ...].
      name, dtype: those of `Metric`.
      **kwargs: further arguments of the function.

    >>> closeness = MeanMetricWrapper(lambda y_true, y_pred: abs(y_true - y_pred) < 0.1, "close")
    >>> print(closeness(tf.constant([0.0, 1.0]), tf.constant([0.5, 1.0])).numpy())
    0.5
    """

    def __init__(self, fn: Callable[..., Any], name: str, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name, dtype)
        self._fn = fn
        self._arguments = kwargs

    def update_state(  # type: ignore[override]
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> None:
        """Take labels and predictions into account; samples that a mask leaves out do not count.

        Args:
          y_true: labels.
          y_pred: predictions.
          sample_weight: weights that broadcast to the results of the function; None: 1.
        """
        mask = symbolic.mask_of(y_pred)
        values = reductions.apply_function(self._fn, y_true, y_pred, self._arguments)
        super().update_state(values, reductions.weights_with_mask(sample_weight, mask, self._dtype))

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal metric of a class of this module."""
        return super().get_config() | self._arguments


class RootMeanSquaredError(MeanMetricWrapper):
    """The root of the mean squared error.

    Args:
      name, dtype: those of `Metric`.

    >>> print(RootMeanSquaredError()([0.0, 0.0], [3.0, 4.0]).numpy().round(3))
    3.536
    """

    def __init__(self, name: str = "root_mean_squared_error", dtype: Any = None) -> None:
        super().__init__(_squared_errors, name, dtype)

    def result(self) -> Any:
        """Return the root."""
        return tf.sqrt(super().result())


def _squared_errors(y_true: object, y_pred: object) -> Any:
    y_true, y_pred = reductions.floats(y_true, y_pred)
    return tf.square(y_true - y_pred)


def _accuracy(y_true: object, y_pred: object) -> Any:
    """Return 1 where a prediction equals its label, else 0."""
    y_true, y_pred = reductions.pair(y_true, y_pred)
    return tf.cast(tf.equal(y_true, y_pred), tf.float32)


def binary_accuracy(y_true: object, y_pred: object, threshold: float = 0.5) -> Any:
    """Return 1 where a label 0 or 1 equals `y_pred > threshold`, else 0.

    Args:
      y_true: labels 0 and 1.
      y_pred: probabilities.
      threshold: the largest probability that counts as 0.

    >>> print(binary_accuracy([0.0, 1.0, 1.0], [0.25, 0.75, 0.5]).numpy())
    [1. 1. 0.]
    """
    return _accuracy(y_true, tf.cast(tf.convert_to_tensor(y_pred) > threshold, tf.float32))


def categorical_accuracy(y_true: object, y_pred: object) -> Any:
    """Return 1 where the most probable class is that of the one-hot label, else 0.

    Args:
      y_true: one-hot labels, shape [..., classes].
      y_pred: probabilities or logits, shape [..., classes].

    >>> print(categorical_accuracy([[0.0, 1.0], [1.0, 0.0]], [[0.25, 0.75], [0.25, 0.75]]).numpy())
    [1. 0.]
    """
    return tf.cast(tf.equal(tf.argmax(y_true, -1), tf.argmax(y_pred, -1)), tf.float32)


def sparse_categorical_accuracy(y_true: object, y_pred: object) -> Any:
    """Return 1 where the most probable class is the label, the number of a class, else 0.

    Args:
      y_true: numbers of classes, shape [...] or [..., 1].
      y_pred: probabilities or logits, shape [..., classes].

    >>> print(sparse_categorical_accuracy([1, 0], [[0.25, 0.75], [0.25, 0.75]]).numpy())
    [1. 0.]
    """
    y_pred = tf.convert_to_tensor(y_pred)
    hit = tf.equal(reductions.classes(y_true, y_pred), tf.argmax(y_pred, -1))
    return tf.cast(hit, tf.float32)


def _row(
    function: Callable[..., Any], given: tuple[object, object], shown: object, **own: Any
) -> Any:
    """Create the class of the mean of a function; `own` are its further parameters.

    For the labels and predictions `given`, the result is `shown`.
    """
    parameters = {"name": function.__name__.strip("_"), "dtype": None, **own}
    example = (*given, shown)
    return families.class_of_function(__name__, MeanMetricWrapper, function, parameters, example)


Accuracy = _row(_accuracy, ([1, 2], [1, 3]), 0.5)
BinaryAccuracy = _row(binary_accuracy, ([0, 1], [0.25, 0.5]), 0.5, threshold=0.5)
CategoricalAccuracy = _row(categorical_accuracy, ONE_HOT, 1.0)
SparseCategoricalAccuracy = _row(sparse_categorical_accuracy, CLASS_NUMBERS, 1.0)
MeanSquaredError = _row(losses.mean_squared_error, NUMBERS, 0.25)
MeanAbsoluteError = _row(losses.mean_absolute_error, NUMBERS, 0.5)
MeanAbsolutePercentageError = _row(losses.mean_absolute_percentage_error, NUMBERS, 37.5)
BinaryCrossentropy = _row(losses.binary_crossentropy, ONE_HOT, 0.288, from_logits=False)
CategoricalCrossentropy = _row(losses.categorical_crossentropy, ONE_HOT, 0.288, from_logits=False)
SparseCategoricalCrossentropy = _row(
    losses.sparse_categorical_crossentropy, CLASS_NUMBERS, 0.288, from_logits=False
)


class _Decisions(Metric):
    """Weights of labels 0 and 1 by the decision `y_pred > threshold`, for each threshold."""

    kept: tuple[str, ...]
    """The counts that a subclass needs, among true and false positives and negatives."""

    thresholds: tuple[float, ...]

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(dtype, name)
        shape = (len(self.thresholds),)
        self._counts = {each: self.add_weight(shape, name=each) for each in self.kept}

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Count decisions.

        Args:
          y_true: labels 0 and 1.
          y_pred: predictions of the same shape; one outside of [0, 1] counts as 0 or 1.
          sample_weight: weights that broadcast to the labels; None: 1.

        Raises: ValueError if the shapes of labels and predictions are known to differ.
        """
        y_true, y_pred = reductions.pair(y_true, tf.cast(y_pred, self._dtype), broadcasts=False)
        y_pred = tf.clip_by_value(y_pred, 0.0, 1.0)
        labels = tf.reshape(y_true, [-1])
        weight = tf.cast(1.0 if sample_weight is None else sample_weight, self._dtype)
        missing = (y_pred.shape.rank or 0) - (weight.shape.rank or 0)
        weight = weight[(..., *[tf.newaxis] * missing)] if missing > 0 else weight
        weight = tf.reshape(tf.broadcast_to(weight, tf.shape(y_pred)), [-1])
        thresholds = tf.constant(self.thresholds, self._dtype)
        exceeded = tf.searchsorted(thresholds, tf.reshape(y_pred, [-1]))
        self._add("true_positives", "false_negatives", weight * labels, exceeded)
        self._add("false_positives", "true_negatives", weight * (1.0 - labels), exceeded)

    def _add(self, accepted: str, refused: str, weight: object, exceeded: object) -> None:
        """Sum weights by the number of thresholds that a prediction exceeds, then from above."""
        sums = tf.math.unsorted_segment_sum(weight, exceeded, len(self.thresholds) + 1)
        above = tf.cumsum(sums, exclusive=True, reverse=True)[:-1]
        for name, value in ((accepted, above), (refused, tf.reduce_sum(sums) - above)):
            if name in self._counts:
                self._counts[name].assign_add(value, read_value=False)

    def _share(self, first: str, second: str) -> Any:
        """Return the first of two counts divided by their sum; 0 if that is 0."""
        count, other = self._counts[first].read_value(), self._counts[second].read_value()
        return tf.math.divide_no_nan(count, count + other)


class Precision(_Decisions):
    """The fraction of decisions `y_pred > 0.5` that are right; 0 if there are none.

    Args:
      name, dtype: those of `Metric`.

    >>> print(Precision()([0, 1, 1, 1], [1.0, 0.0, 0.9, 0.8]).numpy().round(3))
    0.667
    """

    kept = ("true_positives", "false_positives")
    thresholds = (0.5,)

    def result(self) -> Any:
        """Return the fraction."""
        return self._share(*self.kept)[0]


class Recall(Precision):
    """The fraction of positive labels for which `y_pred > 0.5`; 0 if there are none.

    Args:
      name, dtype: those of `Metric`.

    >>> print(Recall()([0, 1, 1, 1], [1.0, 0.0, 0.9, 0.8]).numpy().round(3))
    0.667
    """

    kept = ("true_positives", "false_negatives")


class AUC(_Decisions):
    """The area under the curve of true over false positives, by Riemann sums over 200 thresholds.

    Args:
      name, dtype: those of `Metric`.

    >>> print(AUC()([0, 0, 1, 1], [0.0, 0.5, 0.3, 0.9]).numpy())
    0.75
    """

    kept = ("true_positives", "false_positives", "true_negatives", "false_negatives")
    # The end points of the curve lie just outside [0, 1].
    thresholds = (-reductions.EPSILON, *(i / 199 for i in range(1, 199)), 1 + reductions.EPSILON)

    def result(self) -> Any:
        """Return the area."""
        x = self._share("false_positives", "true_negatives")
        y = self._share("true_positives", "false_negatives")
        return tf.reduce_sum((x[:-1] - x[1:]) * (y[:-1] + y[1:]) / 2.0)


CLASSES = (*MeanMetricWrapper.__subclasses__(), Mean, Precision, AUC)
_FAMILY = families.Family(
    "metric", CLASSES, aliases={"mse": MeanSquaredError, "mae": MeanAbsoluteError}
)
get, serialize, deserialize = _FAMILY.get, _FAMILY.serialize, _FAMILY.deserialize

__dir__, __getattr__ = families.namespace(globals(), "pass a function of labels and outputs")
