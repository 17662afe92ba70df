"""Losses and metrics of a compiled model, for all of its outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import runtime as tf
from runtime.keras import losses, metrics
from runtime.keras.base.conversion import user_code
from runtime.keras.metrics import Mean, MeanMetricWrapper, Metric
from runtime.keras.reductions import FunctionLoss, Loss, same_rank
from runtime.keras.training.outputs import flat_outputs, for_outputs, labels_for, output_names

Entry = tuple[str, str, Metric, bool]
"""Prefix and name in logs, the metric, and whether it takes weights of samples."""

_SPARSE = losses.sparse_categorical_crossentropy


class CompileLoss(tf.types.experimental.Observed):
    """The losses of all outputs, and their weighted sum.

    Args:
      loss: name, function or `Loss`; or a list or dict of them for several outputs.
      loss_weights: factors of the losses, in such a structure; None: 1.
      model_name: name of the model in messages.
      names: names that the model gives to its outputs, if it does.
    """

    def __init__(
        self, loss: Any, loss_weights: Any, model_name: str, names: Sequence[str] | None
    ) -> None:
        self._loss = tf.nest.map_structure(_as_loss, loss)
        self._weights = loss_weights
        for weight in tf.nest.flatten(loss_weights):
            if isinstance(weight, str):
                raise ValueError(f"`loss_weights` holds {weight!r}, which is not a number.")
        self._model_name = model_name
        self._names = names
        self._trackers: dict[str, Mean] = {}

    @property
    def metrics(self) -> list[Metric]:
        """The means of the losses of single outputs, if there are several."""
        return list(self._trackers.values())

    def __call__(self, y: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Return the sum of all losses, None if there is none.

        Raises: ValueError if labels and outputs do not correspond.
        """
        names = output_names(y_pred, self._names)
        kinds = for_outputs(self._loss, names, "loss")
        factors = for_outputs(self._weights, names, "loss_weights")
        labels = labels_for(y, names)
        weights = labels_for(sample_weight, names, "sample_weight")
        total: Any = None
        several = sum(kind is not None for kind in kinds) > 1
        for name, loss, factor, label, output, weight in zip(
            names, kinds, factors, labels, flat_outputs(y_pred), weights, strict=True
        ):
            if loss is None:
                continue
            if label is None:
                raise ValueError(
                    f"Output '{name}' of model '{self._model_name}' has a loss but no labels. "
                    "Pass `y`."
                )
            output = tf.convert_to_tensor(output)
            self._check(name, loss, tf.convert_to_tensor(label), output)
            value = loss(label, output, weight)
            if several:
                self._track(name, value)
            value = value if factor is None else value * factor
            total = value if total is None else total + value
        return total

    def _track(self, name: str, value: Any) -> None:
        """Add the loss of an output to its mean over batches; as in Keras all count the same."""
        if name not in self._trackers:
            self._trackers[name] = Mean(f"{name}_loss")
        self._trackers[name].update_state(value)

    def _check(self, name: str, loss: Any, label: tf.Tensor, output: tf.Tensor) -> None:
        """Refuse labels that would be broadcast, or cannot be."""
        function = getattr(loss, "_function", None)
        if function not in losses.FUNCTIONS:
            return
        if function is _SPARSE:
            rank, wanted = label.shape.rank, (output.shape.rank or 1) - 1
            column = rank == wanted + 1 and label.shape[-1] == 1
            fits = rank is None or column or rank == wanted
            fits = fits and (column or label.shape.is_compatible_with(output.shape[:-1]))
            remedy = "The loss takes numbers of classes; for one-hot labels use "
            remedy += "'categorical_crossentropy'."
        else:
            a, b = same_rank(label, output)
            fits = a.shape.is_compatible_with(b.shape)
            remedy = "Give labels of the shape of the output"
            numbers = "; for numbers of classes use 'sparse_categorical_crossentropy'"
            classes = function is losses.categorical_crossentropy
            remedy += f"{numbers if classes else ''}."
        if not fits:
            raise ValueError(
                f"Output '{name}' of model '{self._model_name}' has shape {output.shape}, its "
                f"labels have shape {label.shape}, which does not fit loss '{loss.name}'. {remedy}"
            )


def _as_loss(identifier: Any) -> Any:
    found = losses.get(identifier)
    return found if found is None or isinstance(found, Loss) else FunctionLoss(found)


