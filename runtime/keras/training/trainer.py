"""Training, evaluation and prediction of models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import runtime as tf
from runtime.keras import callbacks as callbacks_module
from runtime.keras import optimizers
from runtime.keras.base.conversion import user_code
from runtime.keras.metrics import Mean, Metric
from runtime.keras.reductions import sum_of
from runtime.keras.saving.registry import deserialize_keras_object, serialize_keras_object
from runtime.keras.training.batches import Batches, as_arrays, batches_of, split
from runtime.keras.training.compiled import CompileLoss, CompileMetrics
from runtime.keras.training.interrupts import WholeSteps
from runtime.keras.training.steps import CompiledStep

Callbacks = callbacks_module.CallbackList


_OF_TRAINING = ("train_function", "test_function", "predict_function", "history")


class Trainer:
    """The methods of a model that train it, evaluate it and predict with it.

    A model overrides `train_step`, `test_step`, `predict_step` or `compute_loss` for another way
    of training. One step is one compiled graph.
    """

    optimizer: Any
    loss: Any
    history: Any
    stop_training: bool = False
    run_eagerly: bool = False
    jit_compile: Any = "auto"
    train_function: Callable[[Any], Any] | None = None
    test_function: Callable[[Any], Any] | None = None
    predict_function: Callable[[Any], Any] | None = None
    compiled: bool = False
    _compile_config: dict[str, Any] | None = None
    _compile_loss: CompileLoss | None = None
    _compile_metrics: CompileMetrics | None = None
    _loss_tracker: Mean | None = None

    def compile(
        self,
        optimizer: Any = "rmsprop",
        loss: Any = None,
        loss_weights: Any = None,
        metrics: Any = None,
        weighted_metrics: Any = None,
        run_eagerly: bool = False,
        jit_compile: Any = "auto",
        auto_scale_loss: bool = True,
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
          jit_compile: has no effect.
          auto_scale_loss: whether to scale losses if the dtype policy is `mixed_float16`.

        Raises: ValueError for an unknown name.
        """
        given = {"optimizer": optimizer, "loss": loss, "loss_weights": loss_weights}
        given |= {"metrics": metrics, "weighted_metrics": weighted_metrics}
        given |= {"run_eagerly": run_eagerly}
        self._compile_config = given
        self.optimizer = self._own_optimizer(optimizer, auto_scale_loss)
        self.loss = loss
        names = getattr(self, "output_names", None)
        self._compile_loss = None
        if loss is not None:
            self._compile_loss = CompileLoss(loss, loss_weights, self._own_name, names)
        self._compile_metrics = None
        if metrics is not None or weighted_metrics is not None:
            self._compile_metrics = CompileMetrics(metrics, weighted_metrics, names)
        self._loss_tracker = Mean("loss")
        self.run_eagerly = run_eagerly
        self.jit_compile = jit_compile
        self.stop_training = False
        self.compiled = True
        self._clear_functions()

    @property
    def _own_name(self) -> str:
        return str(getattr(self, "name", type(self).__name__))

    def _own_optimizer(self, identifier: Any, scaled: bool) -> Any:
        optimizer = optimizers.get(identifier)
        policy = getattr(getattr(self, "dtype_policy", None), "name", None)
        scales = isinstance(optimizer, optimizers.LossScaleOptimizer)
        if scales or not scaled or policy != "mixed_float16":
            return optimizer
        return optimizers.LossScaleOptimizer(optimizer, name="loss_scale_optimizer")

    def _clear_functions(self) -> None:
        self.train_function = self.test_function = self.predict_function = None

    def __parts__(self) -> dict[str, Any]:
        """Return what checkpoints and saved models hold: all but the training itself."""
        return {name: value for name, value in vars(self).items() if name not in _OF_TRAINING}

    def _check_compiled(self, method: str) -> None:
        if not self.compiled:
            raise ValueError(
                f"You must call `compile()` before calling `{method}()`: model '{self._own_name}' "
                "has no optimizer and no loss."
            )

    # ---- metrics ----

    @property
    def metrics(self) -> list[Any]:
        """The mean loss, and the metrics of attributes, of `compile` and of `add_metric`."""
        tracker = [] if self._loss_tracker is None else [self._loss_tracker]
        own = [each for value in _attributes(self) for each in _metrics_in(value)]
        given = [] if self._compile_metrics is None else [self._compile_metrics]
        outputs = [] if self._compile_loss is None else self._compile_loss.metrics
        added = getattr(self, "added_metrics", [])
        every = [*tracker, *own, *given, *outputs, *added]
        return list({id(metric): metric for metric in every}.values())

    @property
    def metrics_names(self) -> list[str]:
        """The names of the numbers that `evaluate` returns, in its order."""
        names: list[str] = []
        for metric in self.metrics:
            if isinstance(metric, CompileMetrics):
                names += metric.result()
            else:
                names.append(metric.name)
        return names

    @property
    def compiled_metrics(self) -> Any:
        """The metrics given to `compile`, as one."""
        return self._compile_metrics

    def compiled_loss(
        self, y: Any, y_pred: Any, sample_weight: Any = None, regularization_losses: Any = None
    ) -> Any:
        """Return the loss given to `compile`, and add it to its mean.

        Args:
          y, y_pred, sample_weight: labels, outputs, and weights of samples or None.
          regularization_losses: list of scalars to add, or None.
        """
        self._check_compiled("compiled_loss")
        value = None if self._compile_loss is None else self._compile_loss(y, y_pred, sample_weight)
        total = _sum([*([] if value is None else [value]), *(regularization_losses or ())])
        self._track_loss(total, y)
        return total

    def reset_metrics(self) -> None:
        """Reset all metrics."""
        for metric in self.metrics:
            metric.reset_state()

    def compute_loss(
        self,
        x: Any = None,
        y: Any = None,
        y_pred: Any = None,
        sample_weight: Any = None,
        training: bool = True,
    ) -> Any:
        """Return the loss of a batch: that given to `compile`, and `losses` of the layers.

        Args:
          x, y, y_pred: inputs, labels and outputs.
          sample_weight: weights of samples, or None.
          training: whether the batch is one of training.

        Raises: ValueError if there is no loss at all.
        """
        found = [] if self._compile_loss is None else [self._compile_loss(y, y_pred, sample_weight)]
        found += list(getattr(self, "losses", ()))
        if not found:
            raise ValueError(
                f"Model '{self._own_name}' has no loss to compute. Pass `loss` to `compile()`, "
                "call `add_loss()` in a layer, or override `compute_loss()`."
            )
        return _sum(found)

    def compute_metrics(
        self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None
    ) -> dict[str, Any]:
        """Take a batch into account in the metrics given to `compile`; return all results."""
        if self._compile_metrics is not None and y is not None:
            self._compile_metrics.update_state(y, y_pred, sample_weight)
        return self.get_metrics_result()

    def get_metrics_result(self) -> dict[str, Any]:
        """Return the results of all metrics by name."""
        results: dict[str, Any] = {}
        for metric in self.metrics:
            result = metric.result()
            results |= result if isinstance(result, dict) else {metric.name: result}
        return results

    def _track_loss(self, loss: Any, batch: Any) -> None:
        if self._loss_tracker is not None:
            first = next(t for t in tf.nest.flatten(batch) if t is not None)
            self._loss_tracker.update_state(loss, sample_weight=tf.shape(first)[0])

    # ---- steps ----

    def train_step(self, data: Any) -> Any:
        """Take one step of training.

        Args:
          data: batch `(x,)`, `(x, y)` or `(x, y, sample_weight)`.

        Returns: the results of all metrics by name.
        """
        x, y, sample_weight = unpack_x_y_sample_weight(data)
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)  # type: ignore[operator]
            compute_loss = user_code(self.compute_loss)
            loss = compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=sample_weight)
            scaled = self.optimizer.scale_loss(loss)
        self._track_loss(loss, x)
        variables = self.trainable_variables  # type: ignore[attr-defined]
        if variables:
            self.optimizer.apply(tape.gradient(scaled, variables), variables)
        return user_code(self.compute_metrics)(x, y, y_pred, sample_weight=sample_weight)

    def test_step(self, data: Any) -> Any:
        """Evaluate one batch; arguments and result are those of `train_step`."""
        x, y, sample_weight = unpack_x_y_sample_weight(data)
        y_pred = self(x, training=False)  # type: ignore[operator]
        loss = user_code(self.compute_loss)(
            x=x, y=y, y_pred=y_pred, sample_weight=sample_weight, training=False
        )
        self._track_loss(loss, x)
        return user_code(self.compute_metrics)(x, y, y_pred, sample_weight=sample_weight)

    def predict_step(self, data: Any) -> Any:
        """Return the outputs of one batch."""
        x, _, _ = unpack_x_y_sample_weight(data)
        return self(x, training=False)  # type: ignore[operator]

    def make_train_function(self, force: bool = False) -> Callable[[Any], Any]:
        """Return the function of a batch that `fit` calls; it is created once, unless `force`."""
        if self.train_function is None or force:
            self.train_function = self._stepper(self.train_step)
        return self.train_function

    def make_test_function(self, force: bool = False) -> Callable[[Any], Any]:
        """Return the function of a batch that `evaluate` calls."""
        if self.test_function is None or force:
            self.test_function = self._stepper(self.test_step)
        return self.test_function

    def make_predict_function(self, force: bool = False) -> Callable[[Any], Any]:
        """Return the function of a batch that `predict` calls."""
        if self.predict_function is None or force:
            self.predict_function = self._stepper(self.predict_step)
        return self.predict_function

    def _stepper(self, step: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def packed(data: Any) -> Any:
            """Pass inputs without labels as they are, not as a tuple of one."""
            return user_code(step)(pack_x_y_sample_weight(*data))

        return packed if self.run_eagerly else CompiledStep(packed)

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
        validation_batch_size: int | None = None,
        validation_freq: Any = 1,
    ) -> Any:
        """Train for a number of epochs.

        Args:
          x: arrays or tensors of shape [samples, ...], in the structure of the inputs; or a dataset
            or generator of batches `(x, y)` or `(x, y, sample_weight)`.
          y: labels of arrays, in the structure of the outputs.
          batch_size: samples in a batch of arrays; None: 32.
          epochs: the last epoch, counted from 1.
          verbose: 0 for silence, 1 or `auto` for a bar, 2 for one line for each epoch.
          callbacks: list of `Callback`s.
          validation_split: fraction of the samples, the last ones, that is not trained on but
            evaluated after each epoch.
          validation_data: data that is evaluated after each epoch: `(x, y)`,
            `(x, y, sample_weight)`, or a dataset.
          shuffle: whether to draw a new order of arrays in each epoch.
          class_weight: weight of each class, by its number.
          sample_weight: weights of samples of arrays.
          initial_epoch: number of epochs that count as done.
          steps_per_epoch: number of batches in an epoch; None: all.
          validation_steps, validation_batch_size: those of the evaluation.
          validation_freq: number of epochs between evaluations, or a list of epochs.

        Returns: the `History`, whose `history` holds lists of numbers by name.
        Raises: ValueError for data that does not fit the model. An interrupt from the keyboard
          leaves the variables as they were after the last whole step.
        """
        self._check_compiled("fit")
        dtype = self._float_dtype
        if validation_split and validation_data is None:
            if isinstance(x, tf.data.Dataset) or not _holds_arrays(x):
                raise ValueError(
                    "Argument `validation_split` is only supported for tensors or NumPy arrays. "
                    f"`x` is a {type(x).__name__}: split it with `take` and `skip`, and pass "
                    "`validation_data`."
                )
            data = tuple(as_arrays(part, dtype, "fit") for part in (x, y) if part is not None)
            weights = None if sample_weight is None else as_arrays(sample_weight, dtype, "fit")
            data = data if weights is None else (*data, weights)
            data, validation_data = split(data, validation_split, "fit")
            x, y, sample_weight = unpack_x_y_sample_weight(data)
        batches = batches_of(
            *(x, y, sample_weight),
            batch_size=batch_size,
            shuffle=shuffle,
            steps=steps_per_epoch,
            class_weight=class_weight,
            float_dtype=dtype,
        )
        hooks = callbacks_module.callback_list(
            *(callbacks, self),
            verbose=verbose,
            epochs=epochs,
            steps=batches.steps,
        )
        self.stop_training = False
        self.history = hooks.history
        function = self.make_train_function()
        with hooks.watched():
            hooks.on_train_begin({})
            logs: dict[str, Any] = {}
            for epoch in range(initial_epoch, epochs):
                self.reset_metrics()
                hooks.on_epoch_begin(epoch, {})
                logs = hooks.numbers(self._run(function, batches, hooks, "train"))
                if validation_data is not None and _is_due(epoch, validation_freq):
                    logs |= self._validate(
                        validation_data,
                        batch_size=validation_batch_size or batch_size,
                        steps=validation_steps,
                        callbacks=hooks,
                    )
                hooks.on_epoch_end(epoch, logs)
                if self.stop_training:
                    break
            if self.optimizer is not None and self.optimizer.built:
                self.optimizer.finalize_variable_values(
                    self.trainable_variables  # type: ignore[attr-defined]
                )
            hooks.on_train_end(logs)
        return self.history

    def _run(
        self, function: Callable[[Any], Any], batches: Batches, hooks: Callbacks, mode: str
    ) -> Any:
        """Run the steps of an epoch; return what the last one returned."""
        begin, end = hooks.batch_hooks(mode)
        logs: Any = {}
        with WholeSteps() as whole:
            for step, data in enumerate(batches.epoch()):
                begin(step)
                logs = whole.run(function, data)
                end(step, logs)
                if self.stop_training and mode == "train":
                    break
        return logs

    def _validate(self, data: Any, callbacks: Callbacks, **options: Any) -> dict[str, Any]:
        if isinstance(data, (tuple, list)):
            x, y, sample_weight = unpack_x_y_sample_weight(tuple(data))
        else:
            x, y, sample_weight = data, None, None
        results = self.evaluate(
            *(x, y), sample_weight=sample_weight, callbacks=callbacks, return_dict=True, **options
        )
        return {f"val_{name}": value for name, value in results.items()}

    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        verbose: Any = "auto",
        sample_weight: Any = None,
        steps: int | None = None,
        callbacks: Any = None,
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
        batches = batches_of(
            *(x, y, sample_weight),
            batch_size=batch_size,
            steps=steps,
            float_dtype=self._float_dtype,
            caller="evaluate",
        )
        hooks = callbacks_module.callback_list(
            *(callbacks, self),
            verbose=verbose,
            steps=batches.steps,
        )
        function = self.make_test_function()
        with hooks.watched():
            hooks.on_test_begin({})
            self.reset_metrics()
            logs = hooks.numbers(self._run(function, batches, hooks, "test"))
            hooks.on_test_end(logs)
        return logs if return_dict else self._in_order(logs)

    def predict(
        self,
        x: Any,
        batch_size: int | None = None,
        verbose: Any = "auto",
        steps: int | None = None,
        callbacks: Any = None,
    ) -> Any:
        """Return the outputs of data as NumPy arrays.

        Args:
          x, batch_size, verbose, callbacks: those of `fit`.
          steps: number of batches; None: all.
        """
        batches = batches_of(
            x, batch_size=batch_size, steps=steps, float_dtype=self._float_dtype, caller="predict"
        )
        hooks = callbacks_module.callback_list(
            *(callbacks, self),
            verbose=verbose,
            steps=batches.steps,
        )
        function = self.make_predict_function()
        parts: list[Any] = []

        def step(data: Any) -> dict[str, Any]:
            outputs = tf.nest.map_structure(np.asarray, function(data))
            parts.append(outputs)
            return {"outputs": outputs}

        with hooks.watched():
            hooks.on_predict_begin({})
            self._run(step, batches, hooks, "predict")
            hooks.on_predict_end({})
        return tf.nest.map_structure(lambda *arrays: np.concatenate(arrays), *parts)

    def predict_on_batch(self, x: Any) -> Any:
        """Return the outputs of one batch as NumPy arrays."""
        length = as_arrays(tf.nest.flatten(x)[0], self._float_dtype, "predict_on_batch").shape[0]
        batches = batches_of(
            x, batch_size=length, float_dtype=self._float_dtype, caller="predict_on_batch"
        )
        data = next(batches.epoch())
        return tf.nest.map_structure(np.asarray, self.make_predict_function()(data))

    @property
    def _float_dtype(self) -> str:
        """The dtype that floats of data get: float64 for a model in float64, else float32."""
        return "float64" if getattr(self, "dtype", None) == "float64" else "float32"

    def _in_order(self, logs: dict[str, Any]) -> Any:
        first = [metric.name for metric in self.metrics if metric.name in logs]
        rest = sorted(name for name in logs if name not in first)
        values = [logs[name] for name in (*first, *rest)]
        return values[0] if len(values) == 1 else values

    # ---- configs ----

    def get_compile_config(self) -> dict[str, Any] | None:
        """Return the arguments of `compile` as a config; None if the model is not compiled."""
        if self._compile_config is None:
            return None
        given = self._compile_config | {"optimizer": self.optimizer}
        return {name: serialize_keras_object(value) for name, value in given.items()}

    def compile_from_config(self, config: dict[str, Any]) -> None:
        """Compile with what `get_compile_config` returned."""
        known = {name: value for name, value in config.items() if name != "steps_per_execution"}
        self.compile(**{name: deserialize_keras_object(each) for name, each in known.items()})
        if getattr(self, "built", False) and self.optimizer is not None:
            self.optimizer.build(self.trainable_variables)  # type: ignore[attr-defined]


