"""Losses and metrics of a compiled model, for all of its outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import runtime as tf
from runtime.keras import losses, metrics
from runtime.keras.base.conversion import user_code
from runtime.keras.base.names import snake_case
from runtime.keras.metrics import Mean, MeanMetricWrapper, Metric
from runtime.keras.reductions import FunctionLoss, Loss, same_rank

Entry = tuple[str, bool, Metric]
"""Name in logs, whether the metric takes weights of samples, and the metric."""


class Output(NamedTuple):
    """One output of a model, with what belongs to it."""

    name: str
    value: tf.Tensor
    label: Any
    weight: Any


def outputs_of(
    y: object, y_pred: object, weights: object, names: Sequence[str] | None
) -> list[Output]:
    """Return the outputs of a batch; those of a dict in order of its keys, else under `names`.

    Raises: ValueError if labels or weights do not correspond to the outputs.
    """
    if isinstance(y_pred, Mapping):
        names = sorted(y_pred)
        values = [y_pred[name] for name in names]
    else:
        values = list(y_pred) if isinstance(y_pred, (list, tuple)) else [y_pred]
        count = len(values)
        if names is None or len(names) != count or len(set(names)) != count:
            names = ["output"] if count == 1 else [f"output_{i}" for i in range(count)]
    given = {"y": y, "sample_weight": weights}
    parts = (for_outputs(each, names, word) for word, each in given.items())
    tensors = map(tf.convert_to_tensor, values)
    return [Output(*row) for row in zip(names, tensors, *parts, strict=True)]


def for_outputs(given: object, names: Sequence[str], argument: str) -> list[Any]:
    """Return one value for each output, None where there is none.

    `given` is a value for all outputs, a list, or a dict by name; messages call it `argument`.

    Raises: ValueError for a name that no output has, or another number of values.
    """
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in names]
        if unknown:
            raise ValueError(
                f"`{argument}` has the key {unknown[0]!r}, but the outputs are named {names}."
            )
        return [given.get(name) for name in names]
    if not isinstance(given, (list, tuple)):
        return [given] * len(names)
    if argument in ("y", "sample_weight") and len(names) == 1 and len(given) != 1:
        return [tf.convert_to_tensor(given)]
    if len(given) != len(names):
        raise ValueError(f"`{argument}` has {len(given)} values for {len(names)} outputs: {names}.")
    return list(given)


class CompileLoss(tf.types.experimental.Observed):
    """The losses of all outputs, and their weighted sum: arguments of `Trainer.compile`."""

    def __init__(
        self, loss: Any, loss_weights: Any, model_name: str, names: Sequence[str] | None
    ) -> None:
        self._loss = _as_losses(loss)
        self._weights = loss_weights
        for weight in tf.nest.flatten(loss_weights):
            if isinstance(weight, str):
                raise ValueError(f"`loss_weights` holds {weight!r}, which is not a number.")
        self._model_name = model_name
        self._names = names
        self._trackers: dict[str, Mean] = {}

    @property
    def metrics(self) -> list[Metric]:
        """The means of the losses of several outputs, in the order of a dict of losses."""
        names = self._loss if isinstance(self._loss, dict) else self._trackers
        return [self._trackers[name] for name in names if name in self._trackers]

    def __call__(self, y: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Return the sum of all losses, None if there is none."""
        outputs = outputs_of(y, y_pred, sample_weight, self._names)
        names = [output.name for output in outputs]
        kinds = for_outputs(self._loss, names, "loss")
        factors = for_outputs(self._weights, names, "loss_weights")
        several = sum(kind is not None for kind in kinds) > 1
        total: Any = None
        for output, loss, factor in zip(outputs, kinds, factors, strict=True):
            if loss is None:
                continue
            self._check(output, loss)
            value = loss(output.label, output.value, output.weight)
            if several:
                self._track(output.name, value)
            value = value if factor is None else value * factor
            total = value if total is None else total + value
        return total

    def _track(self, name: str, value: object) -> None:
        """Add the loss of an output to its mean over batches; as in Keras all count the same."""
        if name not in self._trackers:
            self._trackers[name] = Mean(f"{name}_loss")
        self._trackers[name].update_state(value)

    def _check(self, output: Output, loss: Any) -> None:
        """Refuse labels that are missing, would be broadcast, or cannot be."""
        called = f"Output '{output.name}' of model '{self._model_name}'"
        if output.label is None:
            raise ValueError(f"{called} has a loss but no labels. Pass `y`.")
        function = getattr(loss, "_function", None)
        if function not in losses.FUNCTIONS:
            return
        labels = tf.convert_to_tensor(output.label)
        label, wanted = labels.shape, output.value.shape
        if labels.dtype == tf.string:
            raise ValueError(
                f"{called} has labels of dtype string, and loss '{loss.name}' needs numbers. "
                "`keras.layers.StringLookup` returns one for each class."
            )
        remedy = "Give labels of the shape of the output."
        if function is losses.sparse_categorical_crossentropy:
            column = label.rank == wanted.rank and label[-1] == 1
            fits = column or label.is_compatible_with(wanted[:-1])
            remedy = "For one-hot labels use 'categorical_crossentropy'."
        else:
            a, b = same_rank(labels, output.value)
            fits = a.shape.is_compatible_with(b.shape)
            if function is losses.categorical_crossentropy:
                remedy = "For numbers of classes use 'sparse_categorical_crossentropy'."
        weight = None if output.weight is None else tf.convert_to_tensor(output.weight).shape
        if weight is not None and any(
            None not in pair and pair[0] not in (1, pair[1])
            for pair in zip(weight, wanted, strict=False)
        ):
            raise ValueError(
                f"{called} has shape {wanted}, and `sample_weight` has shape {weight}. Give one "
                "weight for each sample."
            )
        if not fits:
            raise ValueError(
                f"{called} has shape {wanted}, its labels have shape {label}, which does not fit "
                f"loss '{loss.name}'. {remedy}"
            )