class CompileMetrics(Metric):
    """The metrics of all outputs.

    Args:
      metrics: names, functions or `Metric`s, a list; or a list or dict of such for several outputs.
      weighted_metrics: the same; these take the weights of samples into account.
      names: names that the model gives to its outputs, if it does.
    """

    def __init__(self, metrics: Any, weighted_metrics: Any, names: Sequence[str] | None) -> None:
        super().__init__(name="compile_metrics")
        self._given = {False: metrics, True: weighted_metrics}
        self._names = names
        self._of_outputs: list[list[Entry]] | None = None

    @property
    def metrics(self) -> list[Metric]:
        """All metrics, once the shapes of outputs are known."""
        return [metric for each in self._of_outputs or () for _, _, metric, _ in each]

    @property
    def variables(self) -> list[tf.Variable]:
        """The variables of all metrics."""
        return [variable for metric in self.metrics for variable in metric.variables]

    def update_state(self, y: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Take a batch into account."""
        outputs = flat_outputs(y_pred)
        names = output_names(y_pred, self._names)
        labels = labels_for(y, names)
        weights = labels_for(sample_weight, names, "sample_weight")
        if self._of_outputs is None:
            self._of_outputs = self._build(names, labels, outputs)
        for own, label, output, weight in zip(
            self._of_outputs, labels, outputs, weights, strict=True
        ):
            for _, _, metric, weighted in own:
                update = user_code(metric.update_state)
                if weighted and weight is not None:
                    update(label, output, sample_weight=weight)
                else:
                    update(label, output)

    def _build(self, names: list[str], labels: list[Any], outputs: list[Any]) -> list[list[Entry]]:
        found: list[list[Entry]] = [[] for _ in names]
        for weighted, given in self._given.items():
            argument = "weighted_metrics" if weighted else "metrics"
            nested = isinstance(given, list) and any(isinstance(own, list) for own in given)
            whole = given is None or len(names) > 1 or nested or isinstance(given, dict)
            several = given if whole else [given]
            for i, own in enumerate(for_outputs(several, names, argument)):
                prefix = f"{names[i]}_" if len(names) > 1 else ""
                listed = own if isinstance(own, (list, tuple)) else [own]
                for identifier in (each for each in listed if each is not None):
                    name, metric = _as_metric(identifier, labels[i], outputs[i])
                    found[i].append((prefix, name, metric, weighted))
        return found

    def result(self) -> dict[str, Any]:
        """Return the results by name, with that of the output before it if there are several."""
        results: dict[str, Any] = {}
        for own in self._of_outputs or ():
            for prefix, name, metric, weighted in own:
                key = f"{prefix}{name}"
                if weighted and key in results:
                    key = f"{prefix}weighted_{name}"
                name, number = key, 0
                while key in results:
                    number += 1
                    key = f"{name}_{number}"
                results[key] = user_code(metric.result)()
        return results

    def reset_state(self) -> None:
        """Reset all metrics."""
        for metric in self.metrics:
            metric.reset_state()


def _as_metric(identifier: Any, label: Any, output: Any) -> tuple[str, Metric]:
    """Return a metric and its name in logs; `accuracy` and `crossentropy` depend on shapes."""
    if isinstance(identifier, str) and identifier.lower() in _BY_SHAPE:
        return identifier, _BY_SHAPE[identifier.lower()][_kind(label, output)]()
    metric = metrics.get(identifier)
    if not isinstance(metric, Metric):
        name = "lambda" if metric.__name__ == "<lambda>" else metric.__name__
        metric = MeanMetricWrapper(metric, name)
    return (identifier if isinstance(identifier, str) else metric.name), metric


def _kind(label: Any, output: Any) -> str:
    label, output = tf.convert_to_tensor(label), tf.convert_to_tensor(output)
    if output.shape[-1] == 1:
        return "binary"
    lower = (label.shape.rank or 0) < (output.shape.rank or 0)
    return "sparse" if lower or label.shape[-1] == 1 else "categorical"


_ACCURACY = {
    "binary": metrics.BinaryAccuracy,
    "sparse": metrics.SparseCategoricalAccuracy,
    "categorical": metrics.CategoricalAccuracy,
}
_CROSSENTROPY = {
    "binary": metrics.BinaryCrossentropy,
    "sparse": metrics.SparseCategoricalCrossentropy,
    "categorical": metrics.CategoricalCrossentropy,
}
_BY_SHAPE: dict[str, dict[str, Any]] = {
    **{"accuracy": _ACCURACY, "acc": _ACCURACY},
    **{"crossentropy": _CROSSENTROPY, "ce": _CROSSENTROPY},
}