def unpack_x_y_sample_weight(data: Any) -> tuple[Any, Any, Any]:
    """Return inputs, labels and weights of a batch; None for what it does not hold.

    >>> unpack_x_y_sample_weight((1, 2))
    (1, 2, None)
    """
    parts = data if isinstance(data, tuple) else (data,)
    return (*parts, None, None, None)[:3]


def pack_x_y_sample_weight(x: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """Return a batch of inputs, labels and weights; the inverse of `unpack_x_y_sample_weight`."""
    if y is None:
        return (x,) if isinstance(x, (tuple, list)) else x
    return (x, y) if sample_weight is None else (x, y, sample_weight)


def _attributes(model: Any) -> list[Any]:
    return [value for name, value in vars(model).items() if not name.startswith("_compile")]


def _metrics_in(value: Any) -> list[Metric]:
    if isinstance(value, Metric):
        return [value]
    if isinstance(value, (list, tuple)):
        return [each for each in value if isinstance(each, Metric)]
    return []


def _sum(values: list[Any]) -> Any:
    tensors = [sum_of(tf.convert_to_tensor(value)) for value in values if value is not None]
    total = tensors[0]
    for each in tensors[1:]:
        total = total + tf.cast(each, total.dtype)
    return total


def _holds_arrays(x: Any) -> bool:
    return all(hasattr(leaf, "__array__") or isinstance(leaf, (int, float)) for leaf in _leaves(x))


def _leaves(x: Any) -> list[Any]:
    return tf.nest.flatten(x) if isinstance(x, (dict, list, tuple)) else [x]


def _is_due(epoch: int, frequency: Any) -> bool:
    if isinstance(frequency, int):
        return (epoch + 1) % frequency == 0
    return epoch + 1 in frequency
