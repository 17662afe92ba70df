"""The base of all metrics, and means over samples."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar, Self

import runtime as tf
from runtime.keras import initializers
from runtime.keras.base.conversion import user_code
from runtime.keras.base.masks import mask_of
from runtime.keras.base.names import auto_name
from runtime.keras.families import constructor_arguments
from runtime.keras.losses import same_rank, sum_of, weights_with_mask
from runtime.keras.saving.registry import deserialize_keras_object, serialize_keras_object


class Metric(tf.types.experimental.Observed):
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
        self.name = name or auto_name(type(self).__name__)
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

    weights = variables
    non_trainable_variables = variables

    def add_weight(
        self, shape: Any = (), initializer: Any = None, dtype: Any = None, name: str | None = None
    ) -> tf.Variable:
        """Add a variable.

        Args:
          shape: its shape.
          initializer: name or function of its first value; None: zeros.
          dtype: its dtype; None: that of the metric.
          name: its name.
        """
        with tf.init_scope():
            value = initializers.get(initializer or "zeros")(shape, dtype=dtype or self._dtype)
            variable = tf.Variable(value, trainable=False, name=name or "variable")
        self._variables.append(variable)
        return variable

    add_variable = add_weight

    def reset_state(self) -> None:
        """Set all variables to zero."""
        for variable in self.variables:
            variable.assign(tf.zeros_like(variable), read_value=False)

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Take more samples into account; a subclass overrides it."""
        raise NotImplementedError(f"{type(self).__name__} does not define `update_state`.")

    def result(self) -> Any:
        """Return the number, or a dict of numbers; a subclass overrides it."""
        raise NotImplementedError(f"{type(self).__name__} does not define `result`.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call `update_state`, and return the result."""
        user_code(self.update_state)(*args, **kwargs)
        return user_code(self.result)()

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal metric without state."""
        return {"name": self.name, "dtype": self.dtype}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create a metric from what `get_config` returned."""
        return cls(**config)

    def save_own_variables(self, store: Any) -> None:
        """Write the value of each variable to `store`, keyed by its position."""
        for i, variable in enumerate(self.variables):
            store[str(i)] = variable.numpy()

    def load_own_variables(self, store: Any) -> None:
        """Read what `save_own_variables` wrote."""
        for i, variable in enumerate(self.variables):
            variable.assign(store[str(i)])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


class Sum(Metric):
    """The weighted sum of values.

    Args:
      name, dtype: those of `Metric`.

    >>> total = Sum()
    >>> print(total([1.0, 2.0], sample_weight=[1.0, 10.0]).numpy())
    21.0
    """

    def __init__(self, name: str = "sum", dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_weight(name="total")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Add values of shape [batch, ...], times their weights."""
        values, _ = by_sample(values, sample_weight, self._dtype, tf.reduce_sum)
        self.total.assign_add(sum_of(values), read_value=False)

    def result(self) -> Any:
        """Return the sum."""
        return self.total.read_value()


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
        """Take values of shape [batch, ...] into account.

        Args:
          values: numbers; all of one sample are averaged first.
          sample_weight: factors that broadcast to `values`; None: 1.
        """
        values, weight = by_sample(values, sample_weight, self._dtype, tf.reduce_mean)
        if weight is not None:
            count = sum_of(weight)
        else:
            known = values.shape.num_elements()
            count = tf.cast(tf.size(values) if known is None else known, self._dtype)
        self.total.assign_add(sum_of(values), read_value=False)
        self.count.assign_add(count, read_value=False)

    def result(self) -> Any:
        """Return the mean."""
        return tf.math.divide_no_nan(self.total.read_value(), self.count.read_value())


def by_sample(
    values: Any, sample_weight: Any, dtype: Any, reduce: Callable[..., Any]
) -> tuple[Any, Any]:
    """Reduce all axes but the first, and multiply by weights.

    Args:
      values: tensor of shape [batch, ...] or a scalar.
      sample_weight: factors that broadcast to `values`, or None.
      dtype: dtype of the results.
      reduce: `tf.reduce_mean` or `tf.reduce_sum`.

    Returns: values and weights of shape [batch]; the weights are None without `sample_weight`.
    """
    mask = mask_of(values)
    values = tf.cast(values, dtype)
    weight = weights_with_mask(sample_weight, mask, dtype, rescaled=False)
    if weight is not None:
        values, weight = same_rank(values, weight)
        rank, of_weight = values.shape.rank or 0, weight.shape.rank or 0
        if rank > of_weight:
            values = reduce(values, list(range(of_weight, rank)))
        values = values * weight
        if of_weight > 1:
            weight = reduce(weight, list(range(1, of_weight)))
    rank = values.shape.rank or 0
    return reduce(values, list(range(1, rank))) if rank > 1 else values, weight


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

    def __init__(
        self, fn: Callable[..., Any], name: str | None = None, dtype: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(name or str(getattr(fn, "__name__", "mean")), dtype)
        self._fn = fn
        self._arguments = kwargs

    def update_state(  # type: ignore[override]
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> None:
        """Take samples into account.

        Args:
          y_true: labels.
          y_pred: predictions; samples that their mask leaves out do not count.
          sample_weight: factor of each sample; None: 1.
        """
        mask = mask_of(y_pred)
        values = self._fn(y_true, y_pred, **self._arguments)
        weight = weights_with_mask(sample_weight, mask, self._dtype, rescaled=False)
        super().update_state(values, weight)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal metric without state."""
        function = {"fn": serialize_keras_object(self._fn)}
        return super().get_config() | function | self._arguments

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create a metric from what `get_config` returned."""
        if "fn" in config:
            config = config | {"fn": deserialize_keras_object(config["fn"])}
        return cls(**config)


class FunctionMetric(MeanMetricWrapper):
    """A metric given by a function; the arguments of the function are its own.

    Args:
      *args, **kwargs: `parameters`: those of the function after labels and predictions, and
        `name`, `dtype` of `Metric`.
    """

    function: ClassVar[Callable[..., Any]]
    parameters: ClassVar[inspect.Signature]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        own = constructor_arguments(self, args, kwargs)
        super().__init__(type(self).function, own.pop("name"), own.pop("dtype"), **own)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal metric without state."""
        return Metric.get_config(self) | self._arguments
