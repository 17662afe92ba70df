"""Training, evaluation and prediction of models."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

import runtime as tf
from runtime.keras import optimizers
from runtime.keras.base.conversion import user_code
from runtime.keras.base.layer import PLAIN, Layer
from runtime.keras.metrics import Mean, Metric
from runtime.keras.reductions import sum_of
from runtime.keras.saving.registry import deserialize, serialize
from runtime.keras.training.batches import Batches, batches_of, split
from runtime.keras.training.compiled import CompileLoss, CompileMetrics
from runtime.keras.training.progress import CallbackList, numbers
from runtime.keras.training.steps import CompiledStep, CompiledSteps, WholeSteps

_OF_COMPILE = ("optimizer", "loss", "loss_weights", "metrics", "weighted_metrics", "run_eagerly")


class Trainer(Layer):
    """The methods of a model that train it, evaluate it and predict with it.

    A model overrides `train_step`, `test_step`, `predict_step` or `compute_loss` for another way
    of training. One step is one compiled graph.
    """

    optimizer: Any
    loss: Any
    history: Any
    stop_training: bool = False
    run_eagerly: bool = False
    compiled: bool = False
    jit_compile: Any = "auto"
    _compile_config: dict[str, Any] | None = None
    _compile_loss: CompileLoss | None = None
    _compile_metrics: CompileMetrics | None = None
    _loss_tracker: Mean | None = None

    def compile(
        self,
        optimizer: object = "rmsprop",
        loss: object = None,
        loss_weights: object = None,
        metrics: object = None,
        weighted_metrics: object = None,
        run_eagerly: bool = False,
        jit_compile: object = "auto",
    ) -> None:
        """Set how the model is trained.

        Args:
          optimizer: name or `Optimizer`.
          loss: name, function or `Loss`; a list or dict of them for several outputs.
          loss_weights: factors of the losses of several outputs, a list or dict.
          metrics: list of names, functions or `Metric`s; a list or dict of lists for several
            outputs. `accuracy` is binary, sparse or categorical by the shapes.
          weighted_metrics: the same, for metrics that take weights of samples into account.
          run_eagerly: whether steps run as plain Python.
          jit_compile: whether steps run in machine code, as for `tf.function`; "auto": after the
            first hundred. It is not saved with the model.

        Losses are scaled if the dtype policy is `mixed_float16`.

        Raises: ValueError for an unknown name.
        """
        given = (optimizer, loss, loss_weights, metrics, weighted_metrics, run_eagerly)
        self._compile_config = dict(zip(_OF_COMPILE, given, strict=True))
        self.optimizer = optimizers.get(optimizer)
        scales = isinstance(self.optimizer, optimizers.LossScaleOptimizer)
        if not scales and self.dtype_policy.name == "mixed_float16":
            self.optimizer = optimizers.LossScaleOptimizer(self.optimizer)
        self.loss = loss
        names = getattr(self, "output_names", None)
        self._compile_loss = self._compile_metrics = None
        if loss is not None:
            self._compile_loss = CompileLoss(loss, loss_weights, self.name, names)
        if metrics is not None or weighted_metrics is not None:
            self._compile_metrics = CompileMetrics(metrics, weighted_metrics, names)
        self._loss_tracker = Mean("loss")
        self.run_eagerly = run_eagerly
        self.jit_compile = jit_compile
        self.stop_training = False
        self.compiled = True
        self._functions = CompiledSteps()

    def __parts__(self) -> dict[str, Any]:
        """Return what checkpoints and saved models hold: all but the training itself."""
        held = {name: vars(self)[name] for name in vars(self) if name != "_functions"}
        held.pop("history", None)
        return held

    def _check_compiled(self, method: str) -> None:
        if not self.compiled:
            raise ValueError(
                f"You must call `compile()` before calling `{method}()`: model '{self.name}' "
                "has no optimizer and no loss."
            )

    # ---- losses and metrics ----

    @property
    def metrics(self) -> list[Any]:
        """The mean loss, the metrics of attributes, of layers, of `compile` and of `add_metric`."""
        layers = [*self._flatten_layers()]
        held = [
            value
            for owner in layers
            if owner is self or not isinstance(owner, Trainer)
            for name, value in vars(owner).items()
            if type(value) not in PLAIN and isinstance(value, (Metric, list, tuple))
            if not name.startswith(("_compile", "_loss"))
        ]
        inner = [each for v in held for each in (v if isinstance(v, (list, tuple)) else [v])]
        outputs = [] if self._compile_loss is None else self._compile_loss.metrics
        added = [each for layer in layers for each in layer._state.metrics.values()]
        every = [self._loss_tracker, *inner, self._compile_metrics, *outputs, *added]
        return list({id(each): each for each in every if isinstance(each, Metric)}.values())

    @property
    def metrics_names(self) -> list[str]:
        """The names of the numbers that `evaluate` returns, in its order."""
        of_compile = () if self._compile_metrics is None else self._compile_metrics.result()
        own = (each.name for each in self.metrics if not isinstance(each, CompileMetrics))
        return self._in_order({*own, *of_compile})

    def _in_order(self, names: Collection[str]) -> list[str]:
        """Order names as Keras does: by metric, then those of several outputs, and others."""
        if type(self).metrics is Trainer.metrics and self._loss_tracker is not None:
            own = [] if self._compile_metrics is None else self._compile_metrics.names
            usual = [self._loss_tracker.name, *own]
            if len(usual) == len(names) and all(name in names for name in usual):
                return usual  # without a look at all attributes of all layers
        first: list[str] = []
        for metric in self.metrics:
            first += metric.names if isinstance(metric, CompileMetrics) else [metric.name]
        return [*(name for name in first if name in names), *sorted({*names} - {*first})]

    def _numbers(self, logs: dict[str, Any]) -> Any:
        values = [logs[name] for name in self._in_order(logs)]
        return values[0] if len(values) == 1 else values

    def reset_metrics(self) -> None:
        """Reset all metrics."""
        for metric in self.metrics:
            metric.reset_state()

    def compiled_loss(
        self, y: Any, y_pred: Any, sample_weight: Any = None, regularization_losses: Any = None
    ) -> Any:
        """Return the loss given to `compile`, and add it to its mean.

        Args:
          y, y_pred, sample_weight: labels, outputs, and weights of samples or None.
          regularization_losses: list of scalars to add, or None.
        """
        self._check_compiled("compiled_loss")
        total = self._sum(y, y_pred, sample_weight, regularization_losses or [])
        self._track_loss(total, y)
        return total

    def compute_loss(
        self,
        x: object = None,
        y: object = None,
        y_pred: object = None,
        sample_weight: object = None,
        training: bool = True,
    ) -> Any:
        """Return the loss of a batch: that given to `compile`, and `losses` of the layers.

        Args:
          x, y, y_pred: inputs, labels and outputs.
          sample_weight: weights of samples, or None.
          training: whether the batch is one of training.

        Raises: ValueError if there is no loss at all.
        """
        return self._sum(y, y_pred, sample_weight, self.losses)

    def _sum(self, y: Any, y_pred: Any, sample_weight: Any, added: list[Any]) -> Any:
        own = [] if self._compile_loss is None else [self._compile_loss(y, y_pred, sample_weight)]
        values = [each for each in (*own, *added) if each is not None]
        if not values:
            raise ValueError(
                f"Model '{self.name}' has no loss to compute. Pass `loss` to `compile()`, "
                "call `add_loss()` in a layer, or override `compute_loss()`."
            )
        total, *rest = (sum_of(tf.convert_to_tensor(value)) for value in values)
        return functools.reduce(lambda a, b: a + tf.cast(b, a.dtype), rest, total)

    def compute_metrics(
        self, x: object, y: object, y_pred: object, sample_weight: object = None
    ) -> dict[str, Any]:
        """Take a batch into account in the metrics given to `compile`.

        Args:
          x, y, y_pred, sample_weight: inputs, labels, outputs and weights of a batch; None: there
            are none.

        Returns:
          The results of all metrics by name.
        """
        if self._compile_metrics is not None and y is not None:
            self._compile_metrics.update_state(y, y_pred, sample_weight)
        results: dict[str, Any] = {}
        for metric in self.metrics:
            result = metric.result()
            results |= result if isinstance(result, dict) else {metric.name: result}
        return results

    def _check_loss(self, loss: object) -> None:
        """Refuse NaN, of which the optimizer would make all variables NaN.

        An infinite loss may have finite gradients.
        """
        if not isinstance(self.optimizer, optimizers.LossScaleOptimizer):
            text = (
                f"The loss of model '{self.name}' is nan. Look for NaN in the data, lower the "
                "learning rate, or pass `clipnorm` to the optimizer. The optimizer has not changed "
                "the variables."
            )
            tf.debugging.Assert(tf.logical_not(tf.math.is_nan(loss)), [text])

    def _track_loss(self, loss: object, batch: object) -> None:
        """Add a loss to its mean, weighted by the number of samples."""
        if self._loss_tracker is not None:
            first = next(t for t in tf.nest.flatten(batch) if t is not None)
            self._loss_tracker.update_state(loss, sample_weight=tf.shape(first)[0])

    # ---- steps ----

    def train_step(self, data: object) -> Any:
        """Take one step of training.

        Args:
          data: a batch: inputs, or a tuple `(x,)`, `(x, y)` or `(x, y, sample_weight)`.

        Returns: the results of all metrics by name.
        Raises: InvalidArgumentError if the loss is NaN, before the optimizer changes variables.
        """
        x, y, sample_weight = _unpack(data)
        with tf.GradientTape() as tape:
            y_pred = self._returned(self(x, training=True))
            compute_loss = user_code(self.compute_loss)
            loss = compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=sample_weight)
            scaled = self.optimizer.scale_loss(loss)
        self._check_loss(loss)
        self._track_loss(loss, x)
        variables = self.trainable_variables
        if variables:
            grads = tape.gradient(scaled, variables)
            self.optimizer.apply_gradients(zip(grads, variables, strict=True))
        return user_code(self.compute_metrics)(x, y, y_pred, sample_weight=sample_weight)

    def test_step(self, data: object) -> Any:
        """Evaluate one batch.

        Args:
          data: a batch: inputs, or a tuple `(x,)`, `(x, y)` or `(x, y, sample_weight)`.

        Returns:
          The results of all metrics by name.
        """
        x, y, sample_weight = _unpack(data)
        y_pred = self._returned(self(x, training=False))
        loss = user_code(self.compute_loss)(
            x=x, y=y, y_pred=y_pred, sample_weight=sample_weight, training=False
        )
        self._track_loss(loss, x)
        return user_code(self.compute_metrics)(x, y, y_pred, sample_weight=sample_weight)

    def predict_step(self, data: object) -> Any:
        """Return the outputs of one batch.

        Args:
          data: a batch: inputs, or a tuple `(x,)`, `(x, y)` or `(x, y, sample_weight)`.
        """
        return self._returned(self(_unpack(data)[0], training=False))

    def _step(self, mode: str) -> Callable[..., Any]:
        """Return `train_step`, `test_step` or `predict_step`, compiled, as a function of parts."""
        functions = vars(self).setdefault("_functions", CompiledSteps())
        if mode not in functions:
            step = getattr(self, f"{mode}_step")

            def run(*data: Any) -> Any:
                """Pass inputs without labels as they are, not as a tuple of one."""
                alone = len(data) == 1 and not isinstance(data[0], (tuple, list))
                return user_code(step)(data[0] if alone else data)

            functions[mode] = run if self.run_eagerly else CompiledStep(run, self.jit_compile)
        return functions[mode]  # type: ignore[no-any-return]

    # ---- loops ----

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: Any = "auto",
        callbacks: Any = None,
        validation_split: float = 0.0,
        validation_data: Any = None,
        shuffle: bool = True,
        class_weight: Mapping[int, float] | None = None,
        sample_weight: Any = None,
        initial_epoch: int = 0,
        steps_per_epoch: int | None = None,
        validation_steps: int | None = None,
    ) -> Any:
        """Train for a number of epochs.

        Args:
          x: arrays or tensors of shape [samples, ...], in the structure of the inputs; or a dataset
            or generator of batches `(x, y)` or `(x, y, sample_weight)`.
          y: labels of arrays, in the structure of the outputs.
          batch_size: samples in a batch of arrays; None: 32.
          epochs: the number of the epoch before which to stop, from 0.
          verbose: 0 for silence, 1 or `auto` for a bar, 2 for one line for each epoch.
          callbacks: list of `Callback`s.
          validation_split: fraction of the samples, the last ones, that is not trained on but
            evaluated after each epoch.
          validation_data: data that is evaluated after each epoch: `(x, y)`,
            `(x, y, sample_weight)`, or a dataset.
          shuffle: whether to draw a new order of arrays in each epoch.
          class_weight: weight of each class, by its number.
          sample_weight: weights of samples of arrays.
          initial_epoch: the number of the first epoch.
          steps_per_epoch, validation_steps: number of batches in an epoch and in its evaluation;
            None: all.

        Returns: the `History`, whose `history` holds lists of numbers by name.
        Raises: ValueError for data that does not fit the model; InvalidArgumentError if the loss of
          a batch is NaN. An interrupt from the keyboard leaves the variables as they were after the
          last whole step, and NaN as they were before the batch, but for those that layers change.
        """
        self._check_compiled("fit")
        is_array = hasattr(validation_data, "__array__")
        if is_array or (isinstance(validation_data, (tuple, list)) and len(validation_data) > 3):
            raise ValueError("`validation_data` is (x, y), (x, y, sample_weight) or a dataset.")
        if validation_split and validation_data is None:
            data, validation_data = split(x, y, sample_weight, validation_split)
            x, y, sample_weight = _unpack(data)
        batches = self._batches(
            *("fit", x, y, sample_weight, batch_size, steps_per_epoch),
            shuffle=shuffle,
            class_weight=class_weight,
        )
        hooks = CallbackList(callbacks, self, verbose, "train", batches.steps, epochs=epochs)
        built = {id(layer) for layer in self._flatten_layers() if layer.built}
        self.stop_training = False
        self.history = hooks.history
        with hooks.watched():
            hooks.on_train_begin({})
            logs: dict[str, Any] = {}
            for epoch in range(initial_epoch, epochs):
                self.reset_metrics()
                hooks.on_epoch_begin(epoch, {})
                if verbose and epochs > 1:
                    print(f"Epoch {epoch + 1}/{epochs}")
                hooks.bar.begin()
                logs = numbers(self._run("train", batches, hooks))
                if not np.all(np.isfinite(logs.get("loss", 0.0))):
                    warnings.warn(
                        f"The loss of model '{self.name}' is {logs['loss']} in epoch {epoch + 1}. "
                        "Look for NaN in the data, lower the learning rate, or pass `clipnorm` to "
                        "the optimizer.",
                        stacklevel=2,
                    )
                if validation_data is not None:
                    is_stream = not isinstance(validation_data, (tuple, list))
                    inputs, labels, weights = _unpack(
                        validation_data if is_stream else tuple(validation_data)
                    )
                    held = self._batches(
                        "evaluate", inputs, labels, weights, batch_size, validation_steps
                    )
                    results = self._evaluated(held, hooks)
                    logs |= {f"val_{name}": value for name, value in results.items()}
                hooks.on_epoch_end(epoch, numbers(logs))
                hooks.bar.end(logs)
                if self.stop_training:
                    break
            hooks.on_train_end(logs)
        for layer in self._flatten_layers():
            if not batches.even and id(layer) not in built:
                layer._forget_batch_size()
        return self.history

    def evaluate(
        self,
        x: object = None,
        y: object = None,
        batch_size: int | None = None,
        verbose: object = "auto",
        sample_weight: object = None,
        steps: int | None = None,
        callbacks: object = None,
        return_dict: bool = False,
    ) -> Any:
        """Return the loss and the metrics of data.

        Args:
          x, y, batch_size, verbose, sample_weight, callbacks: those of `fit`.
          steps: number of batches; None: all.
          return_dict: whether to return numbers by name.

        Returns: a list of numbers in the order of `metrics_names`, the number itself if it is the
          only one, or a dict.
        Raises: ValueError for data that does not fit the model.
        """
        self._check_compiled("evaluate")
        batches = self._batches("evaluate", x, y, sample_weight, batch_size, steps)
        hooks = CallbackList(callbacks, self, verbose, "test", batches.steps)
        with hooks.watched():
            hooks.bar.begin()
            logs = self._evaluated(batches, hooks)
            hooks.bar.end(logs)
        return logs if return_dict else self._numbers(logs)

    def _evaluated(self, batches: Batches, hooks: CallbackList) -> dict[str, Any]:
        hooks.on_test_begin({})
        self.reset_metrics()
        logs = numbers(self._run("test", batches, hooks))
        hooks.on_test_end(logs)
        return logs

    def predict(
        self,
        x: object,
        batch_size: int | None = None,
        verbose: object = "auto",
        steps: int | None = None,
        callbacks: object = None,
    ) -> Any:
        """Return the outputs of data as NumPy arrays.

        Args:
          x, batch_size, verbose, callbacks: those of `fit`.
          steps: number of batches; None: all.
        """
        batches = self._batches("predict", x, None, None, batch_size, steps)
        hooks = CallbackList(callbacks, self, verbose, "predict", batches.steps)
        parts: list[Any] = []
        with hooks.watched():
            hooks.on_predict_begin({})
            hooks.bar.begin()
            self._run("predict", batches, hooks, parts)
            hooks.on_predict_end({})
            hooks.bar.end({})
        return tf.nest.map_structure(lambda *arrays: np.concatenate(arrays), *parts)

    def train_on_batch(
        self,
        x: object,
        y: object = None,
        sample_weight: object = None,
        class_weight: Mapping[int, float] | None = None,
    ) -> Any:
        """Take one step of training.

        Args:
          x, y, sample_weight, class_weight: those of `fit`, of one batch.

        Returns: the loss and the metrics of the batch, in the form that `evaluate` returns.
        Raises: ValueError for data that does not fit the model.
        """
        self._check_compiled("train_on_batch")
        logs = self._on_batch("train", x, y, sample_weight, class_weight=class_weight)
        return self._numbers(numbers(logs))

    def test_on_batch(self, x: object, y: object = None, sample_weight: object = None) -> Any:
        """Evaluate one batch.

        Args:
          x, y, sample_weight: those of `evaluate`, of one batch.

        Returns:
          The loss and the metrics of the batch, in the form that `evaluate` returns.

        Raises:
          ValueError: for data that does not fit the model.
        """
        self._check_compiled("test_on_batch")
        return self._numbers(numbers(self._on_batch("test", x, y, sample_weight)))

    def predict_on_batch(self, x: object) -> Any:
        """Return the outputs of one batch as NumPy arrays.

        Args:
          x: the inputs of one batch.
        """
        return tf.nest.map_structure(np.asarray, self._on_batch("predict", x))

    def _on_batch(
        self,
        mode: str,
        x: object,
        y: object = None,
        sample_weight: object = None,
        **options: object,
    ) -> Any:
        """Run one step on a batch of all samples; what it returns covers them alone."""
        caller = f"{mode}_on_batch"
        batches = self._batches(caller, x, y, sample_weight, sys.maxsize, None, **options)
        if batches.count not in (0, 1):
            raise TypeError(f"`{caller}` takes the arrays of one batch, not a {type(x).__name__}.")
        if mode != "predict":
            self.reset_metrics()
        with WholeSteps() as whole:
            return whole.run(self._step(mode), *next(batches.epoch()))

    def _run(
        self, mode: str, batches: Batches, hooks: CallbackList, outputs: list[Any] | None = None
    ) -> Any:
        """Run the steps of an epoch; return what the last one returned.

        Results are appended as arrays to `outputs`, unless it is None.
        """
        function = self._step(mode)
        begin, end = hooks.batch_hooks(mode)
        logs: Any = {}
        with WholeSteps() as whole:
            for step, data in enumerate(batches.epoch()):
                begin(step)
                logs = whole.run(function, *data)
                if outputs is not None:
                    outputs.append(tf.nest.map_structure(np.asarray, logs))
                    logs = {"outputs": outputs[-1]}
                end(step, logs)
                if self.stop_training and mode == "train":
                    break
        return logs

    # ---- data ----

    def _batches(
        self, caller: str, x: Any, y: Any, weight: Any, size: Any, steps: Any, **options: Any
    ) -> Batches:
        float_dtype = "float64" if self.dtype == "float64" else "float32"
        options |= {"float_dtype": float_dtype, "caller": caller}
        return batches_of(x, y, weight, batch_size=size, steps=steps, **options)

    # ---- configs ----

    def get_compile_config(self) -> dict[str, Any] | None:
        """Return the arguments of `compile` as a config; None if the model is not compiled."""
        if self._compile_config is None:
            return None
        given = self._compile_config | {"optimizer": self.optimizer}
        return {name: serialize(value) for name, value in given.items()}

    def compile_from_config(self, config: dict[str, Any]) -> None:
        """Compile with the arguments of a config.

        Args:
          config: the result of `get_compile_config`.
        """
        known = {name: value for name, value in config.items() if name in _OF_COMPILE}
        self.compile(**deserialize(known))
        if self.built:
            self.optimizer.build(self.trainable_variables)


def _unpack(data: object) -> tuple[Any, Any, Any]:
    """Return inputs, labels and weights of a batch; None for what it does not hold."""
    parts = data if isinstance(data, tuple) else (data,)
    return (*parts, None, None, None)[:3]