def _as_losses(given: object) -> Any:
    """Return the losses of all outputs; that of one output may stand in a list, as metrics do."""
    if isinstance(given, dict):
        return {name: _as_loss(_only(each)) for name, each in given.items()}
    if isinstance(given, (list, tuple)):
        return [_as_loss(_only(each)) for each in given]
    return _as_loss(given)


def _only(given: object) -> object:
    return given[0] if isinstance(given, (list, tuple)) and len(given) == 1 else given


def _as_loss(identifier: object) -> Loss | None:
    found = losses.get(identifier)
    return found if found is None or isinstance(found, Loss) else FunctionLoss(found)


class CompileMetrics(Metric):
    """The metrics of all outputs: arguments of `Trainer.compile`."""

    def __init__(self, metrics: Any, weighted_metrics: Any, names: Sequence[str] | None) -> None:
        super().__init__(name="compile_metrics")
        self._given = {"metrics": metrics, "weighted_metrics": weighted_metrics}
        self._names = names
        self._of_outputs: list[list[Entry]] | None = None

    @property
    def metrics(self) -> list[Metric]:
        """All metrics, once the shapes of outputs are known."""
        return [metric for each in self._of_outputs or () for _, _, metric in each]

    @property
    def names(self) -> list[str]:
        """The names in logs that no output prefixes: those of a model with one output."""
        outputs = self._of_outputs or []
        return [key for key, _, _ in outputs[0]] if len(outputs) == 1 else []

    @property
    def variables(self) -> list[tf.Variable]:
        """The variables of all metrics."""
        return [variable for metric in self.metrics for variable in metric.variables]

    def update_state(self, y: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Take a batch into account."""
        outputs = outputs_of(y, y_pred, sample_weight, self._names)
        if self._of_outputs is None:
            self._of_outputs = self._build(outputs)
        for output, own in zip(outputs, self._of_outputs, strict=True):
            for _, weighted, metric in own:
                update = user_code(metric.update_state)
                if weighted and output.weight is not None:
                    update(output.label, output.value, sample_weight=output.weight)
                else:
                    update(output.label, output.value)

    def _build(self, outputs: list[Output]) -> list[list[Entry]]:
        found: list[list[Entry]] = [[] for _ in outputs]
        several = len(outputs) > 1
        for argument, given in self._given.items():
            weighted = argument == "weighted_metrics"
            nested = isinstance(given, list) and any(isinstance(own, list) for own in given)
            if not (given is None or several or nested or isinstance(given, dict)):
                given = [given]
            rows = for_outputs(given, [output.name for output in outputs], argument)
            for output, own, entries in zip(outputs, rows, found, strict=True):
                prefix = f"{output.name}_" if several else ""
                for identifier in own if isinstance(own, (list, tuple)) else [own]:
                    if identifier is not None:
                        name, metric = _as_metric(identifier, output)
                        key = _free_key(prefix, name, weighted, {key for key, _, _ in entries})
                        entries.append((key, weighted, metric))
        return found

    def result(self) -> dict[str, Any]:
        """Return the results by name, with that of the output before it if there are several."""
        entries = (entry for own in self._of_outputs or () for entry in own)
        return {key: user_code(metric.result)() for key, _, metric in entries}

    def reset_state(self) -> None:
        """Reset all metrics."""
        for metric in self.metrics:
            metric.reset_state()


def _free_key(prefix: str, name: str, weighted: bool, taken: set[str]) -> str:
    """Return a name in logs that no other metric of the output has."""
    key = f"{prefix}{name}"
    if weighted and key in taken:
        key = f"{prefix}weighted_{name}"
    return next(k for k in (key, *(f"{key}_{i + 1}" for i in range(len(taken)))) if k not in taken)


def _as_metric(identifier: object, output: Output) -> tuple[str, Metric]:
    """Return a name in logs and a metric; `accuracy` depends on the shapes."""
    if isinstance(identifier, str) and identifier.lower() in ("accuracy", "acc"):
        return identifier, getattr(metrics, f"{_labels(output)}Accuracy")(name=identifier)
    metric = metrics.get(identifier)
    if not isinstance(metric, Metric):
        kind = type(metric).__name__
        name = getattr(metric, "name", None) or getattr(metric, "__name__", snake_case(kind))
        metric = MeanMetricWrapper(metric, str(name).strip("<>"))
    return (identifier if isinstance(identifier, str) else metric.name), metric


def _labels(output: Output) -> str:
    label, value = tf.convert_to_tensor(output.label).shape, output.value.shape
    if value[-1] == 1:
        return "Binary"
    lower = (label.rank or 0) < (value.rank or 0)
    return "SparseCategorical" if lower or label[-1] == 1 else "Categorical"
